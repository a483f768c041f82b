//! What a project file can say.

use globset::GlobSet;
use std::path::{Path, PathBuf};

/// What a project says.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The file that says it; empty where there is none.
    pub path: PathBuf,
    /// The version of Tile IR whose rules hold.
    pub target_version: Option<Located<String>>,
    /// The previews of Tile IR whose content programs may have, by name.
    pub preview: Vec<Located<String>>,
    /// The GPU that the programs are for.
    pub gpu: Option<Located<String>>,
    /// How many columns a line may take before the formatter breaks it.
    pub line_width: Option<usize>,
    /// Files that are left out when folders are searched; relative to the folder of the file.
    pub exclude: GlobSet,
    /// How lints are told, by code or by name.
    pub lints: Vec<(Located<String>, Level)>,
}

/// A word of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
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
        let relative = file.strip_prefix(absolute(folder)).unwrap_or(&file);
        let mut parts = relative.ancestors().filter(|part| !part.as_os_str().is_empty());
        parts.any(|part| self.exclude.is_match(part))
    }
}

/// Where a path leads without links and `..`; as it stands where that cannot be told.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::fs::canonicalize(path)
        .or_else(|_: std::io::Error| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_path_buf())
}
