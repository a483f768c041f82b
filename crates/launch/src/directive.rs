//! The directives themselves: comment lines that begin with `//@`, directly above an `entry`.
//!
//! ```text
//! //@ launch "small" grid=(8, 1, 1)
//! //@   %a = f32[1024] uniform(-1, 1, seed=1)
//! //@   %n = 1024
//! //@ forward @loss grid=(8, 1, 1)
//! //@ expect %c ~= %a + %b
//! //@ expect print "done\n"
//! ```
//!
//! `launch` begins a launch, and `bench` one that only benchmarks run; the following lines belong to it up to the next
//! one. A directive continues
//! in the next `//@` line while a bracket is open, after an operator, and before an operator, a tolerance or a `"`. A
//! line with an error is excluded from its launch and reported.

mod forward;
mod grid;
mod lines;
mod parse;

pub use forward::Forward;
pub use grid::MAX_GRID;
pub use lines::SIGN;
#[cfg(test)]
pub(super) use parse::DIRECTIVES as NAMES;
pub use parse::parse;

use super::cursor::quote;
use super::error::LaunchError;
use super::expect::Expect;
use super::spec::Spec;
use grid::write_grid;
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};

/// The directives above an entry.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Directives {
    /// The launches in source order.
    pub launches: Vec<Launch>,
    /// The errors. A launch with errors is incomplete and should not be run.
    pub errors: Vec<LaunchError>,
    /// Lines above the first launch, which do not belong to any launch. Each has an error with its range.
    pub orphans: Vec<Range<usize>>,
}

impl Directives {
    /// The errors in the lines of a launch.
    pub fn errors_in<'a>(&'a self, launch: &Launch) -> impl Iterator<Item = &'a LaunchError> {
        let Range { start, end } = launch.range;
        self.errors.iter().filter(move |error| (start..=end).contains(&error.range.start))
    }
}

/// One run of an entry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The name of the launch, if it has one.
    pub name: Option<String>,
    /// Whether it is for benchmarks, so that tests leave it out.
    pub is_bench: bool,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// The arguments.
    pub args: Vec<Arg>,
    /// The kernel that gradients differentiate, if not the entry itself.
    pub forward: Option<Box<Forward>>,
    /// The expectations.
    pub expects: Vec<Expect>,
    /// From the word `launch` or `bench` to the end of the last line that belongs to it.
    pub range: Range<usize>,
}

/// An argument.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Arg {
    /// The argument's name, without `%`.
    pub name: String,
    /// Its value.
    pub spec: Spec,
    /// From the name to the end of the specification.
    pub range: Range<usize>,
}

/// The name of a launch, or its number, such as `#2`, if it is unnamed. `None` for the first launch if it is unnamed.
pub fn name_of(launches: &[Launch], index: usize) -> Option<String> {
    launches[index].name.clone().or_else(|| (index > 0).then(|| format!("#{}", index + 1)))
}

impl Launch {
    /// The argument with this name.
    pub fn arg(&self, name: &str) -> Option<&Arg> {
        self.args.iter().find(|arg| arg.name == name)
    }

    /// Whether the launch expects a finding of the sanitizer.
    pub fn expects_error(&self) -> bool {
        self.expects.iter().any(|expect| matches!(expect, Expect::Error { .. }))
    }

    /// The files that the launch reads, for arguments and in formulas.
    pub fn files(&self) -> Vec<&str> {
        let of_args = self.args.iter().flat_map(|arg| arg.spec.files());
        let mut files: Vec<&str> = of_args.chain(self.expects.iter().flat_map(Expect::files)).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// The launch with all ranges at 0, for comparing launches from different places.
    pub fn without_ranges(mut self) -> Launch {
        self.range = 0..0;
        for arg in &mut self.args {
            arg.range = 0..0;
            arg.spec.forget_ranges();
        }
        if let Some(forward) = &mut self.forward {
            forward.range = 0..0;
        }
        self.expects = self.expects.into_iter().map(Expect::without_ranges).collect();
        self
    }
}

/// Directive lines, each with its line break.
impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_bench { "//@ bench" } else { "//@ launch" })?;
        if let Some(name) = &self.name {
            write!(f, " {}", quote(name))?;
        }
        write_grid(f, self.grid)?;
        writeln!(f)?;
        self.args.iter().try_for_each(|arg| writeln!(f, "//@   {arg}"))?;
        self.forward.iter().try_for_each(|forward| writeln!(f, "//@ {forward}"))?;
        self.expects.iter().try_for_each(|expect| writeln!(f, "//@ expect {expect}"))
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{} = {}", self.name, self.spec)
    }
}

#[cfg(test)]
mod tests;
