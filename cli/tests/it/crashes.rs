//! Commands that are killed at any system call that changes files: no file is lost, and its content is on disk before it
//! replaces another one.

#![allow(unsafe_code)]

use super::harness::Folder;
use super::skip::skipped;
use libc::{c_int, pid_t};
use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

const OLD: &str = "cuda_tile.module @m {
entry @k() {
%t = print \"hello\\n\" : token
}
}
";

/// A system call that changes files: its name, and its first argument.
type Change = (&'static str, u64);

/// The system calls that change files or write them to disk.
const CHANGES: &[(&str, i64)] = &[
    ("write", libc::SYS_write),
    ("pwrite", libc::SYS_pwrite64),
    ("open", libc::SYS_openat),
    ("truncate", libc::SYS_ftruncate),
    ("sync", libc::SYS_fdatasync),
    ("sync", libc::SYS_fsync),
    ("rename", libc::SYS_renameat),
    ("rename", libc::SYS_renameat2),
    #[cfg(target_arch = "x86_64")]
    ("rename", libc::SYS_rename),
    ("link", libc::SYS_linkat),
    ("remove", libc::SYS_unlinkat),
    #[cfg(target_arch = "x86_64")]
    ("remove", libc::SYS_unlink),
    ("permissions", libc::SYS_fchmod),
    ("owner", libc::SYS_fchown),
];

/// Runs a command up to its change of this index, and kills it there; `None` runs it to the end. Returns the changes.
fn traced(command: &mut Command, kill_at: Option<usize>) -> io::Result<Vec<Change>> {
    // In a separate process group, because other tests wait for their own children.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: `ptrace` is safe to call between `fork` and `exec`.
    unsafe {
        command.pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
    let child = command.spawn()?;
    let pid = child.id() as pid_t;
    let mut changes = Vec::new();
    let (mut status, mut seen): (c_int, HashSet<pid_t>) = (0, HashSet::new());
    // SAFETY: the calls access the memory of the given variables only.
    unsafe {
        libc::waitpid(pid, &mut status, 0);
        let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
        libc::ptrace(libc::PTRACE_SETOPTIONS, pid, 0, options);
        libc::ptrace(libc::PTRACE_SYSCALL, pid, 0, 0);
        loop {
            let stopped = libc::waitpid(-pid, &mut status, libc::__WALL);
            if stopped == -1 || (stopped == pid && !libc::WIFSTOPPED(status)) {
                return Ok(changes);
            }
            if !libc::WIFSTOPPED(status) {
                continue;
            }
            let is_call = libc::WSTOPSIG(status) == libc::SIGTRAP | 0x80;
            if let Some(change) = is_call.then(|| entered(stopped)).flatten() {
                if kill_at == Some(changes.len()) {
                    libc::kill(pid, libc::SIGKILL);
                }
                changes.push(change);
            }
            // A new thread begins with a stop signal, which is not for the program.
            let is_internal = is_call || libc::WSTOPSIG(status) == libc::SIGTRAP || seen.insert(stopped);
            let signal = if is_internal { 0 } else { libc::WSTOPSIG(status) };
            libc::ptrace(libc::PTRACE_SYSCALL, stopped, 0, signal);
        }
    }
}

/// The change that a stopped thread is about to make; `None` for other system calls, and at the end of one.
fn entered(thread: pid_t) -> Option<Change> {
    // SAFETY: the structure consists of integers, and the call writes at most its size.
    let info = unsafe {
        let mut info: libc::ptrace_syscall_info = std::mem::zeroed();
        let size = size_of_val(&info);
        libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, thread, size, &mut info);
        info
    };
    if info.op != libc::PTRACE_SYSCALL_INFO_ENTRY {
        return None;
    }
    // SAFETY: `op` says that this variant is valid.
    let entry = unsafe { info.u.entry };
    let (name, _) = CHANGES.iter().find(|(_, number)| *number as u64 == entry.nr)?;
    let writes = *name != "open" || entry.args[2] as c_int & (libc::O_WRONLY | libc::O_RDWR) != 0;
    writes.then_some((*name, entry.args[0]))
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
            let changes = match traced(&mut command, None) {
                Ok(changes) if !changes.is_empty() => changes,
                other => return skipped(format!("processes cannot be traced here: {other:?}")),
            };
            let text = |folder: &Folder| std::fs::read_to_string(folder.path("a.tile")).unwrap_or_default();
            let new = text(&folder);
            assert_ne!(new, OLD, "{arguments:?}");
            // The threads of the command can interleave in another way, so that it makes a few changes more.
            for kill_at in 0..changes.len() + 4 {
                let (folder, mut command) = prepared(arguments, names);
                traced(&mut command, Some(kill_at)).expect("the command starts");
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
        let changes = match traced(&mut command, None) {
            Ok(changes) if !changes.is_empty() => changes,
            other => return skipped(format!("processes cannot be traced here: {other:?}")),
        };
        // Descriptors with content that is not on disk yet. Standard output and pipes between threads do not count: only
        // what is written after a file was created.
        let mut unsynced: HashMap<u64, usize> = HashMap::new();
        let created = changes.iter().position(|(name, _)| *name == "open").expect("a file is created");
        for (index, (name, argument)) in changes.iter().enumerate().skip(created) {
            match *name {
                "write" | "pwrite" if *argument > 2 => _ = unsynced.insert(*argument, index),
                "sync" => _ = unsynced.remove(argument),
                "rename" | "remove" => assert!(unsynced.is_empty(), "{names} names: {unsynced:?} in {changes:?}"),
                _ => {}
            }
        }
        assert!(changes.iter().any(|(name, _)| *name == "sync"), "{changes:?}");
    }
}
