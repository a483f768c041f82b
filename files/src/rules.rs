//! What `.ignore`, `.gitignore` and `.git/info/exclude` say about the files below them.

use super::read::unreadable;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tile_config::{Glob, slashed};
use tile_input::{MAX_SETTINGS, is_refused};

/// The rules of a folder. Those of the folders above hold too, where nearer ones say nothing.
pub(crate) struct Rules {
    above: Option<Rc<Rules>>,
    /// How long the folder is, with a slash at its end, in the paths that are asked about.
    length: usize,
    /// Whether a repository begins here. What git reads above says nothing about it.
    is_repository: bool,
    /// By file, the strongest first.
    files: [Vec<Rule>; FILES],
}

/// From how many files a folder's rules come, and the first that is git's.
const FILES: usize = 3;
const FIRST_OF_GIT: usize = 1;

struct Rule {
    glob: Glob,
    /// It leaves out what matches; else it takes it back in.
    leaves_out: bool,
    /// It is about folders alone.
    of_folders: bool,
    /// It is about names, wherever they stand; else about paths below its folder.
    of_names: bool,
}

/// Which of the files that hold rules a folder has.
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
    /// The rules that hold in a folder, whose whole path is `length` bytes long with a slash at its end. A file of rules
    /// that is too large or not a regular file is added to `errors`.
    pub(crate) fn of(
        folder: &Path,
        has: Has,
        length: usize,
        above: Option<Rc<Rules>>,
        errors: &mut Vec<String>,
    ) -> Option<Rc<Rules>> {
        let mut read = |has: bool, file: &dyn Fn() -> Option<PathBuf>| {
            let Some(file) = has.then(file).flatten() else { return Vec::new() };
            match tile_input::read(&file, MAX_SETTINGS) {
                Ok(text) => rules(&text),
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
        Some(Rc::new(Rules { above, length, is_repository, files }))
    }

    /// The rules of all folders above a whole path.
    pub(crate) fn above(path: &Path, errors: &mut Vec<String>) -> Option<Rc<Rules>> {
        let all = Has { ignore: true, gitignore: true, git: true };
        let folders: Vec<&Path> = path.ancestors().skip(1).collect();
        let with = |above, folder: &&Path| Rules::of(folder, all, with_slash(folder).len(), above, errors);
        folders.iter().rev().fold(None, with)
    }

    /// Whether a whole path is left out, where the rules say anything about it.
    pub(crate) fn leave_out<'r>(&'r self, path: &[u8], is_folder: bool) -> Option<bool> {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let says = |file: usize| {
            let above = |rules: &&'r Rules| match rules.is_repository && file >= FIRST_OF_GIT {
                true => None,
                false => rules.above.as_deref(),
            };
            let mut folders = std::iter::successors(Some(self), above);
            folders.find_map(|rules| {
                let below = &path[rules.length..];
                let matches = |rule: &&Rule| {
                    (is_folder || !rule.of_folders) && rule.glob.matches(if rule.of_names { name } else { below })
                };
                rules.files[file].iter().rev().find(matches).map(|rule| rule.leaves_out)
            })
        };
        (0..FILES).find_map(says)
    }
}

/// A folder as paths below it begin.
pub(crate) fn with_slash(folder: &Path) -> Vec<u8> {
    let mut bytes = slashed(folder).into_owned();
    if !bytes.is_empty() && !bytes.ends_with(b"/") {
        bytes.push(b'/');
    }
    bytes
}

fn rules(text: &[u8]) -> Vec<Rule> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    // As with git, a line that is no pattern matches nothing.
    text.split(|&byte| byte == b'\n').filter_map(rule).collect()
}

fn rule(line: &[u8]) -> Option<Rule> {
    let line = without_blanks(line.strip_suffix(b"\r").unwrap_or(line));
    if line.is_empty() || line.starts_with(b"#") {
        return None;
    }
    let (line, leaves_out) = line.strip_prefix(b"!").map_or((line, true), |line| (line, false));
    let (line, of_folders) = line.strip_suffix(b"/").map_or((line, false), |line| (line, true));
    let of_names = !line.contains(&b'/');
    let glob = Glob::of_git(line.strip_prefix(b"/").unwrap_or(line))?;
    Some(Rule { glob, leaves_out, of_folders, of_names })
}

/// A line without the blanks at its end; one behind a `\` counts.
fn without_blanks(line: &[u8]) -> &[u8] {
    let (mut at, mut end) = (0, 0);
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte != b' ' {
            end = at.min(line.len());
        }
    }
    &line[..end]
}

/// Where the repository of a working folder lies: its `.git`, or what that names where the folder is one of several.
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
