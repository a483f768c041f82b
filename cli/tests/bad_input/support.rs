//! A folder with files, and what `tile` says when it runs there.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No command takes as long: one that does hangs.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A folder with files.
pub(crate) struct Place(TempDir);

/// What a command said and how it ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Its exit status; `None` where a signal ended it.
    pub(crate) status: Option<i32>,
    /// What stands on its standard output.
    pub(crate) out: String,
    /// What stands on its standard error.
    pub(crate) err: String,
}

impl Place {
    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        files.iter().for_each(|(name, bytes)| fs::write(place.path(name), bytes).expect("it takes files"));
        place
    }

    /// A folder with the program `a.tile`.
    pub(crate) fn of(program: &str) -> Place {
        Place::with(&[("a.tile", program.as_bytes())])
    }

    /// Where a file of the folder lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A `tile` command in the folder; it reads nothing.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null()).env("RUST_BACKTRACE", "0");
        command
    }

    /// Runs a `tile` command in the folder.
    pub(crate) fn tile(&self, arguments: &[&str]) -> Outcome {
        Running::start(&mut self.command(arguments)).finish()
    }

    /// Runs a `tile` command that reads this.
    pub(crate) fn tile_reading(&self, input: &[u8], arguments: &[&str]) -> Outcome {
        let mut running = Running::start(self.command(arguments).stdin(Stdio::piped()));
        // What a command does not read it does not want.
        let _ = running.child.stdin.take().expect("it is piped").write_all(input);
        running.finish()
    }

    /// Runs a `tile` command whose output goes elsewhere.
    pub(crate) fn tile_into(&self, output: impl Into<Stdio>, arguments: &[&str]) -> Outcome {
        Running::start_into(output.into(), &mut self.command(arguments)).finish()
    }

    /// Runs a `tile` command whose output nobody reads.
    pub(crate) fn tile_unread(&self, arguments: &[&str]) -> Outcome {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        self.tile_into(writer, arguments)
    }
}

/// A command that goes on. Dropped, it is killed.
pub(crate) struct Running {
    pub(crate) child: Child,
    out: File,
    err: File,
}

impl Running {
    /// Starts a command.
    pub(crate) fn start(command: &mut Command) -> Running {
        let out = tempfile::tempfile().expect("a file");
        let into = out.try_clone().expect("another handle");
        let mut running = Running::start_into(into.into(), command);
        running.out = out;
        running
    }

    fn start_into(output: Stdio, command: &mut Command) -> Running {
        let [out, err] = [(); 2].map(|()| tempfile::tempfile().expect("a file"));
        command.stdout(output).stderr(err.try_clone().expect("another handle"));
        Running { child: command.spawn().expect("it starts"), out, err }
    }

    /// How it ends, which must be soon.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(began.elapsed() < TIMEOUT, "it does not end");
            sleep(Duration::from_millis(2));
        }
    }

    /// What it says until it ends.
    pub(crate) fn finish(&mut self) -> Outcome {
        let status = self.end().code();
        let outcome = Outcome { status, out: text(&mut self.out), err: text(&mut self.err) };
        assert!(!outcome.err.contains("panicked"), "{}", outcome.err);
        outcome
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already, unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(file: &mut File) -> String {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).expect("it can be read");
    String::from_utf8(bytes).expect("what the program says is text")
}

impl Outcome {
    /// The status, standard output and standard error are these.
    #[track_caller]
    pub(crate) fn is(&self, status: i32, out: &str, err: &str) {
        assert_eq!((self.status, self.out.as_str(), self.err.as_str()), (Some(status), out, err));
    }

    /// It failed with this status and one message on standard error, and nothing on standard output.
    #[track_caller]
    pub(crate) fn refuses(&self, status: i32, message: &str) {
        self.is(status, "", &format!("error: {message}\n"));
    }

    /// As [`Outcome::refuses`]; only how the message begins matters, and that it is the only one.
    #[track_caller]
    pub(crate) fn refuses_with(&self, status: i32, beginning: &str) {
        assert_eq!((self.status, self.out.as_str()), (Some(status), ""), "{}", self.err);
        assert!(self.err.starts_with(&format!("error: {beginning}")), "{}", self.err);
        assert_eq!(self.messages(), 1, "{}", self.err);
    }

    /// How many messages stand on standard error.
    pub(crate) fn messages(&self) -> usize {
        self.err.lines().filter(|line| line.starts_with("error") || line.starts_with("warning")).count()
    }
}

/// An entry with these directives above it, these parameters and this body, in a module. The directives start in row 2.
pub(crate) fn entry(directives: &[&str], params: &str, body: &[&str]) -> String {
    let directives: String = directives.iter().map(|line| format!("  //@ {line}\n")).collect();
    let body: String = body.iter().map(|line| format!("    {line}\n")).collect();
    format!("cuda_tile.module @m {{\n{directives}  entry @k({params}) {{\n{body}  }}\n}}\n")
}

/// A kernel that prints `start` and never ends. Its loop stands in row 5.
pub(crate) fn endless() -> String {
    let first = "%one = constant <i64: 1> : tile<i64> print_tko \"start\\n\" -> token";
    // It counts: a loop whose iterations are all alike is found by the sanitizer.
    let body = [
        "loop iter_values(%i = %one) : tile<i64> {",
        "  %n = addi %i, %one : tile<i64>",
        "  continue %n : tile<i64>",
        "}",
    ];
    entry(&["launch"], "", &[&[first][..], &body].concat())
}
