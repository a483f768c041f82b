//! Programs: checked once, then run, formatted and encoded.

use crate::diagnostics::diagnostic;
use crate::entry::Entry;
use crate::place::Place;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::debug_info::{DebugAttr, DebugInfo, debug_info_of};
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::ir::{Module, OpId};
use tile_analysis::lines::Lines;
use tile_analysis::lower::Lowered;
use tile_analysis::print;
use tile_backend::bytecode::{self, decode};
use tile_backend::worker::trace::Names;
use tile_dialect::{Mnemonic, Version};
use tile_launch::find;

create_exception!(_native, Unsupported, PyValueError, "Parts of a program that a version of bytecode cannot express.");

/// A program.
#[pyclass(frozen, module = "tile_ir._native")]
pub(crate) struct Program {
    pub(crate) path: String,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Lines,
    pub(crate) module: Module,
    checked: Checked,
    diagnostics: Vec<Diagnostic>,
    /// The positions that the text states, or its own.
    debug: DebugInfo,
}

/// An entry of a program, with its number.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) number: usize,
    pub(crate) start: u32,
    pub(crate) lowered: &'a Lowered,
}

#[pymethods]
impl Program {
    /// Checks the text of a program. `version` is a version of Tile IR.
    #[new]
    #[pyo3(signature = (text, path, version=None, preview=false))]
    fn new(py: Python<'_>, text: String, path: String, version: Option<&str>, preview: bool) -> PyResult<Program> {
        let version = version.map_or(Ok(Version::NEWEST), named)?;
        let options = Options { version, preview, ..Options::default() };
        Ok(py.detach(|| Program::of(text, path, options)))
    }

    /// Decodes bytecode, in whose debug information columns count from `first_column`, 0 or 1. The error names the
    /// offset of the byte that is wrong.
    #[staticmethod]
    #[pyo3(signature = (bytecode, path, preview=false, first_column=1))]
    fn decode(py: Python<'_>, bytecode: &[u8], path: String, preview: bool, first_column: u32) -> PyResult<Program> {
        let decoded = decode::decode_with(bytecode, preview);
        let mut decoded = decoded.map_err(|error| PyValueError::new_err(format!("{path}: {error}")))?;
        for attr in decoded.debug.iter_mut().flat_map(|debug| &mut debug.attrs) {
            if let DebugAttr::Position(position) | DebugAttr::Scoped { position, .. } = attr {
                position.column = (position.column + 1).saturating_sub(first_column);
            }
        }
        let text = print::module(&decoded.module, decoded.debug.as_ref(), print::Options::default());
        // Whether preview content is allowed was checked by the decoder.
        let options = Options { bytecode: decoded.version, preview: true, ..Options::default() };
        Ok(py.detach(|| Program::of(text, path, options)))
    }

    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// The entries, in the order of the text.
    #[getter]
    fn entries(&self, py: Python<'_>) -> PyResult<Vec<Entry>> {
        self.found().map(|found| Entry::of(py, &found.lowered.body)).collect()
    }

    /// The names of the values of an entry that are computed on a line of a file, in the order of the text. `path` is
    /// the end of the file's path.
    fn values_on_line(&self, entry: &str, path: &str, line: u32) -> PyResult<Vec<String>> {
        let found = self.entry(entry)?;
        let (names, body) = (self.names(found), &found.lowered.body);
        let on_line = |op: &OpId| self.place(found, Some(*op)).is_on(path, line);
        let ops = (0..body.ops.len()).map(|index| OpId(index as u32)).filter(on_line);
        Ok(ops.flat_map(|op| body.results(body.op(op))).map(|value| names.name(value)).collect())
    }

    /// The diagnostics of the program and its launches, each in JSON.
    fn diagnostics(&self) -> Vec<String> {
        let one = |found| diagnostic(&self.path, &self.text, &self.lines, found).to_string();
        self.diagnostics.iter().map(one).collect()
    }

    /// Whether there are errors.
    #[getter]
    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|found| found.severity == Severity::Error)
    }

    /// Encodes the program. `version` is a version of bytecode. Raises [`Unsupported`] with diagnostics in JSON.
    #[pyo3(signature = (version=None, debug_info=true))]
    fn encode<'py>(&self, py: Python<'py>, version: Option<&str>, debug_info: bool) -> PyResult<Bound<'py, PyBytes>> {
        let version = version.map_or(Ok(Version::NEWEST), named)?;
        let program = self.checked.program(&self.text);
        let encoded = bytecode::of_program(&program, debug_info.then_some(&self.path), version);
        let bytes = encoded.map_err(|found| {
            let all = found.iter().map(|found| diagnostic(&self.path, &self.text, &self.lines, found).to_string());
            Unsupported::new_err((all.collect::<Vec<_>>(),))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl Program {
    fn of(text: String, path: String, options: Options) -> Program {
        let text: Arc<str> = text.into();
        let checked = batch::check(&text, options, |_| Keep::Everything);
        let mut diagnostics = checked.diagnostics.clone();
        diagnostics.extend(find::diagnostics_of(&text, &checked));
        Diagnostic::sort(&mut diagnostics);
        let program = checked.program(&text);
        let (module, debug) = (program.module(), debug_info_of(&program, &path));
        Program { path, lines: Lines::new(&text), text, module, checked, diagnostics, debug }
    }

    fn found(&self) -> impl Iterator<Item = Found<'_>> {
        let items = self.checked.items.iter().filter_map(|(start, lowered)| Some((*start, lowered.as_ref()?)));
        let entries = items.filter(|(_, lowered)| lowered.op == Mnemonic::Entry);
        entries.enumerate().map(|(number, (start, lowered))| Found { number, start, lowered })
    }

    /// The entry with a name.
    pub(crate) fn entry(&self, name: &str) -> PyResult<Found<'_>> {
        let found = self.found().find(|found| *found.lowered.body.name == *name);
        found.ok_or_else(|| PyValueError::new_err(format!("{} has no entry `@{name}`", self.path)))
    }

    /// Where an op of an entry is; without an op, where the entry is.
    pub(crate) fn place(&self, found: Found<'_>, op: Option<OpId>) -> Place {
        let locations = &self.debug.entries[found.number];
        let stated = match op {
            Some(op) => locations.ops.get(op.0 as usize).copied().flatten(),
            None => locations.entry,
        };
        stated.and_then(|id| Place::of(&self.debug, id)).unwrap_or_else(|| self.place_in_text(found, op))
    }

    fn place_in_text(&self, found: Found<'_>, op: Option<OpId>) -> Place {
        let spans = &found.lowered.spans;
        let range = op.and_then(|op| spans.op_names.get(op.0 as usize)).unwrap_or(&spans.name);
        let position = self.lines.place(range.start + found.start, &self.text);
        Place::new(&self.path, position.row, position.column)
    }

    /// The names of an entry's values.
    pub(crate) fn names<'a>(&'a self, found: Found<'a>) -> Names<'a> {
        Names::new(&found.lowered.spans, &self.text, found.start)
    }
}

fn named(name: &str) -> PyResult<Version> {
    Version::from_name(name).ok_or_else(|| {
        let known = bytecode::VERSIONS.map(Version::name).join(", ");
        PyValueError::new_err(format!("unknown version `{name}`: the versions are {known}"))
    })
}

/// Formats the text of a program.
#[pyfunction]
pub(crate) fn format(text: &str) -> String {
    tile_fmt::format(text, &tile_fmt::Options::default())
}

/// The page of a diagnostic or finding in Markdown, by its code or name.
#[pyfunction]
pub(crate) fn explain(code: &str) -> Option<String> {
    let page = tile_backend::all_pages().find(|page| page.code.eq_ignore_ascii_case(code) || page.name == code);
    page.map(tile_analysis::diagnostic::Page::markdown)
}
