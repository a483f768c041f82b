//! Programs that change a file while a command formats or fixes it: their content is never lost.

use super::harness::{Folder, Running};
use super::skip::skipped;
use super::traced::traced;
use std::fs::{self, Permissions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const OLD: &str = "cuda_tile.module @m {
entry @k() {
%t = print \"hello\\n\" : token
}
}
";

/// What the other program writes, as long as [`OLD`].
const OTHER: &str = "cuda_tile.module @m {
entry @k() {
%t = print \"other\\n\" : token
}
}
";

/// Another program that changes the file at a path, and the contents that the file can have afterwards: `None` if it
/// does not exist or is a folder.
struct Editor {
    name: &'static str,
    act: fn(&Path),
    contents: &'static [Option<&'static str>],
}

const EDITORS: [Editor; 8] = [
    Editor { name: "writes in place", act: |path| fs::write(path, OTHER).unwrap(), contents: &[Some(OTHER)] },
    Editor {
        name: "writes in place and restores the time",
        act: |path| {
            let before = fs::metadata(path).and_then(|found| found.modified()).unwrap();
            fs::write(path, OTHER).unwrap();
            fs::File::options().write(true).open(path).and_then(|file| file.set_modified(before)).unwrap();
        },
        contents: &[Some(OTHER)],
    },
    Editor {
        name: "renames another file over it",
        act: |path| {
            fs::write(path.with_file_name("new"), OTHER).unwrap();
            fs::rename(path.with_file_name("new"), path).unwrap();
        },
        contents: &[Some(OTHER)],
    },
    Editor { name: "empties it", act: |path| fs::write(path, "").unwrap(), contents: &[Some("")] },
    Editor { name: "removes it", act: |path| fs::remove_file(path).unwrap(), contents: &[None] },
    Editor {
        name: "replaces it by a link",
        act: |path| {
            fs::write(path.with_file_name("other.tile"), OTHER).unwrap();
            fs::remove_file(path).unwrap();
            symlink("other.tile", path).unwrap();
        },
        contents: &[Some(OTHER)],
    },
    Editor {
        name: "replaces it by a folder",
        act: |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
        contents: &[None],
    },
    Editor {
        name: "protects it",
        act: |path| fs::set_permissions(path, Permissions::from_mode(0o444)).unwrap(),
        contents: &[Some(OLD)],
    },
];

/// The result of a command that was interrupted by another program.
struct Interrupted {
    folder: Folder,
    status: Option<i32>,
    errors: String,
    /// The name of the step before which the other program acted; empty if the command had ended.
    step: &'static str,
}

/// Runs a command and lets the other program act before its step of this index, counted from the first one that names
/// the file.
fn interrupted(arguments: &[&str], act: Option<fn(&Path)>, at: usize) -> std::io::Result<Interrupted> {
    let folder = Folder::of(OLD);
    let path = folder.path("a.tile");
    let mut errors = tempfile::tempfile()?;
    let (mut index, mut has_begun, mut acted_before) = (0, false, "");
    let status = traced(folder.command(arguments).stderr(errors.try_clone()?), |step, _| {
        has_begun |= step.names("a.tile");
        if !has_begun {
            return;
        }
        if let (true, Some(act)) = (index == at, act) {
            acted_before = step.name;
            act(&path);
        }
        index += 1;
    })?;
    let mut text = String::new();
    errors.seek(SeekFrom::Start(0)).and_then(|_| errors.read_to_string(&mut text))?;
    Ok(Interrupted { folder, status: status.code(), errors: text, step: acted_before })
}

/// The content of a file after a command.
fn processed(arguments: &[&str], content: &str) -> String {
    let folder = Folder::of(content);
    assert_eq!(folder.tile(arguments).status, Some(0), "{arguments:?}");
    folder.read("a.tile")
}

fn has_temporary_files(folder: &Folder) -> bool {
    let entries = fs::read_dir(folder.root()).expect("the folder is readable");
    let mut names = entries.map(|entry| entry.expect("the folder is readable").file_name());
    names.any(|name| name.to_string_lossy().starts_with(".tile-"))
}

#[test]
fn another_program_can_change_the_file_at_any_step() {
    if let Err(error) = interrupted(&["fmt", "a.tile"], None, 0) {
        return skipped(format!("processes cannot be traced here: {error}"));
    }
    for arguments in [&["fmt", "a.tile"][..], &["check", "--fix", "a.tile"]] {
        let new = processed(arguments, OLD);
        for Editor { name, act, contents } in EDITORS {
            let (mut renames, mut at) = (0, 0);
            loop {
                let Interrupted { folder, status, errors, step } =
                    interrupted(arguments, Some(act), at).expect("the command starts");
                if step.is_empty() {
                    break;
                }
                let found = fs::read_to_string(folder.path("a.tile")).ok();
                let place = format!("{arguments:?}, another program {name} before step {at} ({step})");
                // Nothing can be between the last check and the rename.
                renames += usize::from(step == "rename");
                let is_late = step == "rename" && found.as_ref() == Some(&new);
                let is_kept = contents.iter().any(|content| {
                    found.as_deref() == *content
                        || content.is_some_and(|text| found == Some(processed(arguments, text)))
                });
                assert!(is_kept || is_late, "{place}: {found:?}, {errors}");
                if name == "protects it" && step != "rename" {
                    let mode = fs::metadata(folder.path("a.tile")).expect("the file exists").permissions().mode();
                    assert_eq!(mode & 0o777, 0o444, "{place}");
                }
                assert!(!has_temporary_files(&folder), "{place}");
                match status {
                    // An existing folder is searched for files.
                    Some(0) => assert!(errors.is_empty() || found.is_none(), "{place}: {errors}"),
                    Some(2) => assert!(errors.contains("`a.tile`"), "{place}: {errors}"),
                    _ => panic!("{place}: {status:?}, {errors}"),
                }
                at += 1;
            }
            assert!(at > 10 && renames == 1, "{arguments:?}, another program {name}: {at} steps, {renames} renames");
        }
    }
}

#[test]
fn two_formatters_at_once_format_every_file() {
    const FILES: usize = 50;
    const ROUNDS: usize = 10;
    let new = processed(&["fmt", "a.tile"], OLD);
    let folder = Folder::with(&[]);
    for round in 0..ROUNDS {
        (0..FILES).for_each(|index| folder.write(&format!("{index}.tile"), OLD));
        let mut running = [(); 2].map(|()| Running::start(&mut folder.command(&["fmt", "."])));
        for running in &mut running {
            let outcome = running.finish();
            assert_eq!((outcome.status, outcome.err.as_str()), (Some(0), ""), "round {round}");
        }
        (0..FILES).for_each(|index| assert_eq!(folder.read(&format!("{index}.tile")), new, "round {round}"));
        assert!(!has_temporary_files(&folder), "round {round}");
    }
}
