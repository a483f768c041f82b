//! Editor features, one module each. Inputs and outputs are plain data: offsets, labels, strings.

pub mod actions;
mod capitals;
pub mod completion;
pub mod cost;
mod cursor;
pub mod definition;
mod directive;
pub mod doc;
#[cfg(test)]
mod fixture;
pub mod folding;
mod forward;
mod gpu_words;
pub mod hover;
pub mod indentation;
pub mod inlay;
pub mod inline_completion;
pub mod inline_values;
pub mod links;
mod mentions;
pub mod op_doc;
pub mod references;
pub mod rename;
pub mod rule_words;
pub mod selection;
pub mod semantic_tokens;
pub mod signature;
mod statement_types;
pub mod symbols;
pub mod type_definition;
pub mod type_words;
mod types_at;
mod value_name;
pub mod view_words;

pub use capitals::capitalized;
