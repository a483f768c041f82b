//! The settings of a project.

use bstr::ByteSlice;
use gix_glob::wildmatch;
use std::path::{Path, PathBuf};

/// The settings of a project.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The path of the project file; empty if there is none.
    pub path: PathBuf,
    /// The Tile IR version to check against.
    pub target_version: Option<Located<String>>,
    /// The enabled preview features of Tile IR, by name.
    pub preview: Vec<Located<String>>,
    /// The GPU to check against.
    pub gpu: Option<Located<String>>,
    /// The maximum width of a formatted line, in columns.
    pub line_width: Option<usize>,
    /// Patterns of files to skip when folders are searched, relative to the folder of the project file. `*` also
    /// matches `/`.
    pub exclude: Vec<String>,
    /// The levels of lints, by code or by name.
    pub lints: Vec<(Located<String>, Level)>,
}

/// A value in the project file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The line of the value, from 1.
    pub row: usize,
}

/// The level of a lint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Not reported.
    Off,
    /// Shown only by editors, unobtrusively.
    Hint,
    /// Reported as information.
    Info,
    /// Reported as a warning.
    Warning,
    /// Reported as an error.
    Error,
}

impl Level {
    /// All levels with their names in the project file.
    pub const ALL: [(&str, Level); 5] = [
        ("off", Level::Off),
        ("hint", Level::Hint),
        ("info", Level::Info),
        ("warning", Level::Warning),
        ("error", Level::Error),
    ];

    /// The name of the level in the project file.
    pub fn name(self) -> &'static str {
        Level::ALL.into_iter().find(|(_, level)| *level == self).map_or("", |(name, _)| name)
    }
}

impl Config {
    /// The lints with the names of their levels.
    pub fn levels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lints.iter().map(|(lint, level)| (lint.value.as_str(), level.name()))
    }

    /// Formats an error in a row of the project file.
    pub fn problem(&self, row: usize, why: &str) -> String {
        format!("{}:{row}: {why}", self.path.display())
    }

    /// Whether a file is skipped when folders are searched.
    pub fn excludes(&self, file: &Path) -> bool {
        if self.exclude.is_empty() {
            return false;
        }
        let Some(folder) = self.path.parent() else { return false };
        let file = absolute(file);
        let relative = file.strip_prefix(absolute(folder)).unwrap_or(&file);
        let mut parts = relative.ancestors().filter(|part| !part.as_os_str().is_empty());
        parts.any(|part| {
            let part = gix_path::to_unix_separators_on_windows(part.as_os_str().as_encoded_bytes().as_bstr());
            let matches = |pattern: &String| wildmatch(pattern.as_bytes().as_bstr(), &part, wildmatch::Mode::empty());
            self.exclude.iter().any(matches)
        })
    }
}

/// Resolves links and `..` in a path; returns it unchanged on errors.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::fs::canonicalize(path)
        .or_else(|_: std::io::Error| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_path_buf())
}
