//! Facts about values and entries for hovers: ranges, assumptions, uses, costs.

use crate::db::{self, File};
use crate::ir::{Attr, Body, Predicate, Value};
use crate::lower::Lowered;
use crate::range_analysis::{KnownValues, Launched, known_values};
use std::fmt::Write;
use tile_dialect::Mnemonic;

/// The known integer values and ranges in an item.
pub(in super::super) fn known_of(text: &str, lowered: &Lowered) -> KnownValues {
    known_values(text, &lowered.body, &lowered.spans, &Launched::default())
}

/// The range of an integer value, as a sentence.
pub(super) fn bounds(known: &KnownValues, body: &Body, value: Value) -> Option<String> {
    let (low, high) = known.bounds(value)?;
    let is_one = body.ty(value).as_tile().is_some_and(|tile| tile.rank() == 0);
    let subject = if is_one { "It is" } else { "Every element is" };
    let limit = body.ty(value).as_tile()?.number().map_or(64, |element| element.bits());
    let (lowest, highest) = (i64::MIN >> (64 - limit), i64::MAX >> (64 - limit));
    Some(match (low, high) {
        _ if low == high => format!("{subject} always `{low}`."),
        _ if low == lowest => format!("{subject} at most {high}."),
        _ if high == highest => format!("{subject} at least {low}."),
        _ => format!("{subject} between {low} and {high}."),
    })
}

/// The assumptions about a value from `assume`, nearest first, as phrases that complete "assumed to be".
pub(super) fn assumptions(body: &Body, value: Value) -> Vec<String> {
    let (mut found, mut value) = (Vec::new(), value);
    let assumption = |value| body.defining_op(value).map(|op| body.op(op)).filter(|op| op.op == Mnemonic::Assume);
    while let Some(op) = assumption(value) {
        let predicate = body.attrs_of(op).iter().find_map(|attr| match attr {
            Attr::Predicate(predicate) => Some(predicate),
            _ => None,
        });
        let is_pointer = body.ty(value).as_tile().is_some_and(|tile| tile.pointee().is_some());
        found.extend(predicate.map(|predicate| words(predicate, is_pointer)));
        let Some(&source) = body.operands(op).first() else { break };
        value = source;
    }
    found
}

fn words(predicate: &Predicate, is_pointer: bool) -> String {
    match predicate {
        Predicate::DivBy { divisor, every_along: None } if is_pointer => format!("aligned to {divisor} bytes"),
        Predicate::DivBy { divisor, every_along: None } => format!("divisible by {divisor}"),
        Predicate::DivBy { divisor, every_along: Some((every, along)) } => {
            let first =
                if is_pointer { format!("aligned to {divisor} bytes") } else { format!("divisible by {divisor}") };
            format!("consecutive within each group of {every} elements along dimension {along}, the first {first}")
        }
        Predicate::SameElements(groups) => {
            let groups = groups.iter().map(i64::to_string).collect::<Vec<_>>().join(" × ");
            format!("equal within each group of {groups} elements")
        }
        Predicate::Bounded(low, high) => match (low, high) {
            (Some(low), Some(high)) => format!("between {low} and {high}"),
            (Some(low), None) => format!("at least {low}"),
            (None, Some(high)) => format!("at most {high}"),
            (None, None) => "any value".to_string(),
        },
    }
}

/// The number of uses, as a sentence.
pub(super) fn uses(lowered: &Lowered, values: &[Value]) -> String {
    let count = lowered.spans.uses.iter().filter(|(_, used)| values.contains(used)).count();
    match count {
        0 => "Unused.".to_string(),
        1 => "Used once.".to_string(),
        2 => "Used twice.".to_string(),
        _ => format!("Used {count} times."),
    }
}

/// The estimated cost of an entry per tile block; empty if it is zero.
pub(super) fn cost_of_entry(db: &dyn salsa::Database, file: File, name: &str) -> String {
    let items = db::layout(db, file).items.iter();
    let mut items = items.map(|&(_, item)| (item.text(db), db::lowered(db, item, file)));
    let Some((text, lowered)) = items.find(|(_, lowered)| *lowered.body.name == *name) else { return String::new() };
    let known = known_of(text, lowered);
    let cost = super::super::cost::of_region(&lowered.body, &known, crate::ir::RegionId(0));
    if cost.is_nothing() {
        return String::new();
    }
    let mut out = format!("\nPer tile block: {cost}");
    if cost.read + cost.written > 0 && cost.operations > 0 {
        let intensity = cost.operations as f64 / (cost.read + cost.written) as f64;
        let _ = write!(out, " ({intensity:.1} operations per byte)");
    }
    if cost.is_open {
        out.push_str(". Each branch, and each loop of unknown trip count, is counted once");
    }
    out + ". Accesses count as full tiles, regardless of masks and bounds.\n"
}
