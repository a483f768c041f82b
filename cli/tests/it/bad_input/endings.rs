//! Runs that never end, and output that is not read.

use crate::harness::{CommandOutput, Folder, endless, entry};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The message for the endless kernel.
fn given_up(after: &str) -> String {
    format!(
        "error[R0402]: the run timed out after {after}
  ┌─ a.tile:5:5
  │
5 │     loop iter_values(%i = %one) : tile<i64> {{
  │     ^^^^

"
    )
}

/// The result of a command that must end, on a busy machine too.
fn promptly(act: impl FnOnce() -> CommandOutput) -> CommandOutput {
    let began = Instant::now();
    let said = act();
    assert!(began.elapsed() < Duration::from_secs(60), "it took {:?}", began.elapsed());
    said
}

#[test]
fn a_kernel_that_never_ends_is_given_up() {
    let place = Folder::of(&endless());
    promptly(|| place.tile(&["run", "--timeout=1", "a.tile"])).is(1, "start\n", &given_up("1s"));
    let said = promptly(|| place.tile(&["test", "--timeout=1", "a.tile"]));
    said.is(1, &format!("FAIL a.tile @k\n{}0 passed, 1 failed\n", given_up("1s")), "");
    let said = promptly(|| place.tile(&["run", "--timeout=1", "--output-format=json-lines", "a.tile"]));
    assert_eq!((said.status, said.err.as_str()), (Some(1), ""));
    let finding: Value = serde_json::from_str(said.out.lines().nth(1).expect("three lines")).expect("JSON");
    assert_eq!(
        (&finding["diagnostic"]["code"], &finding["diagnostic"]["location"]["row"]),
        (&"R0402".into(), &5.into())
    );
}

#[test]
fn the_tests_behind_one_that_never_ends_are_run() {
    let place =
        Folder::with_bytes(&[("a.tile", endless().as_bytes()), ("b.tile", entry(&["launch"], "", &[]).as_bytes())]);
    let said = place.tile(&["test", "--timeout=3", "."]);
    assert_eq!(said.status, Some(1));
    assert!(
        said.out.starts_with("FAIL ./a.tile @k\nerror[R0402]") && said.out.contains("\n\nok   ./b.tile @k ("),
        "{}",
        said.out
    );
    assert!(said.out.ends_with("\n1 passed, 1 failed\n"), "{}", said.out);
}

#[test]
fn an_expectation_that_takes_too_long_is_given_up() {
    // The engine limits the time of the kernel, but this is not the kernel: the worker is killed.
    let launch = ["launch", "  %p = f32[2000, 2000] ones", "expect %p == %p @ %p @ %p @ %p @ %p @ %p @ %p @ %p"];
    let place = Folder::of(&entry(&launch, "%p: tile<ptr<f32>>", &[]));
    let said = place.tile(&["run", "--timeout=0.5", "a.tile"]);
    let message = "error[R0402]: the run timed out after 500ms\n  ┌─ a.tile:5:9\n";
    assert_eq!((said.status, said.out.as_str()), (Some(1), ""));
    assert!(said.err.starts_with(message) && said.messages() == 1, "{}", said.err);
}

#[test]
fn who_reads_no_further_sees_no_message() {
    let chatty = entry(&["launch"], "", &["loop {", "  print_tko \"again\\n\" -> token", "}"]);
    let place = Folder::of(&chatty);
    promptly(|| place.tile_unread(&["run", "a.tile"])).is(0, "", "");
    promptly(|| place.tile_unread(&["run", "--output-format=json-lines", "a.tile"])).is(0, "", "");
    let wrong = Folder::of("entry @k() { %x = addi %y, %y : tile<i32> }");
    for format in ["full", "concise", "json", "json-lines", "github"] {
        wrong.tile_unread(&["check", &format!("--output-format={format}"), "a.tile"]).is(1, "", "");
    }
    for arguments in [&["doc"][..], &["doc", "addi"], &["explain"], &["explain", "E0101"]] {
        Folder::of("").tile_unread(arguments).is(0, "", "");
    }
    Folder::of(&entry(&["launch"], "", &[])).tile_unread(&["test", "a.tile"]).is(0, "", "");
}

#[test]
fn launches_that_still_run_are_ended_when_nobody_reads_their_lines() {
    let body = ["%two = constant <i32: 2> : tile<i32>", "%again = cmpi equal %n, %two, signed : tile<i32> -> tile<i1>"];
    let body = [&body[..], &["if %again {", "  loop {", "    continue", "  }", "}"]].concat();
    let place =
        Folder::of(&entry(&["launch \"one\"", "  %n = 1", "launch \"two\"", "  %n = 2"], "%n: tile<i32>", &body));
    promptly(|| place.tile_unread(&["test", "--jobs=2", "a.tile"])).is(0, "", "");
    promptly(|| place.tile_unread(&["test", "--jobs=1", "a.tile"])).is(0, "", "");
}

#[test]
fn what_is_to_be_saved_is_saved_even_if_nobody_reads() {
    let place =
        Folder::of(&entry(&["launch", "  %p = f32[2] ones"], "%p: tile<ptr<f32>>", &["print_tko \"x\" -> token"]));
    place.tile_unread(&["run", "--save=%p=p.npy", "a.tile"]).is(0, "", "");
    assert!(std::fs::read(place.path("p.npy")).expect("it is saved").starts_with(b"\x93NUMPY"));
}

#[cfg(target_os = "linux")]
mod processes {
    //! Signals. The worker is found in `/proc`.

    use super::*;
    use crate::harness::Running;
    use crate::process::{OnTerminal, Signal, signal, signal_group};
    use crate::skip::skipped;
    use std::fs::{self, File};
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    /// A command with a kernel that runs in its worker.
    struct Going {
        running: Running,
        worker: u32,
        /// The folder with the command's input and output files.
        _place: Folder,
    }

    /// Starts a command in a new process group, as a shell does.
    fn going(arguments: &[&str]) -> Going {
        let place = Folder::of(&endless());
        let running = Running::start(place.command(arguments).process_group(0));
        let worker = soon(|| children(running.child.id()).into_iter().find(|&worker| busy(worker)));
        Going { running, worker, _place: place }
    }

    /// Repeats a check until it succeeds.
    fn soon<T>(attempt: impl Fn() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = attempt() {
                return found;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "it takes too long");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The fields of a process after its name: its state, its parent and so on. `None` if it is gone.
    fn state(process: u32) -> Option<Vec<String>> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        Some(stat.rsplit_once(')')?.1.split_whitespace().map(str::to_string).collect())
    }

    fn children(parent: u32) -> Vec<u32> {
        let processes = fs::read_dir("/proc").expect("there is one").flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok());
        numbers.filter(|&process| state(process).is_some_and(|fields| fields[1] == parent.to_string())).collect()
    }

    /// Whether a process has used some CPU time, in ticks of 10 ms: its kernel runs.
    fn busy(process: u32) -> bool {
        state(process).is_some_and(|fields| fields[11].parse::<u64>().is_ok_and(|ticks| ticks >= 10))
    }

    /// Whether a process is gone, or a zombie at most.
    fn is_gone(process: u32) -> bool {
        state(process).is_none_or(|fields| matches!(&*fields[0], "Z" | "X"))
    }

    /// The signal of Ctrl-C, or that of `kill` if this process ignores the former, as with `nohup` and `&`: then all
    /// its child processes ignore it too.
    fn interrupt() -> Signal {
        let status = fs::read_to_string("/proc/self/status").expect("there is one");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("there is one");
        let ignored = u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 0b10 != 0);
        if ignored { Signal::TERM } else { Signal::INT }
    }

    #[test]
    fn an_interrupt_ends_both_processes() {
        let signal = interrupt();
        for arguments in [["run", "a.tile"], ["test", "a.tile"]] {
            let mut going = going(&arguments);
            signal_group(going.running.child.id(), signal);
            let status = going.running.end();
            soon(|| is_gone(going.worker).then_some(()));
            assert_eq!((status.signal(), going.running.finish().err.as_str()), (Some(signal.as_raw()), ""));
        }
    }

    #[test]
    fn an_interrupt_clears_the_line_on_a_terminal() {
        const CLEAR: &str = "\r\u{1b}[K";
        let place = Folder::of(&endless());
        let mut terminal = match OnTerminal::start(&mut place.command(&["run", "a.tile"])) {
            Ok(terminal) => terminal,
            Err(error) => return skipped(format_args!("no terminal can be opened: {error}")),
        };
        let mut shown = String::new();
        while !shown.contains("running, 0:0") {
            assert!(terminal.read(&mut shown), "{shown}");
        }
        signal_group(terminal.child.id(), interrupt());
        while terminal.read(&mut shown) {}
        assert_eq!(terminal.child.wait().expect("it ends").signal(), Some(interrupt().as_raw()));
        let last = shown.rsplit("running").next().expect("there is a part");
        assert!(last.contains(CLEAR) && !last.contains("worker"), "{shown:?}");
    }

    #[test]
    fn a_worker_ends_with_its_command() {
        let mut going = going(&["run", "a.tile"]);
        signal(going.running.child.id(), Signal::KILL);
        going.running.end();
        soon(|| is_gone(going.worker).then_some(()));
    }

    /// The message about a killed worker.
    const ENDED: &str = "the worker process ended while running `@k`: signal: 9 (SIGKILL)
  help: the machine may have run out of memory, or the process was killed\n";

    #[test]
    fn a_worker_that_is_killed_is_reported() {
        let mut going = going(&["run", "a.tile"]);
        signal(going.worker, Signal::KILL);
        promptly(|| going.running.finish()).is(2, "start\n", &format!("error: {ENDED}"));
        assert!(is_gone(going.worker));
    }

    #[test]
    fn a_worker_that_is_killed_costs_its_own_launch() {
        let mut going = going(&["test", "a.tile"]);
        signal(going.worker, Signal::KILL);
        let failed = format!("FAIL a.tile @k: {ENDED}");
        promptly(|| going.running.finish()).is(1, &format!("{failed}0 passed, 1 failed\n"), "");
    }

    #[test]
    fn a_full_disk_is_reported() {
        let place = Folder::of(&entry(&["launch"], "", &["print_tko \"x\\n\" -> token"]));
        for arguments in [["run", "a.tile"], ["check", "a.tile"], ["test", "a.tile"], ["doc", "addi"]] {
            let full = File::options().write(true).open("/dev/full").expect("there is one");
            place.tile_into(full, &arguments).refuses_with(2, "cannot write the output: ");
        }
    }
}
