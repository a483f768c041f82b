//! Kernels as rows of instructions.

use super::class::Unit;

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceLine {
    /// The file, as in the debug information.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its address in the kernel, in bytes. PTX has none.
    pub address: Option<u64>,
    /// Its text, with its predicate and without a semicolon.
    pub text: String,
    /// What it does.
    pub unit: Unit,
    /// Its source line.
    pub line: Option<SourceLine>,
    /// For inlined code, the lines of the calls, the innermost first.
    pub callers: Vec<SourceLine>,
    /// The line of the PTX that it was compiled from, from 1.
    pub(super) ptx_line: Option<u32>,
    /// The general-purpose registers that are live at the instruction. PTX has none.
    pub live: Option<u32>,
}

/// A row of a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// An instruction.
    Instruction(Instruction),
    /// A label, a directive, a brace, or a further line of an instruction.
    Other(String),
}

/// The code of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

impl Kernel {
    /// Its instructions.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.rows.iter().filter_map(|row| match row {
            Row::Instruction(instruction) => Some(instruction),
            Row::Other(_) => None,
        })
    }
}

/// The kernels of a cubin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotated {
    /// The directives before the first kernel.
    pub head: Vec<String>,
    /// The kernels, in the order of the cubin.
    pub kernels: Vec<Kernel>,
}
