//! Running a program to its end, to the end of patience, or until somebody stops it.

use super::Stop;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// The most bytes that are kept of what a program says.
const MAX_SAID: u64 = 16 << 20;

/// How long what a program has said may take to arrive once it has ended.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// How a program ended.
pub(crate) struct Ended {
    /// Its exit status.
    pub(crate) status: ExitStatus,
    /// What it said, on both outputs.
    pub(crate) said: String,
}

/// Runs a command to its end. Nothing where it takes longer than `limit` or is stopped: then it is killed, with all that
/// it started.
pub(crate) fn run(mut command: Command, limit: Duration, stop: &Stop) -> io::Result<Option<Ended>> {
    if stop.is_stopped() {
        return Ok(None);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    ends_with_us(&mut command);
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
    // What it started and left behind may hold its outputs open for ever.
    let said = readers.into_iter().flatten().map(|reader| reader.recv_timeout(SHUTDOWN_GRACE).unwrap_or_default());
    Ok(Some(Ended { status, said: said.collect::<String>().trim_end().to_string() }))
}

fn reader(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, said) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut kept, mut stream) = (Vec::new(), stream.take(MAX_SAID));
        // What could be read until then is said.
        let _ = stream.read_to_end(&mut kept);
        // Nobody waits for it where the program was given up.
        let _ = tell.send(String::from_utf8_lossy(&kept).into_owned());
        let _ = io::copy(&mut stream.into_inner(), &mut io::sink());
    });
    said
}

/// Kills a child and what it started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        // One that has ended meanwhile is as dead as it should be.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Has the child end when this process is killed, as workers are.
#[allow(unsafe_code)]
fn ends_with_us(command: &mut Command) {
    #[cfg(target_os = "linux")]
    // SAFETY: between the fork and the program's start one system call is made, and no memory is touched.
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

    /// Waits for the end of the process whose number a file holds.
    fn wait_for_end(file: &std::path::Path) {
        let Ok(number) = std::fs::read_to_string(file) else { return }; // killed before it could start another
        let Ok(number) = number.trim().parse() else { return };
        let process = rustix::process::Pid::from_raw(number).expect("the number of a process");
        // Until its parent asks how it ended, a process can still be signalled.
        let stat = || std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        let has_ended = || rustix::process::test_kill_process(process).is_err() || stat().contains(") Z ");
        let began = Instant::now();
        while !has_ended() {
            assert!(began.elapsed() < Duration::from_secs(60), "a process that the program has started lives on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_program_is_heard_to_its_end() {
        let ended = run(shell("echo a; echo b >&2; exit 3"), Duration::from_secs(20), &Stop::default());
        let ended = ended.expect("there is a shell").expect("it ends");
        assert_eq!((ended.status.code(), ended.said.as_str()), (Some(3), "a\nb"));
    }

    #[test]
    fn a_program_that_does_not_end_is_killed_with_what_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let child = folder.path().join("child");
        let text = format!("sleep 300 & echo $! > {}; sleep 300", child.display());
        let started = Instant::now();
        assert!(run(shell(&text), Duration::from_secs(1), &Stop::default()).expect("there is a shell").is_none());
        assert!(started.elapsed() < Duration::from_secs(200), "it was not killed");
        wait_for_end(&child);
    }

    #[test]
    fn a_program_that_is_stopped_is_killed_with_what_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
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
        assert!(run(shell(&text), Duration::from_secs(300), &stop).expect("there is a shell").is_none());
        assert!(watch.join().expect("it watched").elapsed() < Duration::from_secs(200), "it was not stopped");
        wait_for_end(&child);
        // What is stopped does not begin.
        std::fs::remove_file(&begun).expect("it is there");
        assert!(run(shell(&text), Duration::from_secs(60), &stop).expect("nothing is started").is_none());
        assert!(!begun.exists());
    }

    #[test]
    fn what_lives_on_holds_nobody_up() {
        let started = Instant::now();
        let ended = run(shell("sleep 300 & echo done"), Duration::from_secs(280), &Stop::default());
        assert!(ended.expect("there is a shell").is_some() && started.elapsed() < Duration::from_secs(200));
    }
}
