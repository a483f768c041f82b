//! The contents of a project file.

use globset::GlobSet;
use std::path::{Path, PathBuf};

/// The settings of a project.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The project file; empty if there is none.
    pub path: PathBuf,
    /// The version of Tile IR to check against.
    pub target_version: Option<Located<String>>,
    /// The names of the previews of Tile IR that programs can use.
    pub preview: Vec<Located<String>>,
    /// The GPU that the programs are for.
    pub gpu: Option<Located<String>>,
    /// The maximum width of a line in columns, for the formatter.
    pub line_width: Option<usize>,
    /// Files to exclude when folders are searched; relative to the folder of the file.
    pub exclude: GlobSet,
    /// The levels of lints, by code or by name.
    pub lints: Vec<(Located<String>, Level)>,
}

/// A word of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// Its value.
    pub value: T,
    /// Its line, counted from 1.
    pub row: usize,
}

/// How a lint is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Not reported.
    Off,
    /// Reported in editors only, unobtrusively.
    Hint,
    /// Reported as information.
    Info,
    /// Reported as a warning.
    Warning,
    /// Reported as an error.
    Error,
}

impl Level {
    /// All levels with their names in the file.
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
    /// The lints and the names of their levels.
    pub fn levels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lints.iter().map(|(lint, level)| (lint.value.as_str(), level.name()))
    }

    /// An error message with the line of the project file.
    pub fn problem(&self, row: usize, why: &str) -> String {
        format!("{}:{row}: {why}", self.path.display())
    }

    /// Whether a file is excluded when folders are searched.
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

/// The canonical path; the path itself if it cannot be resolved.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::fs::canonicalize(path)
        .or_else(|_: std::io::Error| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_path_buf())
}
