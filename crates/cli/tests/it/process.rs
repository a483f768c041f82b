//! Processes and signals, without the program `kill`, which minimal systems lack.

use crate::waiting::soon;
use rustix::process::{Pid, kill_process, kill_process_group, test_kill_process};
use std::fs;
use std::path::Path;

pub(crate) use rustix::process::Signal;

/// Sends a signal to a process.
pub(crate) fn signal(process: u32, signal: Signal) {
    kill_process(pid(process), signal).expect("the process can be signaled");
}

/// Sends a signal to a process group, as a terminal does on Ctrl-C.
pub(crate) fn signal_group(leader: u32, signal: Signal) {
    kill_process_group(pid(leader), signal).expect("the process can be signaled");
}

fn pid(process: u32) -> Pid {
    i32::try_from(process).ok().and_then(Pid::from_raw).expect("a process id is a positive `i32`")
}

/// Waits for the end of the process whose id is in a file.
pub(crate) fn wait_for_end(file: &Path) {
    // Without the file, the process was never started.
    let number = fs::read_to_string(file).unwrap_or_default();
    let Ok(number) = number.trim().parse() else { return };
    // A process can still be signaled until its parent reads its exit status.
    let stat = || fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    let has_ended = || test_kill_process(pid(number)).is_err() || stat().contains(") Z ");
    soon("the process ends", || has_ended().then_some(()));
}

/// The fields of a process after its name: its state, its parent and so on. `None` if it is gone.
#[cfg(target_os = "linux")]
pub(crate) fn stat(process: u32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(stat.rsplit_once(')')?.1.split_whitespace().map(str::to_string).collect())
}

/// Whether a process has ended. It may still exist as a zombie.
#[cfg(target_os = "linux")]
pub(crate) fn is_gone(process: u32) -> bool {
    stat(process).is_none_or(|fields| matches!(&*fields[0], "Z" | "X"))
}

/// Whether all threads of a process wait for something. A thread that waits for a processor does not count.
#[cfg(target_os = "linux")]
pub(crate) fn is_asleep(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let mut states = threads.filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok());
    states.all(|stat| stat.rsplit_once(')').is_some_and(|(_, fields)| fields.starts_with(" S ")))
}

/// The running children of a process.
#[cfg(target_os = "linux")]
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("/proc is readable").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok());
    let is_child = |process: &u32| {
        stat(*process).is_some_and(|fields| fields[1] == parent.to_string() && !matches!(&*fields[0], "Z" | "X"))
    };
    numbers.filter(is_child).collect()
}
