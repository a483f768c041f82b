//! The analysis results of a program that is not open.

use crate::findings::Findings;
use crate::project::Project;
use crate::text::{Encoding, Text};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::{Diagnostic, Located};
use tile_analysis::ide::symbols::{self, Symbol};

/// The largest file that is analyzed without being open, in bytes.
pub(super) const MAX_BYTES: u64 = 4 << 20;

/// Distinguishes a file from earlier versions of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    pub(super) modified: Option<SystemTime>,
    pub(super) length: u64,
}

/// The analysis results of a program.
#[derive(Debug)]
pub(crate) struct Facts {
    text: String,
    diagnostics: Vec<Diagnostic>,
    symbols: Vec<Symbol>,
}

impl Facts {
    fn of(text: String, options: Options, project: &Project) -> Facts {
        let db = Database::default();
        let file = File::new(&db, text.as_str().into(), options);
        let diagnostics = Located::all_in_file(&Findings::default().shown(&db, file, &project.levels));
        Facts { diagnostics, symbols: symbols::symbols(&db, file), text }
    }

    /// Its text, with columns in the given unit.
    pub(crate) fn text(&self, encoding: Encoding) -> Text {
        Text::new(&self.text, encoding)
    }

    /// The diagnostics to show.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Its symbols.
    pub(crate) fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }
}

/// The cached result of reading a file.
#[derive(Debug)]
pub(super) struct Known {
    stamp: Stamp,
    options: Options,
    project: Arc<Project>,
    /// `None` if the file is not a program.
    pub(super) facts: Option<Arc<Facts>>,
}

impl Known {
    /// Whether the result is still valid.
    pub(super) fn is_of(&self, stamp: Stamp, options: Options, project: &Project) -> bool {
        self.stamp == stamp && self.options == options && *self.project == *project
    }

    /// Reads a file.
    pub(super) fn read(path: &Path, stamp: Stamp, options: Options, project: Arc<Project>) -> Known {
        let text = tile_input::read_text(path, MAX_BYTES).ok();
        let is_program = |text: &String| {
            path.extension().is_some_and(|extension| extension == "tile") || text.contains("cuda_tile.module")
        };
        let facts = text.filter(is_program).map(|text| Arc::new(Facts::of(text, options, &project)));
        Known { stamp, options, project, facts }
    }
}
