//! The table of CUDA Tile IR: every op, type, attribute, enum and version, as data.
//!
//! Invariants:
//! - depends on no other crate, first-party or third-party;
//! - holds only data: no code that parses, checks, prints or runs a program;
//! - one op is one row, and each fact about an op is stated only there.

mod attr;
mod builtin;
mod class;
mod element;
mod enums;
mod example;
pub mod form;
mod gpu;
mod hint;
pub mod layout;
mod mnemonic;
mod names;
mod op;
mod part_names;
mod preview;
mod rows;
mod table;
mod term;
pub mod terms;
mod version;

pub use attr::{AttrKind, AttrRow, Presence};
pub use builtin::{Builtin, Scalar, Sign};
pub use class::{BASE_FLOATS, Class, FLOATS, INTS, NUMBERS};
pub use element::{ELEMENTS, Element, ElementRow};
pub use enums::{
    ASSUMPTION, ENUMS, EnumRow, EnumValue, MEMORY_ORDERING, MEMORY_SCOPE, MULTIMEM_REDUCTION, NAMED_ENUMS, ORDERING,
    OVERFLOW, PADDING, PREDICATE, PTR_ATTR, RMW_MODE, ROUNDING, SIGNEDNESS, VISIBILITY, comparison_ordering,
    multimem_reduction, ordering, overflow, predicate, ptr_attr, rmw_mode, rounding, signedness, visibility,
};
pub use example::program_of;
pub use gpu::{Gpu, Gpus, Support};
pub use hint::{ARCHITECTURES, Architecture, HINTS, HintRange, HintRow};
pub use mnemonic::{COUNT, Mnemonic};
pub use names::{BYTECODE_MAGIC, DIALECT_PREFIX, TYPE_NAMES, type_since};
pub use op::{Arity, Effect, Flow, Group, Limit, OpRow, OperandRow, RegionArgs, RegionRow, ResultRow, Rule, Spelling};
pub use part_names::{AttrName, OperandName};
pub use preview::{
    ACCESS, ACCESS_ATTR, FRAGMENT_TAG, FieldKind, MEMORY_SPACE, PREVIEW_ATTRS, PREVIEW_FEATURE, PREVIEW_PREFIX,
    PREVIEW_TYPES, PREVIEW_VERSION, PreviewAttr, PreviewAttrRow, PreviewField, PreviewTypeRow, PreviewWord,
    SYMBOL_TYPE_TAG, SYNCHRONIZATION, WILDCARD, preview_value,
};
pub use table::{Named, by_opcode, lookup, ops};
pub use term::{EnumNotes, Notes, Term};
pub use version::Version;
