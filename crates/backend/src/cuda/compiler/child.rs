//! Runs a child process until it ends, times out, or is stopped.

use super::Stop;
use crate::environment;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// The maximum output that is kept of a child process, in bytes.
const MAX_OUTPUT: u64 = 16 << 20;

/// How long to wait for the remaining output after the child process has ended.
const OUTPUT_GRACE: Duration = Duration::from_secs(2);

/// The result of a child process.
pub(crate) struct Ended {
    /// Its exit status.
    pub(crate) status: ExitStatus,
    /// Its output: standard output, then standard error.
    pub(crate) output: String,
}

/// A command that starts one of NVIDIA's tools, which does not receive the whole environment.
pub(crate) fn tool(path: &Path) -> Command {
    let mut command = Command::new(path);
    environment::restrict(&mut command);
    command
}

/// Runs a command. Returns `None` if it takes longer than `limit` or is stopped: then it is killed with its
/// descendants.
pub(crate) fn run(mut command: Command, limit: Duration, stop: &Stop) -> io::Result<Option<Ended>> {
    if stop.is_stopped() {
        return Ok(None);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    kill_with_parent(&mut command);
    let mut child = command.spawn()?;
    let readers = [child.stdout.take().map(reader), child.stderr.take().map(reader)];
    let started = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if started.elapsed() > limit || stop.is_stopped() => {
                kill(&mut child);
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    // A background process that the child started can keep the outputs open.
    let output = readers.into_iter().flatten().map(|reader| reader.recv_timeout(OUTPUT_GRACE).unwrap_or_default());
    Ok(Some(Ended { status, output: output.collect::<String>().trim_end().to_string() }))
}

fn reader(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, output) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut kept, mut stream) = (Vec::new(), stream.take(MAX_OUTPUT));
        // After an error, the output read so far is kept.
        let _ = stream.read_to_end(&mut kept);
        // Sending fails if the process timed out, because the receiver is gone.
        let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
        let _ = io::copy(&mut stream.into_inner(), &mut io::sink());
    });
    output
}

/// Kills a child process and its descendants.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        // The group may have ended already.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Makes the child end when this process is killed, as workers are.
#[allow(unsafe_code)]
fn kill_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    // SAFETY: the closure makes one system call between fork and exec, and does not access memory.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, || {
            Ok(rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?)
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    /// Waits for the end of a process whose ID is in a file.
    fn wait_for_end(file: &std::path::Path) {
        let Ok(number) = std::fs::read_to_string(file) else { return }; // killed before it started its child
        let Ok(number) = number.trim().parse() else { return };
        let process = rustix::process::Pid::from_raw(number).expect("a process ID");
        // A process can be signaled until its parent has waited for it.
        let stat = || std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        let has_ended = || rustix::process::test_kill_process(process).is_err() || stat().contains(") Z ");
        let began = Instant::now();
        while !has_ended() {
            assert!(began.elapsed() < Duration::from_secs(60), "a descendant is still running");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn all_output_is_read() {
        let ended = run(shell("echo a; echo b >&2; exit 3"), Duration::from_secs(20), &Stop::default());
        let ended = ended.expect("`sh` is installed").expect("it ends");
        assert_eq!((ended.status.code(), ended.output.as_str()), (Some(3), "a\nb"));
    }

    #[test]
    fn a_program_that_times_out_is_killed_with_its_descendants() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let child = folder.path().join("child");
        let text = format!("sleep 300 & echo $! > {}; sleep 300", child.display());
        let started = Instant::now();
        assert!(run(shell(&text), Duration::from_secs(1), &Stop::default()).expect("`sh` is installed").is_none());
        assert!(started.elapsed() < Duration::from_secs(200), "it was not killed");
        wait_for_end(&child);
    }

    #[test]
    fn a_stopped_program_is_killed_with_its_descendants() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [begun, child] = ["begun", "child"].map(|name| folder.path().join(name));
        let text = format!("sleep 300 & echo $! > {}; touch {}; sleep 300", child.display(), begun.display());
        let stop = Stop::default();
        let (stopper, has_begun) = (stop.clone(), begun.clone());
        let watch = std::thread::spawn(move || {
            while !has_begun.exists() {
                std::thread::sleep(Duration::from_millis(1));
            }
            stopper.stop();
            Instant::now()
        });
        assert!(run(shell(&text), Duration::from_secs(300), &stop).expect("`sh` is installed").is_none());
        assert!(
            watch.join().expect("the watching thread ends").elapsed() < Duration::from_secs(200),
            "it was not stopped"
        );
        wait_for_end(&child);
        // Nothing starts after a stop.
        std::fs::remove_file(&begun).expect("the file exists");
        assert!(run(shell(&text), Duration::from_secs(60), &stop).expect("nothing is started").is_none());
        assert!(!begun.exists());
    }

    #[test]
    fn a_background_process_does_not_delay_the_result() {
        let started = Instant::now();
        let ended = run(shell("sleep 300 & echo done"), Duration::from_secs(280), &Stop::default());
        assert!(ended.expect("`sh` is installed").is_some() && started.elapsed() < Duration::from_secs(200));
    }
}
