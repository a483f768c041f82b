//! Checks one file, and fixes it on request. It needs nothing of any other file.

use super::arguments::Arguments;
use crate::project;
use crate::sources::{self, SourceFile};
use std::path::Path;
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Applicability, Diagnostic};
use tile_analysis::fixes::{self, Fixed};
use tile_analysis::levels::Levels;
use tile_config::{Config, Configs};
use tile_dialect::Version;
use tile_files::{Original, Replaced};
use tile_launch::find;

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
    /// What it would be, or now is, after its fixes; `None` where there was nothing to fix.
    pub(super) fixed: Option<Fixed>,
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
            return Err("standard input cannot be fixed in place; name a file, or use --diff".to_string());
        }
        for _ in 0..ROUNDS {
            let (mut checked, original) = self.look(path)?;
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

    /// Checks a file as it is now.
    fn look(&self, path: &str) -> Result<(Checked, Option<Original>), String> {
        let (file, original) = sources::read_to_change(path)?;
        let rules = self.rules(&*self.configs.of_file(Path::new(if path == "-" { "" } else { path }))?)?;
        let found = rules.check(&file.text);
        let wanted = if self.arguments.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        let fixes = self.arguments.fix || self.arguments.diff;
        let fixed = fixes.then(|| fixes::fix_all(&file.text, &found, wanted, |text| rules.check(text))).flatten();
        Ok((Checked { file, found, fixed }, original))
    }

    fn rules(&self, config: &Config) -> Result<Rules, String> {
        let usual = if self.arguments.upstream_tests { Version::V13_3 } else { Version::NEWEST };
        let version = match self.arguments.target_version {
            Some(version) => version,
            None => project::target_version(config)?.unwrap_or(usual),
        };
        let preview = self.arguments.preview.allow(config)?;
        let gpu = match self.arguments.gpu {
            Some(gpu) => Some(gpu),
            None => project::gpu(config)?,
        };
        let upstream_tests = self.arguments.upstream_tests;
        let options = Options { version, gpu, upstream_tests, preview, ..Options::default() };
        Ok(Rules { options, levels: project::levels(config)?, split: self.arguments.split_input_file })
    }
}

/// Writes a fixed text into the file that it was read from, unless that has changed meanwhile.
fn write(file: &SourceFile, original: Original, text: &str) -> Result<Replaced, String> {
    let replaced = original.replace(Path::new(&file.name), file.holding(text).as_bytes());
    replaced.map_err(|error| format!("cannot write `{}`: {error}", file.name))
}

impl Rules {
    /// Everything there is to tell about a text, in its order.
    fn check(&self, text: &str) -> Vec<Diagnostic> {
        let chunks = if self.split { chunks(text) } else { vec![(0, text)] };
        let mut all = Vec::new();
        for (start, text) in chunks {
            let found = find::check(text, self.options);
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
