//! Checking and fixing one file, independently of other files.

use super::arguments::Arguments;
use crate::project;
use crate::sources::{self, SourceFile};
use std::path::Path;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Applicability, Diagnostic, Page, Severity};
use tile_analysis::diagnostics::accesses;
use tile_analysis::fixes::{self, Fixed};
use tile_analysis::levels::Levels;
use tile_backend::hints::of_accesses;
use tile_config::{Config, Configs};
use tile_dataflow::volume::THOROUGH;
use tile_dialect::Version;
use tile_files::{Original, Replaced};
use tile_launch::find;

/// The number of attempts to fix a file that another program changes at the same time.
const ATTEMPTS: usize = 5;

/// Checks files according to the arguments and the project files.
pub(super) struct Checker<'c> {
    pub(super) arguments: &'c Arguments,
    pub(super) configs: &'c Configs,
}

/// A file that has been checked.
pub(super) struct Checked {
    pub(super) file: SourceFile,
    /// Its diagnostics, in source order.
    pub(super) found: Vec<Diagnostic>,
    /// The fixed text; `None` if there was nothing to fix.
    pub(super) fixed: Option<Fixed>,
}

/// The rules to check a file with.
pub(super) struct Rules {
    options: Options,
    levels: Levels,
    split: bool,
    /// Whether to add all hints about accesses.
    explain_cost: bool,
}

impl Checker<'_> {
    /// Checks a file. The error says why it cannot be read or written, or describes an error in its project file.
    pub(super) fn check(&self, path: &str) -> Result<Checked, String> {
        if self.arguments.fix && path == "-" {
            return Err("standard input cannot be fixed in place; name a file, or use --diff".to_string());
        }
        for _ in 0..ATTEMPTS {
            let (mut checked, original) = self.read_and_check(path)?;
            let (true, Some(fixed), Some(original)) = (self.arguments.fix, &checked.fixed, original) else {
                return Ok(checked);
            };
            if write(&checked.file, original, &fixed.text)? == Replaced::Done {
                (checked.file.text, checked.found) = (fixed.text.clone(), fixed.left.clone());
                return Ok(checked);
            }
        }
        Err(format!("cannot write `{path}`: another program keeps changing it"))
    }

    /// Reads and checks a file.
    fn read_and_check(&self, path: &str) -> Result<(Checked, Option<Original>), String> {
        let (file, original) = sources::read_to_change(path)?;
        if self.arguments.fix && original.is_none() {
            return Err(format!("{} cannot be fixed in place; name a file, or use --diff", sources::shown(path)));
        }
        let rules = self.rules(&*self.configs.of_file(Path::new(if path == "-" { "" } else { path }))?)?;
        let found = rules.check(&file.text);
        let wanted = if self.arguments.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        let fixes = self.arguments.fix || self.arguments.diff;
        let fixed = fixes.then(|| fixes::fix_all(&file.text, &found, wanted, |text| rules.check(text))).flatten();
        Ok((Checked { file, found, fixed }, original))
    }

    fn rules(&self, config: &Config) -> Result<Rules, String> {
        let default = if self.arguments.upstream_tests { Version::V13_3 } else { Version::NEWEST };
        let version = match self.arguments.target_version {
            Some(version) => version,
            None => project::target_version(config)?.unwrap_or(default),
        };
        let preview = self.arguments.preview.allow(config)?;
        let gpu = match self.arguments.gpu {
            Some(gpu) => Some(gpu),
            None => project::gpu(config)?,
        };
        let upstream_tests = self.arguments.upstream_tests;
        let options = Options { version, gpu, upstream_tests, preview, ..Options::default() };
        Ok(Rules {
            options,
            levels: project::levels(config)?,
            split: self.arguments.split_input_file,
            explain_cost: self.arguments.explain_cost,
        })
    }
}

/// Writes a fixed text to its file, unless the file has changed since it was read.
fn write(file: &SourceFile, original: Original, text: &str) -> Result<Replaced, String> {
    let replaced = original.replace(Path::new(&file.name), file.holding(text).as_bytes());
    replaced.map_err(|error| format!("cannot write `{}`: {error}", file.name))
}

impl Rules {
    /// Returns the diagnostics of a text, in source order.
    fn check(&self, text: &str) -> Vec<Diagnostic> {
        let chunks = if self.split { chunks(text) } else { vec![(0, text)] };
        let mut all = Vec::new();
        for (start, text) in chunks {
            let mut found = find::check(text, self.options);
            self.levels.apply(&mut found);
            found.extend(self.hints(text));
            Diagnostic::sort(&mut found);
            all.extend(found.into_iter().map(|diagnostic| diagnostic.shifted(start as u32)));
        }
        all
    }

    /// The hints about accesses that are shown: those with a higher level in the project file, or all as information.
    fn hints(&self, text: &str) -> Vec<Diagnostic> {
        let is_raised = |page: &&Page| self.levels.of(page).is_some_and(|level| level != Severity::Hint);
        if !self.explain_cost && !accesses::PAGES.iter().any(is_raised) {
            return Vec::new();
        }
        let checked = batch::check(text, self.options, |_| Keep::Everything);
        let entries = find::of(text, &checked);
        let mut hints = entries.iter().flat_map(|entry| of_accesses(text, entry, &self.options, THOROUGH)).collect();
        self.levels.apply(&mut hints);
        hints.retain(|hint| self.explain_cost || hint.severity != Severity::Hint);
        hints.iter_mut().filter(|hint| hint.severity == Severity::Hint).for_each(|hint| hint.severity = Severity::Info);
        hints
    }
}

/// The parts of a file between `// -----` lines, with their offsets.
fn chunks(text: &str) -> Vec<(usize, &str)> {
    let mut chunks = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim() == "// -----" {
            chunks.push((start, &text[start..at]));
            start = at + line.len();
        }
        at += line.len();
    }
    chunks.push((start, &text[start..]));
    chunks
}
