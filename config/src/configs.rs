//! The project files of many programs, each read once.

use crate::config::Config;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Project files by the folder of the programs.
#[derive(Debug, Default)]
pub struct Configs {
    check: Option<Check>,
    of: Mutex<HashMap<PathBuf, Result<Arc<Config>, String>>>,
}

/// An additional check of a project file. The error describes what is wrong with it.
pub type Check = fn(&Config) -> Result<(), String>;

impl Configs {
    /// Project files that are passed to `check` when they are read.
    pub fn checked(check: Check) -> Configs {
        Configs { check: Some(check), ..Configs::default() }
    }

    /// The settings for a file; an empty path stands for the current folder. The error describes what is wrong with its
    /// `tile.toml`.
    pub fn of_file(&self, file: &Path) -> Result<Arc<Config>, String> {
        let folder = file.parent().unwrap_or(Path::new(""));
        // A panic while the map is locked leaves it consistent.
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = of.get(folder) {
            return known.clone();
        }
        let checked = |config: Config| match self.check {
            Some(check) => check(&config).map(|()| config),
            None => Ok(config),
        };
        let config = Config::of_folder(folder).and_then(checked).map(Arc::new);
        of.insert(folder.to_path_buf(), config.clone());
        config
    }
}
