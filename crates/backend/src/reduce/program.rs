//! A parsed and checked program.

use std::collections::BTreeSet;
use std::ops::Range;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::Severity;
use tile_analysis::ir::{RegionId, Value};
use tile_analysis::lower::Lowered;
use tile_analysis::outline::Outline;
use tile_syntax::{PieceKind, Tree, parse_item, split};

/// A program with its outline and items.
pub(super) struct ParsedProgram {
    pub(super) text: String,
    pub(super) outline: Outline,
    pub(super) items: Vec<Item>,
}

/// An entry. Offsets inside are relative to its start.
pub(super) struct Item {
    /// Its range in the file.
    pub(super) range: Range<u32>,
    pub(super) lowered: Lowered,
    pub(super) tree: Tree,
}

/// The codes of errors.
pub(super) type Codes = BTreeSet<&'static str>;

/// The errors of a program.
pub(super) fn mistakes(text: &str, options: Options) -> Codes {
    codes(&batch::check(text, options, |_| Keep::Nothing))
}

fn codes(checked: &Checked) -> Codes {
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.page.code).collect()
}

impl ParsedProgram {
    pub(super) fn new(text: &str, options: Options) -> ParsedProgram {
        let checked = batch::check(text, options, |_| Keep::Everything);
        let pieces = split(text).into_iter().filter(|piece| piece.kind == PieceKind::Item);
        let items = pieces.zip(checked.items).filter_map(|(piece, (_, lowered))| {
            let range = piece.range.start as u32..piece.range.end as u32;
            Some(Item { range, lowered: lowered?, tree: parse_item(&text[piece.range]) })
        });
        ParsedProgram { text: text.to_string(), items: items.collect(), outline: checked.outline }
    }

    /// The text of an item.
    pub(super) fn text_of(&self, item: &Item) -> &str {
        &self.text[item.range.start as usize..item.range.end as usize]
    }
}

impl Item {
    /// Converts a range in the item to one in the file.
    pub(super) fn in_file(&self, range: &Range<u32>) -> Range<u32> {
        range.start + self.range.start..range.end + self.range.start
    }

    /// The name of a value at its uses: `%a`, or `%a#1` for a value of a pack. `None` if it has no name.
    pub(super) fn name_of(&self, text: &str, value: Value) -> Option<String> {
        let definition = self.lowered.spans.definitions.get(value.0 as usize)?;
        let name = text.get(definition.start as usize..definition.end as usize)?;
        let name = name.split(':').next()?.trim();
        let rank = self.lowered.spans.ranks[value.0 as usize];
        match (name.starts_with('%'), self.is_pack(value)) {
            (false, _) => None,
            (true, false) => Some(name.to_string()),
            (true, true) => Some(format!("{name}#{rank}")),
        }
    }

    /// Whether several values share the name of this one.
    pub(super) fn is_pack(&self, value: Value) -> bool {
        let all = &self.lowered.spans.definitions;
        let own = &all[value.0 as usize];
        all.iter().filter(|other| *other == own).count() > 1
    }

    /// The region of each op.
    pub(super) fn op_regions(&self) -> Vec<RegionId> {
        let body = &self.lowered.body;
        let mut found = vec![RegionId(0); body.ops.len()];
        for (index, region) in body.regions.iter().enumerate() {
            region.ops.iter().for_each(|op| found[op.0 as usize] = RegionId(index as u32));
        }
        found
    }
}
