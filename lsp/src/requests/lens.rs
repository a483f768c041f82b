//! A code lens.

use serde_json::Value;
use tower_lsp::ls_types::{CodeLens, Command, Range};

/// A lens that runs a command.
pub(super) fn lens(range: Range, title: String, command: &str, arguments: Vec<Value>) -> CodeLens {
    let command = Command { title, command: command.to_string(), arguments: Some(arguments) };
    CodeLens { range, command: Some(command), data: None }
}
