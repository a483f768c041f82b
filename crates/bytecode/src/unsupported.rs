//! Diagnostics for programs that cannot be stored as bytecode.

use std::fmt;
use std::ops::Range;
use tile_analysis::diagnostic::{Diagnostic, Page, Severity};
use tile_analysis::ir::{OpId, Value};
use tile_analysis::program::Program;
use tile_dialect::Version;

/// The page of E0802.
pub static PAGE: Page = Page {
    code: "E0802",
    name: "not-in-bytecode",
    severity: Severity::Error,
    text: r#"The program is valid, but it cannot be stored in the requested version of bytecode. Usually it uses
an op, type or attribute that was added in a later version of Tile IR; the message names that
version. A few things, such as a second module in the same file, cannot be stored in any version. In
the wrong program, `atan2` needs bytecode 13.2, so `tile build --bytecode-version 13.1` reports it."#,
    fix: r#"Request the version in the message with `--bytecode-version`. If the program that reads the bytecode
does not support that version yet, replace the op, type or attribute by an older one."#,
    see: &["E0801", "L0008", "versions"],
    wrong: "cuda_tile.module @m {\n  entry @k(%a: tile<f32>, %b: tile<f32>) {\n    %c = atan2 %a, %b : tile<f32>\n  }\n}\n",
    right: "cuda_tile.module @m {\n  entry @k(%a: tile<f32>, %b: tile<f32>) {\n    %c = divf %a, %b : tile<f32>\n  }\n}\n",
};

/// Something that bytecode cannot represent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The location of the construct.
    pub site: Site,
    /// A description of the construct, in the terms of the textual form.
    pub what: String,
    /// The first version that supports it; `None` if no version does.
    pub since: Option<Version>,
    /// The requested version.
    pub target: Version,
}

/// A place in a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The module itself.
    Module,
    /// A global, by number.
    Global(usize),
    /// An entry, by number.
    Entry(usize),
    /// A parameter of an entry.
    Param(usize, Value),
    /// An op of an entry.
    Op(usize, OpId),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.since {
            Some(since) => write!(f, "bytecode {} does not support {} (added in {since})", self.target, self.what),
            None => write!(f, "bytecode cannot represent {}", self.what),
        }
    }
}

/// Reports every module but the first, because bytecode contains only one.
pub(super) fn more_modules(program: &Program) -> Vec<Diagnostic> {
    let others = program.outline.more_modules.iter();
    let report = |place: &Range<u32>| {
        Diagnostic::new(&PAGE, place.clone(), "bytecode can contain only one module".to_string())
            .note("move each module to its own file")
    };
    others.map(report).collect()
}

/// Converts unsupported constructs to diagnostics of the program.
pub fn diagnostics(program: &Program, unsupported: &[Unsupported]) -> Vec<Diagnostic> {
    let (outline, entries) = (program.outline, &program.entries);
    let place = |site: Site| -> Range<u32> {
        let found = match site {
            Site::Module => outline.module.as_ref().map(|(_, range)| range.clone()),
            Site::Global(index) => outline.globals.get(index).map(|(_, range)| range.clone()),
            Site::Entry(index) => entries.get(index).map(|(start, lowered)| shifted(&lowered.spans.name, *start)),
            Site::Param(index, param) => entries.get(index).map(|(start, lowered)| {
                let place = lowered.spans.definitions.get(param.0 as usize).unwrap_or(&lowered.spans.name);
                shifted(place, *start)
            }),
            Site::Op(index, op) => entries.get(index).and_then(|(start, lowered)| {
                lowered.spans.op_names.get(op.0 as usize).map(|name| shifted(name, *start))
            }),
        };
        found.unwrap_or(0..0)
    };
    let found = unsupported.iter().map(|unsupported| {
        let diagnostic = Diagnostic::new(&PAGE, place(unsupported.site), unsupported.to_string());
        match unsupported.since {
            Some(since) => diagnostic.note(format!("use `--bytecode-version {since}` or later")),
            None => diagnostic,
        }
    });
    found.collect()
}

fn shifted(range: &Range<u32>, start: u32) -> Range<u32> {
    range.start + start..range.end + start
}
