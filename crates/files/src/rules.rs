//! The rules of `.ignore`, `.gitignore` and `.git/info/exclude`.

use super::read::unreadable;
use bstr::ByteSlice;
use gix_ignore::glob::Pattern;
use gix_ignore::glob::pattern::Case;
use gix_ignore::glob::wildmatch::Mode;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tile_input::{MAX_SETTINGS, is_refused};

/// The rules of a folder. Where none matches, those of its ancestors apply.
pub(crate) struct Rules {
    /// The canonical path of the folder.
    folder: PathBuf,
    above: Option<Rc<Rules>>,
    /// Whether the folder is the root of a repository. Git's rules in its ancestors do not apply.
    is_repository: bool,
    /// Rules by file, in decreasing priority.
    files: [Vec<Pattern>; FILES],
}

/// The number of files with rules in a folder.
const FILES: usize = 3;
/// The index of the first file that belongs to git.
const FIRST_OF_GIT: usize = 1;

/// Which files with rules exist in a folder.
#[derive(Clone, Copy, Default)]
pub(crate) struct Has {
    ignore: bool,
    gitignore: bool,
    git: bool,
}

impl FromIterator<OsString> for Has {
    fn from_iter<I: IntoIterator<Item = OsString>>(names: I) -> Has {
        let mut has = Has::default();
        for name in names {
            match name.as_encoded_bytes() {
                b".ignore" => has.ignore = true,
                b".gitignore" => has.gitignore = true,
                b".git" => has.git = true,
                _ => {}
            }
        }
        has
    }
}

impl Rules {
    /// Reads the rules of a folder, given by the user's path and by its canonical path. Adds files that are too large
    /// or not regular to `errors`.
    pub(crate) fn of(
        folder: &Path,
        canonical: &Path,
        has: Has,
        above: Option<Rc<Rules>>,
        errors: &mut Vec<String>,
    ) -> Option<Rc<Rules>> {
        let mut read = |has: bool, file: &dyn Fn() -> Option<PathBuf>| {
            let Some(file) = has.then(file).flatten() else { return Vec::new() };
            match tile_input::read(&file, MAX_SETTINGS) {
                Ok(text) => gix_ignore::parse(&text, false).map(|(pattern, ..)| pattern).collect(),
                Err(error) => {
                    errors.extend(is_refused(&error).then(|| unreadable(&file.to_string_lossy(), &error)));
                    Vec::new()
                }
            }
        };
        let files = [
            read(has.ignore, &|| Some(folder.join(".ignore"))),
            read(has.gitignore, &|| Some(folder.join(".gitignore"))),
            read(has.git, &|| repository(folder).map(|git| git.join("info/exclude"))),
        ];
        let is_repository = has.git && folder.join(".git").exists();
        if !is_repository && files.iter().all(Vec::is_empty) {
            return above;
        }
        Some(Rc::new(Rules { folder: canonical.to_owned(), above, is_repository, files }))
    }

    /// Reads the rules of all ancestors of an absolute path.
    pub(crate) fn above(path: &Path, errors: &mut Vec<String>) -> Option<Rc<Rules>> {
        let all = Has { ignore: true, gitignore: true, git: true };
        let folders: Vec<&Path> = path.ancestors().skip(1).collect();
        let with = |above, folder: &&Path| Rules::of(folder, folder, all, above, errors);
        folders.iter().rev().fold(None, with)
    }

    /// Whether a canonical path is excluded; `None` if no rule matches.
    pub(crate) fn excludes<'r>(&'r self, path: &Path, is_folder: bool) -> Option<bool> {
        let matched = |file: usize| {
            let above = |rules: &&'r Rules| {
                if rules.is_repository && file >= FIRST_OF_GIT { None } else { rules.above.as_deref() }
            };
            let mut folders = std::iter::successors(Some(self), above);
            folders.find_map(|rules| rules.excluded_by(file, path, is_folder))
        };
        (0..FILES).find_map(matched)
    }

    /// Whether the rules of one file exclude a canonical path: the last one that matches decides.
    fn excluded_by(&self, file: usize, path: &Path, is_folder: bool) -> Option<bool> {
        let path = path.strip_prefix(&self.folder).ok()?.as_os_str().as_encoded_bytes();
        let path = gix_path::to_unix_separators_on_windows(path.as_bstr());
        let name = path.rfind_byte(b'/').map(|at| at + 1);
        let matches = |rule: &&Pattern| {
            let mode = Mode::NO_MATCH_SLASH_LITERAL;
            rule.matches_repo_relative_path(path.as_ref(), name, Some(is_folder), Case::Sensitive, mode)
        };
        self.files[file].iter().rfind(matches).map(|rule| !rule.is_negative())
    }
}

/// The path of the repository of a working folder: its `.git`, or the repository that the file `.git` of a linked
/// worktree refers to.
fn repository(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if !git.is_file() {
        return Some(git);
    }
    let line = |file: &Path| Some(tile_input::read_text(file, MAX_SETTINGS).ok()?.lines().next()?.to_owned());
    let own = folder.join(line(&git)?.strip_prefix("gitdir: ")?);
    let common = line(&own.join("commondir"))?;
    Some(own.join(common))
}
