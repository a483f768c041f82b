//! Access to files, by Landlock.

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope,
};
use std::sync::OnceLock;

/// The files that remain readable: the memory and the processors of the machine and of the process's control group,
/// and the program itself, for the backtrace of a panic.
const READABLE: [&str; 5] =
    ["/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup", "/sys/devices/system/cpu", "/proc/self/exe"];

/// The newest version of Landlock whose rules are used. Older kernels apply those that they know.
const VERSION: ABI = ABI::V6;

/// Denies this thread, and the threads that it starts later, all access to files except [`READABLE`]. Returns whether
/// the kernel supports this.
pub(super) fn restrict() -> Result<bool, RulesetError> {
    // Stays open: a rule refers to an inode, and the kernel can replace an unused inode of `/proc`.
    static OPEN: OnceLock<Vec<PathFd>> = OnceLock::new();
    let open = OPEN.get_or_init(|| READABLE.iter().filter_map(|path| PathFd::new(path).ok()).collect());
    let rules = open.iter().map(|file| Ok::<_, RulesetError>(PathBeneath::new(file, AccessFs::ReadFile)));
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?;
    let status = ruleset.create()?.add_rules(rules)?.restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
