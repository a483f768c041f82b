//! Removal of problems that are consequences of others.

use super::problem::{Kind, Problem, Taint};
use crate::diagnostic::{Diagnostic, Label};
use rustc_hash::{FxHashMap, FxHashSet};

/// Removes the problems that follow from others.
pub(super) fn remove(problems: &mut Vec<Problem>) {
    remove_tainted(problems);
    // If the body uses a parameter as another tile, the signature may be wrong instead.
    let is_disputed = |problem: &Problem| matches!(problem.kind, Kind::Mismatch { is_parameter: true, .. });
    let is_parameter_disputed = problems.iter().any(is_disputed);
    let misplaced: FxHashSet<u32> = problems.iter().filter_map(misplaced_terminator).collect();
    let mut has_misplaced_op = false;
    problems.retain(|problem| match &problem.kind {
        Kind::ParameterRank(_) => !is_parameter_disputed,
        Kind::AfterTerminator(terminator, _) => !misplaced.contains(terminator),
        Kind::MisplacedOp(_) => !std::mem::replace(&mut has_misplaced_op, true),
        _ => true,
    });
    merge_extents(problems);
}

/// Removes problems of tainted values, except the first mismatch with a type that the op states: either of the two may
/// be wrong, and NVIDIA's checker reports the use.
fn remove_tainted(problems: &mut Vec<Problem>) {
    let mut has_dispute = false;
    problems.retain(|problem| match problem.kind {
        Kind::Mismatch { taint: Some(Taint::Stated), .. } => !std::mem::replace(&mut has_dispute, true),
        _ => !problem.is_tainted,
    });
}

fn misplaced_terminator(problem: &Problem) -> Option<u32> {
    match &problem.kind {
        Kind::MisplacedTerminator(found) => Some(found.range.start),
        _ => None,
    }
}

/// Reports a dimension that several types of the item share only once, with labels at the other places.
fn merge_extents(problems: &mut Vec<Problem>) {
    let extent = |problem: &Problem| match &problem.kind {
        Kind::Extent(found) => Some((found.message.clone(), found.range.clone())),
        _ => None,
    };
    let mut others: FxHashMap<String, Vec<Label>> = FxHashMap::default();
    problems.retain(|problem| {
        let Some((message, range)) = extent(problem) else { return true };
        let places = others.get_mut(&message);
        let is_first = places.is_none();
        match places {
            Some(places) => places.push(Label { range, message: "and here".to_string() }),
            None => _ = others.insert(message, Vec::new()),
        }
        is_first
    });
    for problem in problems {
        if let Kind::Extent(Diagnostic { message, labels, .. }) = &mut problem.kind {
            labels.append(others.get_mut(message).unwrap_or(&mut Vec::new()));
        }
    }
}
