//! The plan of a page: which lines a tree makes, and where a line may be broken.
//!
//! A line here is what stands on one line where it fits: a statement, its header up to the brace of its region, the
//! brace that closes a region with what follows it. Everything is decided from the tree, nothing from how the text was
//! laid out before.

use crate::taint::Taint;
use tile_dialect::{AttrKind, DIALECT_PREFIX, Element, Mnemonic, RegionArgs, TYPE_NAMES};
use tile_syntax::{NO_SLOT, Node, NodeKind, Token, Tree};

/// What the plan says about one token.
pub(crate) mod mark {
    /// No blank stands in front of it.
    pub(crate) const TIGHT: u8 = 1;
    /// A blank stands in front of it, whatever it follows.
    pub(crate) const APART: u8 = 2;
    /// It is written without its dialect prefix.
    pub(crate) const SHORT: u8 = 4;
    /// It starts the statement's types: `:`, `->`, or the location behind them.
    pub(crate) const TYPES: u8 = 8;
    /// It starts a clause: `token = …`, `iter_values(…)`.
    pub(crate) const CLAUSE: u8 = 16;
    /// It opens a list that may be written one item a line.
    pub(crate) const OPEN: u8 = 32;
    /// It starts an item of such a list, or a type behind the first.
    pub(crate) const ITEM: u8 = 64;
    /// It closes such a list.
    pub(crate) const CLOSE: u8 = 128;
}

/// The marks of all tokens of a tree.
pub(crate) struct Marks(Vec<u8>);

impl Marks {
    pub(crate) fn has(&self, token: usize, mark: u8) -> bool {
        self.0[token] & mark != 0
    }
}

/// How a line is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Laid out.
    Plain,
    /// Laid out, but never broken: `#loc = …`, which a line break would end.
    Whole,
    /// As it is: something is wrong with it.
    Raw,
    /// An entry, which has a tree of its own. In a module it may leave out its dialect prefix.
    Item {
        /// Whether the entry stands in a module.
        in_module: bool,
    },
}

/// A line, up to the token that starts the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Its first token.
    pub(crate) first: usize,
    /// How deeply it is indented.
    pub(crate) depth: usize,
    /// How it is written.
    pub(crate) style: Style,
    /// Whether it starts with the brace that closes a region.
    pub(crate) closes: bool,
}

/// The lines of a tree, which stands at `depth`; `in_module` says whether its statements may leave out their prefix.
pub(crate) fn plan(text: &str, tree: &Tree, depth: usize, in_module: bool) -> (Vec<Line>, Marks) {
    let marks = vec![0; tree.tokens.len() + 1];
    let mut planner = Planner { text, tree, taint: Taint::of(tree), lines: Vec::new(), marks };
    for child in tree.children(Node::ROOT) {
        planner.statement(child, depth, in_module);
    }
    (planner.lines, Marks(planner.marks))
}

/// Ops whose regions know the ops of the dialect without its prefix.
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

/// What an `assume` may assume.
const PREDICATES: [&str; 3] = ["div_by", "same_elements", "bounded"];

/// What is known of a statement while its parts are planned.
#[derive(Clone, Copy)]
struct Op {
    row: Option<Mnemonic>,
    style: Style,
    depth: usize,
    is_custom: bool,
    in_module: bool,
}

impl Op {
    fn is(self, row: Mnemonic) -> bool {
        self.is_custom && self.row == Some(row)
    }

    /// Whether the types of its form are read by the dialect, which knows them without prefix.
    fn has_own_types(self) -> bool {
        self.is_custom && self.row.is_some()
    }

    fn opens_scope(self) -> bool {
        self.is_custom && self.row.is_some_and(|row| SCOPES.contains(&row))
    }

    fn lists_arguments(self) -> bool {
        let listed = |row: Mnemonic| row.row().regions.iter().any(|region| region.args == RegionArgs::Listed);
        self.is_custom && self.row.is_some_and(listed)
    }
}

struct Planner<'t> {
    text: &'t str,
    tree: &'t Tree,
    taint: Taint,
    lines: Vec<Line>,
    marks: Vec<u8>,
}

impl Planner<'_> {
    fn line(&mut self, first: usize, depth: usize, style: Style, closes: bool) {
        if self.lines.last().is_none_or(|last| last.first < first) {
            self.lines.push(Line { first, depth, style, closes });
        }
    }

    fn mark(&mut self, token: usize, mark: u8) {
        self.marks[token] |= mark;
    }

    fn kind(&self, token: usize) -> Token {
        self.tree.tokens.kind(token)
    }

    fn token_text(&self, token: usize) -> &str {
        self.tree.tokens.text(token, self.text)
    }

    fn statement(&mut self, node: Node, depth: usize, in_module: bool) {
        let first = self.tree.tokens_of(node).start;
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
    }

    /// Whether an alias is a list of named fields, `#a = #b<x = …, y = …>`, which may be written one a line.
    fn is_record(&mut self, alias: Node) -> bool {
        let tokens = self.tree.tokens_of(alias);
        let Some(open) = tokens.clone().find(|&token| self.kind(token) == Token::Less) else { return false };
        let (mut depth, mut fields, mut close) = (0usize, vec![open + 1], open);
        for token in open..tokens.end {
            match self.kind(token) {
                Token::Less | Token::LeftParen | Token::LeftBracket | Token::LeftBrace => depth += 1,
                Token::Greater | Token::RightParen | Token::RightBracket | Token::RightBrace => depth -= 1,
                Token::Comma if depth == 1 => fields.push(token + 1),
                _ => {}
            }
            if depth == 0 {
                close = token;
                break;
            }
        }
        let is_field = |token: usize| self.kind(token) == Token::Name && self.kind(token + 1) == Token::Equal;
        if close + 1 != tokens.end || !fields.iter().all(|&field| is_field(field)) {
            return false;
        }
        self.mark(open, mark::OPEN);
        fields.into_iter().for_each(|field| self.mark(field, mark::ITEM));
        self.mark(close, mark::CLOSE);
        true
    }

    fn op(&mut self, node: Node, depth: usize, in_module: bool, style: Style) {
        self.line(self.tree.tokens_of(node).start, depth, style, false);
        let slot = self.tree.slot(node);
        let row = tile_dialect::ops().get(slot as usize).filter(|_| slot != NO_SLOT).map(|row| row.op);
        let name = self.tree.child(node, NodeKind::OpName);
        let is_custom = name.is_some_and(|name| self.tree.token(name, 0) == Token::Name);
        self.parts(node, Op { row, style, depth, is_custom, in_module });
    }

    /// The children of a node, and the tokens between them.
    fn parts(&mut self, node: Node, op: Op) {
        let tokens = self.tree.tokens_of(node);
        let (mut at, mut list) = (tokens.start, false);
        for child in self.tree.children(node) {
            let part = self.tree.tokens_of(child);
            for token in at..part.start {
                list = self.between(token, self.tree.kind(child), list, op);
            }
            self.part(child, op);
            let is_listed = list || part.start > 0 && self.kind(part.start - 1) == Token::Comma;
            if !part.is_empty() && is_listed && self.is_item(child) {
                self.mark(part.start, mark::ITEM);
            }
            at = part.end;
        }
        for token in at..tokens.end {
            list = self.between(token, NodeKind::Root, list, op);
        }
    }

    /// A token that belongs to the statement itself, in front of a `next`; returns whether a list is open behind it.
    fn between(&mut self, token: usize, next: NodeKind, list: bool, op: Op) -> bool {
        match self.kind(token) {
            Token::LeftParen if matches!(next, NodeKind::BlockArg | NodeKind::Type | NodeKind::Param) => {
                if next == NodeKind::BlockArg && op.lists_arguments() {
                    self.line(token, op.depth, op.style, false);
                }
                self.mark(token, mark::OPEN);
                return true;
            }
            Token::RightParen if list => {
                self.mark(token, mark::CLOSE);
                return false;
            }
            // The type of a loop's bounds stays with them.
            Token::Colon if !op.is(Mnemonic::For) => self.mark(token, mark::TYPES),
            Token::Arrow => self.mark(token, mark::TYPES),
            Token::Name if self.starts_clause(token) && !op.is(Mnemonic::Entry) => self.mark(token, mark::CLAUSE),
            _ => {}
        }
        list
    }

    fn starts_clause(&self, token: usize) -> bool {
        self.kind(token + 1) == Token::Equal || matches!(self.token_text(token), "iter_values" | "attributes")
    }

    /// Whether an item of a list may start a line. A word that is no type's name must not: there the parser would take
    /// it for a statement.
    fn is_item(&self, node: Node) -> bool {
        let first = self.tree.tokens_of(node).start;
        match self.tree.kind(node) {
            NodeKind::BlockArg => true,
            NodeKind::Type | NodeKind::Param => {
                self.kind(first) != Token::Name || is_known_type(self.token_text(first))
            }
            _ => false,
        }
    }

    fn part(&mut self, node: Node, op: Op) {
        let tokens = self.tree.tokens_of(node);
        match self.tree.kind(node) {
            _ if tokens.is_empty() => {}
            NodeKind::Region => self.region(node, op),
            NodeKind::OpName => self.op_name(tokens.start, op),
            NodeKind::Result | NodeKind::Operand => (tokens.start + 1..tokens.end).for_each(|t| self.mark(t, mark::TIGHT)),
            NodeKind::Attr => self.attr(node, op),
            NodeKind::Type if op.has_own_types() => self.own_type(node),
            NodeKind::BlockArg | NodeKind::Param => self.parameter(node, op),
            NodeKind::Signature | NodeKind::FunctionType | NodeKind::Error => self.parts(node, op),
            NodeKind::Location => self.mark(tokens.start, mark::TYPES),
            NodeKind::Properties => self.mark(tokens.start, mark::CLAUSE),
            // `attributes {…}` is one clause.
            NodeKind::Dict if self.kind(tokens.start - 1) != Token::Name => self.mark(tokens.start, mark::CLAUSE),
            _ => {}
        }
    }

    fn region(&mut self, region: Node, op: Op) {
        let tokens = self.tree.tokens_of(region);
        let mut end = tokens.start;
        for child in self.tree.children(region) {
            self.statement(child, op.depth + 1, op.opens_scope());
            end = self.tree.tokens_of(child).end;
        }
        let last = tokens.end - 1;
        if last >= end && self.kind(last) == Token::RightBrace {
            self.line(last, op.depth, op.style, true);
        }
    }

    /// An op's name leaves out its prefix where the op around it makes the dialect the default. A module keeps it:
    /// without it the name would be that of MLIR's own module.
    fn op_name(&mut self, token: usize, op: Op) {
        let is_long = self.token_text(token).starts_with(DIALECT_PREFIX);
        if is_long && op.in_module && op.has_own_types() && !op.is(Mnemonic::Module) {
            self.mark(token, mark::SHORT);
        }
    }

    fn attr(&mut self, node: Node, op: Op) {
        let first = self.tree.tokens_of(node).start;
        self.mark(first, mark::APART);
        let attrs = op.row.map_or(&[][..], |row| row.row().attrs);
        let kind = attrs.get(self.tree.slot(node) as usize).map(|attr| &attr.kind);
        let long = self.token_text(first).strip_prefix('#').and_then(|name| name.strip_prefix(DIALECT_PREFIX));
        if matches!(kind, Some(AttrKind::Predicate)) && long.is_some_and(|name| PREDICATES.contains(&name)) {
            self.mark(first, mark::SHORT);
        }
    }

    /// `%a: T`
    fn parameter(&mut self, node: Node, op: Op) {
        let first = self.tree.tokens_of(node).start;
        if self.tree.token(node, 1) == Token::Colon {
            self.mark(first + 1, mark::TIGHT);
        }
        if let Some(ty) = self.tree.child(node, NodeKind::Type).filter(|_| op.has_own_types()) {
            self.own_type(ty);
        }
    }

    /// A type that the dialect reads itself. Only a type of the dialect reads the types inside it in the same way, so
    /// nothing changes inside a tuple, and nothing in a function type.
    fn own_type(&mut self, node: Node) {
        let tokens = self.tree.tokens_of(node);
        if !tokens.clone().any(|token| self.kind(token) == Token::TypeName) {
            return;
        }
        let is_own = |token: usize| match self.kind(token) {
            Token::TypeName => self.long_type(token).is_some(),
            Token::Name => TYPE_NAMES.contains(&self.token_text(token)),
            Token::Extents | Token::AttrName | Token::Comma => true,
            _ => false,
        };
        let opens = |token: usize| self.kind(token) == Token::Less;
        let all_own = tokens.clone().filter(|&token| opens(token)).all(|token| is_own(token - 1));
        if all_own && self.kind(tokens.start) != Token::LeftParen {
            for token in tokens.filter(|&token| self.kind(token) == Token::TypeName).collect::<Vec<_>>() {
                if self.long_type(token).is_some() {
                    self.mark(token, mark::SHORT);
                }
            }
        }
    }

    /// `tile` for `!cuda_tile.tile`.
    fn long_type(&self, token: usize) -> Option<&str> {
        let name = self.token_text(token).strip_prefix('!')?.strip_prefix(DIALECT_PREFIX)?;
        TYPE_NAMES.contains(&name).then_some(name)
    }
}

fn is_known_type(name: &str) -> bool {
    TYPE_NAMES.contains(&name) || Element::from_name(name).is_some()
}
