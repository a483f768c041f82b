//! Tokens to insert into a statement, as edits of the text.

use crate::diagnostic::{Diagnostic, Edit};
use std::ops::Range;
use tile_syntax::{ErrorKind, Expected, NO_SLOT, Node, NodeKind, SyntaxError, Token, Tree, parse_item};

/// A text and its tree.
#[derive(Clone, Copy)]
pub(super) struct Source<'s> {
    pub(super) text: &'s str,
    pub(super) tree: &'s Tree,
}

/// Text to insert before a token.
#[derive(Clone, Debug)]
pub(super) struct Insertion {
    /// The token before which to insert the text.
    pub(super) before: usize,
    /// One or more tokens, with the blanks between them.
    pub(super) text: String,
    /// Whether a blank separates it from the token before it.
    apart: bool,
    /// Whether it ends with types.
    pub(super) types: bool,
    /// The offset of the insertion, if it is inside a token: `tile4xf32>`.
    pub(super) inside: Option<u32>,
}

impl Insertion {
    pub(super) fn new(before: usize, text: String) -> Insertion {
        Insertion { before, text, apart: true, types: false, inside: None }
    }

    /// Appends another insertion before the same token. Returns whether it is before the same one.
    pub(super) fn absorb(&mut self, later: &Insertion) -> bool {
        let is_same = self.before == later.before;
        if is_same {
            let blank = if later.apart { " " } else { "" };
            self.text = format!("{}{blank}{}", self.text, later.text);
            self.types |= later.types;
        }
        is_same
    }

    /// Appends a mark or keyword to the insertions.
    pub(super) fn push(all: &mut Vec<Insertion>, before: usize, text: &str, apart: bool) {
        match all.last_mut().filter(|last| last.before == before) {
            Some(last) => {
                let is_opened = last.text.ends_with(['(', '[', '<']);
                let blank = if apart && !is_opened { " " } else { "" };
                last.text = format!("{}{blank}{text}", last.text);
            }
            None => all.push(Insertion { apart, ..Insertion::new(before, text.to_string()) }),
        }
    }

    /// Appends types to the insertions.
    pub(super) fn push_types(all: &mut Vec<Insertion>, before: usize, types: &str) {
        Insertion::push(all, before, types, true);
        all.iter_mut().rev().take(1).for_each(|last| last.types = true);
    }
}

/// The replacement for each region when only the header of an op is parsed.
const ANY_REGION: &str = "{\n%0 = make_token : token\n}";

impl Source<'_> {
    /// The missing marks inside the parts of an op: a bracket or a comma in a type, an attribute, a dictionary or a
    /// signature.
    pub(super) fn marks_inside<'e>(&self, op: Node, errors: impl Iterator<Item = &'e SyntaxError>) -> Vec<Insertion> {
        let mut found: Vec<Insertion> = errors.filter_map(|error| self.mark(op, error)).collect();
        found.sort_by_key(|mark| mark.before);
        found
    }

    fn mark(&self, op: Node, error: &SyntaxError) -> Option<Insertion> {
        let ErrorKind::Expected(Expected::Text(text)) = error.kind else { return None };
        if text.contains([' ', '{', '}']) {
            return None;
        }
        let tree = self.tree;
        let before = tree.tokens.at(error.range.start);
        let name = tree.child(op, NodeKind::OpName);
        let is_generic = name.is_some_and(|name| tree.token(name, 0) == Token::String);
        let is_read_by_row = tree.slot(op) != NO_SLOT && !is_generic;
        // Printing the row adds the marks between the parts of an op; this finds those inside a part or at its end.
        let closes = |part: Node| match text {
            ">" => true,
            "]" => tree.kind(part) == NodeKind::Attr,
            ")" => matches!(tree.kind(part), NodeKind::Signature | NodeKind::Location),
            _ => false,
        };
        let is_around = |&part: &Node| {
            let tokens = tree.tokens_of(part);
            tokens.start < before && before < tokens.end
                || before == tokens.end && (closes(part) || !is_read_by_row)
                || before == tokens.start && (text == "<" || !is_read_by_row)
        };
        let is_part = |&part: &Node| {
            !is_read_by_row
                || matches!(
                    tree.kind(part),
                    NodeKind::Type
                        | NodeKind::Attr
                        | NodeKind::Dict
                        | NodeKind::Signature
                        | NodeKind::BlockArg
                        | NodeKind::Location
                )
        };
        tree.children(op).filter(is_part).find(is_around)?;
        let start = error.range.start;
        let inside = (tree.tokens.start(before) < start && start < tree.tokens.end(before)).then_some(start);
        let apart = matches!(text, "=" | "->" | "<");
        Some(Insertion { apart, inside, ..Insertion::new(before, text.to_string()) })
    }

    /// The edits for these insertions. `None` if the header of the op still has a syntax error afterwards, or has
    /// become another op.
    pub(super) fn edits(&self, op: Node, insertions: &[Insertion]) -> Option<Vec<Edit>> {
        if insertions.is_empty() {
            return None;
        }
        let edits: Vec<Edit> = insertions.iter().map(|insertion| self.edit(insertion)).collect();
        let tree = parse_item(&self.header(op, &edits));
        let mut ops = tree.children(Node::ROOT);
        let is_same = ops.next().is_some_and(|found| tree.slot(found) == self.tree.slot(op)) && ops.next().is_none();
        (is_same && tree.errors.is_empty()).then_some(edits)
    }

    /// The text of an op after edits, with [`ANY_REGION`] for each of its regions.
    fn header(&self, op: Node, edits: &[Edit]) -> String {
        let regions = self.tree.children_of(op, NodeKind::Region).map(|region| self.tree.range(region));
        let mut changes: Vec<(Range<u32>, &str)> = regions.map(|region| (region, ANY_REGION)).collect();
        changes.extend(edits.iter().map(|edit| (edit.range.clone(), edit.content.as_str())));
        changes.sort_by_key(|(range, _)| (range.start, range.end));
        let whole = self.tree.range(op);
        let (mut text, mut at) = (String::new(), whole.start);
        for (range, content) in changes {
            text.push_str(self.text.get(at as usize..range.start as usize).unwrap_or_default());
            text.push_str(content);
            at = range.end;
        }
        text.push_str(self.text.get(at as usize..whole.end as usize).unwrap_or_default());
        text
    }

    /// The edit for an insertion. It replaces the blanks between its neighbors; a comment or a line break remains
    /// after it.
    fn edit(&self, insertion: &Insertion) -> Edit {
        if let Some(at) = insertion.inside {
            return Edit { range: at..at, content: insertion.text.clone() };
        }
        let (tokens, before) = (&self.tree.tokens, insertion.before);
        let end = before.checked_sub(1).map_or(0, |last| tokens.end(last));
        let start = tokens.start(before).max(end);
        let gap = &self.text[end as usize..start as usize];
        let joins_left = !insertion.apart || insertion.text.starts_with([',', ')', ']', '>']);
        let left = if joins_left || end == 0 { "" } else { " " };
        if !gap.bytes().all(|byte| byte == b' ') || before >= tokens.len() {
            return Edit { range: end..end, content: format!("{left}{}", insertion.text) };
        }
        let next = tokens.text(before, self.text);
        let joins_right = insertion.text.ends_with(['(', '[', '<']) || next.starts_with([',', ')', ']', '>', ':']);
        let right =
            if joins_right && !gap.ends_with(' ') || insertion.text.ends_with(['(', '[', '<']) { "" } else { " " };
        Edit { range: end..start, content: format!("{left}{}{right}", insertion.text) }
    }
}

/// The most syntax errors between the items of a file for which marks are offered, because each requires a search of
/// the tree.
const MAX_MARKS: usize = 100;

/// Offers fixes for missing marks between the items of a file.
pub(crate) fn missing_marks(text: &str, tree: &Tree, diagnostics: &mut [Diagnostic]) {
    let source = Source { text, tree };
    for (error, found) in tree.errors.iter().zip(diagnostics).take(MAX_MARKS) {
        let is_around = |&op: &Node| {
            let range = tree.range(op);
            tree.kind(op) == NodeKind::Op && range.start <= error.range.start && error.range.end <= range.end
        };
        let Some(op) = tree.descendants(Node::ROOT).filter(is_around).last() else { continue };
        let Some(mark) = source.mark(op, error) else { continue };
        let title = format!("insert `{}`", mark.text);
        if let Some(edits) = source.edits(op, &[mark]) {
            *found = found.clone().safe_fix_all(title, edits);
        }
    }
}
