//! The parts of a statement: its clauses, its lists and their items.

use super::marks::mark;
use super::planner::{Op, Planner};
use tile_dialect::{AttrKind, Element, Mnemonic, TYPE_NAMES};
use tile_syntax::{Node, NodeKind, Token};

/// Maximum nesting of a constant's lists that are written one list a line.
const RANKS: usize = 8;

impl Planner<'_> {
    /// Plans the children of a node and the tokens between them.
    pub(super) fn parts(&mut self, node: Node, op: Op) {
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

    /// Plans a token of the statement itself; `next` is the kind of the child that follows. Returns whether a list is
    /// open after the token.
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
            // The type of a loop's bounds stays on the line of the bounds.
            Token::Colon if !op.is(Mnemonic::For) => self.mark(token, mark::TYPES),
            Token::Arrow => self.mark(token, mark::TYPES),
            Token::Name if self.starts_clause(token) && !op.is(Mnemonic::Entry) => self.mark(token, mark::CLAUSE),
            _ => {}
        }
        list
    }

    fn starts_clause(&self, token: usize) -> bool {
        self.kind(token + 1) == Token::Equal
            || matches!(self.token_text(token), "iter_values" | "attributes" | "scratch")
    }

    /// Whether an item of a list can start a line. A word that is not the name of a type cannot: the parser would treat
    /// it as a statement.
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
            NodeKind::OpName => self.shorten_op(tokens.start, op),
            NodeKind::Result | NodeKind::Operand => {
                (tokens.start + 1..tokens.end).for_each(|t| self.mark(t, mark::TIGHT))
            }
            NodeKind::Attr => {
                self.mark(tokens.start, mark::APART);
                self.shorten_predicate(node, op);
                self.drop_default(node, op);
                self.constants(node, op);
                if op.is(Mnemonic::Constant) || op.is(Mnemonic::Global) {
                    self.literal(node);
                }
            }
            NodeKind::Type if op.has_own_types() => self.shorten_type(node),
            NodeKind::BlockArg | NodeKind::Param => self.parameter(node, op),
            NodeKind::Signature | NodeKind::FunctionType | NodeKind::Error => self.parts(node, op),
            NodeKind::Location => self.mark(tokens.start, mark::TYPES),
            NodeKind::Properties => self.mark(tokens.start, mark::CLAUSE),
            // `attributes {…}` is one clause.
            NodeKind::Dict if self.kind(tokens.start.saturating_sub(1)) != Token::Name => {
                self.mark(tokens.start, mark::CLAUSE)
            }
            _ => {}
        }
    }

    /// Plans `@f<[N: index]>(…`: no spaces around constant parameters or arguments.
    fn constants(&mut self, node: Node, op: Op) {
        let attrs = op.row.map_or(&[][..], |row| row.row().attrs);
        let kind = attrs.get(self.tree.slot(node) as usize).map(|attr| attr.kind);
        if matches!(kind, Some(AttrKind::ConstParams | AttrKind::ConstArgs)) {
            let tokens = self.tree.tokens_of(node);
            self.marks[tokens.start] = mark::TIGHT;
            if self.kind(tokens.end) == Token::LeftParen {
                self.mark(tokens.end, mark::TIGHT);
            }
        }
    }

    /// Plans `%a: T`.
    fn parameter(&mut self, node: Node, op: Op) {
        let first = self.tree.tokens_of(node).start;
        if self.tree.token(node, 1) == Token::Colon {
            self.mark(first + 1, mark::TIGHT);
        }
        if let Some(ty) = self.tree.child(node, NodeKind::Type).filter(|_| op.has_own_types()) {
            self.shorten_type(ty);
        }
    }

    /// Plans a literal such as `<f32: [[1.0, 2.0], [3.0, 4.0]]>`. If it is too long, each list starts a line, and
    /// numbers are filled.
    fn literal(&mut self, node: Node) {
        let tokens = self.tree.tokens_of(node);
        let mut depth = 0usize;
        for token in tokens.start + 1..tokens.end {
            let before = self.kind(token - 1);
            match self.kind(token) {
                Token::LeftBracket => {
                    if depth == RANKS {
                        return;
                    }
                    let is_item = before == Token::LeftBracket || before == Token::Comma && depth > 0;
                    self.mark(token, mark::OPEN | if is_item { mark::ITEM } else { 0 });
                    depth += 1;
                }
                Token::RightBracket if depth > 0 => {
                    self.mark(token, mark::CLOSE);
                    depth -= 1;
                }
                _ if before == Token::LeftBracket && depth > 0 => self.mark(token, mark::ITEM),
                _ => {}
            }
        }
    }

    /// Whether an alias is a list of named fields, `#a = #b<x = …, y = …>`, which can be written one a line. Marks the
    /// fields if so.
    pub(super) fn is_record(&mut self, alias: Node) -> bool {
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
}

/// Whether a word is the name of a Tile IR type.
pub(crate) fn is_known_type(name: &str) -> bool {
    TYPE_NAMES.contains(&name) || Element::from_name(name).is_some()
}
