//! The `tile-fmt` program as a library: files and folders in, files, names, differences and an exit status out.

mod diff;
mod find;
mod save;

use crate::{Options, format};
use clap::Args;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tile_dialect::BYTECODE_MAGIC;

/// Everything is formatted.
pub const FINE: u8 = 0;
/// Some text is not formatted, with `--check` or `--diff`.
pub const UNFORMATTED: u8 = 1;
/// Something could not be read or written.
pub const FAILED: u8 = 2;

/// What to format, and what to do with the result.
#[derive(Args, Clone, Default, Debug)]
pub struct Arguments {
    /// Change nothing: list the files that are not formatted, and exit with status 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Change nothing: print what formatting would change, and exit with status 1 if that is anything
    #[arg(long)]
    pub diff: bool,

    /// What to call standard input in messages and differences
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<String>,

    /// Files, folders to search for `.tile` files, or `-` for standard input [default: the current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Runs the program on the process's own streams; returns the exit status.
pub fn main_with(arguments: Arguments) -> u8 {
    run(&arguments, &mut io::stdin().lock(), &mut io::stdout().lock(), &mut io::stderr().lock())
}

/// Runs the program; returns the exit status: [`FINE`], [`UNFORMATTED`] or [`FAILED`].
pub fn run(arguments: &Arguments, input: &mut dyn Read, output: &mut dyn Write, messages: &mut dyn Write) -> u8 {
    let mut run = Run { arguments, options: Options::default(), output, messages, status: FINE };
    let here = [PathBuf::from(".")];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    for path in paths {
        if path.as_os_str() == "-" {
            run.standard_input(input);
        } else {
            run.path(path);
        }
    }
    if let Err(error) = run.output.flush() {
        run.output_failed(&error);
    }
    run.status
}

struct Run<'r> {
    arguments: &'r Arguments,
    options: Options,
    output: &'r mut dyn Write,
    messages: &'r mut dyn Write,
    status: u8,
}

impl Run<'_> {
    /// Whether files stay as they are.
    fn only_looks(&self) -> bool {
        self.arguments.check || self.arguments.diff
    }

    fn fail(&mut self, message: &str) {
        self.status = FAILED;
        // Where messages cannot be written either, the status is all that is left to say it.
        let _ = writeln!(self.messages, "error: {message}");
    }

    /// A reader of the output that has seen enough is no failure.
    fn output_failed(&mut self, error: &io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.fail(&format!("cannot write the output: {error}"));
        }
    }

    fn print(&mut self, text: &str) {
        if let Err(error) = self.output.write_all(text.as_bytes()) {
            self.output_failed(&error);
        }
    }

    fn standard_input(&mut self, input: &mut dyn Read) {
        let name = self.arguments.stdin_filename.clone().unwrap_or_else(|| "<stdin>".to_owned());
        let mut bytes = Vec::new();
        if let Err(error) = input.read_to_end(&mut bytes) {
            return self.fail(&format!("cannot read {name}: {error}"));
        }
        let Some(text) = self.decode(&name, bytes) else { return };
        let formatted = format(&text, &self.options);
        if self.only_looks() {
            self.report(&name, &text, &formatted);
        } else {
            self.print(&formatted);
        }
    }

    /// A file, or a folder with all that it holds.
    fn path(&mut self, path: &Path) {
        let (files, errors) = find::files(path);
        for error in errors {
            self.fail(&error);
        }
        for file in files {
            self.file(&file);
        }
    }

    fn file(&mut self, path: &Path) {
        let name = path.display().to_string();
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.fail(&format!("cannot read {name}: {error}")),
        };
        let Some(text) = self.decode(&name, bytes) else { return };
        let formatted = format(&text, &self.options);
        if self.only_looks() {
            self.report(&name, &text, &formatted);
        } else if text != formatted
            && let Err(error) = save::replace(path, &formatted)
        {
            self.fail(&format!("cannot write {name}: {error}"));
        }
    }

    fn decode(&mut self, name: &str, bytes: Vec<u8>) -> Option<String> {
        if bytes.starts_with(&BYTECODE_MAGIC) {
            self.fail(&format!("cannot format {name}: it is bytecode, not text; `tile dis` prints it as text"));
            return None;
        }
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        if text.is_none() {
            self.fail(&format!("cannot format {name}: it holds binary data, not UTF-8 text"));
        }
        text
    }

    /// Says what is not formatted.
    fn report(&mut self, name: &str, text: &str, formatted: &str) {
        if text == formatted {
            return;
        }
        self.status = self.status.max(UNFORMATTED);
        if self.arguments.diff {
            self.print(&diff::unified(name, text, formatted));
        }
        if self.arguments.check {
            self.print(&format!("{name}\n"));
        }
    }
}
