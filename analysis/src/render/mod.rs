//! Rendering of diagnostics outside an editor: for terminals, code hosts and other programs.

mod github;
mod json;
mod sarif;
mod terminal;

pub use github::github;
pub use json::{JsonDiagnostic, json_diagnostic};
pub use sarif::Sarif;
pub use terminal::{concise, full};
pub use tile_syntax::visible::{escape, escape_line};

use crate::lines::Lines;

/// Removes a leading `./`, because code hosts compare file names.
fn without_dot(name: &str) -> &str {
    name.strip_prefix("./").or_else(|| name.strip_prefix(".\\").filter(|_| cfg!(windows))).unwrap_or(name)
}

/// A file that diagnostics refer to.
pub struct Source<'a> {
    /// The file name as the user gave it.
    pub name: &'a str,
    /// The file's text.
    pub text: &'a str,
    /// The file's lines.
    pub lines: &'a Lines,
}
