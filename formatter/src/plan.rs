//! The plan of a page: which lines a tree makes, and where a line may be broken.
//!
//! A line here is what stands on one line where it fits: a statement, its header up to the brace of its region, the
//! brace that closes a region with what follows it. Everything is decided from the tree, nothing from how the text was
//! laid out before.

mod defaults;
mod parts;
mod prefix;

pub(crate) use parts::is_known_type;

use crate::Defaults;
use crate::taint::Taint;
use tile_dialect::{Mnemonic, RegionArgs};
use tile_syntax::{NO_SLOT, Node, NodeKind, Token, Tree};

/// What the plan says about one token.
pub(crate) mod mark {
    /// No blank stands in front of it.
    pub(crate) const TIGHT: u16 = 1;
    /// A blank stands in front of it, whatever it follows.
    pub(crate) const APART: u16 = 2;
    /// It is written without its dialect prefix.
    pub(crate) const SHORT: u16 = 4;
    /// It starts the statement's types: `:`, `->`, or the location behind them.
    pub(crate) const TYPES: u16 = 8;
    /// It starts a clause: `token = …`, `iter_values(…)`.
    pub(crate) const CLAUSE: u16 = 16;
    /// It opens a list that may be written one item a line.
    pub(crate) const OPEN: u16 = 32;
    /// It starts an item of such a list, or a type behind the first.
    pub(crate) const ITEM: u16 = 64;
    /// It closes such a list.
    pub(crate) const CLOSE: u16 = 128;
    /// It is left out.
    pub(crate) const DROP: u16 = 256;
}

/// The marks of all tokens of a tree.
pub(crate) struct Marks {
    of: Vec<u16>,
    drop_any: bool,
}

impl Marks {
    pub(crate) fn has(&self, token: usize, mark: u16) -> bool {
        self.of[token] & mark != 0
    }

    /// Whether any token is left out.
    pub(crate) fn drop_any(&self) -> bool {
        self.drop_any
    }
}

/// How a line is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Laid out.
    Plain,
    /// Laid out, but never broken: `#loc = …` and the end of an entry, which a line break would end.
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
    /// Whether a statement starts with it.
    pub(crate) starts: bool,
}

/// Where a tree stands on the page, and what may be left out there.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// How deeply its statements are indented.
    pub(crate) depth: usize,
    /// Whether its statements stand in a module, where they may leave out their prefix.
    pub(crate) in_module: bool,
    /// What becomes of words that say what holds anyway.
    pub(crate) defaults: Defaults,
}

/// The lines of a tree.
pub(crate) fn plan(text: &str, tree: &Tree, place: Place) -> (Vec<Line>, Marks) {
    let marks = vec![0; tree.tokens.len() + 1];
    let defaults = place.defaults;
    let mut planner =
        Planner { text, tree, taint: Taint::of(tree), defaults, drops_any: false, lines: Vec::new(), marks };
    for child in tree.children(Node::ROOT) {
        planner.statement(child, place.depth, place.in_module);
    }
    let marks = Marks { of: planner.marks, drop_any: planner.drops_any };
    (planner.lines, marks)
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
        // Those of a call make up a function type, which MLIR reads.
        self.is_custom && self.row.is_some_and(|row| row != Mnemonic::PreviewCall)
    }

    /// How the line behind its region is written. That of an entry is not broken: its end is found by its line.
    fn style_of_end(self) -> Style {
        let is_item = matches!(self.row, Some(Mnemonic::Entry | Mnemonic::TestingFunc));
        if is_item && self.style == Style::Plain { Style::Whole } else { self.style }
    }

    /// Whether the dialect reads the op's name, which then needs no prefix.
    fn has_own_name(self) -> bool {
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
    defaults: Defaults,
    drops_any: bool,
    lines: Vec<Line>,
    marks: Vec<u16>,
}

impl Planner<'_> {
    fn line(&mut self, first: usize, depth: usize, style: Style, closes: bool) {
        if self.lines.last().is_none_or(|last| last.first < first) {
            self.lines.push(Line { first, depth, style, closes, starts: false });
        }
    }

    fn mark(&mut self, token: usize, mark: u16) {
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
        // The lines of its regions were added behind its own.
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

    fn region(&mut self, region: Node, op: Op) {
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
