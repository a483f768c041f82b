//! The code at the position where actions are requested.

use super::super::cursor::Cursor;
use super::super::definition::defines;
use super::action::replace;
use crate::db::{self, File};
use crate::diagnostic::Edit;
use crate::ir::{Op, OpId, RegionId, Value};
use crate::lower::Lowered;
use crate::suggest::unused;
use rustc_hash::FxHashSet;
use std::ops::Range;
use tile_dialect::OpRow;
use tile_syntax::{Node, NodeKind, Token, Tree};

/// The position where actions are requested.
pub(super) struct ActionContext<'db> {
    pub(super) db: &'db dyn salsa::Database,
    pub(super) file: File,
    /// The selection, in bytes of the file.
    pub(super) range: Range<u32>,
    /// The word at the start of the selection, or the next one on the line.
    pub(super) cursor: Option<Cursor<'db>>,
}

/// An op and its statement in the source.
#[derive(Clone, Copy)]
pub(super) struct OpContext<'a> {
    /// Where the item starts in the file.
    pub(super) base: u32,
    /// The text of the item. All ranges are relative to its start.
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    pub(super) lowered: &'a Lowered,
    /// The statement.
    pub(super) node: Node,
    pub(super) id: OpId,
    pub(super) op: &'a Op,
}

impl<'db> ActionContext<'db> {
    pub(super) fn new(db: &'db dyn salsa::Database, file: File, range: Range<u32>) -> ActionContext<'db> {
        let text = file.text(db).get(range.start as usize..).unwrap_or("");
        let blanks = text.len() - text.trim_start_matches([' ', '\t']).len();
        let cursor = Cursor::new(db, file, range.start);
        let cursor = cursor.or_else(|| Cursor::new(db, file, range.start + blanks as u32));
        let cursor = cursor.filter(is_unambiguous);
        ActionContext { db, file, range, cursor }
    }

    /// The op with the innermost statement around the cursor.
    pub(super) fn here(&self) -> Option<OpContext<'_>> {
        let cursor = self.cursor.as_ref()?;
        let lowered = cursor.lowered?;
        let node = cursor.node(NodeKind::Op)?;
        let name = cursor.tree.child(node, NodeKind::OpName)?;
        let start = cursor.tree.range(name).start;
        let index = lowered.spans.op_names.iter().position(|range| range.start == start)?;
        let id = OpId(index as u32);
        let op = lowered.body.op(id);
        Some(OpContext { base: cursor.base, text: cursor.text, tree: cursor.tree, lowered, node, id, op })
    }

    /// The value named at the cursor, if it has a definition.
    pub(super) fn value(&self) -> Option<(&Cursor<'db>, &'db Lowered, Value)> {
        let cursor = self.cursor.as_ref()?;
        let (lowered, (_, value)) = (cursor.lowered?, cursor.value()?);
        defines(lowered, value).then_some((cursor, lowered, value))
    }

    /// Reports whether the cursor is on the name of an op.
    pub(super) fn is_on_op_name(&self) -> bool {
        self.cursor.as_ref().is_some_and(|cursor| cursor.node(NodeKind::OpName).is_some())
    }

    /// The trees of the file, the outline and each item, with their start offsets and texts.
    pub(super) fn trees(&self) -> impl Iterator<Item = (u32, &'db str, &'db Tree)> + use<'db> {
        let (db, file) = (self.db, self.file);
        let text: &'db str = file.text(db);
        let outline = (0, text, &db::file_outline(db, file).tree);
        let items = db::layout(db, file).items.iter();
        let items = items.map(move |&(start, item)| {
            let text: &'db str = item.text(db);
            (start, text, db::syntax(db, item))
        });
        std::iter::once(outline).chain(items)
    }
}

/// Reports whether names resolve unambiguously at a cursor. A name that is defined twice makes the whole item
/// ambiguous. An undefined name rules out only the statements that use it, because unfinished code is full of undefined
/// names.
fn is_unambiguous(cursor: &Cursor) -> bool {
    let Some(spans) = cursor.lowered.map(|lowered| &lowered.spans) else { return true };
    if spans.has_redefinition {
        return false;
    }
    let names = spans.undeclared.iter().filter_map(|it| cursor.text.get(it.start as usize..it.end as usize));
    let unknown: FxHashSet<&str> = names.collect();
    let Some(node) = cursor.node(NodeKind::Op).filter(|_| !unknown.is_empty()) else { return unknown.is_empty() };
    let (tree, tokens) = (cursor.tree, &cursor.tree.tokens);
    let mut own = tree.tokens_of(node).filter(|&token| tokens.kind(token) == Token::Value);
    !own.any(|token| unknown.contains(tokens.text(token, cursor.text)))
}

impl<'a> OpContext<'a> {
    pub(super) fn row(&self) -> &'static OpRow {
        self.op.op.row()
    }

    /// The whole statement.
    pub(super) fn statement(&self) -> Range<u32> {
        self.lowered.spans.statements[self.id.0 as usize].clone()
    }

    /// The op's name.
    pub(super) fn name(&self) -> Range<u32> {
        self.lowered.spans.op_names[self.id.0 as usize].clone()
    }

    /// Reports whether the statement has no errors, so that it can be rewritten.
    pub(super) fn is_sound(&self) -> bool {
        let statement = self.statement();
        let inside = |range: &Range<u32>| range.start <= statement.end && statement.start <= range.end;
        !self.tree.errors.iter().any(|error| inside(&error.range))
            && !self
                .lowered
                .diagnostics
                .iter()
                .any(|found| found.page.severity == crate::diagnostic::Severity::Error && inside(&found.range))
    }

    /// Reports whether there is a comment inside the statement.
    pub(super) fn has_comment(&self) -> bool {
        let statement = self.statement();
        self.tree.tokens.comments().iter().any(|&(start, end)| statement.start <= start && end <= statement.end)
    }

    /// Another op of the same item.
    pub(super) fn other(&self, id: OpId) -> OpContext<'a> {
        OpContext { id, op: self.lowered.body.op(id), ..*self }
    }

    /// Converts a range of the item to a range of the file.
    pub(super) fn in_file(&self, range: Range<u32>) -> Range<u32> {
        range.start + self.base..range.end + self.base
    }

    /// An edit of the file that replaces a range of the item.
    pub(super) fn edit(&self, range: Range<u32>, content: impl Into<String>) -> Edit {
        replace(self.in_file(range), content)
    }

    /// The region that contains an op.
    pub(super) fn region_of(&self, id: OpId) -> Option<RegionId> {
        let regions = &self.lowered.body.regions;
        regions.iter().position(|region| region.ops.contains(&id)).map(|index| RegionId(index as u32))
    }

    /// The op that a region belongs to; `None` for the body of the entry.
    pub(super) fn owner_of(&self, region: RegionId) -> Option<OpId> {
        let ops = &self.lowered.body.ops;
        ops.iter().position(|op| op.regions.contains(&region.0)).map(|index| OpId(index as u32))
    }

    /// The regions around an op, the innermost first.
    pub(super) fn regions_around(&self, id: OpId) -> Vec<RegionId> {
        let mut found = Vec::new();
        let mut region = self.region_of(id);
        while let Some(id) = region {
            found.push(id);
            region = self.owner_of(id).and_then(|owner| self.region_of(owner));
        }
        found
    }

    /// The name of a value, with `%`; `None` for an unnamed result.
    pub(super) fn name_of(&self, value: Value) -> Option<&'a str> {
        let range = self.lowered.spans.definition(value);
        let name = self.text.get(range.start as usize..range.end as usize)?;
        name.starts_with('%').then_some(name)
    }

    /// The spelling of a use of a value: `%a`, or `%a#1` for one value of a pack.
    pub(super) fn used_as(&self, value: Value) -> Option<String> {
        let name = self.name_of(value)?;
        let rank = self.lowered.spans.ranks[value.0 as usize];
        Some(if self.is_pack(value) { format!("{name}#{rank}") } else { name.to_string() })
    }

    /// Reports whether several values share the name of this one.
    pub(super) fn is_pack(&self, value: Value) -> bool {
        let all = &self.lowered.spans.definitions;
        let own = self.lowered.spans.definition(value);
        all.iter().filter(|&other| *other == own).count() > 1
    }

    /// An unused name in the item, without `%`. A numeric name gets the stem `value`, since `%0_0` is not a valid name.
    pub(super) fn fresh(&self, stem: &str) -> String {
        let is_number = stem.starts_with(|c: char| c.is_ascii_digit());
        let taken = names(self.tree, self.text);
        unused(if is_number { "value" } else { stem }, |name| taken.contains(name))
    }

    /// The indentation of the line of an offset.
    pub(super) fn indent(&self, at: u32) -> &'a str {
        let line = &self.text[line_start(self.text, at)..];
        // The first line of an item can begin in the middle of a line of the file.
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Inserts a statement on a line before another.
    pub(super) fn insert_before(&self, statement: &Range<u32>, new: &str) -> Edit {
        let indent = self.indent(statement.start);
        self.edit(statement.start..statement.start, format!("{new}\n{indent}"))
    }

    /// Inserts a statement on a line after another. A trailing comment of that line stays there.
    pub(super) fn insert_after(&self, statement: &Range<u32>, new: &str) -> Edit {
        let indent = self.indent(statement.start);
        let rest = self.text[statement.end as usize..].split('\n').next().unwrap_or("");
        let is_alone = rest.trim().is_empty() || rest.trim_start().starts_with("//");
        let at = if is_alone { statement.end + rest.trim_end().len() as u32 } else { statement.end };
        self.edit(at..at, format!("\n{indent}{new}"))
    }

    /// Removes a statement, and its whole line if only a comment would remain there.
    pub(super) fn remove(&self, statement: &Range<u32>) -> Edit {
        let start = line_start(self.text, statement.start);
        let before = &self.text[start..statement.start as usize];
        let rest = self.text[statement.end as usize..].split_inclusive('\n').next().unwrap_or("");
        let is_alone = before.trim().is_empty() && (rest.trim().is_empty() || rest.trim_start().starts_with("//"));
        if is_alone && rest.ends_with('\n') {
            return self.edit(start as u32..statement.end + rest.len() as u32, "");
        }
        self.edit(statement.clone(), "")
    }
}

/// The start of the line of an offset.
pub(super) fn line_start(text: &str, at: u32) -> usize {
    text[..at as usize].rfind('\n').map_or(0, |found| found + 1)
}

/// All value names in a tree, without `%`.
pub(super) fn names<'t>(tree: &Tree, text: &'t str) -> FxHashSet<&'t str> {
    let tokens = &tree.tokens;
    let values = (0..tokens.len()).filter(|&token| tokens.kind(token) == Token::Value);
    values.map(|token| tokens.text(token, text).trim_start_matches('%')).collect()
}
