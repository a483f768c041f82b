//! What `tile run` and `tile test` share: checking a program, finding its launches, making jobs of them.

use crate::sources::SourceFile;
use std::path::Path;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::lines::Lines;
use tile_analysis::render::{self, Source};
use tile_backend::launch::Launch;
use tile_backend::launch::find::{self, EntryLaunches};
use tile_backend::worker::{Found, Job};

/// How many bytes the buffers of one launch may take together.
const MAX_BYTES: u64 = 8 << 30;

/// A program that has no errors.
pub(crate) struct Program {
    pub(crate) file: SourceFile,
    pub(crate) lines: Lines,
    pub(crate) entries: Vec<EntryLaunches>,
    /// What is wrong with its launch directives.
    pub(crate) mistakes: Vec<Diagnostic>,
}

impl Program {
    /// Checks a program. Its diagnostics go to standard error; `None` where there is an error among them.
    pub(crate) fn check(file: SourceFile) -> Option<Program> {
        let db = Database::default();
        let input = File::new(&db, Arc::from(file.text.as_str()), Options::default());
        let found = db::diagnostics(&db, input);
        let (entries, mistakes) = (find::find(&db, input), find::diagnostics(&db, input));
        let lines = Lines::new(&file.text);
        let program = Program { file, lines, entries, mistakes };
        let has_error = found.iter().any(|diagnostic| diagnostic.page.severity == Severity::Error);
        let errors = found.iter().filter(|diagnostic| diagnostic.page.severity == Severity::Error);
        errors.for_each(|diagnostic| program.show(diagnostic));
        (!has_error).then_some(program)
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source { name: &self.file.name, text: &self.file.text, lines: &self.lines }
    }

    /// Shows a diagnostic on standard error.
    pub(crate) fn show(&self, diagnostic: &Diagnostic) {
        use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
        use std::io::IsTerminal;
        let color = if std::io::stderr().is_terminal() { ColorChoice::Auto } else { ColorChoice::Never };
        // Nobody can be told that standard error is closed.
        let _ = render::full(&mut StandardStream::stderr(color), &self.source(), diagnostic);
    }

    /// The job of a launch. The files that it names lie beside the program.
    pub(crate) fn job(&self, entry: &EntryLaunches, launch: Launch) -> Result<Job, String> {
        let folder = Path::new(&self.file.name).parent().unwrap_or(Path::new("")).to_path_buf();
        let read = |name: &str| match std::fs::read(folder.join(name)) {
            Ok(bytes) => Ok((name.to_string(), bytes)),
            Err(error) => Err(format!("cannot read `{}`: {error}", folder.join(name).display())),
        };
        let files = launch.files().into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Job {
            text: self.file.text.clone(),
            entry: entry.entry.name.to_string(),
            launch,
            files,
            save: Vec::new(),
            sanitize: false,
            timeout_ms: None,
            max_bytes: MAX_BYTES,
        })
    }
}

/// A finding of a run as a diagnostic.
pub(crate) fn diagnostic(found: &Found) -> Diagnostic {
    let page = tile_backend::pages().find(|page| page.code == found.code).unwrap_or(&find::PAGE);
    let mut diagnostic = Diagnostic::new(page, found.range.clone(), found.message.clone());
    diagnostic.notes = found.notes.clone();
    diagnostic
}
