//! One file for each request.

mod action;
pub(crate) mod bytecode;
pub(crate) mod code_action;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod definition;
pub(crate) mod diagnostic;
pub(crate) mod document_link;
pub(crate) mod execute_command;
pub(crate) mod folding;
pub(crate) mod formatting;
pub(crate) mod highlight;
pub(crate) mod hover;
pub(crate) mod inlay_hint;
pub(crate) mod inline_value;
pub(crate) mod launches;
pub(crate) mod listing;
pub(crate) mod refactor;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod selection_range;
pub(crate) mod semantic_tokens;
mod shown;
pub(crate) mod signature_help;
pub(crate) mod symbols;
pub(crate) mod targets;
pub(crate) mod workspace_symbol;
