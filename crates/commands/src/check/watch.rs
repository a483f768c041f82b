//! `tile check --watch`: checks again whenever a file changes.

use super::arguments::Arguments;
use super::once::once;
use crate::{project, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tile_config::nearest;

/// The polling interval. Polling costs one system call per file, and works on every file system.
const PAUSE: Duration = Duration::from_millis(200);

/// Clears the terminal and moves the cursor to its first line.
const CLEAR: &[u8] = b"\x1b[2J\x1b[3J\x1b[H";

/// The modification times and sizes of files; `None` for unreadable ones.
type Snapshot = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs until it is interrupted.
pub(super) fn run(arguments: &Arguments) -> u8 {
    if arguments.paths.iter().any(|path| path == "-") {
        return crate::messages::fail("standard input cannot be watched; name files or folders");
    }
    loop {
        let before = snapshot(arguments);
        if std::io::stdout().is_terminal() {
            // The check that follows reports write errors.
            let mut out = std::io::stdout();
            let _ = out.write_all(CLEAR).and_then(|()| out.flush());
        }
        let (_, files) = once(arguments);
        let count = if files.len() == 1 { "1 file".to_string() } else { format!("{} files", files.len()) };
        eprintln!("watching {count}; press Ctrl-C to stop");
        let mut now = snapshot(arguments);
        // Ignore the changes that `--fix` made.
        let before = if arguments.fix { now.clone() } else { before };
        while now == before {
            std::thread::sleep(PAUSE);
            now = snapshot(arguments);
        }
    }
}

/// Inspects the files, and the project files that apply to them.
fn snapshot(arguments: &Arguments) -> Snapshot {
    let files = sources::find(&arguments.paths, &project::configs()).files;
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| Path::new(file).parent()).collect();
    let projects = folders.into_iter().filter_map(nearest);
    let seen = |path: PathBuf| {
        let state = fs::metadata(&path).and_then(|found| Ok((found.modified()?, found.len()))).ok();
        (path, state)
    };
    files.iter().map(PathBuf::from).chain(projects).map(seen).collect()
}
