//! Hosts that fail, wait or go away during `tile test`. Shell scripts stand in for launchers such as `ssh` and `srun`.

use crate::harness::{CommandOutput, Folder, HELLO};
use crate::process::{Signal, signal};
use crate::waiting::soon;
use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};

const TILE: &str = env!("CARGO_BIN_EXE_tile");

/// A folder with `a.tile`, which has this number of launches, and with launchers.
fn folder(launches: usize, hosts: &[(&str, &str)]) -> Folder {
    let folder = Folder::hello();
    let one = HELLO.replace("cuda_tile.module @m {\n", "").replace("\n}\n", "\n");
    let entries: String = (0..launches).map(|number| one.replace("@k", &format!("@k{number}"))).collect();
    folder.write("a.tile", format!("cuda_tile.module @m {{\n{entries}}}\n"));
    add_hosts(&folder, hosts);
    folder
}

/// Adds launchers that are hosts of the user: their names and scripts, in which `$WORKER` is the worker.
pub(crate) fn add_hosts(folder: &Folder, hosts: &[(&str, &str)]) {
    let mut targets = String::new();
    for (name, script) in hosts {
        let worker = format!("shift\nWORKER=\"{TILE} $*\"");
        folder.script(name, &format!("#!/bin/sh\n{worker}\necho {name} >> calls\n{script}\n"));
        targets += &format!("{name} = '{}'\n", folder.path(name).display());
    }
    folder.write("config/tile/targets", targets);
}

/// The number of times that a launcher was called.
pub(crate) fn calls(folder: &Folder, name: &str) -> usize {
    let calls = fs::read_to_string(folder.path("calls")).unwrap_or_default();
    calls.lines().filter(|line| *line == name).count()
}

/// Reads the standard error of a command until it contains this text.
fn read_error(command: &mut Child, text: &str) -> String {
    let mut read = String::new();
    while !read.contains(text) {
        let mut some = [0; 256];
        let count = command.stderr.as_mut().expect("piped").read(&mut some).expect("the pipe can be read");
        assert_ne!(count, 0, "{read}");
        read += &String::from_utf8_lossy(&some[..count]);
    }
    read
}

/// The first message of a worker; then the node fails when it receives a job.
const FAILS: &str = "$WORKER < /dev/null; head -c 1 > /dev/null; echo 'node failed' >&2; exit 255";

#[test]
fn a_launch_whose_worker_is_lost_runs_again() {
    let script = format!("if mkdir failed 2> /dev/null; then {FAILS}; fi\nexec $WORKER");
    let folder = folder(3, &[("box", &script)]);
    let output = folder.tile(&["test", "a.tile", "--target", "box:cpu", "--output-format", "json-lines"]);
    assert_eq!(output.status, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.contains("\"tries\":2") && output.out.contains("\"passed\":3"), "{}", output.out);
    assert!(output.err.contains("warning: lost a worker on `box:cpu`, and its launch runs again"), "{}", output.err);
    assert!(output.err.contains("\n  | node failed\n"), "{}", output.err);
}

/// A stand-in for `kubectl exec`, which returns the exit status of the worker in the pod.
#[test]
fn a_pod_that_is_deleted_is_a_lost_worker() {
    let script = format!(
        "#!/bin/sh\n[ \"$1 $2 $3 $4 $5\" = 'exec -i gpu-pod -- tile' ] || exit 2\nshift 5\n\
         if mkdir deleted 2> /dev/null; then\n{TILE} \"$@\" < /dev/null; head -c 1 > /dev/null\n\
         echo 'command terminated with exit code 137' >&2; exit 137\nfi\nexec {TILE} \"$@\"\n"
    );
    let folder = folder(2, &[]);
    folder.script("kubectl", &script);
    folder.write("config/tile/targets", format!("pod = '{}' exec -i gpu-pod --\n", folder.path("kubectl").display()));
    let output = folder.tile(&["test", "a.tile", "--target", "pod:cpu"]);
    assert!(output.status == Some(0) && output.out.ends_with("2 passed, 0 failed\n"), "{}{}", output.out, output.err);
    assert!(output.err.contains("exit status: 137\n  | command terminated with exit code 137\n"), "{}", output.err);
}

#[test]
fn a_lost_launch_runs_on_another_host() {
    // The other worker starts after the first one was lost.
    let fails = format!("touch called; {}", FAILS.replace("exit", "touch failed; exit"));
    let hosts = [("bad", fails.as_str()), ("good", "while [ ! -e failed ]; do sleep 0.05; done; exec $WORKER")];
    let folder = folder(1, &hosts);
    let output = folder.tile(&["test", "a.tile", "--target", "bad:cpu,good:cpu", "--output-format", "json-lines"]);
    assert_eq!(output.status, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.contains("\"host\":\"good:cpu\""), "{}", output.out);
}

#[test]
fn a_launch_that_always_loses_its_worker_fails() {
    let folder = folder(1, &[("box", FAILS)]);
    let output = folder.tile(&["test", "a.tile", "--target", "box:cpu"]);
    assert_eq!((output.status, calls(&folder, "box")), (Some(1), 3), "{}{}", output.out, output.err);
    assert!(output.out.contains("FAIL a.tile @k0: the launcher") && output.out.contains("1 failed"), "{}", output.out);
    let output = folder.tile(&["test", "a.tile", "--target", "box:cpu", "--output-format", "github"]);
    let expected = "::error file=a.tile,line=2,endLine=2,title=@k0::the launcher";
    assert!(output.out.starts_with(expected), "{}", output.out);
}

#[test]
fn a_crash_of_a_remote_worker_is_not_repeated() {
    let folder = folder(1, &[("box", &FAILS.replace("255", "101"))]);
    let output = folder.tile(&["test", "a.tile", "--target", "box:cpu"]);
    assert_eq!((output.status, calls(&folder, "box")), (Some(1), 1), "{}{}", output.out, output.err);
}

#[test]
fn without_a_host_the_launches_are_named() {
    let folder = folder(2, &[("one", "echo no route >&2; exit 255"), ("two", "exec /no/such/program 2> /dev/null")]);
    let output = folder.tile(&["test", "a.tile", "--target", "one:cpu=2,two:cpu"]);
    assert_eq!(output.status, Some(2), "{}{}", output.out, output.err);
    assert_eq!(output.out, "not run a.tile @k0\nnot run a.tile @k1\n0 passed, 0 failed, 2 not run\n");
    for host in ["one", "two"] {
        let given_up = format!("error: `{host}:cpu` is not used any more, because no worker starts there\n");
        assert_eq!(output.err.matches(&given_up).count(), 1, "{}", output.err);
        assert!(calls(&folder, host) >= 3, "a start is tried again");
    }
    assert!(output.err.contains("\n  | no route\n"), "{}", output.err);
    let output = folder.tile(&["test", "a.tile", "--target", "one:cpu", "--output-format", "json-lines"]);
    assert!(output.out.contains("\"not_run\":true") && output.out.contains("\"not_run\":2"), "{}", output.out);
    let output = folder.tile(&["test", "a.tile", "--target", "one:cpu", "--output-format", "github"]);
    let expected = "::error file=a.tile,line=2,endLine=2,title=@k0::not run\n";
    assert!(output.out.starts_with(expected) && output.out.ends_with("2 not run\n"), "{}", output.out);
}

#[test]
fn a_host_that_does_not_start_does_not_stop_the_others() {
    let waits = "while [ ! -e tried ]; do sleep 0.05; done; exec $WORKER";
    let folder = folder(6, &[("bad", "touch tried; exit 1"), ("good", waits)]);
    let output = folder.tile(&["test", "a.tile", "--target", "bad:cpu,good:cpu=2"]);
    assert_eq!(output.status, Some(0), "{}{}", output.out, output.err);
    assert!(output.out.ends_with("6 passed, 0 failed\n"), "{}", output.out);
}

/// A launcher that waits in a queue until `free` exists. A signal cancels it.
pub(crate) const QUEUED: &str = "echo 'job 42 queued' >&2; trap ': > cancelled; exit 1' TERM; touch queued\n\
                      while [ ! -e free ]; do sleep 0.05; done; exec $WORKER";

#[test]
fn a_queue_is_shown_until_the_worker_starts() {
    let folder = folder(1, &[("queue", QUEUED)]);
    let mut command = folder.command(&["test", "a.tile", "--target", "queue:cpu"]);
    let mut command = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    read_error(&mut command, "waiting for `queue:cpu`: job 42 queued\n");
    folder.write("free", "");
    let output = CommandOutput::from(command.wait_with_output().expect("the command ends"));
    assert_eq!((output.status, output.err.as_str()), (Some(0), "a worker has started on `queue:cpu`\n"));
}

#[test]
fn a_queued_worker_is_cancelled_when_all_launches_are_done() {
    let waits = "while [ ! -e queued ]; do sleep 0.05; done; exec $WORKER";
    let folder = folder(2, &[("queue", QUEUED), ("good", waits)]);
    let output = folder.tile(&["test", "a.tile", "--target", "queue:cpu,good:cpu"]);
    assert_eq!(output.status, Some(0), "{}{}", output.out, output.err);
    assert!(folder.path("cancelled").exists(), "{}", output.err);
}

#[test]
fn a_signal_cancels_a_queued_worker() {
    for number in [Signal::INT, Signal::TERM] {
        let folder = folder(1, &[("queue", QUEUED)]);
        let mut command = folder.command(&["test", "a.tile", "--target", "queue:cpu"]);
        let mut command = command.stdout(Stdio::piped()).spawn().expect("the command starts");
        soon("the launcher waits", || folder.path("queued").exists().then_some(()));
        signal(command.id(), number);
        let status = command.wait().expect("the command ends");
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(number.as_raw()));
        assert!(folder.path("cancelled").exists());
    }
}

#[test]
fn the_start_has_a_time_limit() {
    let folder = folder(1, &[("slow", "sleep 300")]);
    let silent = |arguments: &[&str], limit: &str| {
        let output = folder.tile(&[&["test", "a.tile", "--target", "slow:cpu"], arguments].concat());
        assert_eq!(output.status, Some(2), "{}{}", output.out, output.err);
        assert!(output.err.contains(&format!("timed out after {limit}: no worker has answered")), "{}", output.err);
    };
    silent(&["--start-timeout", "0.3"], "300ms");
    let targets = fs::read_to_string(folder.path("config/tile/targets")).expect("the file exists");
    folder.write("config/tile/targets", format!("{targets}slow.start-timeout = 0.2\n"));
    silent(&[], "200ms");
    folder.write("config/tile/targets", format!("{targets}slow.start-timeout = soon\n"));
    let output = folder.tile(&["test", "a.tile", "--target", "slow:cpu"]);
    assert!(output.status == Some(2) && output.err.contains("expected a positive number of seconds"), "{}", output.err);
}

#[test]
fn text_before_the_first_message_is_reported_at_once() {
    for text in ["Welcome to gpubox!", "gpu 1", "hi"] {
        let folder = folder(1, &[("box", &format!("echo '{text}'; exec $WORKER"))]);
        let output = folder.tile(&["test", "a.tile", "--target", "box:cpu"]);
        assert_eq!((output.status, calls(&folder, "box")), (Some(2), 1), "{}{}", output.out, output.err);
        assert!(output.err.contains("does not answer as a worker"), "{}", output.err);
    }
}

/// A launcher that asks for a password fails instead of waiting for an answer, because it has no terminal.
#[test]
#[cfg(target_os = "linux")]
fn a_launcher_has_its_own_session() {
    let leads = "read -r process name state parent group session rest < /proc/$$/stat\n\
                 [ \"$session\" = $$ ] || exit 9\nexec $WORKER";
    let output = folder(1, &[("box", leads)]).tile(&["test", "a.tile", "--target", "box:cpu"]);
    assert_eq!(output.status, Some(0), "{}{}", output.out, output.err);
}
