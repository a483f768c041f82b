//! Checking programs that were not read from text.

use super::options::{Options, Style};
use crate::context;
use crate::db::{self, Database, File};
use crate::debug_info::DebugInfo;
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::Module;
use std::sync::Arc;
use tile_dialect::Version;

/// A program that violates the rules of its version or of newer tools.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The program in generic form, which can express everything.
    pub text: String,
    /// Its diagnostics; their ranges refer to `text`.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a program that was not read from text, using the rules for text.
pub fn check(module: &Module, debug: Option<&DebugInfo>) -> Result<(), Broken> {
    check_bytecode(module, debug, Version::NEWEST).map(|_| ())
}

/// Checks a program from bytecode of a version, using the rules for text of that version's tools. Returns warnings
/// about what newer tools reject.
pub fn check_bytecode(module: &Module, debug: Option<&DebugInfo>, bytecode: Version) -> Result<Option<Broken>, Broken> {
    let text = super::module(module, debug, Options { style: Style::Generic, ..Options::default() });
    // Whether preview content is allowed was checked when the program was read.
    let options = context::Options { bytecode, preview: true, ..context::Options::default() };
    let db = Database::default();
    let file = File::new(&db, Arc::from(text.as_str()), options);
    let mut diagnostics = db::diagnostics(&db, file);
    diagnostics.retain(|found| found.severity == Severity::Error || found.error_since.is_some());
    match diagnostics.iter().any(|found| found.severity == Severity::Error) {
        true => Err(Broken { text, diagnostics }),
        false if diagnostics.is_empty() => Ok(None),
        false => Ok(Some(Broken { text, diagnostics })),
    }
}
