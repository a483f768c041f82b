//! Which files a path stands for.

use ignore::WalkBuilder;
use std::fs;
use std::path::{Path, PathBuf};
use tile_config::Configs;

/// How the names of files end that a folder is searched for.
const EXTENSION: &str = "tile";

/// The files that a path stands for, in the order of their names, and what could not be read. A path that names a file
/// stands for it whatever it is called and whatever leaves it out.
pub(super) fn files(path: &Path, configs: &Configs) -> (Vec<PathBuf>, Vec<String>) {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => below(path, configs, |file| file.extension().is_some_and(|is| is == EXTENSION)),
        Ok(_) => (vec![path.to_owned()], Vec::new()),
        Err(error) => (Vec::new(), vec![format!("cannot read {}: {error}", path.display())]),
    }
}

/// The files below a folder that `wanted` takes, in the order of their names, and what could not be read. What
/// `.gitignore` or the project's `tile.toml` leaves out is left out, hidden files and folders too; links to folders are
/// not followed.
pub fn below(folder: &Path, configs: &Configs, wanted: impl Fn(&Path) -> bool) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    let mut walk = WalkBuilder::new(folder);
    for entry in walk.require_git(false).git_global(false).build() {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) => {}
            Ok(entry) => {
                let path = entry.into_path();
                // A project file that cannot be read is told when the file itself is looked at.
                let is_left_out = || configs.of_file(&path).is_ok_and(|config| config.excludes(&path));
                if wanted(&path) && path.is_file() && !is_left_out() {
                    files.push(path);
                }
            }
            Err(error) => errors.push(format!("cannot search {}: {error}", folder.display())),
        }
    }
    files.sort();
    (files, errors)
}
