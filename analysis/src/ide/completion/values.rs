//! The values that are visible at an offset.

use crate::db::{self, File};
use crate::ir::{RegionId, Value};
use crate::lower::Lowered;
use crate::types::Type;
use tile_dialect::Mnemonic;
use tile_syntax::{Node, NodeKind, Tree};

/// A visible value.
#[derive(Clone, Debug)]
pub(in crate::ide) struct Visible {
    /// The spelling of a use: `%a` or `%a#1`.
    pub(in crate::ide) name: String,
    pub(in crate::ide) ty: Type,
    /// The dimension of the grid, if it is an index of the tile block.
    pub(in crate::ide) block_dim: Option<usize>,
}

/// The values visible at an offset of a file, nearest first.
pub(in crate::ide) fn visible(db: &dyn salsa::Database, file: File, offset: u32) -> Vec<Visible> {
    let Some((start, item)) = db::layout(db, file).at(db, offset) else { return Vec::new() };
    let (text, offset) = (item.text(db), offset - start);
    let line = text[..offset as usize].rfind('\n').map_or(0, |at| at as u32);
    let scope = Scope { tree: db::syntax(db, item), lowered: db::lowered(db, item, file), offset, line };
    let open = scope.open_regions();
    let mut found: Vec<(u32, Value)> = scope.results(&open, text).chain(scope.arguments(&open)).collect();
    found.sort_by_key(|&(at, value)| (std::cmp::Reverse(at), value));
    found.into_iter().map(|(_, value)| scope.seen(value, text)).collect()
}

struct Scope<'db> {
    tree: &'db Tree,
    lowered: &'db Lowered,
    offset: u32,
    /// The start of the line of the offset.
    line: u32,
}

impl Scope<'_> {
    /// The regions that contain the offset.
    fn open_regions(&self) -> Vec<RegionId> {
        let body = &self.lowered.body;
        let mut open = vec![RegionId(0)];
        for (op, statement) in body.ops.iter().zip(&self.lowered.spans.statements) {
            if statement.start <= self.offset && self.offset <= statement.end {
                open.extend(body.regions_of(op).filter(|&region| self.contains_offset(region)));
            }
        }
        open
    }

    /// Reports whether the braces around the first op of a region also enclose the offset. True for an empty region.
    fn contains_offset(&self, region: RegionId) -> bool {
        let Some(first) = self.lowered.body.region(region).ops.first() else { return true };
        let place = self.lowered.spans.statements[first.0 as usize].start;
        let path = self.tree.path_to(self.tree.tokens.at(place));
        let around = path.into_iter().rfind(|&node: &Node| self.tree.kind(node) == NodeKind::Region);
        around.is_none_or(|node| {
            let range = self.tree.range(node);
            range.start < self.offset && self.offset <= range.end
        })
    }

    /// The results of statements in these regions that end before the line of the offset. That line belongs to the
    /// statement being written.
    fn results(&self, open: &[RegionId], text: &str) -> impl Iterator<Item = (u32, Value)> {
        let (body, spans) = (&self.lowered.body, &self.lowered.spans);
        let ops = open.iter().flat_map(|&region| &body.region(region).ops);
        let before = ops.filter(|id| spans.statements[id.0 as usize].end <= self.line);
        let results = before.flat_map(|&id| body.results(body.op(id)));
        // The definition range of an unnamed result is the name of its op.
        results
            .map(|value| (spans.definition(value).start, value))
            .filter(|(at, _)| text.as_bytes().get(*at as usize) == Some(&b'%'))
    }

    /// The arguments of these regions that are defined before the offset.
    fn arguments(&self, open: &[RegionId]) -> impl Iterator<Item = (u32, Value)> {
        let args = open.iter().flat_map(|&region| self.lowered.body.region(region).args.iter().copied());
        args.map(|value| (self.lowered.spans.definition(value).start, value)).filter(|(at, _)| *at < self.offset)
    }

    fn seen(&self, value: Value, text: &str) -> Visible {
        let spans = &self.lowered.spans;
        let definition = spans.definition(value);
        let name = &text[definition.start as usize..definition.end as usize];
        // The values of a pack are adjacent.
        let next = spans.definitions.get(value.0 as usize + 1);
        let is_pack = spans.ranks[value.0 as usize] > 0 || next == Some(&definition);
        let name = if is_pack { format!("{name}#{}", spans.ranks[value.0 as usize]) } else { name.to_string() };
        let body = &self.lowered.body;
        let block = body.defining_op(value).map(|op| body.op(op)).filter(|op| op.op == Mnemonic::GetTileBlockId);
        let block_dim = block.map(|op| (value.0 - op.results.start) as usize);
        Visible { name, ty: body.ty(value), block_dim }
    }
}
