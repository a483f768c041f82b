//! Removal of problems that are consequences of others.

use super::problem::{Kind, Problem, Taint};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::ops::Range;

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
        Kind::EarlyTerminator(found) => !misplaced.contains(&found.place.start),
        Kind::MisplacedOp { .. } => !std::mem::replace(&mut has_misplaced_op, true),
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
        Kind::MisplacedTerminator(found) => Some(found.place.start),
        _ => None,
    }
}

/// Reports an extent that several types of the item share only once, with the other places.
fn merge_extents(problems: &mut Vec<Problem>) {
    let mut others: FxHashMap<Option<i64>, Vec<Range<u32>>> = FxHashMap::default();
    problems.retain(|problem| {
        let Kind::Extent(found) = &problem.kind else { return true };
        match others.entry(found.extent) {
            Entry::Vacant(first) => {
                first.insert(Vec::new());
                true
            }
            Entry::Occupied(mut places) => {
                places.get_mut().push(found.place.clone());
                false
            }
        }
    });
    for problem in problems {
        if let Kind::Extent(found) = &mut problem.kind {
            found.others = others.remove(&found.extent).unwrap_or_default();
        }
    }
}
