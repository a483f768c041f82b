//! Fixes: each can be applied alone, and its edits are in order. Applying all safe fixes, or all fixes, adds no error,
//! and a second time finds nothing to fix, unless the first time took too many rounds.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::cell::Cell;
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Applicability, Diagnostic};
use tile_analysis::fixes::{apply, fix_all};
use tile_fuzz::program::{assert_diagnostics, errors};
use tile_fuzz::{limits, mutate, seeds};
use tile_launch::find;

/// The most rounds of fixes, each of which checks the text.
const MAX_ROUNDS: usize = 50;

/// Only this many fixes are applied alone.
const MAX_FIXES: usize = 8;

fn check(text: &str) -> Vec<Diagnostic> {
    find::check(text, Options::default())
}

fuzz_target!(init: tile_fuzz::start(seeds::programs), |bytes: &[u8]| {
    // Applying fixes checks the text several times.
    limits::unlimited_text(bytes, |text| {
        let found = check(text);
        for fix in found.iter().flat_map(|found| &found.fixes).take(MAX_FIXES) {
            let is_ordered = fix.edits.windows(2).all(|edits| edits[0].range.end <= edits[1].range.start);
            assert!(is_ordered, "{fix:?}");
            let after = apply(text, &fix.edits);
            assert_diagnostics(&after, &check(&after));
        }
        for allowed in [Applicability::Safe, Applicability::Unsafe] {
            let checks = Cell::new(0);
            let counted = |text: &str| {
                checks.set(checks.get() + 1);
                check(text)
            };
            let Some(fixed) = fix_all(text, &found, allowed, counted) else { continue };
            assert!(errors(&fixed.left) <= errors(&found), "all {} fixes add errors", allowed.name());
            assert_eq!(apply(text, &fixed.edits), fixed.text);
            assert_ne!(text, fixed.text);
            if checks.get() >= MAX_ROUNDS {
                continue;
            }
            let again = fix_all(&fixed.text, &fixed.left, allowed, check);
            assert!(again.is_none(), "all {} fixes again: {:?}\n{}", allowed.name(), again.map(|again| again.edits), fixed.text);
        }
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::program(data, size, max_size, seed)
});
