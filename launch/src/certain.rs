//! Errors that are certain to occur in a launch, given its grid and its numbers.

use super::directive::Launch;
use super::expect::Expect;
use super::find::entry::EntryLaunches;
use super::literal::Number;
use super::spec::Spec;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::ir::Body;
use tile_analysis::range_analysis::{Launched, certain_mistakes};

/// Errors in the launches of an entry that do not occur in every launch of it. An error that several launches cause is
/// reported for the first one. Launches that expect an error are not checked.
pub(super) fn mistakes(text: &str, found: &EntryLaunches) -> Vec<Diagnostic> {
    let check = |launched: &Launched| {
        let text = &text[found.start as usize..];
        let mistakes = certain_mistakes(text, &found.entry, &found.spans, launched);
        let is_allowed = |mistake: &Diagnostic| found.allowances.iter().any(|allowed| allowed.covers(mistake));
        let reported = mistakes.into_iter().filter(move |mistake| !is_allowed(mistake));
        reported.map(|mistake| mistake.shifted(found.start))
    };
    let launches = found.directives.launches.iter().filter(|launch| !is_meant_to_fail(launch));
    let mut launches = launches.peekable();
    if launches.peek().is_none() {
        return Vec::new();
    }
    let mut all: Vec<Diagnostic> = check(&Launched::default()).collect();
    let always = all.len();
    for launch in launches {
        for mistake in check(&launched(&found.entry, launch)) {
            if all.iter().all(|known| (&known.range, known.page.code) != (&mistake.range, mistake.page.code)) {
                all.push(mistake.note(in_launch(launch)));
            }
        }
    }
    all.split_off(always)
}

fn is_meant_to_fail(launch: &Launch) -> bool {
    launch.expects.iter().any(|expect| matches!(expect, Expect::Error { .. }))
}

/// The value ranges of an entry in a launch.
pub fn launched(entry: &Body, launch: &Launch) -> Launched {
    let number = |name: &str| match launch.arg(name).map(|arg| &arg.spec) {
        Some(Spec::Scalar(Number::Whole(number))) => i64::try_from(*number).ok(),
        _ => None,
    };
    Launched { grid: Some(launch.grid.map(i64::from)), params: entry.params.iter().map(|name| number(name)).collect() }
}

fn in_launch(launch: &Launch) -> String {
    let [x, y, z] = launch.grid;
    match &launch.name {
        Some(name) => format!("in the launch \"{name}\", whose grid is ({x}, {y}, {z})"),
        None => format!("in the launch whose grid is ({x}, {y}, {z})"),
    }
}
