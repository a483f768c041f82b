//! Runs passes until none of them finds anything.

use crate::edits::{apply, edits};
use crate::entry::{Entry, entries};
use crate::passes::Pass;
use crate::settings::Settings;
use tile_analysis::diagnostic::{Diagnostic, Edit};

/// An optimized program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimized {
    /// Its text.
    pub text: String,
    /// The number of improvements of each pass, in the order in which the passes ran first.
    pub counts: Vec<(Pass, usize)>,
}

/// The text after a pass.
#[derive(Clone, Copy, Debug)]
pub struct Step<'t> {
    /// The pass.
    pub pass: Pass,
    /// The number of its improvements.
    pub count: usize,
    /// The text after them.
    pub text: &'t str,
}

/// Why a program is not optimized.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The program has errors.
    Errors(Vec<Diagnostic>),
    /// A pass left an invalid program, which is a bug of the pass.
    Invalid {
        /// The pass.
        pass: Pass,
        /// The invalid text.
        text: String,
        /// Its errors.
        errors: Vec<Diagnostic>,
    },
}

/// The most rounds of all passes. Each one removes, folds or moves ops, so programs need few.
const MAX_ROUNDS: usize = 1000;

/// Runs passes over all entries, in this order, until none of them finds anything. A pass is repeated until it finds
/// nothing; then `report` is called, and the next one runs.
pub fn optimize(
    text: &str,
    passes: &[Pass],
    settings: &Settings,
    report: &mut dyn FnMut(Step<'_>),
) -> Result<Optimized, Failure> {
    let mut counts: Vec<(Pass, usize)> = passes.iter().map(|pass| (*pass, 0)).collect();
    let mut text = text.to_string();
    // The pass that runs, the improvements that it has made, and how many passes in a row have found nothing.
    let (mut current, mut count, mut quiet) = (0, 0, 0);
    let mut changed_by = None;
    for _ in 0..MAX_ROUNDS {
        let entries = entries(&text, settings.options).map_err(|errors| match changed_by {
            None => Failure::Errors(errors),
            Some(pass) => Failure::Invalid { pass, text: text.clone(), errors },
        })?;
        let changed = loop {
            if quiet == passes.len() {
                break None;
            }
            let (pass, total) = &mut counts[current];
            let (made, edits) = round(*pass, &entries, settings);
            count += made;
            if !edits.is_empty() {
                changed_by = Some(*pass);
                break Some(apply(&text, &edits));
            }
            *total += count;
            report(Step { pass: *pass, count, text: &text });
            quiet = if count == 0 { quiet + 1 } else { 1 };
            (current, count) = ((current + 1) % passes.len(), 0);
        };
        match changed {
            Some(changed) => text = changed,
            None => break,
        }
    }
    // The improvements of a pass that still found some after the last round.
    if let Some((_, total)) = counts.get_mut(current) {
        *total += count;
    }
    Ok(Optimized { text, counts })
}

/// The edits of a pass for all entries, and the number of its improvements.
fn round(pass: Pass, entries: &[Entry<'_>], settings: &Settings) -> (usize, Vec<Edit>) {
    let edits = entries.iter().map(|entry| edits(entry, settings.options.version, &pass.changes(entry, settings)));
    edits.fold((0, Vec::new()), |(count, mut all), (made, edits)| {
        all.extend(edits);
        (count + made, all)
    })
}
