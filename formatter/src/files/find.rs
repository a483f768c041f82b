//! Which files a path stands for.

use std::fs;
use std::path::{Path, PathBuf};

/// How the names of files end that a folder is searched for.
const EXTENSION: &str = "tile";

/// The files that a path stands for, in the order of their names, and what could not be read. A path that names a file
/// stands for it whatever it is called. Links to folders are not followed and hidden folders not searched.
pub(super) fn files(path: &Path) -> (Vec<PathBuf>, Vec<String>) {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => search(path),
        Ok(_) => (vec![path.to_owned()], Vec::new()),
        Err(error) => (Vec::new(), vec![format!("cannot read {}: {error}", path.display())]),
    }
}

fn search(folder: &Path) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        match entries {
            Ok(entries) => entries.iter().for_each(|entry| sort_in(entry, &mut files, &mut folders)),
            Err(error) => errors.push(format!("cannot read {}: {error}", folder.display())),
        }
    }
    files.sort();
    (files, errors)
}

fn sort_in(entry: &fs::DirEntry, files: &mut Vec<PathBuf>, folders: &mut Vec<PathBuf>) {
    let path = entry.path();
    let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
    if is_folder && !is_hidden {
        folders.push(path);
    } else if !is_folder && path.extension().is_some_and(|extension| extension == EXTENSION) && path.is_file() {
        files.push(path);
    }
}
