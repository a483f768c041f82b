//! Checking again whenever a file changes.

use super::arguments::Arguments;
use super::once::once;
use crate::{project, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tile_config::nearest;

/// How often the files are looked at. A look is one call to the system a file, and works on every file system.
const PAUSE: Duration = Duration::from_millis(200);

/// Clears a terminal and goes to its first line.
const CLEAR: &[u8] = b"\x1b[2J\x1b[3J\x1b[H";

/// What can be seen of a file from outside.
type Look = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs until it is stopped.
pub(super) fn run(arguments: &Arguments) -> u8 {
    if arguments.paths.iter().any(|path| path == "-") {
        return crate::messages::fail("standard input cannot be watched; name files or folders");
    }
    loop {
        let before = look(arguments);
        if std::io::stdout().is_terminal() {
            // Nobody is there to read it where it cannot be written; the check that follows says so.
            let mut out = std::io::stdout();
            let _ = out.write_all(CLEAR).and_then(|()| out.flush());
        }
        let (_, files) = once(arguments);
        let count = if files.len() == 1 { "1 file".to_string() } else { format!("{} files", files.len()) };
        eprintln!("watching {count}; Ctrl-C ends");
        let mut now = look(arguments);
        // What this program itself mended is no change.
        let before = if arguments.fix { now.clone() } else { before };
        while now == before {
            std::thread::sleep(PAUSE);
            now = look(arguments);
        }
    }
}

/// The files as they are now, with the project files that hold for them.
fn look(arguments: &Arguments) -> Look {
    let files = sources::find(&arguments.paths, &project::configs()).files;
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| Path::new(file).parent()).collect();
    let projects = folders.into_iter().filter_map(nearest);
    let seen = |path: PathBuf| {
        let look = fs::metadata(&path).and_then(|found| Ok((found.modified()?, found.len()))).ok();
        (path, look)
    };
    files.iter().map(PathBuf::from).chain(projects).map(seen).collect()
}
