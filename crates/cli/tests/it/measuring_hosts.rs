//! Hosts that fail, wait or go away during `tile tune` and `tile bench`, with a simulated GPU.

use crate::harness::{CommandOutput, Folder};
use crate::hosts::{QUEUED, add_hosts, calls};
use crate::process::{Signal, signal, signal_group};
use crate::skip;
use crate::terminal::OnTerminal;
use crate::tuning::{COMPILER, PROGRAM};
use crate::waiting::soon;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

/// Starts a worker in the background, so that the script can kill it. As with `srun`, a signal ends the worker.
const BACKGROUND: &str = "exec 3<&0\n$WORKER <&3 &\ntrap 'kill -9 $!; : > ended; exit 143' TERM\n";

/// Loses the worker when its kernel hangs.
const LOSES: &str = "until grep -qs hangs driver.calls; do sleep 0.02; done\n\
                     kill -9 $!; rm driver.calls; echo 'node failed' >&2; exit 255\n";

fn folder(compiler: &str, hosts: &[(&str, &str)]) -> Folder {
    let folder = Folder::with_gpu(compiler);
    folder.write("a.tile", PROGRAM);
    add_hosts(&folder, hosts);
    folder
}

/// A launcher that loses its first worker, whose launch with this number hangs.
fn loses_once(launch: usize) -> String {
    format!(
        "if mkdir lost 2> /dev/null; then\nexport CUDA_STAND_IN_GPU=hang={launch}\n{BACKGROUND}{LOSES}fi\nexec $WORKER"
    )
}

fn tune(folder: &Folder, arguments: &[&str]) -> CommandOutput {
    folder.tile(&[&["tune", "a.tile", "--time", "0.01", "--target"], arguments].concat())
}

fn bench(folder: &Folder, arguments: &[&str]) -> CommandOutput {
    folder.tile(&[&["bench", "a.tile", "--time", "0.01", "--target"], arguments].concat())
}

#[test]
fn a_search_survives_the_loss_of_a_worker() {
    // The second launch checks a candidate, and a later one times one.
    for launch in [2, 60] {
        let folder = folder(COMPILER, &[("box", &loses_once(launch))]);
        let output = tune(&folder, &["box"]);
        assert!(output.status == Some(0) && output.out.contains("2.000 times as fast"), "{output:?}");
        assert!(!output.out.contains("failed: the launcher"), "{output:?}");
        assert!(output.err.contains("warning: lost a worker on `box`, and its measurement runs again"), "{output:?}");
        assert!(output.err.contains("\n  | node failed\n") && calls(&folder, "box") == 2, "{output:?}");
    }
}

#[test]
fn a_candidate_that_always_loses_its_worker_fails_alone() {
    let compiler = COMPILER.replace(
        "if grep -q variant",
        "if grep -q latency \"$last\"; then printf 'hang\\n\\0' > \"$out\"; exit; fi\nif grep -q variant",
    );
    let folder = folder(&compiler, &[("box", &format!("{BACKGROUND}{LOSES}"))]);
    let output = tune(&folder, &["box"]);
    assert!(output.status == Some(0) && output.out.contains("1.333 times as fast"), "{output:?}");
    assert!(output.out.contains("not timed: failed: the launcher"), "{output:?}");
}

#[test]
fn a_host_that_never_starts_does_not_stop_a_search() {
    // The other host starts with the last attempt.
    let bad = "touch tried; [ $(grep -c bad calls) -lt 3 ] || touch given-up; exit 1";
    let waits = "until [ -e given-up ]; do sleep 0.02; done; exec $WORKER";
    let folder = folder(COMPILER, &[("bad", bad), ("good", waits)]);
    let output = tune(&folder, &["bad=2,good"]);
    assert!(output.status == Some(0) && output.out.contains("2.000 times as fast"), "{output:?}");
    assert!(output.err.matches("no worker has started on `bad`, trying again").count() == 1, "{output:?}");
    assert!(output.err.matches("`bad` is not used any more").count() <= 1, "{output:?}");
}

#[test]
fn a_search_that_loses_its_last_host_can_be_resumed() {
    // Only the first step can end before the worker is lost.
    let compiler = COMPILER.replace(
        "if grep -q variant",
        "if grep -q latency \"$last\"; then until [ -e lost ]; do sleep 0.02; done; fi\nif grep -q variant",
    );
    let box_ = format!(
        "if [ -e repaired ]; then exec $WORKER; fi\nif [ -e lost ]; then echo 'no route' >&2; echo no worker; exit 255; fi\n{BACKGROUND}\
         until grep -qs 'tile tune' cache/compiled/*; do sleep 0.02; done\nkill -9 $!; touch lost; exit 255"
    );
    let folder = folder(&compiler, &[("box", &box_)]);
    let output = tune(&folder, &["box"]);
    assert_eq!((output.status, output.out.as_str()), (Some(2), ""), "{output:?}");
    assert!(output.err.contains("\n  | no route\n"), "{output:?}");
    let help = "  help: the finished steps are kept; run the same command again to resume\n";
    assert!(output.err.ends_with(help) && output.err.matches("error: ").count() == 1, "{output:?}");
    folder.write("repaired", "");
    let output = tune(&folder, &["box"]);
    assert!(output.status == Some(0) && output.out.contains("2.000 times as fast"), "{output:?}");
    assert!(output.err.contains("1 step was taken from an earlier run"), "{output:?}");
}

#[test]
fn a_machine_with_another_gpu_is_not_used() {
    // The other machine is the second one to start, and nothing is compiled before its worker is ended.
    let other = format!(
        "export CUDA_STAND_IN_GPU=name=Other\nuntil [ -s bin/tileiras.calls ]; do sleep 0.02; done\n\
         {BACKGROUND}wait $!\n: > ended"
    );
    let waits = format!("until [ -e ended ]; do sleep 0.02; done\n{COMPILER}");
    let folder = folder(&waits, &[("other", &other), ("good", "exec $WORKER")]);
    let output = tune(&folder, &["good,other"]);
    assert!(output.status == Some(0) && output.out.starts_with("Stand-in (sm_90)"), "{output:?}");
    let differs = "one is Stand-in with `tileiras` 13.3.7 and one Other with";
    assert!(output.err.contains(differs), "{output:?}");
}

#[test]
fn a_benchmark_survives_the_loss_of_a_worker() {
    let folder = folder(COMPILER, &[("box", &loses_once(4))]);
    let output = bench(&folder, &["box"]);
    assert!(output.status == Some(0) && output.out.contains("a.tile @adds \"large\""), "{output:?}");
    assert!(output.err.contains("warning: lost a worker on `box`, and its measurement runs again"), "{output:?}");
}

#[test]
fn a_host_that_never_answers_does_not_stop_a_benchmark() {
    let folder = folder(COMPILER, &[("slow", "sleep 300"), ("good", "exec $WORKER")]);
    let targets = folder.read("config/tile/targets");
    folder.write("config/tile/targets", targets + "slow.start-timeout = 0.3\n");
    let output = bench(&folder, &["slow,good"]);
    assert_eq!(output.status, Some(2), "{output:?}");
    assert!(output.out.starts_with("Stand-in (good)") && !output.out.contains("(slow)"), "{output:?}");
    let lost = "error: 1 of 1 launches lack rounds on `slow`: the launcher ";
    assert!(output.err.contains(lost) && output.err.contains("timed out after 300ms"), "{output:?}");
}

/// A signal ends a command: its queued and running workers end, and it says how a search is resumed.
#[test]
fn a_signal_cancels_queued_and_running_workers() {
    let runs = format!("export CUDA_STAND_IN_GPU=hang=1\n{BACKGROUND}wait $!");
    for (command, target) in [("tune", "runs,queue"), ("bench", "runs,queue"), ("run", "runs"), ("run", "queue")] {
        let folder = folder(COMPILER, &[("queue", QUEUED), ("runs", &runs)]);
        let mut child = folder.command(&[command, "a.tile", "--target", target]);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        let is_used = |host: &str| target.contains(host);
        soon("the workers start", || {
            let hangs = folder.driver_calls().iter().any(|call| call == "hangs");
            ((!is_used("runs") || hangs) && (!is_used("queue") || folder.path("queued").exists())).then_some(())
        });
        signal(child.id(), Signal::INT);
        let output = child.wait_with_output().expect("the command ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(Signal::INT.as_raw()), "{command}: {err}");
        for (host, file) in [("queue", "cancelled"), ("runs", "ended")] {
            assert_eq!(folder.path(file).exists(), is_used(host), "{command} {target}: {err}");
        }
        assert_eq!(err.contains("interrupted; run the same command again to resume\n"), command == "tune", "{err}");
        assert!(!err.contains("error"), "{err}");
    }
}

/// A signal that comes while a worker starts does not leave its launcher behind.
#[test]
fn a_signal_cancels_a_worker_that_is_just_starting() {
    let signals = "trap ': > cancelled; exit 1' TERM; kill -INT $PPID; while :; do sleep 0.05; done";
    for command in ["tune", "bench", "test", "run", "doctor"] {
        let folder = folder(COMPILER, &[("box", signals)]);
        let launcher = folder.path("box").display().to_string();
        let arguments = match command {
            "doctor" => vec![command, "--launcher", &launcher],
            _ => vec![command, "a.tile", "--target", "box"],
        };
        let child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let output = child.expect("the command starts").wait_with_output().expect("the command ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(Signal::INT.as_raw()), "{command}: {err}");
        assert!(folder.path("cancelled").exists(), "{command}: {err}");
    }
}

/// Ctrl-C on a terminal also reaches the worker, which is on this machine.
#[test]
fn a_terminal_is_clean_after_an_interrupted_search() {
    let folder = folder(COMPILER, &[]);
    let started = OnTerminal::start(folder.command(&["tune", "a.tile"]).env("CUDA_STAND_IN_GPU", "hang=2"));
    let mut terminal = match started {
        Ok(terminal) => terminal,
        Err(error) => return skip::skipped(format_args!("no terminal can be opened: {error}")),
    };
    let mut text = String::new();
    while !text.contains("step 2 of 7: hints of the entry: ") {
        assert!(terminal.read(&mut text), "{text:?}");
    }
    signal_group(terminal.child.id(), Signal::INT);
    while terminal.read(&mut text) {}
    let status = terminal.child.wait().expect("the command is our child");
    assert_eq!(status.signal(), Some(Signal::INT.as_raw()), "{text:?}");
    let (_, end) = text.rsplit_once("\r\x1b[K").expect("the line is cleared");
    assert_eq!(end, "interrupted; run the same command again to resume\r\n");
}
