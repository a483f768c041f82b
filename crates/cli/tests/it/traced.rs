//! Commands that stop before each system call that accesses files.

#![allow(unsafe_code)]

use libc::{c_int, pid_t};
use std::collections::HashSet;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};

/// A system call that accesses files.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// The first argument.
    pub(crate) argument: u64,
    /// The path in the second argument, if it is one.
    path: String,
}

impl Step {
    /// Whether the call changes files or writes them to disk.
    pub(crate) fn is_change(&self) -> bool {
        !["look", "read"].contains(&self.name)
    }

    /// Whether the call names a file.
    pub(crate) fn names(&self, file: &str) -> bool {
        self.path.ends_with(file)
    }
}

/// The system calls that change files or write them to disk, and those that read them.
const CALLS: &[(&str, i64)] = &[
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
    ("read", libc::SYS_read),
    ("read", libc::SYS_pread64),
    ("look", libc::SYS_statx),
    ("look", libc::SYS_newfstatat),
    ("look", libc::SYS_fstat),
    ("look", libc::SYS_faccessat),
    #[cfg(target_arch = "x86_64")]
    ("look", libc::SYS_access),
];

/// Runs a command, and calls `before` before each of its steps with the process. Its output is dropped, except for
/// standard error if it was redirected.
pub(crate) fn traced(command: &mut Command, mut before: impl FnMut(&Step, pid_t)) -> io::Result<ExitStatus> {
    // In a separate process group, because other tests wait for their own children.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null());
    // SAFETY: `ptrace` is safe to call between `fork` and `exec`.
    unsafe {
        command.pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
    let child = command.spawn()?;
    let pid = child.id() as pid_t;
    let memory = std::fs::File::open(format!("/proc/{pid}/mem"))?;
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
                return Ok(std::os::unix::process::ExitStatusExt::from_raw(status));
            }
            if !libc::WIFSTOPPED(status) {
                continue;
            }
            let is_call = libc::WSTOPSIG(status) == libc::SIGTRAP | 0x80;
            if let Some(step) = is_call.then(|| entered(stopped, &memory)).flatten() {
                before(&step, pid);
            }
            // A new thread begins with a stop signal, which is not for the program.
            let is_internal = is_call || libc::WSTOPSIG(status) == libc::SIGTRAP || seen.insert(stopped);
            let signal = if is_internal { 0 } else { libc::WSTOPSIG(status) };
            libc::ptrace(libc::PTRACE_SYSCALL, stopped, 0, signal);
        }
    }
}

/// The step that a stopped thread is about to make; `None` for other system calls, and at the end of one.
fn entered(thread: pid_t, memory: &std::fs::File) -> Option<Step> {
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
    let (mut name, _) = *CALLS.iter().find(|(_, number)| *number as u64 == entry.nr)?;
    if name == "open" && entry.args[2] as c_int & (libc::O_WRONLY | libc::O_RDWR) == 0 {
        name = "look";
    }
    let mut path = [0; 64];
    let has_path = ["look", "open"].contains(&name);
    let count = if has_path { memory.read_at(&mut path, entry.args[1]).unwrap_or(0) } else { 0 };
    let path = path[..count].split(|&byte| byte == 0).next().unwrap_or(&[]);
    Some(Step { name, argument: entry.args[0], path: String::from_utf8_lossy(path).into_owned() })
}
