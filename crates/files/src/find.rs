//! Finding the files that a path refers to.

use super::read::unreadable;
use super::rules::Rules;
use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tile_config::Configs;
use tile_syntax::visible::escape_line;

/// The extension of programs.
const EXTENSION: &str = "tile";

/// Returns the programs that a path refers to, sorted by name, and error messages. A path to a file refers to that file
/// whatever its name, even if an ignore file or `tile.toml` excludes it.
pub fn files(path: &Path, configs: &Configs) -> (Vec<PathBuf>, Vec<String>) {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => below(path, configs, |file| file.extension().is_some_and(|is| is == EXTENSION)),
        Ok(_) => (vec![path.to_owned()], Vec::new()),
        Err(error) => (Vec::new(), vec![unreadable(&path.to_string_lossy(), &error)]),
    }
}

/// Returns the files below a folder that `wanted` accepts, sorted by name, and error messages. Skips hidden files and
/// folders, and everything that `.gitignore` or the project's `tile.toml` excludes. Does not follow links to folders,
/// nor links to files outside the folder.
pub fn below(folder: &Path, configs: &Configs, wanted: impl Fn(&Path) -> bool) -> (Vec<PathBuf>, Vec<String>) {
    below_where(folder, configs, &|_| true, wanted)
}

/// Like [`below`], but searches only the subfolders that `enters` accepts.
pub fn below_where(
    folder: &Path,
    configs: &Configs,
    enters: &dyn Fn(&Path) -> bool,
    wanted: impl Fn(&Path) -> bool,
) -> (Vec<PathBuf>, Vec<String>) {
    let mut files = Vec::new();
    let mut errors = Vec::new();
    let top = Folder::top(folder, &mut errors);
    let inside = fs::canonicalize(folder).ok();
    let leads_inside = |link: &Path| {
        let target = fs::canonicalize(link).ok().filter(|target| target.is_file());
        target.is_some_and(|target| inside.as_ref().is_some_and(|inside| target.starts_with(inside)))
    };
    let mut search = Search { folders: vec![top], enters, errors };
    while let Some(folder) = search.folders.pop() {
        search.folder(&folder, &mut |path, kind| {
            // An invalid project file is reported when the file itself is read.
            let is_excluded = || configs.of_file(&path).is_ok_and(|config| config.excludes(&path));
            let is_regular = kind.is_file() || kind.is_symlink() && leads_inside(&path);
            if is_regular && wanted(&path) && !is_excluded() {
                files.push(path);
            }
        });
    }
    files.sort();
    (files, search.errors)
}

/// A folder to search.
struct Folder {
    path: PathBuf,
    /// The path without links, which the ignore rules refer to.
    canonical: PathBuf,
    /// The rules of its ancestors.
    above: Option<Rc<Rules>>,
}

impl Folder {
    fn top(path: &Path, errors: &mut Vec<String>) -> Folder {
        match fs::canonicalize(path) {
            Ok(canonical) => {
                let above = Rules::above(&canonical, errors);
                Folder { path: path.to_owned(), canonical, above }
            }
            Err(_) => Folder { path: path.to_owned(), canonical: PathBuf::new(), above: None },
        }
    }
}

struct Search<'a> {
    /// The folders still to search.
    folders: Vec<Folder>,
    /// Whether to search a folder.
    enters: &'a dyn Fn(&Path) -> bool,
    errors: Vec<String>,
}

impl Search<'_> {
    /// Converts a result to an option, and records the error.
    fn ok_or_record<T>(&mut self, folder: &Folder, result: io::Result<T>) -> Option<T> {
        let record = |error| {
            self.errors
                .push(format!("cannot search the folder `{}`: {error}", escape_line(&folder.path.to_string_lossy())))
        };
        result.map_err(record).ok()
    }

    /// Calls `found` with each entry of a folder and its type, except for subfolders, which are searched later.
    fn folder(&mut self, folder: &Folder, found: &mut dyn FnMut(PathBuf, FileType)) {
        let Some(entries) = self.ok_or_record(folder, fs::read_dir(&folder.path)) else { return };
        let entries: Vec<DirEntry> = entries.filter_map(|entry| self.ok_or_record(folder, entry)).collect();
        let names = entries.iter().map(DirEntry::file_name);
        let rules = Rules::of(&folder.path, &folder.canonical, names.collect(), folder.above.clone(), &mut self.errors);
        for entry in entries {
            let Some(kind) = self.ok_or_record(folder, entry.file_type()) else { continue };
            let canonical = folder.canonical.join(entry.file_name());
            let excluded = rules.as_ref().and_then(|rules| rules.excludes(&canonical, kind.is_dir()));
            if excluded.unwrap_or_else(|| is_hidden(&entry)) {
                continue;
            }
            if kind.is_dir() && !(self.enters)(&entry.path()) {
                continue;
            }
            if kind.is_dir() {
                self.folders.push(Folder { path: entry.path(), canonical, above: rules.clone() });
            } else {
                found(entry.path(), kind);
            }
        }
    }
}

#[cfg(windows)]
fn is_hidden(entry: &DirEntry) -> bool {
    use std::os::windows::fs::MetadataExt;
    const HIDDEN: u32 = 2;
    let has_attribute = entry.metadata().is_ok_and(|known| known.file_attributes() & HIDDEN != 0);
    has_attribute || entry.file_name().as_encoded_bytes().starts_with(b".")
}

#[cfg(not(windows))]
fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}
