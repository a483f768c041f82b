//! Making a program smaller while something about it stays: a crash of the compiler, a refusal, the end of a command, a
//! diagnostic.
//!
//! Every step takes something away that the parsed program knows ([`passes`]): an entry, ops, a region, an attribute, a
//! line. What a step leaves has no mistake that the program did not have before, so a valid program stays valid; whether
//! the failure ([`failure`]) is still there decides about the rest. Steps are tried in one order on any number of cores
//! ([`search`]), so that the same program comes out each time.

mod draft;
pub mod failure;
mod passes;
mod search;
mod seen;

#[cfg(test)]
mod tests;

pub use search::Limits;

use search::Search;
use tile_analysis::context::Options;

/// What is left of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Its text.
    pub text: String,
    /// How often it was tried whether the failure is still there.
    pub tries: usize,
    /// Whether nothing more can be taken away; else the time was over.
    pub is_finished: bool,
}

/// Makes a program smaller that `fails`. `options` say how it is checked. `tell` gets every smaller program that still does, and how many tries there were.
pub fn reduce(
    text: &str,
    options: Options,
    fails: &(dyn Fn(&str) -> bool + Sync),
    limits: Limits,
    tell: &mut dyn FnMut(&str, usize),
) -> Reduced {
    let mut search = Search::new(text, options, fails, limits);
    let mut text = text.to_string();
    loop {
        let before = text.clone();
        for pass in passes::PASSES {
            search.take_away(pass, &mut text, tell);
        }
        // This comes to an end: every step leaves fewer ops that are no constants, or fewer ops, or a shorter text.
        if text == before || search.is_over() {
            return Reduced { text, tries: search.tries(), is_finished: !search.is_over() };
        }
    }
}
