//! The access map in the hover of a load, a store or an atomic op, and the iterations in the hover of a loop.

use tile_analysis::db::{File, Queries};
use tile_analysis::ir::{OpId, Value};
use tile_dataflow::editor::{describe, describe_loop};
use tile_dataflow::names::SourceNames;
use tile_dataflow::repetition::Repetition;
use tile_dialect::Mnemonic;
use tile_launch::find::{self, EntryLaunches};

/// Describes the access of the op whose name is at an offset, or that loads the value defined there, or the iterations
/// of the loop whose name or induction variable is there.
pub fn hover(db: &Queries, file: File, offset: u32) -> Option<String> {
    let text = file.text(db);
    let found = find::at(db, file, offset)?;
    let names = SourceNames { body: &found.entry, spans: &found.spans, text: &text[found.start as usize..] };
    let launch = found.named_launches().next();
    let place = offset - found.start;
    if let Some(repetition) = loop_at(&found, place) {
        return Some(describe_loop(&repetition, &names, launch.as_ref())).filter(|text| !text.is_empty());
    }
    let op = op_at(&found, place)?;
    let accesses = tile_dataflow::accesses(&found.entry);
    let access = accesses.iter().find(|access| access.op == op)?;
    Some(describe(access, &names, launch.as_ref()))
}

/// The loop at an offset of an entry.
fn loop_at(found: &EntryLaunches, place: u32) -> Option<Repetition> {
    let (op, value) = (found.spans.op_at(place), found.spans.value_at(place).map(|(_, value)| value));
    let is_loop = |op: OpId| matches!(found.entry.op(op).op, Mnemonic::For | Mnemonic::Loop);
    let is_argument = |value: Value| found.entry.defining_op(value).is_none();
    if !(op.is_some_and(is_loop) || value.is_some_and(is_argument)) {
        return None;
    }
    tile_dataflow::repetitions(&found.entry).into_iter().find(|repetition| {
        repetition.loops.last().is_some_and(|own| op == Some(own.op) || value.is_some() && value == own.induction)
    })
}

fn op_at(found: &EntryLaunches, offset: u32) -> Option<OpId> {
    let defined = |(range, value)| (found.spans.definition(value) == range).then(|| found.entry.defining_op(value));
    found.spans.op_at(offset).or_else(|| found.spans.value_at(offset).and_then(defined)?)
}
