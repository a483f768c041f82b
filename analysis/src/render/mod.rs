//! Rendering of diagnostics outside an editor: for terminals, code hosts and other programs.

mod github;
mod json;
mod sarif;
mod terminal;

pub use github::github;
pub use json::{JsonDiagnostic, json_diagnostic};
pub use sarif::Sarif;
pub use terminal::{concise, full};
pub use tile_syntax::annotation::{Annotation, Level, Place};
pub use tile_syntax::visible::{escape, escape_line};

use crate::lines::Lines;

/// A file that diagnostics refer to.
pub struct Source<'a> {
    /// The file name as the user gave it.
    pub name: &'a str,
    /// The file's text.
    pub text: &'a str,
    /// The file's lines.
    pub lines: &'a Lines,
}
