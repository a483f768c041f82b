//! The access map in the hover of a load, a store or an atomic op.

use tile_analysis::db::{File, Queries};
use tile_analysis::ir::OpId;
use tile_dataflow::editor::describe;
use tile_dataflow::names::SourceNames;
use tile_launch::find::{self, EntryLaunches};

/// Describes the access of the op whose name is at an offset, or that loads the value defined there.
pub(crate) fn hover(db: &Queries, file: File, offset: u32) -> Option<String> {
    let text = file.text(db);
    let found = find::at(db, file, offset)?;
    let op = op_at(&found, offset - found.start)?;
    let accesses = tile_dataflow::accesses(&found.entry);
    let access = accesses.iter().find(|access| access.op == op)?;
    let names = SourceNames { body: &found.entry, spans: &found.spans, text: &text[found.start as usize..] };
    Some(describe(access, &names, found.named_launches().next().as_ref()))
}

fn op_at(found: &EntryLaunches, offset: u32) -> Option<OpId> {
    let defined = |(range, value)| (found.spans.definition(value) == range).then(|| found.entry.defining_op(value));
    found.spans.op_at(offset).or_else(|| found.spans.value_at(offset).and_then(defined)?)
}
