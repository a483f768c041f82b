//! Reports of compiler crashes, with everything that a bug report to NVIDIA needs.

use super::super::compiler_output;
use super::child::Ended;
use crate::{reports, shell, tar};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A crash of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// How the compiler ended, such as `crashed (signal: 11 (SIGSEGV))`.
    pub how: String,
    /// Its output.
    pub output: String,
    /// The command, with the file names of the report.
    pub command: Vec<String>,
    /// The output of `--version`, and the paths of the compiler and its `ptxas`.
    pub versions: String,
    /// The GPU and the options, as arguments of `tile`.
    pub made_for: String,
    /// The program as passed to the compiler.
    pub bytecode: Vec<u8>,
}

/// The names of a compilation's files in a report.
pub(super) const FILES: [&str; 3] = ["program.tileirbc", "program.cubin", "remarks.yaml"];

/// Messages that programs print when they detect a bug in themselves.
const CRASH_MESSAGES: [&str; 7] = [
    "Assertion `",
    "LLVM ERROR",
    "UNREACHABLE executed",
    "PLEASE submit a bug report",
    "Stack dump:",
    "died due to signal",
    "internal error",
];

/// A shell reports a program that was ended by signal N with exit code 128 + N.
const SIGNAL_BASE: i32 = 128;

/// The signals of a crash: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
const CRASH_SIGNALS: [i32; 6] = [4, 5, 6, 7, 8, 11];

/// Whether a program crashed.
pub(super) fn is_crash(ended: &Ended) -> bool {
    let is_crash_code = |code: i32| CRASH_SIGNALS.contains(&(code - SIGNAL_BASE));
    ended.status.code().is_none_or(is_crash_code) || crash_message(&ended.output).is_some()
}

/// The first line that describes the crash.
fn crash_message(output: &str) -> Option<&str> {
    output.lines().find(|line| CRASH_MESSAGES.iter().any(|words| line.contains(words)))
}

impl Crash {
    /// Identifies a kind of crash: how it ended and the compiler's message, without numbers.
    pub fn kind(&self) -> String {
        format!("{}: {}", self.how, compiler_output::without_numbers(crash_message(&self.output).unwrap_or_default()))
    }

    /// Writes a report: the program, its bytecode, the command, the versions and the output of the compiler. Returns a
    /// sentence that says where it is.
    pub fn report(&self, program: &str) -> String {
        let (tile, system, processor) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
        let about = format!("tile {tile} on {system} {processor}\n{}\n\n{self}\n", self.versions);
        let command = format!("#!/bin/sh\n{}\n", shell::line(&self.command));
        let archive = tar::archive(&[
            ("crash/program.tile", program.as_bytes()),
            ("crash/program.tileirbc", &self.bytecode),
            ("crash/command.sh", command.as_bytes()),
            ("crash/about.txt", about.as_bytes()),
        ]);
        let place = reports::write("tar", &archive);
        format!(
            "{place}: it contains the program, its bytecode, the command, the versions and the compiler's output, for a bug report to NVIDIA"
        )
    }

    /// How the user can shrink the program in this file.
    pub fn help(&self, file: &str) -> String {
        let file = shell::quoted(file);
        format!("`tile reduce {file} {}` shrinks the program while preserving the crash", self.made_for)
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`tileiras` {}", self.how)?;
        let output = self.output.trim_end();
        if output.is_empty() { Ok(()) } else { write!(f, "\n{output}") }
    }
}
