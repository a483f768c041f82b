//! What an editor asks: one file a feature. Plain data in and out: offsets, labels, strings.

pub mod actions;
pub mod completion;
pub mod cost;
mod cursor;
pub mod definition;
#[cfg(test)]
mod fixture;
pub mod folding;
pub mod hover;
pub mod inlay;
pub mod op_doc;
pub mod references;
pub mod rule_words;
pub mod symbols;
pub mod type_words;
mod types_at;
pub mod view_words;
