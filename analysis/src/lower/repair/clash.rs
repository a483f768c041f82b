//! Fixes for types of an op that disagree with its operands.

use super::types::written;
use crate::diagnostic::{Applicability, Edit, Fix};
use crate::lower::Lowerer;
use crate::lower::op::Draft;
use crate::lower::op_syntax::OpSyntax;
use crate::lower::problem::Kind;
use std::ops::Range;
use tile_dialect::{OpRow, Presence, lookup};
use tile_syntax::{Node, NodeKind, Token};

impl Lowerer<'_> {
    /// Offers the types that follow from the operands of an op as a fix for the problems of its types.
    pub(super) fn offer_types(&mut self, draft: &Draft<'_>) {
        let Draft { node, named, syntax, .. } = draft;
        if !self.problems.since(draft.problems).iter().any(|problem| problem.is_about_types()) {
            return;
        }
        let Some(place) = self.types_place(*node, syntax) else { return };
        let Some(signature) = draft.signature.derived(named.row) else { return };
        let types = written(named.form(), named.row, &signature, self.context.options.version);
        let Some(types) = types.filter(|types| !types.is_empty()) else { return };
        let content = format!(" {types}{}", self.blank_before(place.end));
        if self.text[place.start as usize..place.end as usize] == content {
            return;
        }
        let edits = vec![Edit { range: place, content }];
        let fix = Fix::new(format!("write `{types}`"), Applicability::Unsafe, edits);
        for problem in self.problems.since(draft.problems).iter_mut().filter(|problem| problem.is_about_types()) {
            problem.fixes = vec![fix.clone()];
        }
    }

    /// If operands are of the wrong class, offers the corresponding op for their class, such as `addf` instead of
    /// `addi`.
    pub(super) fn offer_sibling(&mut self, draft: &Draft<'_>) {
        let row = draft.named.row;
        let Some(name) = draft.syntax.name.map(|name| self.range(name)) else { return };
        let has_no_attrs = draft.syntax.attrs.is_empty();
        let sibling = sibling(row).filter(|sibling| has_no_attrs && draft.signature.suits(sibling));
        let Some(sibling) = sibling else { return };
        let end = name.end - row.name.len() as u32;
        for problem in self.problems.since(draft.problems) {
            if let Kind::WrongClass(_) = problem.kind {
                let edits = vec![Edit { range: end..name.end, content: sibling.name.to_string() }];
                let title = format!("write `{}`, which supports these types", sibling.name);
                problem.fixes = vec![Fix::new(title, Applicability::Unsafe, edits)];
            }
        }
    }

    /// The blank that separates inserted text from what follows it directly.
    pub(in crate::lower) fn blank_before(&self, at: u32) -> &'static str {
        let next = self.text[at as usize..].chars().next();
        if next.is_none_or(|next| next.is_whitespace() || next == '}') { "" } else { " " }
    }

    /// The range of an op's types, with the blank before them.
    pub(in crate::lower) fn types_place(&self, node: Node, parts: &OpSyntax) -> Option<Range<u32>> {
        let is_before = |child: &Node| {
            matches!(
                self.tree.kind(*child),
                NodeKind::OpName
                    | NodeKind::Operand
                    | NodeKind::Number
                    | NodeKind::Attr
                    | NodeKind::Dict
                    | NodeKind::BlockArg
            )
        };
        let tokens = self.tree.tokens_of(node);
        let before = self.tree.children(node).filter(is_before).map(|child| self.tree.tokens_of(child).end).max()?;
        let follows = |child: &Node| matches!(self.tree.kind(*child), NodeKind::Region | NodeKind::Location);
        let next = self.tree.children(node).filter(follows).map(|child| self.tree.tokens_of(child).start).min();
        let end = next.unwrap_or(tokens.end);
        let mut start = before;
        while start < end && matches!(self.tree.tokens.kind(start), Token::RightBracket | Token::RightParen) {
            start += 1;
        }
        let first = parts.types.iter().map(|(.., ty)| self.tree.tokens_of(*ty).start).min();
        let fits = start <= end && first.is_none_or(|first| first >= start);
        fits.then(|| {
            self.tree.tokens.end(start - 1)..self.tree.tokens.end(end - 1).max(self.tree.tokens.end(start - 1))
        })
    }
}

/// The float op that corresponds to an integer op, or vice versa: their names differ in the last letter.
fn sibling(row: &OpRow) -> Option<&'static OpRow> {
    let (stem, other) =
        row.name.strip_suffix('i').map(|stem| (stem, 'f')).or_else(|| Some((row.name.strip_suffix('f')?, 'i')))?;
    let found = lookup(&format!("{stem}{other}"))?.row;
    found.attrs.iter().all(|attr| attr.presence != Presence::Required).then_some(found)
}
