//! The SIMT preview of 13.5: functions that are compiled separately, their types and attributes.
//!
//! It is not part of the public language: everything here is reached only through [`crate::types::TypeKind::Preview`],
//! [`crate::ir::Attr::Value`], [`crate::ir::Module::functions`] and the ops of [`tile_dialect::Group::Preview`]. Its parts
//! are in `tile_dialect`'s table of the preview; the modules here read, print and check it.

mod expr;
mod function;
mod gate;
mod items;
mod layout;
mod print;
mod read;
mod rules;
mod types;
mod value;

pub use crate::ir::{Function, Param};
pub use crate::types::{Field, Fragment, Layout, PreviewType, PreviewValue};
pub use expr::{constant, is_extent, is_integer};
pub use gate::{Refusal, refusal};
pub(crate) use gate::{is_allowed, is_item, is_preview_word};
pub(crate) use items::{Calls, Declared, bad_calls, calls_of, declarations};
pub(crate) use print::inside;
pub use print::{call_arguments, const_arguments, const_parameters, long};
pub(crate) use read::{PreviewReader, attribute, property};
pub use rules::{Broken, FunctionPart, check_functions, fragment as check_fragment, tile as check_tile};
pub(crate) use rules::{Call, CallPart, check_call};
