//! Endless runs, and closed outputs.

use crate::harness::{Folder, endless, entry, native};
use crate::waiting::with_time_limit;
use serde_json::Value;

/// The message for the endless kernel.
fn timed_out(seconds: u32) -> String {
    format!(
        "error[R0402]: the run timed out after {seconds}s
  ┌─ a.tile:5:5
  │
5 │     loop iter_values(%i = %one) : tile<i64> {{
  │     ^^^^

"
    )
}

#[test]
fn an_endless_kernel_times_out() {
    let folder = Folder::of(&endless());
    // The kernel must reach its loop within the limit.
    let limited = |arguments: &[&str]| {
        let run = |seconds| folder.tile(&[arguments, &["a.tile", &format!("--timeout={seconds}")]].concat());
        with_time_limit(1, run, |output| ["start", "a.tile:5:5"].iter().all(|words| !output.out.contains(words)))
    };
    let (seconds, output) = limited(&["run"]);
    output.is(1, "start\n", &timed_out(seconds));
    let (seconds, output) = limited(&["test"]);
    output.is(1, &format!("FAIL a.tile @k\n{}0 passed, 1 failed\n", timed_out(seconds)), "");
    let (_, output) = limited(&["run", "--output-format=json-lines"]);
    assert_eq!((output.status, output.err.as_str()), (Some(1), ""));
    let finding: Value = serde_json::from_str(output.out.lines().nth(1).expect("three lines")).expect("JSON");
    assert_eq!(
        (&finding["diagnostic"]["code"], &finding["diagnostic"]["location"]["row"]),
        (&"R0402".into(), &5.into())
    );
}

#[test]
fn tests_after_an_endless_one_are_run() {
    let folder =
        Folder::with_bytes(&[("a.tile", endless().as_bytes()), ("b.tile", entry(&["launch"], "", &[]).as_bytes())]);
    let test = |seconds| folder.tile(&["test", &format!("--timeout={seconds}"), "."]);
    let (_, output) = with_time_limit(2, test, |output| output.out.contains("0 passed"));
    assert_eq!(output.status, Some(1));
    let (failed, passed) = (native("./a.tile"), native("./b.tile"));
    assert!(output.out.starts_with(&format!("FAIL {failed} @k\nerror[R0402]")), "{}", output.out);
    assert!(output.out.contains(&format!("\n\nok   {passed} @k (")), "{}", output.out);
    assert!(output.out.ends_with("\n1 passed, 1 failed\n"), "{}", output.out);
}

#[test]
fn a_slow_expectation_times_out() {
    // The engine limits only the time of the kernel; during expectations, the worker is killed.
    let product = vec!["%p"; 200].join(" @ ");
    let launch = ["launch", "  %p = f32[2000, 2000] ones", &format!("expect %p == {product}")];
    let folder = Folder::of(&entry(&launch, "%p: tile<ptr<f32>>", &[]));
    let run = |seconds| folder.tile(&["run", &format!("--timeout={seconds}"), "a.tile"]);
    let (seconds, output) = with_time_limit(1, run, |output| !output.err.contains("a.tile:5:9"));
    let message = format!("error[R0402]: the run timed out after {seconds}s\n  ┌─ a.tile:5:9\n");
    assert_eq!((output.status, output.out.as_str()), (Some(1), ""));
    assert!(output.err.starts_with(&message) && output.messages() == 1, "{}", output.err);
}

#[test]
fn a_closed_output_causes_no_message() {
    let chatty = entry(&["launch"], "", &["loop {", "  print_tko \"again\\n\" -> token", "}"]);
    let folder = Folder::of(&chatty);
    folder.tile_unread(&["run", "a.tile"]).is(0, "", "");
    folder.tile_unread(&["run", "--output-format=json-lines", "a.tile"]).is(0, "", "");
    let wrong = Folder::of("entry @k() { %x = addi %y, %y : tile<i32> }");
    for format in ["full", "concise", "json", "json-lines", "github"] {
        wrong.tile_unread(&["check", &format!("--output-format={format}"), "a.tile"]).is(1, "", "");
    }
    for arguments in [&["doc"][..], &["doc", "addi"], &["explain"], &["explain", "E0101"]] {
        Folder::of("").tile_unread(arguments).is(0, "", "");
    }
    for format in ["text", "json-lines", "github"] {
        let test = ["test", &format!("--output-format={format}"), "a.tile"];
        Folder::of(&entry(&["launch"], "", &[])).tile_unread(&test).is(0, "", "");
    }
}

#[test]
fn running_launches_are_killed_when_the_output_is_closed() {
    let body = ["%two = constant <i32: 2> : tile<i32>", "%again = cmpi equal %n, %two, signed : tile<i32> -> tile<i1>"];
    let body = [&body[..], &["if %again {", "  loop {", "    continue", "  }", "}"]].concat();
    let folder =
        Folder::of(&entry(&["launch \"one\"", "  %n = 1", "launch \"two\"", "  %n = 2"], "%n: tile<i32>", &body));
    folder.tile_unread(&["test", "--jobs=2", "a.tile"]).is(0, "", "");
    folder.tile_unread(&["test", "--jobs=1", "a.tile"]).is(0, "", "");
}

#[test]
fn buffers_are_saved_even_if_the_output_is_closed() {
    let folder =
        Folder::of(&entry(&["launch", "  %p = f32[2] ones"], "%p: tile<ptr<f32>>", &["print_tko \"x\" -> token"]));
    folder.tile_unread(&["run", "--save=%p=p.npy", "a.tile"]).is(0, "", "");
    assert!(std::fs::read(folder.path("p.npy")).expect("the file is saved").starts_with(b"\x93NUMPY"));
}

#[cfg(target_os = "linux")]
mod processes {
    //! Signals to commands and workers, which the tests find in `/proc`.

    use super::*;
    use crate::harness::Running;
    use crate::process::{Signal, children, is_gone, signal, signal_group, stat};
    use crate::skip::skipped;
    use crate::terminal::OnTerminal;
    use crate::waiting::soon;
    use std::fs::{self, File};
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    /// A command with a kernel that is running in its worker.
    struct Active {
        running: Running,
        worker: u32,
        /// The folder of the command.
        _folder: Folder,
    }

    /// Starts a command in its own process group, as a shell does, and waits until its kernel runs.
    fn start(arguments: &[&str]) -> Active {
        let folder = Folder::of(&endless());
        let running = Running::start(folder.command(arguments).process_group(0));
        let worker = soon("the kernel runs", || children(running.child.id()).into_iter().find(|&worker| busy(worker)));
        if arguments[0] == "run" {
            soon("the kernel prints", || running.has_printed().then_some(()));
        }
        Active { running, worker, _folder: folder }
    }

    /// Whether a process has used 100 ms of CPU time (10 ticks), which means that its kernel runs.
    fn busy(process: u32) -> bool {
        stat(process).is_some_and(|fields| fields[11].parse::<u64>().is_ok_and(|ticks| ticks >= 10))
    }

    /// The signal of Ctrl-C, or that of `kill` if this process ignores the former, as after `nohup` or `&`; its
    /// children inherit that.
    fn interrupt() -> Signal {
        let status = fs::read_to_string("/proc/self/status").expect("/proc is readable");
        let mask =
            status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("the status has a `SigIgn` line");
        let ignored = u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 0b10 != 0);
        if ignored { Signal::TERM } else { Signal::INT }
    }

    #[test]
    fn an_interrupt_ends_both_processes() {
        let signal = interrupt();
        for arguments in [["run", "a.tile"], ["test", "a.tile"]] {
            let mut active = start(&arguments);
            signal_group(active.running.child.id(), signal);
            let status = active.running.end();
            soon("the worker ends", || is_gone(active.worker).then_some(()));
            assert_eq!((status.signal(), active.running.finish().err.as_str()), (Some(signal.as_raw()), ""));
        }
    }

    #[test]
    fn an_interrupt_clears_the_line_on_a_terminal() {
        const CLEAR: &str = "\r\u{1b}[K";
        let folder = Folder::of(&endless());
        let mut terminal = match OnTerminal::start(&mut folder.command(&["run", "a.tile"])) {
            Ok(terminal) => terminal,
            Err(error) => return skipped(format_args!("no terminal can be opened: {error}")),
        };
        let mut shown = String::new();
        while !shown.contains("running, 0:0") {
            assert!(terminal.read(&mut shown), "{shown}");
        }
        signal_group(terminal.child.id(), interrupt());
        while terminal.read(&mut shown) {}
        assert_eq!(terminal.child.wait().expect("the command ends").signal(), Some(interrupt().as_raw()));
        let last = shown.rsplit("running").next().expect("`rsplit` returns at least one part");
        assert!(last.contains(CLEAR) && !last.contains("worker"), "{shown:?}");
    }

    #[test]
    fn a_worker_ends_with_its_command() {
        let mut active = start(&["run", "a.tile"]);
        signal(active.running.child.id(), Signal::KILL);
        active.running.end();
        soon("the worker ends", || is_gone(active.worker).then_some(()));
    }

    /// The message about a killed worker.
    const ENDED: &str = "the worker process ended while running `@k`: signal: 9 (SIGKILL)
  help: the machine may have run out of memory, or the process was killed\n";

    #[test]
    fn a_killed_worker_is_reported() {
        let mut active = start(&["run", "a.tile"]);
        signal(active.worker, Signal::KILL);
        active.running.finish().is(2, "start\n", &format!("error: {ENDED}"));
        assert!(is_gone(active.worker));
    }

    #[test]
    fn a_killed_worker_fails_only_its_launch() {
        let mut active = start(&["test", "a.tile"]);
        signal(active.worker, Signal::KILL);
        let failed = format!("FAIL a.tile @k: {ENDED}");
        active.running.finish().is(1, &format!("{failed}0 passed, 1 failed\n"), "");
    }

    #[test]
    fn a_full_disk_is_reported() {
        let folder = Folder::of(&entry(&["launch"], "", &["print_tko \"x\\n\" -> token"]));
        for arguments in [["run", "a.tile"], ["check", "a.tile"], ["test", "a.tile"], ["doc", "addi"]] {
            let full = File::options().write(true).open("/dev/full").expect("Linux has this device");
            folder.tile_into(full, &arguments).refuses_with(2, "cannot write the output: ");
        }
    }
}
