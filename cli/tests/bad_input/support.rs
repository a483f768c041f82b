//! A folder with files, and what `tile` says when it runs there.

use std::fs;
use std::io::{self, PipeWriter, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No command takes as long: one that does hangs.
const PATIENCE: Duration = Duration::from_secs(30);

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
        finish(self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts"))
    }

    /// Runs a `tile` command that reads this.
    pub(crate) fn tile_reading(&self, input: &[u8], arguments: &[&str]) -> Outcome {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        // What a command does not read it does not want.
        let _ = child.stdin.take().expect("it is piped").write_all(input);
        finish(child)
    }

    /// Runs a `tile` command whose output nobody reads.
    pub(crate) fn tile_unread(&self, arguments: &[&str]) -> Outcome {
        let mut command = self.command(arguments);
        command.stdout(closed()).stderr(Stdio::piped());
        finish(command.spawn().expect("it starts"))
    }
}

/// A pipe whose other end is closed.
fn closed() -> PipeWriter {
    io::pipe().expect("a pipe").1
}

/// What a command says until it ends, which it must soon.
pub(crate) fn finish(child: Child) -> Outcome {
    let began = Instant::now();
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it can be waited for");
    let outcome = Outcome { status: status.code(), out: text(stdout), err: text(stderr) };
    assert!(began.elapsed() < PATIENCE, "it took {:?}: {outcome:?}", began.elapsed());
    assert!(!outcome.err.contains("panicked"), "{}", outcome.err);
    outcome
}

fn text(bytes: Vec<u8>) -> String {
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
    entry(&["launch"], "", &["print_tko \"start\\n\" -> token", "loop {", "  continue", "}"])
}
