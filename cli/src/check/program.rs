//! Checking one file, and mending it where that is asked for. It needs nothing of any other file.

use super::{Arguments, fix};
use crate::sources::{self, SourceFile};
use std::path::Path;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::levels::Levels;
use tile_backend::launch::find;
use tile_config::{Config, Configs};
use tile_dialect::Version;
use tile_fmt::files::{Original, Replaced};

/// How often a file is read again that is changed while it is checked.
const ROUNDS: usize = 5;

/// Checks files as the arguments and the project files say.
pub(super) struct Checker<'c> {
    pub(super) arguments: &'c Arguments,
    pub(super) configs: &'c Configs,
}

/// A file that has been checked.
pub(super) struct Checked {
    pub(super) file: SourceFile,
    /// What there is to tell about it, in the order of the text.
    pub(super) found: Vec<Diagnostic>,
    /// What it would be, or now is, mended; `None` where there was nothing to mend.
    pub(super) mended: Option<fix::Mended>,
}

/// What holds for a file.
pub(super) struct Rules {
    options: Options,
    levels: Levels,
    split: bool,
}

impl Checker<'_> {
    /// Checks a file. The error says why it cannot be read or written, or what is wrong with its project file.
    pub(super) fn check(&self, path: &str) -> Result<Checked, String> {
        if self.arguments.fix && path == "-" {
            return Err("standard input cannot be mended in its place: name a file, or ask for --diff".to_string());
        }
        for _ in 0..ROUNDS {
            let (mut checked, original) = self.look(path)?;
            let (true, Some(mended), Some(original)) = (self.arguments.fix, &checked.mended, original) else {
                return Ok(checked);
            };
            if fix::write(&checked.file, original, &mended.text)? == Replaced::Done {
                (checked.file.text, checked.found) = (mended.text.clone(), mended.left.clone());
                return Ok(checked);
            }
        }
        Err(format!("cannot write `{path}`: somebody else keeps changing it"))
    }

    /// Checks a file as it is now.
    fn look(&self, path: &str) -> Result<(Checked, Option<Original>), String> {
        let (file, original) = sources::read_to_change(path)?;
        let rules = self.rules(&*self.configs.of_file(Path::new(if path == "-" { "" } else { path }))?)?;
        let found = rules.check(&file.text);
        let wants = (self.arguments.fix || self.arguments.diff).then_some(self.arguments.unsafe_fixes);
        let mended = wants.and_then(|guess| fix::mend(&file.text, &found, guess, |text| rules.check(text)));
        Ok((Checked { file, found, mended }, original))
    }

    fn rules(&self, config: &Config) -> Result<Rules, String> {
        let usual = if self.arguments.upstream_tests { Version::V13_3 } else { Version::NEWEST };
        let version = match (self.arguments.target_version, &config.target_version) {
            (Some(version), _) => version,
            (None, Some(said)) => super::version(&said.value).map_err(|why| config.problem(said.row, &why))?,
            (None, None) => usual,
        };
        let options = Options { version, upstream_tests: self.arguments.upstream_tests, ..Options::default() };
        Ok(Rules { options, levels: sources::levels(config)?, split: self.arguments.split_input_file })
    }
}

impl Rules {
    /// Everything there is to tell about a text, in its order.
    fn check(&self, text: &str) -> Vec<Diagnostic> {
        let chunks = if self.split { chunks(text) } else { vec![(0, text)] };
        let mut all = Vec::new();
        for (start, text) in chunks {
            let checked = batch::check(text, self.options, |start| match find::has_directives(text, start) {
                true => Keep::Everything,
                false => Keep::Nothing,
            });
            let launches = find::diagnostics_of(text, &checked);
            let mut found = checked.diagnostics;
            found.extend(launches);
            Diagnostic::sort(&mut found);
            all.extend(found.into_iter().map(|diagnostic| diagnostic.shifted(start as u32)));
        }
        self.levels.apply(&mut all);
        all
    }
}

/// The parts of a file between `// -----` lines, with where they start.
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
