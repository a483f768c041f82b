//! The values that can be used at an offset.

use crate::db::{self, File};
use crate::ir::{OpId, RegionId, Value};
use crate::lower::Lowered;
use crate::types::Type;
use tile_syntax::{Node, NodeKind, Tree};

/// A value that can be used.
#[derive(Clone, Debug)]
pub(super) struct Visible {
    /// How it is used: `%a` or `%a#1`.
    pub(super) name: String,
    pub(super) ty: Type,
}

/// The values that can be seen at an offset of a file, the nearest first.
pub(super) fn visible(db: &dyn salsa::Database, file: File, offset: u32) -> Vec<Visible> {
    let items = &db::layout(db, file).items;
    let index = items.partition_point(|(start, _)| *start <= offset);
    let Some(&(start, item)) = index.checked_sub(1).map(|index| &items[index]) else { return Vec::new() };
    if offset - start > item.text(db).len() as u32 {
        return Vec::new();
    }
    let (text, offset) = (item.text(db), offset - start);
    let line = text[..offset as usize].rfind('\n').map_or(0, |at| at as u32);
    let scope = Scope { tree: db::syntax(db, item), lowered: db::lowered(db, item, file), offset, line };
    let mut found: Vec<(u32, Value)> = scope.results().chain(scope.arguments()).collect();
    found.sort_by_key(|&(at, value)| (std::cmp::Reverse(at), value));
    found.into_iter().map(|(_, value)| scope.seen(value, text)).collect()
}

struct Scope<'db> {
    tree: &'db Tree,
    lowered: &'db Lowered,
    offset: u32,
    /// Where the line of the offset starts.
    line: u32,
}

impl Scope<'_> {
    /// Results of statements that end before the offset, in a region that holds it. What stands on the line of the offset
    /// is taken for a part of the statement that is being written.
    fn results(&self) -> impl Iterator<Item = (u32, Value)> {
        let spans = &self.lowered.spans;
        let ops = self.lowered.body.ops.iter().zip(&spans.statements);
        let before = ops.filter(|(_, statement)| statement.end <= self.line);
        let seen = before.filter(|(_, statement)| self.is_in_same_region(statement.start));
        let results = seen.flat_map(|(op, _)| op.results.clone().map(Value));
        results.map(|value| (spans.definition(value).start, value)).filter(|(at, value)| self.is_named(*at, *value))
    }

    /// Results that the text does not name have the place of their op.
    fn is_named(&self, at: u32, value: Value) -> bool {
        let spans = &self.lowered.spans;
        !spans.op_names.iter().any(|name| name.start == at && *name == spans.definition(value))
    }

    /// Arguments of the regions that hold the offset.
    fn arguments(&self) -> impl Iterator<Item = (u32, Value)> {
        let regions = self.lowered.body.regions.iter().enumerate();
        let open = regions.filter(|(index, _)| self.is_inside(RegionId(*index as u32)));
        let args = open.flat_map(|(_, region)| region.args.iter().copied());
        args.map(|value| (self.lowered.spans.definition(value).start, value)).filter(|(at, _)| *at < self.offset)
    }

    fn is_inside(&self, region: RegionId) -> bool {
        let ops = &self.lowered.body.ops;
        let owner = (0..ops.len()).map(|id| OpId(id as u32)).find(|id| ops[id.0 as usize].regions.contains(&region.0));
        owner.is_none_or(|id| {
            let statement = &self.lowered.spans.statements[id.0 as usize];
            statement.start <= self.offset && self.offset <= statement.end
        })
    }

    /// Whether the innermost region around a place holds the offset too.
    fn is_in_same_region(&self, place: u32) -> bool {
        let path = self.tree.path_to(self.tree.tokens.at(place));
        let region = path.into_iter().rfind(|&node: &Node| self.tree.kind(node) == NodeKind::Region);
        region.is_none_or(|node| {
            let range = self.tree.range(node);
            range.start < self.offset && self.offset <= range.end
        })
    }

    fn seen(&self, value: Value, text: &str) -> Visible {
        let spans = &self.lowered.spans;
        let definition = spans.definition(value);
        let name = &text[definition.start as usize..definition.end as usize];
        let is_pack = spans.definitions.iter().filter(|&other| *other == definition).count() > 1;
        let name = if is_pack { format!("{name}#{}", spans.ranks[value.0 as usize]) } else { name.to_string() };
        Visible { name, ty: self.lowered.body.ty(value) }
    }
}
