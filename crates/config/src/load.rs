//! Finding and reading the project file.

use crate::config::{Config, absolute};
use crate::read;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the project file.
pub const FILE_NAME: &str = "tile.toml";

impl Config {
    /// Parses the text of the project file at `path`. Errors include the path and the row.
    pub fn parse(text: &str, path: &Path) -> Result<Config, String> {
        read::config(text, path).map_err(|(row, message)| format!("{}:{row}: {message}", path.display()))
    }

    /// Reads a project file.
    pub fn load(path: &Path) -> Result<Config, String> {
        let text = tile_input::read_text(path, tile_input::MAX_SETTINGS)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Config::parse(&text, path)
    }

    /// The settings for the files in `folder`: the nearest project file in it or above it, or else the defaults.
    pub fn of_folder(folder: &Path) -> Result<Config, String> {
        match nearest(folder) {
            Some(path) => Config::load(&path),
            None => Ok(Config::default()),
        }
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
