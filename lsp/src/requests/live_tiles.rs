//! Live tiles in inlay hints, and in the hover on the name of an entry.

use crate::documents::Snapshot;
use std::ops::Range;
use tile_analysis::db::{File, Queries};
use tile_analysis::ir::OpId;
use tile_dataflow::footprint::{Footprint, MAX_REGISTERS, threads};
use tile_input::size::shown;
use tile_launch::find::{self, EntryLaunches};
use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintTooltip};

/// One hint at the end of each line at which other tiles are live than before.
pub(crate) fn hints(
    db: &Queries,
    file: File,
    snapshot: &Snapshot,
    visible: &Range<u32>,
    gpu: Option<&str>,
) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for found in find::find(db, file) {
        let footprint = Footprint::of(&found.entry);
        let threads = threads(&found.entry, gpu);
        let mut before = 0;
        for (id, live) in (0..).map(OpId).zip(&footprint.at) {
            let at = line_end(file.text(db), place(&found, id));
            let is_new = live.total() != before && !found.entry.op(id).op.row().is_terminator();
            if is_new && visible.contains(&at) {
                let registers = live.registers_per_thread(threads);
                let excess = if registers > MAX_REGISTERS { ", more than a thread has" } else { "" };
                let plural = if registers == 1 { "" } else { "s" };
                let tooltip =
                    format!("About {registers} register{plural} per thread of {threads} for these tiles{excess}.");
                hints.push(hint(snapshot, at, format!("{} live", shown(live.total())), tooltip));
            }
            before = if is_new { live.total() } else { before };
        }
    }
    hints
}

/// The live tiles of the entry whose name is at an offset.
pub(crate) fn summary(db: &Queries, file: File, offset: u32, gpu: Option<&str>) -> Option<String> {
    let found = find::at(db, file, offset).filter(|found| found.name.contains(&offset))?;
    let footprint = Footprint::of(&found.entry);
    let (peak, most, threads) = (footprint.peak?, footprint.most(), threads(&found.entry, gpu));
    let text = file.text(db);
    let line = text[..place(&found, peak) as usize].matches('\n').count() + 1;
    let shared = match footprint.shared() {
        0 => String::new(),
        bytes => format!(", and {} of shared memory for factors of products", shown(bytes)),
    };
    Some(format!(
        "\nLive tiles: at most {} in registers, in line {line}. That is about {} registers for each of {threads} \
         threads{shared}, by an estimate from the tiles alone.\n",
        shown(most.registers),
        most.registers_per_thread(threads),
    ))
}

fn place(found: &EntryLaunches, id: OpId) -> u32 {
    found.start + found.spans.op_names.get(id.0 as usize).map_or(0, |range| range.start)
}

/// The end of the line with an offset.
fn line_end(text: &str, offset: u32) -> u32 {
    let rest = &text[offset as usize..];
    let end = rest.find('\n').unwrap_or(rest.len());
    offset + rest[..end].trim_end().len() as u32
}

fn hint(snapshot: &Snapshot, at: u32, label: String, tooltip: String) -> InlayHint {
    InlayHint {
        position: snapshot.text.position(at),
        label: InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
