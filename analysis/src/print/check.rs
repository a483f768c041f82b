//! The rules of the language for a program that came from no text.

use super::{Options, Style};
use crate::context;
use crate::db::{self, Database, File};
use crate::debug_info::DebugInfo;
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::Module;
use std::sync::Arc;

/// A program that breaks rules.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The program in generic form, which says everything that there is.
    pub text: String,
    /// What is wrong with it; the ranges are those of `text`.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a program that came from no text, by all the rules for text.
pub fn check(module: &Module, debug: Option<&DebugInfo>) -> Result<(), Broken> {
    let text = super::module(module, debug, Options { style: Style::Generic, ..Options::default() });
    // Whether there may be preview content was decided where the program came from.
    let options = context::Options { preview: true, ..context::Options::default() };
    let db = Database::default();
    let file = File::new(&db, Arc::from(text.as_str()), options);
    let mut diagnostics = db::diagnostics(&db, file);
    diagnostics.retain(|found| found.severity == Severity::Error);
    if diagnostics.is_empty() { Ok(()) } else { Err(Broken { text, diagnostics }) }
}
