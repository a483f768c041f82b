//! Showing diagnostics outside an editor: on a terminal and as JSON.

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

/// A name without the `./` that files below the current folder are found with: code hosts compare names.
fn from_here(name: &str) -> &str {
    name.strip_prefix("./").or_else(|| name.strip_prefix(".\\").filter(|_| cfg!(windows))).unwrap_or(name)
}

/// A file whose diagnostics are shown.
pub struct Source<'a> {
    /// Its name, as the user gave it.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its lines.
    pub lines: &'a Lines,
}
