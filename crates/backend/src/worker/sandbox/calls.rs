//! System calls, by seccomp.

use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{self, Eq, MaskedEq};
use seccompiler::{
    BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};
use std::collections::BTreeMap;

/// The calls that the engine, the allocator and the standard library need, whatever their arguments.
const ALLOWED: &[i64] = &[
    // The messages, and reading the files that Landlock permits.
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_fcntl,
    libc::SYS_ppoll,
    // Memory.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    // Threads.
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
    libc::SYS_gettid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // Signals, for the message about a stack overflow.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Time, numbers, and the identity of the process.
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_uname,
    libc::SYS_sysinfo,
];

/// Older names of the same calls.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[libc::SYS_poll, libc::SYS_readlink];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[];

/// Denies this thread, and the threads that it starts later, all other system calls. They fail as if the kernel did not
/// have them, so that libraries use older ones: a new thread is started by `clone`, whose flags can be checked.
pub(super) fn restrict() -> Result<(), Error> {
    apply_filter(&program()?)
}

/// The filter for the architecture of this program.
pub(super) fn program() -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(OLDER).map(|&call| (call, Vec::new())).collect();
    let own = u64::from(std::process::id());
    let thread = libc::CLONE_THREAD as u64;
    let writing = (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC) as u64;
    let executable = libc::PROT_EXEC as u64;
    let limited = [
        // Only threads, no processes.
        (libc::SYS_clone, vec![when(0, Qword, MaskedEq(thread), thread)?]),
        // Only for reading.
        (libc::SYS_openat, vec![when(2, Dword, MaskedEq(writing), libc::O_RDONLY as u64)?]),
        // No new code.
        (libc::SYS_mmap, vec![when(2, Qword, MaskedEq(executable), 0)?]),
        (libc::SYS_mprotect, vec![when(2, Qword, MaskedEq(executable), 0)?]),
        // Names of threads and of memory.
        (
            libc::SYS_prctl,
            vec![when(0, Dword, Eq, libc::PR_SET_NAME as u64)?, when(0, Dword, Eq, libc::PR_SET_VMA as u64)?],
        ),
        // Reading the limits, such as that of the stack.
        (libc::SYS_prlimit64, vec![when(2, Qword, Eq, 0)?]),
        // Only this process.
        (libc::SYS_kill, vec![when(0, Dword, Eq, own)?]),
        (libc::SYS_tgkill, vec![when(0, Dword, Eq, own)?]),
    ];
    rules.extend(limited);
    let denied = SeccompAction::Errno(libc::ENOSYS as u32);
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, denied, SeccompAction::Allow, architecture)?.try_into()
}

/// A rule about an argument.
fn when(
    argument: u8,
    length: SeccompCmpArgLen,
    compare: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, length, compare, value)?])
}
