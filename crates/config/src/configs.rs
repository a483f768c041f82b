//! The project files of many programs, each read once.

use crate::config::Config;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Project files by the folder of the programs.
#[derive(Debug, Default)]
pub struct Configs {
    check: Option<Check>,
    of: Mutex<HashMap<PathBuf, Arc<OnceLock<ConfigResult>>>>,
}

/// The settings for the files of a folder, or what is wrong with its project file.
type ConfigResult = Result<Arc<Config>, String>;

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
        // A panic while the map is locked leaves it consistent. It is not locked while a file is read: the folder of
        // another caller may not answer.
        let of_folder =
            self.of.lock().unwrap_or_else(PoisonError::into_inner).entry(folder.to_path_buf()).or_default().clone();
        let checked = |config: Config| match self.check {
            Some(check) => check(&config).map(|()| config),
            None => Ok(config),
        };
        of_folder.get_or_init(|| Config::of_folder(folder).and_then(checked).map(Arc::new)).clone()
    }
}
