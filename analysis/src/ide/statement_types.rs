//! The types that complete a statement.

use super::completion::values::visible;
use crate::context::Context;
use crate::db::{self, File};
use crate::ir::{Attr, Body};
use crate::likely_types::{self, Literal, Statement};
use crate::lower::repair::types_text;
use crate::lower::{KnownTypes, lower_item};
use crate::source::Spans;
use crate::types::Type;
use tile_dialect::{AttrKind, AttrName, Named};
use tile_syntax::{ErrorKind, Expected, Node, NodeKind, Token, Tree, parse_item};

/// A statement that ends at an offset.
#[derive(Debug)]
pub(super) struct Unfinished {
    statement: Statement,
    /// The text of its types as far as they are written: from its first colon or arrow.
    typed: String,
    /// Whether nothing is missing before its types.
    has_operands: bool,
}

impl Unfinished {
    /// The rest of the statement's types, likeliest first, from the first colon or arrow on. Empty if the operands are
    /// not known or do not fit.
    pub(super) fn rests(&self) -> Vec<String> {
        texts(&self.statement).iter().filter_map(|types| rest(types, &self.typed)).collect()
    }

    /// The rest of the statement, if its types are all that is missing.
    pub(super) fn rest(&self) -> Option<String> {
        self.rests().into_iter().next().filter(|_| self.has_operands)
    }

    /// The rest of the statement, likeliest first, if its types are all that is missing.
    pub(super) fn rests_after_operands(&self) -> Option<Vec<String>> {
        self.has_operands.then(|| self.rests())
    }

    /// The types of the operands.
    pub(super) fn operand_types(&self) -> impl Iterator<Item = Type> {
        self.statement.operands.iter().flatten().copied()
    }
}

/// All types of a statement, likeliest first: everything from the first colon or arrow on.
pub(super) fn texts(statement: &Statement) -> Vec<String> {
    let write = |result: Option<Type>| types_text(statement.named, &statement.operands, result, statement.version);
    if let Some(text) = write(None) {
        return vec![text];
    }
    let mut texts: Vec<String> = Vec::new();
    for text in likely_types::results(statement).into_iter().filter_map(|result| write(Some(result))) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// The part of the types that is not written yet.
fn rest(types: &str, typed: &str) -> Option<String> {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().concat();
    let typed = squeeze(typed);
    let ends = std::iter::once(0).chain(types.char_indices().map(|(at, c)| at + c.len_utf8()));
    let end = ends.into_iter().find(|&end| squeeze(&types[..end]) == typed)?;
    Some(types[end..].trim_start().to_string()).filter(|rest| !rest.is_empty())
}

/// Reads the statement that contains the text before an offset.
pub(super) fn before(db: &dyn salsa::Database, file: File, offset: u32) -> Option<Unfinished> {
    let (start, item) = db::layout(db, file).before(offset)?;
    // Only the text before the offset, so that what follows does not become part of the statement.
    let text = item.text(db).get(..(offset - start) as usize)?;
    let (tree, context) = (parse_item(text), db::context(db, file));
    let lowered = KnownTypes::with(context, |known| lower_item(text, &tree, context, known));
    let visible = visible(db, file, offset).into_iter().map(|value| value.ty).collect();
    read(&Text { text, tree: &tree, body: &lowered.body, spans: &lowered.spans }, context, visible)
}

/// A text that ends with a statement, and what it is lowered to.
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    pub(super) body: &'a Body,
    pub(super) spans: &'a Spans,
}

/// Reads the last statement of a text. `visible` are the types of the visible values, nearest first.
pub(super) fn read(of: &Text, context: &Context, visible: Vec<Type>) -> Option<Unfinished> {
    let Text { text, tree, body, spans } = *of;
    let last = last_token(tree, text)?;
    let node = tree.path_to(last).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    let name = tree.child(node, NodeKind::OpName)?;
    let named = tile_dialect::lookup(tree.text(name, text))?;
    let place = tree.range(name);
    let number = spans.op_names.iter().position(|range| *range == place)?;
    let op = &body.ops[number];
    let groups = (0..named.row.operands.len()).map(|index| {
        body.group(op, index).iter().map(|&value| Some(body.ty(value)).filter(|ty| !ty.is_unknown())).collect()
    });
    let operands: Option<Vec<Vec<Type>>> = groups.collect();
    let attrs = body.attrs_of(op).to_vec();
    let global = named.row.attr(AttrName::Name).and_then(|(index, _)| match attrs.get(index)? {
        Attr::Symbol(name) => context.global_pointer(name),
        _ => None,
    });
    let statement = Statement {
        named,
        version: context.options.version,
        operands: operands?,
        attrs,
        lists: lists(tree, node, text),
        literal: literal(tree, node, named, text),
        global,
        visible,
    };
    Some(Unfinished { statement, typed: typed(tree, node, text), has_operands: has_operands(tree, node) })
}

/// Whether every syntax error in an op is about its types, or about braces after it.
fn has_operands(tree: &Tree, node: Node) -> bool {
    let start = tree.range(node).start;
    tree.errors.iter().filter(|error| error.range.start >= start).all(|error| match error.kind {
        ErrorKind::Unclosed(_) => true,
        ErrorKind::Expected(Expected::Types(..) | Expected::Type | Expected::Region) => true,
        ErrorKind::Expected(Expected::Text(text)) => matches!(text, ":" | "->" | "{" | "}"),
        _ => false,
    })
}

/// The last token with text.
fn last_token(tree: &Tree, text: &str) -> Option<usize> {
    let end = text.trim_end().len();
    let is_written =
        |&token: &usize| tree.tokens.end(token) as usize <= end && tree.tokens.end(token) > tree.tokens.start(token);
    (0..tree.tokens.len()).rev().find(is_written)
}

/// The entries of lists of numbers and values, by operand.
fn lists(tree: &Tree, node: Node, text: &str) -> Vec<(usize, Option<i64>)> {
    let entries = tree.children(node).filter_map(|child| match tree.kind(child) {
        NodeKind::Operand => Some((tree.slot(child) as usize, None)),
        NodeKind::Number => Some((tree.slot(child) as usize, Some(tree.text(child, text).parse().ok()?))),
        _ => None,
    });
    entries.collect()
}

/// The literal of a constant.
fn literal(tree: &Tree, node: Node, named: Named, text: &str) -> Option<Literal> {
    let is_dense = |child: &Node| {
        let attr = named.row.attrs.get(tree.slot(*child) as usize);
        attr.is_some_and(|attr| matches!(attr.kind, AttrKind::Dense))
    };
    let attr = tree.children_of(node, NodeKind::Attr).find(is_dense)?;
    Literal::read(tree.text(attr, text))
}

/// The text of a statement from its first colon or arrow outside of brackets.
fn typed(tree: &Tree, op: Node, text: &str) -> String {
    use Token as T;
    let mut depth = 0;
    for token in tree.tokens_of(op) {
        match tree.tokens.kind(token) {
            T::LeftParen | T::LeftBracket | T::Less | T::LeftBrace => depth += 1,
            T::RightParen | T::RightBracket | T::Greater | T::RightBrace => depth -= 1,
            T::Colon | T::Arrow if depth == 0 && tree.tokens.start(token) > tree.range(op).start => {
                // `%a:2 = …` has a colon before the op's name.
                let name = tree.child(op, NodeKind::OpName).map_or(0, |name| tree.range(name).end);
                if tree.tokens.start(token) >= name {
                    return text[tree.tokens.start(token) as usize..].to_string();
                }
            }
            _ => {}
        }
    }
    String::new()
}
