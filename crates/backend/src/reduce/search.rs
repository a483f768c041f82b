//! The search for removable parts: large groups first, then smaller ones.

use super::passes::{Pass, Units};
use super::program::{self, Codes, ParsedProgram};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tile_analysis::context::Options;

/// Limits of the search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of concurrent tests.
    pub jobs: usize,
    /// When to stop with the smallest program found so far.
    pub until: Option<Instant>,
}

/// The state of the search.
pub(super) struct Search<'a> {
    /// The options of checks.
    options: Options,
    fails: &'a (dyn Fn(&str) -> bool + Sync),
    limits: Limits,
    /// The errors of the original program.
    allowed: Codes,
    /// The hashes of programs that do not fail.
    known: Mutex<HashSet<u64>>,
    tries: AtomicUsize,
}

impl<'a> Search<'a> {
    /// Starts a search. Names that only other tools accept are allowed.
    pub(super) fn new(
        text: &str,
        options: Options,
        fails: &'a (dyn Fn(&str) -> bool + Sync),
        limits: Limits,
    ) -> Search<'a> {
        let (known, tries) = (Mutex::default(), AtomicUsize::new(0));
        let options = Options { any_names: true, ..options };
        Search { options, fails, limits, allowed: program::mistakes(text, options), known, tries }
    }

    /// The number of programs that were tested for the failure.
    pub(super) fn tries(&self) -> usize {
        self.tries.load(Ordering::Relaxed)
    }

    /// Whether the time limit was reached.
    pub(super) fn is_over(&self) -> bool {
        self.limits.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Removes as many parts of a pass as possible.
    pub(super) fn run_pass(&mut self, pass: &Pass, text: &mut String, report: &mut dyn FnMut(&str, usize)) {
        let mut program = ParsedProgram::new(text, self.options);
        let all = (pass.units)(&program).len();
        let mut size = if pass.is_grouped { all } else { all.min(1) };
        while size > 0 {
            let mut at = 0;
            loop {
                let Some((window, smaller)) = self.first(&*(pass.units)(&program), text, at, size) else { break };
                // The parts after the removed ones have moved up.
                at += window * size;
                report(&smaller, self.tries());
                program = ParsedProgram::new(&smaller, self.options);
                *text = smaller;
            }
            size /= 2;
        }
    }

    /// Finds the first window of `size` units, starting at `from`, that can be removed without losing the failure.
    /// Returns its number and the smaller program. The result does not depend on the number of threads.
    fn first(&self, units: &dyn Units, now: &str, from: usize, size: usize) -> Option<(usize, String)> {
        let windows = units.len().saturating_sub(from).div_ceil(size);
        let next = AtomicUsize::new(0);
        let best: Mutex<Option<(usize, String)>> = Mutex::default();
        let lock = || best.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            loop {
                let window = next.fetch_add(1, Ordering::Relaxed);
                let is_later = lock().as_ref().is_some_and(|(found, _)| window > *found);
                if window >= windows || is_later || self.is_over() {
                    return;
                }
                let start = from + window * size;
                let Some(text) = units.without(start..(start + size).min(units.len())) else { continue };
                if text != now && self.still_fails(&text) {
                    let mut best = lock();
                    if best.as_ref().is_none_or(|(found, _)| window < *found) {
                        *best = Some((window, text));
                    }
                }
            }
        };
        let jobs = self.limits.jobs.min(windows);
        if jobs <= 1 {
            work();
        } else {
            std::thread::scope(|scope| (0..jobs).for_each(|_| _ = scope.spawn(work)));
        }
        best.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn still_fails(&self, text: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().contains(&hash) {
            return false;
        }
        let fails = program::mistakes(text, self.options).is_subset(&self.allowed) && {
            self.tries.fetch_add(1, Ordering::Relaxed);
            (self.fails)(text)
        };
        if !fails {
            lock().insert(hash);
        }
        fails
    }
}
