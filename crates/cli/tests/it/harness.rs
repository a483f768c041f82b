//! The command line under test: a folder with files, the commands that run there, and their output.

use crate::waiting::soon;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use tempfile::TempDir;

pub(crate) const HELLO: &str = "cuda_tile.module @m {
  //@ launch
  //@ expect print \"hello\\n\"
  entry @k() {
    print_tko \"hello\\n\" -> token
  }
}
";

/// Prints and counts endlessly. The old name of the op is a warning.
#[cfg(target_os = "linux")]
pub(crate) const CHATTERING: &str = "cuda_tile.module @m {
  //@ launch
  entry @k() {
    %one = constant <i64: 1> : tile<i64>
    loop iter_values(%i = %one) : tile<i64> {
      %t = print \"a line of text, again and again: %lli\\n\", %i : tile<i64> -> token
      %past = cmpi less_than %i, %one, signed : tile<i64> -> tile<i1>
      if %past {
        break
      }
      %n = addi %i, %one : tile<i64>
      continue %n : tile<i64>
    }
    return
  }
}
";

/// A folder with files. Dropping it removes it.
pub(crate) struct Folder(TempDir);

/// The output and the exit status of a command.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    /// Its exit status; `None` if a signal terminated it.
    pub(crate) status: Option<i32>,
    /// Its standard output.
    pub(crate) out: String,
    /// Its standard error.
    pub(crate) err: String,
}

impl Folder {
    /// A folder with these texts.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    /// A folder with these files.
    pub(crate) fn with_bytes(files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder::with(&[]);
        files.iter().for_each(|(name, bytes)| folder.write(name, bytes));
        folder
    }

    /// A folder with the program `a.tile`.
    pub(crate) fn of(program: &str) -> Folder {
        Folder::with(&[("a.tile", program)])
    }

    /// A folder with [`HELLO`] as `a.tile`.
    pub(crate) fn hello() -> Folder {
        Folder::of(HELLO)
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file, and creates its folders.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().expect("a folder")).expect("folders can be created");
        fs::write(self.path(name), bytes).expect("files can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a readable file")
    }

    /// A `tile` command in the folder, without standard input, and with the settings, caches and compilers of the
    /// folder only.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
        command.args(arguments).current_dir(self.root()).stdin(Stdio::null()).env("RUST_BACKTRACE", "0");
        command.env("TILE_CACHE_DIR", self.path("cache")).env("XDG_CONFIG_HOME", self.path("config"));
        command.env("XDG_STATE_HOME", self.path("state"));
        if self.path("bin").exists() {
            command.env("TILE_TILEIRAS", self.path("bin/tileiras"));
        }
        if self.path("driver").exists() {
            command.env("LD_LIBRARY_PATH", self.path("driver")).env("CUDA_STAND_IN_LOG", self.path("driver.calls"));
        }
        command
    }

    /// Runs a `tile` command in the folder.
    pub(crate) fn tile(&self, arguments: &[&str]) -> CommandOutput {
        Running::start(&mut self.command(arguments)).finish()
    }

    /// Runs a `tile` command with this standard input.
    pub(crate) fn tile_reading(&self, input: &[u8], arguments: &[&str]) -> CommandOutput {
        let mut running = Running::start(self.command(arguments).stdin(Stdio::piped()));
        // A command may end before it has read everything.
        let _ = running.child.stdin.take().expect("standard input is piped").write_all(input);
        running.finish()
    }

    /// Runs a `tile` command with another standard output.
    pub(crate) fn tile_into(&self, output: impl Into<Stdio>, arguments: &[&str]) -> CommandOutput {
        Running::start_into(output.into(), &mut self.command(arguments)).finish()
    }

    /// Runs a `tile` command whose output is a closed pipe.
    pub(crate) fn tile_unread(&self, arguments: &[&str]) -> CommandOutput {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        self.tile_into(writer, arguments)
    }
}

/// A running command. Dropping it kills the command.
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
        Running { child: command.spawn().expect("the command starts"), out, err }
    }

    /// Whether anything was written to standard output.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_printed(&self) -> bool {
        self.out.metadata().expect("the file exists").len() > 0
    }

    /// Waits for the end, which must come soon.
    pub(crate) fn end(&mut self) -> ExitStatus {
        soon("the command ends", || self.child.try_wait().expect("the child can be waited for"))
    }

    /// Waits for the end. Returns the output.
    pub(crate) fn finish(&mut self) -> CommandOutput {
        let status = self.end().code();
        let outcome = CommandOutput { status, out: text(&mut self.out), err: text(&mut self.err) };
        assert!(!outcome.err.contains("panicked"), "{}", outcome.err);
        outcome
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The command has already ended, unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(file: &mut File) -> String {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).expect("the file can be read");
    String::from_utf8(bytes).expect("the output is UTF-8")
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> CommandOutput {
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        CommandOutput { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl CommandOutput {
    /// Asserts the status, standard output and standard error.
    #[track_caller]
    pub(crate) fn is(&self, status: i32, out: &str, err: &str) {
        assert_eq!((self.status, self.out.as_str(), self.err.as_str()), (Some(status), out, err));
    }

    /// Asserts that the command failed with this status, one message on standard error, and nothing on standard output.
    #[track_caller]
    pub(crate) fn refuses(&self, status: i32, message: &str) {
        self.is(status, "", &format!("error: {message}\n"));
    }

    /// As [`CommandOutput::refuses`], but compares only the beginning of the message.
    #[track_caller]
    pub(crate) fn refuses_with(&self, status: i32, beginning: &str) {
        assert_eq!((self.status, self.out.as_str()), (Some(status), ""), "{}", self.err);
        assert!(self.err.starts_with(&format!("error: {beginning}")), "{}", self.err);
        assert_eq!(self.messages(), 1, "{}", self.err);
    }

    /// The number of messages on standard error.
    pub(crate) fn messages(&self) -> usize {
        self.err.lines().filter(|line| line.starts_with("error") || line.starts_with("warning")).count()
    }

    /// The events that were printed as JSON.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    /// The events of a kind.
    pub(crate) fn events_of(&self, kind: &str) -> Vec<Value> {
        self.events().into_iter().filter(|event| event["event"] == kind).collect()
    }
}

/// A path with the separators of the system.
pub(crate) fn native(path: &str) -> String {
    path.replace('/', std::path::MAIN_SEPARATOR_STR)
}

/// The `file:` URI of a path.
pub(crate) fn uri_of(path: &Path) -> String {
    let path = path.to_str().expect("the path is UTF-8").replace('\\', "/");
    // On Windows, a path starts with a drive.
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

/// A module with an entry that has these directives, parameters and body. The directives start in row 2.
pub(crate) fn entry(directives: &[&str], params: &str, body: &[&str]) -> String {
    let directives: String = directives.iter().map(|line| format!("  //@ {line}\n")).collect();
    let body: String = body.iter().map(|line| format!("    {line}\n")).collect();
    format!("cuda_tile.module @m {{\n{directives}  entry @k({params}) {{\n{body}  }}\n}}\n")
}

/// A kernel that prints `start` and never ends. Its loop is in row 5.
pub(crate) fn endless() -> String {
    let first = "%one = constant <i64: 1> : tile<i64> print_tko \"start\\n\" -> token";
    // The loop checks its counter, because the sanitizer detects a loop in which nothing changes that decides anything.
    let body = [
        "loop iter_values(%i = %one) : tile<i64> {",
        "  %past = cmpi less_than %i, %one, signed : tile<i64> -> tile<i1>",
        "  if %past {",
        "    break",
        "  }",
        "  %n = addi %i, %one : tile<i64>",
        "  continue %n : tile<i64>",
        "}",
    ];
    entry(&["launch"], "", &[&[first][..], &body].concat())
}
