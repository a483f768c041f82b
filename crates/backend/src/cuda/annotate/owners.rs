//! The lines of a program at a source location.

use super::kernel::SourceLine;
use crate::cuda::places::Places;
use std::collections::{BTreeSet, HashMap};
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::lines::Lines;
use tile_analysis::program::Program;

/// The lines of a program that code comes from. A program can state other locations for its ops than its own text: for
/// one that was compiled from Python, the line table contains lines of the Python file.
pub struct Owners {
    /// The program's name in its debug information.
    path: String,
    text: String,
    lines: Lines,
    /// The program's lines, from 0, by kernel and line of another file.
    others: HashMap<(String, SourceLine), BTreeSet<u32>>,
}

impl Owners {
    /// Combines a program with its debug information. `path` is the name that its debug information has for its text.
    pub fn new(program: &Program<'_>, debug: &DebugInfo, path: &str) -> Owners {
        let lines = Lines::new(program.text);
        let mut others: HashMap<_, BTreeSet<u32>> = HashMap::new();
        for (place, entry, op) in Places::of(debug).ops().filter(|(place, ..)| place.file != path) {
            let Some((start, lowered)) = program.entries.get(entry) else { continue };
            let Some(name) = lowered.spans.op_names.get(op.0 as usize) else { continue };
            let source = SourceLine { file: place.file.clone(), line: place.line };
            let found = others.entry((lowered.body.name.to_string(), source)).or_default();
            found.insert(lines.line(name.start + start) as u32);
        }
        Owners { path: path.to_string(), text: program.text.to_string(), lines, others }
    }

    /// The lines of the program, from 0, for a source line in a kernel. Sorted.
    pub fn lines(&self, kernel: &str, source: &SourceLine) -> Vec<u32> {
        if self.is_own(&source.file) {
            let line = source.line.checked_sub(1).filter(|&line| (line as usize) < self.lines.count());
            return line.into_iter().collect();
        }
        let found = self.others.get(&(kernel.to_string(), source.clone()));
        found.into_iter().flatten().copied().collect()
    }

    /// The text of a line of the program, without its indentation.
    pub fn text(&self, line: u32) -> &str {
        self.text[self.lines.range(line as usize, &self.text)].trim()
    }

    /// Whether a file is the program itself.
    pub fn is_own(&self, file: &str) -> bool {
        file == self.path
    }
}
