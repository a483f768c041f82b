//! `tile.toml`: what a project says about how its programs are checked and laid out. `docs/configuration.md` is its
//! manual. Its patterns for paths do for `.gitignore` too.
//!
//! Invariants: knows no other crate of ours but `tile-input`, so it takes codes and versions for words; reads no file but `tile.toml`.

mod configs;
mod glob;
mod read;

pub use configs::{Check, Configs};
pub use glob::{Glob, slashed};

use std::path::{Path, PathBuf};
use std::{fs, io};

/// What the file is called.
pub const FILE_NAME: &str = "tile.toml";

/// What a project says.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The file that says it; empty where there is none.
    pub path: PathBuf,
    /// The version of Tile IR whose rules hold.
    pub target_version: Option<Said<String>>,
    /// The previews of Tile IR whose content programs may have, by name.
    pub preview: Vec<Said<String>>,
    /// The GPU that the programs are for.
    pub gpu: Option<Said<String>>,
    /// How many columns a line may take before the formatter breaks it.
    pub line_width: Option<usize>,
    /// Files that are left out when folders are searched; relative to the folder of the file.
    pub exclude: Vec<Glob>,
    /// How lints are told, by code or by name.
    pub lints: Vec<(Said<String>, Level)>,
}

/// A word of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said<T> {
    /// What it says.
    pub value: T,
    /// Its line, from 1.
    pub row: usize,
}

/// How a lint is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Not at all.
    Off,
    /// In an editor only, where it does not disturb.
    Hint,
    /// As something to know.
    Info,
    /// As something that is likely wrong.
    Warning,
    /// As something that must not be.
    Error,
}

impl Level {
    /// All of them with their names in the file.
    pub const ALL: [(&str, Level); 5] = [
        ("off", Level::Off),
        ("hint", Level::Hint),
        ("info", Level::Info),
        ("warning", Level::Warning),
        ("error", Level::Error),
    ];

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        Level::ALL.into_iter().find(|(_, level)| *level == self).map_or("", |(name, _)| name)
    }
}

impl Config {
    /// Reads the text of the file at `path`. The error says what is wrong and in which row.
    pub fn parse(text: &str, path: &Path) -> Result<Config, String> {
        read::config(text, path).map_err(|(row, message)| format!("{}:{row}: {message}", path.display()))
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Config, String> {
        let text = tile_input::read_text(path, tile_input::MAX_SETTINGS)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Config::parse(&text, path)
    }

    /// What holds for what stands in `folder`: the nearest file in it or above it; the usual where there is none.
    pub fn of_folder(folder: &Path) -> Result<Config, String> {
        match nearest(folder) {
            Some(path) => Config::load(&path),
            None => Ok(Config::default()),
        }
    }

    /// The lints with the names of their levels.
    pub fn levels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lints.iter().map(|(lint, level)| (lint.value.as_str(), level.name()))
    }

    /// What is wrong with a row, in a sentence that says where.
    pub fn problem(&self, row: usize, why: &str) -> String {
        format!("{}:{row}: {why}", self.path.display())
    }

    /// Whether a file is left out when folders are searched.
    pub fn excludes(&self, file: &Path) -> bool {
        if self.exclude.is_empty() {
            return false;
        }
        let Some(folder) = self.path.parent() else { return false };
        let file = absolute(file);
        let relative = file.strip_prefix(absolute(folder)).map(Path::to_path_buf).unwrap_or(file);
        let parts = relative.ancestors().filter(|part| !part.as_os_str().is_empty()).map(slashed);
        parts.into_iter().any(|part| self.exclude.iter().any(|glob| glob.matches(&part)))
    }
}

/// The nearest `tile.toml` in a folder or above it.
pub fn nearest(folder: &Path) -> Option<PathBuf> {
    let folder = absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    folder
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| fs::metadata(path).is_ok_and(|found| !found.is_dir()))
}

/// Where a path leads without links and `..`; as it stands where that cannot be told.
fn absolute(path: &Path) -> PathBuf {
    fs::canonicalize(path).or_else(|_: io::Error| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

/// The candidate of which a word is probably a misspelling: it differs in up to a third of its letters.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = word.chars().count().max(3) / 3;
    let near = candidates.into_iter().map(|candidate| (strsim::osa_distance(word, candidate), candidate));
    near.filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
