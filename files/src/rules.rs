//! The rules of `.ignore`, `.gitignore` and `.git/info/exclude`.

use super::read::unreadable;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tile_input::{MAX_SETTINGS, is_refused};

/// The rules of a folder. Where none matches, those of its ancestors apply.
pub(crate) struct Rules {
    above: Option<Rc<Rules>>,
    /// Whether the folder is the root of a repository. Git's rules in its ancestors do not apply.
    is_repository: bool,
    /// Rules by file, in decreasing priority.
    files: [Gitignore; FILES],
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
            let Some(file) = has.then(file).flatten() else { return Gitignore::empty() };
            match tile_input::read(&file, MAX_SETTINGS) {
                Ok(text) => rules(canonical, &text),
                Err(error) => {
                    errors.extend(is_refused(&error).then(|| unreadable(&file.to_string_lossy(), &error)));
                    Gitignore::empty()
                }
            }
        };
        let files = [
            read(has.ignore, &|| Some(folder.join(".ignore"))),
            read(has.gitignore, &|| Some(folder.join(".gitignore"))),
            read(has.git, &|| repository(folder).map(|git| git.join("info/exclude"))),
        ];
        let is_repository = has.git && folder.join(".git").exists();
        if !is_repository && files.iter().all(Gitignore::is_empty) {
            return above;
        }
        Some(Rc::new(Rules { above, is_repository, files }))
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
            folders.find_map(|rules| match rules.files[file].matched(path, is_folder) {
                Match::None => None,
                found => Some(found.is_ignore()),
            })
        };
        (0..FILES).find_map(matched)
    }
}

/// Parses the rules of a file in a folder. As in git, an invalid pattern matches nothing.
fn rules(folder: &Path, text: &[u8]) -> Gitignore {
    let text = String::from_utf8_lossy(text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text));
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.lines() {
        let _ = builder.add_line(None, &with_plain_braces(line));
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Escapes the braces of a line: the library treats them as alternatives, git as plain characters.
fn with_plain_braces(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let mut is_escaped = false;
    for c in line.chars() {
        if matches!(c, '{' | '}') && !is_escaped {
            escaped.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        escaped.push(c);
    }
    escaped
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
