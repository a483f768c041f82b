//! Shrinks a program while preserving a failure: a crash or an error of the compiler, the exit status of a command, or
//! a diagnostic.
//!
//! Each step removes a part of the parsed program ([`passes`]): an entry, ops, a region, an attribute, a line. A step
//! is accepted if the failure ([`failure`]) is preserved and no new kind of error appears, so a valid program stays
//! valid. The order of steps ([`search`]) does not depend on the number of threads, so the result is deterministic.

mod edits;
pub mod failure;
mod passes;
mod program;
mod search;

#[cfg(test)]
mod tests;

pub use search::Limits;

use search::Search;
use tile_analysis::context::Options;

/// A shrunk program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Its text.
    pub text: String,
    /// The number of programs that were tested for the failure.
    pub tries: usize,
    /// Whether nothing more can be removed. Otherwise the time limit was reached.
    pub is_finished: bool,
}

/// Shrinks a program that `fails`. `options` are those of its checks. `report` is called with every smaller program
/// that still fails, and the number of tests so far.
pub fn reduce(
    text: &str,
    options: Options,
    fails: &(dyn Fn(&str) -> bool + Sync),
    limits: Limits,
    report: &mut dyn FnMut(&str, usize),
) -> Reduced {
    let mut search = Search::new(text, options, fails, limits);
    let mut text = text.to_string();
    loop {
        let before = text.clone();
        for pass in passes::PASSES {
            search.run_pass(pass, &mut text, report);
        }
        // This terminates: each step reduces the number of ops other than constants, the number of ops, or the length
        // of the text.
        if text == before || search.is_over() {
            return Reduced { text, tries: search.tries(), is_finished: !search.is_over() };
        }
    }
}
