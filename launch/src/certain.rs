//! What is certain to go wrong in a launch, from its grid and its numbers.

use super::directive::Launch;
use super::expect::Expect;
use super::find::entry::EntryLaunches;
use super::literal::Number;
use super::spec::Spec;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::ir::Body;
use tile_analysis::range_analysis::{Launched, certain_mistakes};

/// What goes wrong in the launches of an entry but not in the entry whatever launches it. A mistake that several launches
/// bring about is told for the first. Nothing is told of launches that are meant to go wrong.
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

/// What is known of the values of an entry in a launch.
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
        Some(name) => format!("so it is in the launch \"{name}\", whose grid is ({x}, {y}, {z})"),
        None => format!("so it is in the launch whose grid is ({x}, {y}, {z})"),
    }
}
