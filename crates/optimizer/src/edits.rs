//! From changes to edits of the text.

use crate::change::{Change, Changes, NewOp};
use crate::entry::Entry;
use crate::names::FreshNames;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use tile_analysis::diagnostic::Edit;
use tile_analysis::ir::{Body, OpId, RegionId, Value};
use tile_analysis::print::{Names, OneOp, Style};
use tile_dialect::Version;
use tile_syntax::{Node, NodeKind};

/// The edits of the file that make changes of an entry, and the number of improvements. Edits do not overlap, and are
/// in order of position. A statement with a comment inside is not rewritten, because the comment would be lost.
pub(crate) fn edits(entry: &Entry<'_>, version: Version, changes: &Changes) -> (usize, Vec<Edit>) {
    let keeps_comments = |change: &Change| match change {
        Change::Rewrite(op, _) => !entry.has_comment(&entry.statement(*op)),
        _ => true,
    };
    let made: Vec<&Vec<Change>> = changes.iter().filter(|changes| changes.iter().all(keeps_comments)).collect();
    // Lists repeat changes that they share.
    let mut all: Vec<Change> = Vec::new();
    let mut known: FxHashSet<OpId> = FxHashSet::default();
    for change in made.iter().flat_map(|changes| changes.iter()) {
        if !matches!(change, Change::Hoist { op, .. } if !known.insert(*op)) {
            all.push(change.clone());
        }
    }
    (made.len(), edits_of(entry, version, &all))
}

fn edits_of(entry: &Entry<'_>, version: Version, changes: &[Change]) -> Vec<Edit> {
    let mut writer = Writer::new(entry, version, changes);
    changes.iter().for_each(|change| writer.local(change));
    writer.local.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut all = writer.local.clone();
    changes.iter().for_each(|change| writer.structural(change, &mut all));
    let in_file = |edit: Edit| Edit { range: edit.range.start + entry.start..edit.range.end + entry.start, ..edit };
    without_overlaps(all).into_iter().map(in_file).collect()
}

/// The text after edits that do not overlap.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(text.get(at..edit.range.start as usize).unwrap_or_default());
        out.push_str(&edit.content);
        at = edit.range.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Sorts edits, and drops those inside of others.
fn without_overlaps(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    // An insertion before a replaced range comes first.
    edits.sort_by_key(|edit| (edit.range.start, edit.range.start != edit.range.end));
    let mut end = 0;
    edits.retain(|edit| {
        let is_kept = edit.range.start >= end;
        end = if is_kept { edit.range.end } else { end };
        is_kept
    });
    edits
}

struct Writer<'e, 't> {
    entry: &'e Entry<'t>,
    version: Version,
    /// The value that is used instead of each one.
    uses: FxHashMap<Value, Value>,
    /// The new names of moved values.
    renamed: FxHashMap<Value, String>,
    /// The edits within statements, and removals.
    local: Vec<Edit>,
    /// The entry with the new ops.
    body: Body,
    /// The names of the values.
    names: Names,
    /// The nodes of the statements, by where they start.
    nodes: FxHashMap<u32, Node>,
}

impl<'e, 't> Writer<'e, 't> {
    fn new(entry: &'e Entry<'t>, version: Version, changes: &[Change]) -> Writer<'e, 't> {
        let uses = changes.iter().filter_map(|change| match *change {
            Change::Use { instead_of, value } => Some((instead_of, value)),
            _ => None,
        });
        let tree = &entry.tree;
        let nodes = tree.descendants(Node::ROOT).filter(|&node| tree.kind(node) == NodeKind::Op);
        let mut writer = Writer {
            entry,
            version,
            uses: uses.collect(),
            renamed: FxHashMap::default(),
            local: Vec::new(),
            body: entry.body().clone(),
            names: Names::written(entry.text, &entry.lowered.spans),
            nodes: nodes.map(|node| (tree.range(node).start, node)).collect(),
        };
        writer.rename_moved(changes);
        let all = &entry.lowered.spans.uses;
        let spelled = all.iter().filter_map(|(range, value)| {
            let is_changed = writer.uses.contains_key(value) || writer.renamed.contains_key(value);
            let content = is_changed.then(|| writer.spelling(*value)).flatten()?;
            Some(Edit { range: range.clone(), content })
        });
        let spelled: Vec<Edit> = spelled.collect();
        writer.local.extend(spelled);
        writer
    }

    /// Renames the values that move to an outer scope, if another definition has their name.
    fn rename_moved(&mut self, changes: &[Change]) {
        let body = self.entry.body();
        let moved = changes.iter().flat_map(|change| match *change {
            Change::Hoist { op, .. } => body.results(body.op(op)).collect(),
            Change::Inline(_, region) => {
                body.region(region).ops.iter().flat_map(|&op| body.results(body.op(op))).collect()
            }
            _ => Vec::new(),
        });
        let mut fresh = FreshNames::new(self.entry);
        let mut by_definition: FxHashMap<u32, Option<String>> = FxHashMap::default();
        for value in moved {
            let Some(name) = self.entry.name_of(value) else { continue };
            let range = self.entry.lowered.spans.definition(value);
            let is_first = !by_definition.contains_key(&range.start);
            let new = by_definition.entry(range.start).or_insert_with(|| fresh.replacement(name)).clone();
            let Some(new) = new else { continue };
            self.renamed.insert(value, new.clone());
            if is_first {
                self.local.push(Edit { range, content: new });
            }
        }
    }

    /// The value to use instead of a value, or the value itself.
    fn resolved(&self, mut value: Value) -> Value {
        // A chain cannot be longer than the map.
        for _ in 0..=self.uses.len() {
            match self.uses.get(&value) {
                Some(&other) => value = other,
                None => break,
            }
        }
        value
    }

    /// The spelling of a use of a value after the changes.
    fn spelling(&self, value: Value) -> Option<String> {
        let value = self.resolved(value);
        match self.renamed.get(&value) {
            Some(name) => self.entry.spelling_as(value, name),
            None => self.entry.spelling(value),
        }
    }

    /// Adds the edits of a change that concern its statement alone.
    fn local(&mut self, change: &Change) {
        match change {
            Change::Remove(op) => {
                let range = self.whole_lines(&self.entry.statement(*op));
                self.local.push(Edit { range, content: String::new() });
            }
            Change::Rewrite(op, new) => self.rewrite(*op, new),
            _ => {}
        }
    }

    fn rewrite(&mut self, op: OpId, new: &NewOp) {
        let entry = self.entry;
        let start = entry.lowered.spans.op_names[op.0 as usize].start;
        let range = start..self.end_before_location(op);
        let groups: Vec<Vec<Value>> =
            new.groups.iter().map(|group| group.iter().map(|&value| self.resolved(value)).collect()).collect();
        let groups: Vec<&[Value]> = groups.iter().map(Vec::as_slice).collect();
        self.body.replace_op(op, new.op, &groups, new.attrs.iter().cloned());
        let printed = OneOp { body: &self.body, names: &self.names, op, depth: 0 };
        let written = |style| printed.written(style, self.version);
        if let Some(content) = written(Style::Custom).or_else(|| written(Style::Generic)) {
            self.local.push(Edit { range, content });
        }
    }

    /// The end of a statement, without its `loc(…)`.
    fn end_before_location(&self, op: OpId) -> u32 {
        let (entry, statement) = (self.entry, self.entry.statement(op));
        let location = self.node(op).and_then(|node| entry.tree.child(node, NodeKind::Location));
        let Some(location) = location else { return statement.end };
        let before = entry.slice(&(statement.start..entry.tree.range(location).start));
        statement.start + before.trim_end().len() as u32
    }

    /// The node of a statement.
    fn node(&self, op: OpId) -> Option<Node> {
        self.nodes.get(&self.entry.statement(op).start).copied()
    }

    /// Adds the edits of a change that moves statements, with the edits inside of them.
    fn structural(&self, change: &Change, all: &mut Vec<Edit>) {
        match *change {
            Change::Hoist { op, before } => self.hoist(op, before, all),
            Change::Inline(op, region) => all.extend(self.inline(op, region)),
            _ => {}
        }
    }

    fn hoist(&self, op: OpId, before: OpId, all: &mut Vec<Edit>) {
        let (entry, statement) = (self.entry, self.entry.statement(op));
        let at = entry.statement(before).start;
        let lines = self.whole_lines(&statement);
        // A comment at the end of the line moves along.
        let moved = statement.start..statement.end.max(lines.end);
        let content = format!("{}\n{}", self.rendered(&moved).trim_end(), self.indent(at));
        all.push(Edit { range: lines, content: String::new() });
        all.push(Edit { range: at..at, content });
    }

    fn inline(&self, op: OpId, region: RegionId) -> Option<Edit> {
        let (entry, statement) = (self.entry, self.entry.statement(op));
        let index = entry.body().regions_of(entry.op(op)).position(|own| own == region)?;
        let braces = entry.tree.children_of(self.node(op)?, NodeKind::Region).nth(index)?;
        let braces = entry.tree.range(braces);
        let inside = braces.start + 1..braces.end.checked_sub(1)?;
        let last = entry.body().region(region).ops.last()?;
        // An implicit terminator is at the closing brace.
        let end = entry.statement(*last).start.min(inside.end);
        let content = self.rendered(&(inside.start..end));
        let shift = self.inner_indent(region).saturating_sub(self.indent(statement.start).len());
        let lines = content.trim().split('\n').map(|line| {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            &line[blanks.min(shift)..]
        });
        let content = lines.collect::<Vec<_>>().join("\n");
        let range = if content.is_empty() { self.whole_lines(&statement) } else { statement };
        Some(Edit { range, content })
    }

    /// The indentation of the first statement of a region.
    fn inner_indent(&self, region: RegionId) -> usize {
        let first = self.entry.body().region(region).ops.first();
        first.map_or(0, |&first| self.indent(self.entry.statement(first).start).len())
    }

    /// The text of a range after the local edits inside of it.
    fn rendered(&self, range: &Range<u32>) -> String {
        let first = self.local.partition_point(|edit| edit.range.start < range.start);
        let near = self.local[first..].iter().take_while(|edit| edit.range.start <= range.end);
        let inside = near.filter(|edit| edit.range.end <= range.end).map(|edit| Edit {
            range: edit.range.start - range.start..edit.range.end - range.start,
            content: edit.content.clone(),
        });
        apply(self.entry.slice(range), &without_overlaps(inside.collect()))
    }

    /// The start of the line of an offset.
    fn line_start(&self, at: u32) -> u32 {
        let before = &self.entry.text[..at as usize];
        before.rfind('\n').map_or(0, |found| found as u32 + 1)
    }

    /// The indentation of the line of an offset.
    fn indent(&self, at: u32) -> &'t str {
        let line = &self.entry.text[self.line_start(at) as usize..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Extends the range of a statement to its whole lines if nothing but a comment follows it there.
    fn whole_lines(&self, statement: &Range<u32>) -> Range<u32> {
        let start = self.line_start(statement.start);
        let before = self.entry.slice(&(start..statement.start));
        let rest = self.entry.text[statement.end as usize..].split_inclusive('\n').next().unwrap_or("");
        let is_alone = before.trim().is_empty() && (rest.trim().is_empty() || rest.trim_start().starts_with("//"));
        if is_alone && rest.ends_with('\n') { start..statement.end + rest.len() as u32 } else { statement.clone() }
    }
}
