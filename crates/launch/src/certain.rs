//! Errors that are certain to occur in a launch, given its grid and its numbers.

use super::directive::Launch;
use super::find::ForwardEntry;
use super::find::entry::EntryLaunches;
use super::known::launched;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::range_analysis::{Launched, certain_mistakes};

/// Errors that depend on the launch of an entry: those that would occur in every launch are left out. An error that
/// several launches cause is reported for the first one. Launches that expect an error are not checked.
pub(super) fn mistakes(text: &str, found: &EntryLaunches) -> Vec<Diagnostic> {
    let check = |launched: &Launched| {
        let text = &text[found.start as usize..];
        let mistakes = certain_mistakes(text, &found.entry, &found.spans, launched);
        let is_allowed = |mistake: &Diagnostic| found.allowances.iter().any(|allowed| allowed.covers(mistake));
        let reported = mistakes.into_iter().filter(move |mistake| !is_allowed(mistake));
        reported.map(|mistake| mistake.shifted(found.start))
    };
    let launches = found.directives.launches.iter().filter(|launch| !launch.expects_error());
    let mut launches = launches.peekable();
    if launches.peek().is_none() {
        return Vec::new();
    }
    let mut all: Vec<Diagnostic> = check(&Launched::default()).collect();
    let always = all.len();
    for launch in launches {
        for mistake in check(&launched(&found.entry, launch)) {
            if !all.iter().any(|known| is_same(known, &mistake)) {
                all.push(mistake.note(in_launch(launch)));
            }
        }
        all.extend(of_forward(text, found, launch));
    }
    all.split_off(always)
}

/// Errors in the forward kernel of a launch, at its name in the `forward` line. Those that would occur in every run are
/// left out.
fn of_forward(text: &str, found: &EntryLaunches, launch: &Launch) -> Vec<Diagnostic> {
    let Some(forward) = &launch.forward else { return Vec::new() };
    let Some(ForwardEntry::Known { entry, start, spans }) = found.forward(&forward.entry) else { return Vec::new() };
    let check = |launched: &Launched| certain_mistakes(&text[*start as usize..], entry, spans, launched);
    let always = check(&Launched::default());
    let [x, y, z] = forward.grid;
    let launched = Launched { grid: Some(forward.grid.map(i64::from)), ..launched(entry, launch) };
    let own = check(&launched).into_iter().filter(|mistake| !always.iter().any(|known| is_same(known, mistake)));
    let at_name = |mistake: Diagnostic| {
        let range = forward.range.start as u32..forward.range.end as u32;
        let note = format!("in the forward kernel `@{}`, whose grid is ({x}, {y}, {z})", forward.entry);
        Diagnostic::new(mistake.page, range, mistake.message).note(note)
    };
    own.map(at_name).collect()
}

/// Whether two errors have the same code and place.
fn is_same(known: &Diagnostic, mistake: &Diagnostic) -> bool {
    (&known.range, known.page.code) == (&mistake.range, mistake.page.code)
}

fn in_launch(launch: &Launch) -> String {
    let [x, y, z] = launch.grid;
    match &launch.name {
        Some(name) => format!("in the launch \"{name}\", whose grid is ({x}, {y}, {z})"),
        None => format!("in the launch whose grid is ({x}, {y}, {z})"),
    }
}
