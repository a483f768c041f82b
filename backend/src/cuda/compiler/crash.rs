//! A crash of the compiler, with all that its makers ask for.

use super::super::compiler_output;
use super::child::Ended;
use crate::{reports, shell, tar};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A crash of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// How it ended, such as `crashed (signal: 11 (SIGSEGV))`.
    pub how: String,
    /// What it said.
    pub said: String,
    /// The command, with the files called as in the report.
    pub command: Vec<String>,
    /// What the compiler says of its version, and where it and the `ptxas` lie that it calls.
    pub versions: String,
    /// The GPU that code was made for, and the options, as `tile` takes them.
    pub made_for: String,
    /// The program as the compiler got it.
    pub bytecode: Vec<u8>,
}

/// What the files of a compilation are called in a report.
pub(super) const FILES: [&str; 3] = ["program.tileirbc", "program.cubin", "remarks.yaml"];

/// What programs say that have found a mistake of their own.
const CONFESSIONS: [&str; 7] = [
    "Assertion `",
    "LLVM ERROR",
    "UNREACHABLE executed",
    "PLEASE submit a bug report",
    "Stack dump:",
    "died due to signal",
    "internal error",
];

/// What a shell adds to the number of a signal that has ended a program.
const BY_SIGNAL: i32 = 128;

/// The signals that a program gets for mistakes of its own: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
const OWN_MISTAKES: [i32; 6] = [4, 5, 6, 7, 8, 11];

/// Whether a program ended by a mistake of its own.
pub(super) fn is_crash(ended: &Ended) -> bool {
    let is_mistake = |code: i32| OWN_MISTAKES.contains(&(code - BY_SIGNAL));
    ended.status.code().is_none_or(is_mistake) || confession(&ended.said).is_some()
}

/// The line in which a program says what its mistake is.
fn confession(said: &str) -> Option<&str> {
    said.lines().find(|line| CONFESSIONS.iter().any(|words| line.contains(words)))
}

impl Crash {
    /// What tells this crash from others: how it ended, and what failed in the compiler.
    pub fn kind(&self) -> String {
        format!("{}: {}", self.how, compiler_output::without_numbers(confession(&self.said).unwrap_or_default()))
    }

    /// Writes a report: the program, its bytecode, the command, the versions and what the compiler said. Returns where
    /// it is, in words.
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
            "{place}: the program, its bytecode, the command, the versions and what the compiler said, to send to its makers"
        )
    }

    /// How the user gets at the mistake in a program of this name.
    pub fn help(&self, file: &str) -> String {
        let file = shell::quoted(file);
        format!("`tile reduce {file} {}` makes the program smaller while the crash stays", self.made_for)
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`tileiras` {}", self.how)?;
        let said = self.said.trim_end();
        if said.is_empty() { Ok(()) } else { write!(f, "\n{said}") }
    }
}
