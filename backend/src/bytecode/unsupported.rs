//! What keeps a program from being stored as bytecode.

use std::fmt;
use std::ops::Range;
use tile_analysis::diagnostic::{Diagnostic, Page, Severity};
use tile_analysis::ir::{OpId, Value};
use tile_analysis::program::Program;
use tile_dialect::Version;

/// The page of what bytecode cannot hold.
pub static PAGE: Page = Page {
    code: "E0802",
    name: "not-in-bytecode",
    severity: Severity::Error,
    text: "The program is valid, but the bytecode that was asked for cannot hold it. Mostly it uses something that came \
with a later version of Tile IR: ask for that version with `--bytecode-version`, or write it in the older way if what \
reads the bytecode does not know that version yet.",
    fix: "",
    see: &[],
    wrong: "cuda_tile.module @m {\n  entry @k(%a: tile<f32>, %b: tile<f32>) {\n    %c = atan2 %a, %b : tile<f32>\n  }\n}\n",
    right: "cuda_tile.module @m {\n  entry @k(%a: tile<f32>, %b: tile<f32>) {\n    %c = divf %a, %b : tile<f32>\n  }\n}\n",
};

/// Something that bytecode cannot hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Where it is.
    pub site: Site,
    /// What it is, in the words of the text.
    pub what: String,
    /// The first version that can hold it; `None` where none can.
    pub since: Option<Version>,
    /// The version that was asked for.
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
            Some(since) => write!(f, "bytecode {} cannot hold {}, which came with {since}", self.target, self.what),
            None => write!(f, "bytecode cannot hold {}", self.what),
        }
    }
}

/// Bytecode holds one module: what to tell of the others.
pub(super) fn more_modules(program: &Program) -> Vec<Diagnostic> {
    let others = program.outline.more_modules.iter();
    let tell = |place: &Range<u32>| {
        Diagnostic::new(&PAGE, place.clone(), "bytecode holds one module, and this is another one".to_string())
            .note("give each module a file of its own")
    };
    others.map(tell).collect()
}

/// Obstacles as diagnostics of the program that the module was made of.
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
            Some(since) => diagnostic.note(format!("ask for `--bytecode-version {since}` or later")),
            None => diagnostic,
        }
    });
    found.collect()
}

fn shifted(range: &Range<u32>, start: u32) -> Range<u32> {
    range.start + start..range.end + start
}
