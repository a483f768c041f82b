//! Commands that are killed at any system call that changes files: no file is lost, and its content is on disk before
//! it replaces another one.

#![allow(unsafe_code)]

use super::harness::Folder;
use super::skip::skipped;
use super::traced::{Step, traced};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

const OLD: &str = "cuda_tile.module @m {
entry @k() {
%t = print \"hello\\n\" : token
}
}
";

/// Runs a command up to its change of this index, and kills it there; `None` runs it to the end. Returns the changes.
fn changes_of(command: &mut Command, kill_at: Option<usize>) -> io::Result<Vec<Step>> {
    let mut changes = Vec::new();
    traced(command.stderr(Stdio::null()), |step, process| {
        if step.is_change() {
            if kill_at == Some(changes.len()) {
                // SAFETY: the process is a child that was not waited for.
                unsafe { libc::kill(process, libc::SIGKILL) };
            }
            changes.push(step.clone());
        }
    })?;
    Ok(changes)
}

/// A folder with a program, a link to it if there are two names, and the command that changes it.
fn prepared(arguments: &[&str], names: usize) -> (Folder, Command) {
    let folder = Folder::with(&[("a.tile", OLD)]);
    if names == 2 {
        std::fs::hard_link(folder.path("a.tile"), folder.path("b.tile")).expect("links are supported");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
    command.args(arguments).current_dir(folder.path(""));
    (folder, command)
}

/// Whether a remaining temporary file has the new content.
fn is_kept(folder: &Path, new: &str) -> bool {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    let mut paths = entries.map(|entry| entry.expect("the folder is readable").path());
    paths.any(|path| {
        let is_temporary = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".tile-"));
        is_temporary && std::fs::read_to_string(path).is_ok_and(|text| text == new)
    })
}

#[test]
fn a_killed_command_loses_no_file() {
    for arguments in [&["fmt", "a.tile"][..], &["check", "--fix", "a.tile"]] {
        for names in [1, 2] {
            let (folder, mut command) = prepared(arguments, names);
            let changes = match changes_of(&mut command, None) {
                Ok(changes) if !changes.is_empty() => changes,
                other => return skipped(format!("processes cannot be traced here: {other:?}")),
            };
            let text = |folder: &Folder| std::fs::read_to_string(folder.path("a.tile")).unwrap_or_default();
            let new = text(&folder);
            assert_ne!(new, OLD, "{arguments:?}");
            // The threads of the command can interleave in another way, so that it makes a few changes more.
            for kill_at in 0..changes.len() + 4 {
                let (folder, mut command) = prepared(arguments, names);
                changes_of(&mut command, Some(kill_at)).expect("the command starts");
                let found = text(&folder);
                let is_whole = found == OLD || found == new || names == 2 && is_kept(&folder.path(""), &new);
                assert!(is_whole, "{arguments:?}, {names} names, killed before change {kill_at}:\n{found}");
            }
        }
    }
}

#[test]
fn content_is_on_disk_before_it_replaces_a_file() {
    for names in [1, 2] {
        let (_folder, mut command) = prepared(&["fmt", "a.tile"], names);
        let changes = match changes_of(&mut command, None) {
            Ok(changes) if !changes.is_empty() => changes,
            other => return skipped(format!("processes cannot be traced here: {other:?}")),
        };
        // Descriptors with content that is not on disk yet. Standard output and pipes between threads do not count:
        // only what is written after a file was created.
        let mut unsynced: HashMap<u64, usize> = HashMap::new();
        let created = changes.iter().position(|step| step.name == "open").expect("a file is created");
        for (index, Step { name, argument, .. }) in changes.iter().enumerate().skip(created) {
            match *name {
                "write" | "pwrite" if *argument > 2 => _ = unsynced.insert(*argument, index),
                "sync" => _ = unsynced.remove(argument),
                "rename" | "remove" => assert!(unsynced.is_empty(), "{names} names: {unsynced:?} in {changes:?}"),
                _ => {}
            }
        }
        assert!(changes.iter().any(|step| step.name == "sync"), "{changes:?}");
    }
}
