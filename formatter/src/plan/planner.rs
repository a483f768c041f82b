//! The tree walk that collects lines and marks.

use super::line::{Line, Style};
use super::marks::mark;
use crate::options::Defaults;
use crate::taint::Taint;
use tile_dialect::{Mnemonic, RegionArgs};
use tile_syntax::{NO_SLOT, Node, NodeKind, Token, Tree};

/// Ops that make the dialect the default in their regions, so that ops there need no prefix.
const SCOPES: [Mnemonic; 8] = [
    Mnemonic::Module,
    Mnemonic::Entry,
    Mnemonic::TestingFunc,
    Mnemonic::For,
    Mnemonic::Loop,
    Mnemonic::If,
    Mnemonic::Reduce,
    Mnemonic::Scan,
];

/// Properties of the op whose parts are being planned.
#[derive(Clone, Copy)]
pub(super) struct Op {
    pub(super) row: Option<Mnemonic>,
    pub(super) style: Style,
    pub(super) depth: usize,
    pub(super) is_custom: bool,
    pub(super) in_module: bool,
}

impl Op {
    pub(super) fn is(self, row: Mnemonic) -> bool {
        self.is_custom && self.row == Some(row)
    }

    /// Whether the dialect parses the op's types, which then need no prefix.
    pub(super) fn has_own_types(self) -> bool {
        // The types of a call form a function type, which MLIR parses.
        self.is_custom && self.row.is_some_and(|row| row != Mnemonic::PreviewCall)
    }

    /// The style of the line that closes its region. For an entry it is not broken: a line break would end the entry.
    fn style_of_end(self) -> Style {
        let is_item = matches!(self.row, Some(Mnemonic::Entry | Mnemonic::TestingFunc));
        if is_item && self.style == Style::Plain { Style::Whole } else { self.style }
    }

    /// Whether the dialect parses the op's name, which then needs no prefix.
    pub(super) fn has_own_name(self) -> bool {
        self.is_custom && self.row.is_some()
    }

    pub(super) fn opens_scope(self) -> bool {
        self.is_custom && self.row.is_some_and(|row| SCOPES.contains(&row))
    }

    pub(super) fn lists_arguments(self) -> bool {
        let listed = |row: Mnemonic| row.row().regions.iter().any(|region| region.args == RegionArgs::Listed);
        self.is_custom && self.row.is_some_and(listed)
    }
}

pub(super) struct Planner<'t> {
    pub(super) text: &'t str,
    pub(super) tree: &'t Tree,
    pub(super) taint: Taint,
    pub(super) defaults: Defaults,
    pub(super) drops_any: bool,
    pub(super) lines: Vec<Line>,
    pub(super) marks: Vec<u16>,
}

impl Planner<'_> {
    pub(super) fn line(&mut self, first: usize, depth: usize, style: Style, closes: bool) {
        if self.lines.last().is_none_or(|last| last.first < first) {
            self.lines.push(Line { first, depth, style, closes, starts: false });
        }
    }

    pub(super) fn mark(&mut self, token: usize, mark: u16) {
        self.marks[token] |= mark;
    }

    pub(super) fn kind(&self, token: usize) -> Token {
        self.tree.tokens.kind(token)
    }

    pub(super) fn token_text(&self, token: usize) -> &str {
        self.tree.tokens.text(token, self.text)
    }

    pub(super) fn statement(&mut self, node: Node, depth: usize, in_module: bool) {
        let first = self.tree.tokens_of(node).start;
        let line = self.lines.len();
        let is_wrong = self.taint.touches(self.tree, node);
        let style = |usual| if is_wrong { Style::Raw } else { usual };
        match self.tree.kind(node) {
            NodeKind::Item => self.line(first, depth, Style::Item { in_module }, false),
            NodeKind::Alias => {
                let style = style(if self.is_record(node) { Style::Plain } else { Style::Whole });
                self.line(first, depth, style, false);
            }
            NodeKind::BlockHeader => {
                let op = Op { row: None, style: style(Style::Plain), depth, is_custom: false, in_module };
                self.line(first, depth.saturating_sub(1), op.style, false);
                self.parts(node, op);
                self.marks[self.tree.tokens_of(node).end - 1] = mark::TIGHT;
            }
            NodeKind::Op => self.op(node, depth, in_module, style(Style::Plain)),
            _ => self.op(node, depth, in_module, Style::Raw),
        }
        // The statement's own first line was added before those of its regions.
        if let Some(line) = self.lines.get_mut(line).filter(|line| line.first == first) {
            line.starts = true;
        }
    }

    fn op(&mut self, node: Node, depth: usize, in_module: bool, style: Style) {
        self.line(self.tree.tokens_of(node).start, depth, style, false);
        let slot = self.tree.slot(node);
        let row = tile_dialect::ops().get(slot as usize).filter(|_| slot != NO_SLOT).map(|row| row.op);
        let name = self.tree.child(node, NodeKind::OpName);
        let is_custom = name.is_some_and(|name| self.tree.token(name, 0) == Token::Name);
        self.parts(node, Op { row, style, depth, is_custom, in_module });
    }

    pub(super) fn region(&mut self, region: Node, op: Op) {
        let tokens = self.tree.tokens_of(region);
        let mut end = tokens.start;
        for child in self.tree.children(region) {
            self.statement(child, op.depth + 1, op.opens_scope());
            end = self.tree.tokens_of(child).end;
        }
        let last = tokens.end - 1;
        if last >= end && self.kind(last) == Token::RightBrace {
            self.line(last, op.depth, op.style_of_end(), true);
        }
    }
}
