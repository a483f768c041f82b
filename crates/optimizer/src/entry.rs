//! An entry with its text, and the structure of its regions.

use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::ir::{Attr, Body, Def, Dense, Op, OpId, RegionId, Value};
use tile_analysis::lower::Lowered;
use tile_dialect::Mnemonic;
use tile_syntax::{PieceKind, Tree, parse_item, split};

/// An entry. Ranges inside are relative to its start.
pub(crate) struct Entry<'t> {
    /// Where it starts in the file.
    pub(crate) start: u32,
    pub(crate) text: &'t str,
    pub(crate) tree: Tree,
    pub(crate) lowered: Lowered,
    /// The region of each op.
    regions: Vec<RegionId>,
    /// The op of each region; `None` for the body of the entry.
    owners: Vec<Option<OpId>>,
    /// How often each value is used.
    uses: Vec<u32>,
    /// Whether several values share the name of each one.
    pub(crate) is_pack: Vec<bool>,
}

/// The entries of a program, or the errors of the program.
pub(crate) fn entries(text: &str, options: Options) -> Result<Vec<Entry<'_>>, Vec<Diagnostic>> {
    let checked = batch::check(text, options, |_| Keep::Everything);
    let errors = checked.diagnostics.into_iter().filter(|found| found.severity == Severity::Error);
    let errors: Vec<Diagnostic> = errors.collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let pieces = split(text).into_iter().filter(|piece| piece.kind == PieceKind::Item);
    let items = pieces.zip(checked.items);
    let items = items.filter_map(|(piece, (start, lowered))| Entry::of(start, &text[piece.range], lowered?));
    Ok(items.collect())
}

impl<'t> Entry<'t> {
    /// The entry at an offset of the file; `None` for a function, which has no body.
    pub(crate) fn of(start: u32, text: &'t str, lowered: Lowered) -> Option<Entry<'t>> {
        if lowered.op != Mnemonic::Entry {
            return None;
        }
        let body = &lowered.body;
        let mut regions = vec![RegionId(0); body.ops.len()];
        for (index, region) in body.regions.iter().enumerate() {
            region.ops.iter().for_each(|op| regions[op.0 as usize] = RegionId(index as u32));
        }
        let mut owners = vec![None; body.regions.len()];
        let mut uses = vec![0; body.values.len()];
        for (index, op) in body.ops.iter().enumerate() {
            body.regions_of(op).for_each(|region| owners[region.0 as usize] = Some(OpId(index as u32)));
            body.operands(op).iter().for_each(|value| uses[value.0 as usize] += 1);
        }
        let mut definitions: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        let places = || lowered.spans.definitions.iter().map(|range| (range.start, range.end));
        places().for_each(|place| *definitions.entry(place).or_default() += 1);
        let is_pack = places().map(|place| definitions[&place] > 1).collect();
        Some(Entry { start, text, tree: parse_item(text), lowered, regions, owners, uses, is_pack })
    }

    pub(crate) fn body(&self) -> &Body {
        &self.lowered.body
    }

    pub(crate) fn op(&self, id: OpId) -> &Op {
        self.body().op(id)
    }

    /// Every op, in pre-order.
    pub(crate) fn ops(&self) -> impl Iterator<Item = (OpId, &Op)> {
        (0..).map(OpId).zip(&self.body().ops)
    }

    /// The region that contains an op.
    pub(crate) fn region_of(&self, op: OpId) -> RegionId {
        self.regions[op.0 as usize]
    }

    /// The op that a region belongs to; `None` for the body of the entry.
    pub(crate) fn owner_of(&self, region: RegionId) -> Option<OpId> {
        self.owners[region.0 as usize]
    }

    /// Whether a region is another one or is nested in it.
    pub(crate) fn is_within(&self, mut region: RegionId, outer: RegionId) -> bool {
        while region != outer {
            let Some(owner) = self.owner_of(region) else { return false };
            region = self.region_of(owner);
        }
        true
    }

    /// The region in which a value is defined.
    pub(crate) fn region_defining(&self, value: Value) -> RegionId {
        match self.body().def(value) {
            Some(Def::Result(op, _)) => self.region_of(op),
            Some(Def::Argument(region, _)) => region,
            None => RegionId(0),
        }
    }

    /// How often a value is used.
    pub(crate) fn use_count(&self, value: Value) -> u32 {
        self.uses[value.0 as usize]
    }

    /// The only result of an op.
    pub(crate) fn result(&self, op: &Op) -> Option<Value> {
        (op.results.len() == 1).then_some(Value(op.results.start))
    }

    /// The op whose first result is a value, if it has this mnemonic.
    pub(crate) fn defined_by(&self, value: Value, mnemonic: Mnemonic) -> Option<&Op> {
        match self.body().def(value)? {
            Def::Result(op, 0) => Some(self.op(op)).filter(|op| op.op == mnemonic),
            _ => None,
        }
    }

    /// The elements of a value that a `constant` defines.
    pub(crate) fn constant(&self, value: Value) -> Option<&Dense> {
        let op = self.defined_by(value, Mnemonic::Constant)?;
        self.body().attrs_of(op).iter().find_map(|attr| match attr {
            Attr::Dense(dense) => Some(&**dense),
            _ => None,
        })
    }

    /// The bits of all elements of a value that a `constant` defines, if they are equal.
    pub(crate) fn splat(&self, value: Value) -> Option<u64> {
        match *self.constant(value)?.bits {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The statement of an op.
    pub(crate) fn statement(&self, op: OpId) -> Range<u32> {
        self.lowered.spans.statements[op.0 as usize].clone()
    }

    /// The text of a range.
    pub(crate) fn slice(&self, range: &Range<u32>) -> &'t str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    /// Whether there is a comment in a range.
    pub(crate) fn has_comment(&self, range: &Range<u32>) -> bool {
        self.tree.tokens.comments().iter().any(|&(start, end)| range.start <= start && end <= range.end)
    }
}
