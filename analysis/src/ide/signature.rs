//! Signature help: the syntax of the op at an offset, and its part at the cursor. Works on incomplete lines.

mod label;

use crate::db::{self, File};
use crate::diagnostics::describe;
use crate::outline::Outline;
use crate::print;
use crate::read::attr;
pub(super) use label::Label;
use label::LabelPart;
use std::ops::Range;
use tile_dialect::form::Slot;
use tile_dialect::{Arity, AttrKind, Named, OpRow, Presence};
use tile_syntax::{Node, NodeKind, Token, Tree};

/// The syntax of an op.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The whole form on one line, with optional parts in brackets.
    pub label: String,
    /// The documentation of the op, in Markdown.
    pub doc: String,
    /// The parts of the label.
    pub parts: Vec<SignaturePart>,
    /// The index of the part at the cursor.
    pub active: Option<usize>,
}

/// A part of a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignaturePart {
    /// The range in the label, in bytes.
    pub range: Range<usize>,
    /// The documentation of the part, in Markdown.
    pub doc: String,
}

/// Returns the signature of the op in the statement at an offset.
pub fn signature(db: &dyn salsa::Database, file: File, offset: u32) -> Option<Signature> {
    let text = file.text(db);
    // Text after an entry that lacks its closing brace belongs to the entry.
    let belongs = |&(start, item): &(u32, db::Item)| {
        let end = start as usize + item.text(db).len();
        text.get(end..offset as usize).is_none_or(|between| between.trim().is_empty())
    };
    let outline = db::file_outline(db, file);
    match db::layout(db, file).before(offset).filter(belongs) {
        Some((start, item)) => in_tree(db::syntax(db, item), &text[start as usize..], offset - start, outline),
        None => in_tree(&outline.tree, text, offset, outline),
    }
}

fn in_tree(tree: &Tree, text: &str, offset: u32, outline: &Outline) -> Option<Signature> {
    let cursor = OpAtCursor::new(tree, text, offset)?;
    let word = tree.text(cursor.name, text);
    let named = tile_dialect::lookup(word)?;
    let label = Label::of(named);
    let active = cursor.part(&label);
    let row = named.row;
    let parts =
        label.parts.iter().map(|(range, part)| SignaturePart { range: range.clone(), doc: doc(row, named, *part) });
    let doc = match callee(&cursor, text, outline) {
        Some(declaration) => format!("```tile\n{declaration}\n```\n{}", row.doc),
        None => row.doc.to_string(),
    };
    Some(Signature { parts: parts.collect(), label: label.text, doc, active })
}

/// The declaration of the function that the statement names.
fn callee(cursor: &OpAtCursor, text: &str, outline: &Outline) -> Option<String> {
    let tokens = cursor.tree.tokens_of(cursor.op).filter(|&token| cursor.tree.tokens.kind(token) == Token::Symbol);
    let name = attr::symbol(cursor.tree.tokens.text(tokens.into_iter().next()?, text));
    let functions = outline.functions.iter().map(|declared| &declared.function);
    let called = functions.filter(|function| function.is_declaration()).find(|function| function.name() == &*name)?;
    Some(print::declaration(called).trim_end().to_string())
}

/// A cursor after the name of an op.
struct OpAtCursor<'t> {
    tree: &'t Tree,
    op: Node,
    name: Node,
    offset: u32,
    /// The last token before the cursor.
    last: usize,
}

impl<'t> OpAtCursor<'t> {
    fn new(tree: &'t Tree, text: &str, offset: u32) -> Option<OpAtCursor<'t>> {
        let is_in_comment = |&(start, end): &(u32, u32)| start < offset && offset <= end;
        if tree.tokens.comments().iter().any(is_in_comment) {
            return None;
        }
        let (op, last) = op_at_end_of(tree, offset)?;
        let name = tree.child(op, NodeKind::OpName)?;
        let name_end = tree.range(name).end;
        let between = text.get(tree.tokens.end(last) as usize..offset as usize)?;
        let continues = !between.contains('\n') || leaves_open(tree.tokens.kind(last));
        let in_region = tree.children_of(op, NodeKind::Region).any(|region| {
            let range = tree.range(region);
            range.start < offset && (offset < range.end || tree.token(region, 0) != Token::LeftBrace)
        });
        let is_custom = tree.token(name, 0) == Token::Name;
        let is_complete = tree.tokens.kind(last) == Token::RightBrace && tree.tokens.end(last) == tree.range(op).end;
        (continues && !is_complete && is_custom && !in_region && name_end < offset).then_some(OpAtCursor {
            tree,
            op,
            name,
            offset,
            last,
        })
    }

    /// The part at the cursor: the one that it touches, or else the next one.
    fn part(&self, label: &Label) -> Option<usize> {
        let name_end = self.tree.range(self.name).end;
        let children = self.tree.children(self.op).filter(|&child| self.tree.range(child).start >= name_end);
        let before: Vec<Node> = children.take_while(|&child| self.tree.range(child).start < self.offset).collect();
        let known = before.iter().rev().find_map(|&node| Some((node, label.part_of(self.tree, node)?)));
        let Some((node, part)) = known else { return self.next(label, 0) };
        let touches = self.offset <= self.tree.range(node).end;
        if touches || self.continues_list(label, part) { Some(part) } else { self.next(label, part + 1) }
    }

    /// Reports whether a comma continues a list part.
    fn continues_list(&self, label: &Label, part: usize) -> bool {
        self.tree.tokens.kind(self.last) == Token::Comma && label.is_list(part)
    }

    /// The part after those already written, chosen by the last token.
    fn next(&self, label: &Label, from: usize) -> Option<usize> {
        let rest = || from..label.parts.len();
        let is_type = |&index: &usize| matches!(label.parts[index].1, LabelPart::Type(_));
        let is_value = |&index: &usize| {
            matches!(label.parts[index].1, LabelPart::Operand(_) | LabelPart::Argument(_) | LabelPart::Bind { .. })
        };
        match self.tree.tokens.kind(self.last) {
            Token::Colon | Token::Arrow => rest().find(is_type),
            Token::Comma | Token::LeftBracket => rest().find(|index| is_value(index) || is_type(index)),
            _ => rest().next(),
        }
    }
}

/// The op of the statement that ends before an offset, and the last token before the offset.
fn op_at_end_of(tree: &Tree, offset: u32) -> Option<(Node, usize)> {
    let tokens = &tree.tokens;
    let last = (tokens.at(offset.saturating_sub(1)) + 1).min(tokens.len());
    let last = (0..last).rev().find(|&token| tokens.start(token) < offset)?;
    let op = tree.path_to(last).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    Some((op, last))
}

/// Reports whether a statement continues on the next line after this token.
fn leaves_open(token: Token) -> bool {
    use Token::{Arrow, Colon, Comma, Equal, LeftBracket, LeftParen, Less};
    matches!(token, Arrow | Colon | Comma | Equal | LeftBracket | LeftParen | Less)
}

/// The documentation of a part.
fn doc(row: &OpRow, named: Named, part: LabelPart) -> String {
    let operand = |index: u8| {
        let operand = &row.operands[index as usize];
        let count = match operand.arity {
            Arity::One => "",
            Arity::Optional => "optional, ",
            Arity::Variadic => "any number, each ",
        };
        format!("`%{}`: {count}{}. {}", operand.name, describe(operand.class), operand.doc)
    };
    match part {
        LabelPart::Operand(index) | LabelPart::Bind { operand: index, .. } => operand(index),
        LabelPart::Attr(index) => attribute(row, index),
        LabelPart::Type(index) => types(row, named, index),
        LabelPart::Region(index) | LabelPart::Argument(index) | LabelPart::Signature(index) => {
            let region = &row.regions[index as usize];
            format!("region `{}`", region.name)
        }
    }
}

/// The documentation of an attribute and of its keywords.
fn attribute(row: &OpRow, index: u8) -> String {
    let attr = &row.attrs[index as usize];
    let AttrKind::Enum { of, only, .. } = attr.kind else { return attr.doc.to_string() };
    let allowed = (0..of.values.len() as u8).filter(|value| only.is_empty() || only.contains(value));
    let words: Vec<String> = allowed
        .map(|value| {
            let is_default = attr.presence == Presence::Default(value);
            let note = if is_default { " (default)" } else { "" };
            format!("- `{}`{note}: {}", of.keyword(value), of.values[value as usize].doc)
        })
        .collect();
    format!("{}\n\n{}", attr.doc, words.join("\n"))
}

/// The documentation of a list of types.
fn types(row: &OpRow, named: Named, index: u8) -> String {
    let piece = &named.form().types[index as usize];
    let each = piece.slots.iter().map(|slot| match slot {
        Slot::Operand(index) => {
            let operand = &row.operands[*index as usize];
            format!("the type of `%{}`: {}", operand.name, describe(operand.class))
        }
        Slot::Result(index) => {
            let result = &row.results[*index as usize];
            format!("the type of the result `%{}`: {}", result.name, describe(result.class))
        }
        Slot::Attr(index) => format!("the type of `{}`", row.attrs[*index as usize].name),
    });
    each.collect::<Vec<_>>().join(", and ")
}

#[cfg(test)]
mod tests;
