//! Attributes in custom form, and dictionaries.

use super::Parser;
use super::form::Op;
use crate::token::Token;
use crate::tree::{ErrorKind, Expected, NO_SLOT, NodeKind};
use smallvec::SmallVec;
use tile_dialect::{AttrKind, Presence};

impl Parser<'_> {
    /// Whether the attribute with this index in the op's row can start here.
    pub(super) fn starts_attr(&self, op: Op, index: u8) -> bool {
        match op.row.attrs[index as usize].kind {
            AttrKind::Enum { of, wrapper: "", .. } => {
                // An attribute with a default is written bare; the others can also be quoted.
                let quoted = !matches!(op.row.attrs[index as usize].presence, Presence::Default(_));
                self.kind() == Token::Name && of.value(self.token_text(0)).is_some()
                    || quoted
                        && self.kind() == Token::String
                        && of.value(self.token_text(0).trim_matches('"')).is_some()
            }
            AttrKind::Enum { wrapper, .. } => self.is_word(wrapper),
            AttrKind::Flag(word) => self.is_word(word),
            AttrKind::Int(_) => matches!(self.kind(), Token::Integer | Token::Minus),
            AttrKind::Bool => self.is_word("true") || self.is_word("false"),
            AttrKind::Str => matches!(self.kind(), Token::String | Token::OpenString),
            AttrKind::SymbolName | AttrKind::SymbolRef => self.kind() == Token::Symbol,
            AttrKind::Dense => self.kind() == Token::Less,
            AttrKind::Hints => self.kind() == Token::Less,
            AttrKind::IntList | AttrKind::BoolList(_) | AttrKind::Identities => self.kind() == Token::LeftBracket,
            AttrKind::Predicate => match self.kind() {
                Token::Name => !self.starts_statement(),
                kind => kind == Token::AttrName,
            },
            AttrKind::ConstParams | AttrKind::ConstArgs => self.kind() == Token::Less,
            AttrKind::Preview(_) => matches!(self.kind(), Token::AttrName | Token::LeftBrace),
            AttrKind::Array => self.kind() == Token::LeftBracket,
            AttrKind::Dictionary => self.kind() == Token::LeftBrace,
            AttrKind::Type | AttrKind::DictList => false,
        }
    }

    /// Parses the attribute that starts here.
    pub(super) fn attr(&mut self, op: Op, index: u8) {
        let node = self.open_slot(NodeKind::Attr, index);
        match op.row.attrs[index as usize].kind {
            AttrKind::Enum { wrapper: "", .. } | AttrKind::Flag(_) | AttrKind::Bool | AttrKind::Str => self.bump(),
            AttrKind::Enum { of, .. } => self.wrapped_keyword(op, index, of),
            AttrKind::Int(_) => {
                self.eat(Token::Minus);
                self.expect(Token::Integer, "an integer");
            }
            AttrKind::SymbolName | AttrKind::SymbolRef => self.bump(),
            AttrKind::Predicate => {
                self.bump();
                if self.kind() == Token::Less {
                    self.balanced();
                }
            }
            AttrKind::Preview(_) if self.kind() == Token::AttrName => {
                self.bump();
                if self.kind() == Token::Less {
                    self.balanced();
                }
            }
            _ => self.balanced(),
        }
        self.close(node);
    }

    /// Parses `rounding<zero>`.
    fn wrapped_keyword(&mut self, op: Op, index: u8, of: &tile_dialect::EnumRow) {
        self.bump();
        if !self.expect(Token::Less, "<") {
            return;
        }
        if self.kind() == Token::Name {
            if of.value(self.token_text(0)).is_none() {
                self.error_here(ErrorKind::BadKeyword(op.row.op, index));
            }
            self.bump();
        } else {
            self.expected(Expected::Attr(op.row.op, index));
            if self.kind() != Token::Greater && !self.at_statement_end() {
                self.bump();
            }
        }
        self.expect(Token::Greater, ">");
    }

    /// Whether the brace here opens a dictionary: `{}`, `{a = 1}`, `{a, b}`.
    pub(super) fn is_dict(&self) -> bool {
        match self.kind_at(1) {
            Token::RightBrace => !self.tokens.is_first_on_line(self.at + 1, self.text) || !self.first_on_line(),
            Token::Name | Token::String => {
                matches!(self.kind_at(2), Token::Equal | Token::Comma)
                    || self.kind_at(2) == Token::RightBrace && tile_dialect::lookup(self.token_text(1)).is_none()
            }
            _ => false,
        }
    }

    /// Parses `{a = 1, b}`, starting at the brace.
    pub(super) fn dict(&mut self, kind: NodeKind) {
        let node = self.open(kind);
        if kind == NodeKind::Properties {
            self.bump();
        }
        if !self.expect(Token::LeftBrace, "{") {
            self.close(node);
            return;
        }
        while matches!(self.kind(), Token::Name | Token::String | Token::Integer) {
            if self.kind() == Token::Integer {
                self.expected(Expected::Text("an attribute"));
            }
            let entry = self.open(NodeKind::DictEntry);
            self.bump();
            if self.eat(Token::Equal) {
                self.attr_value();
            }
            self.close(entry);
            if !self.eat(Token::Comma) {
                break;
            }
            if self.kind() == Token::RightBrace {
                self.expected(Expected::Text("an attribute"));
            }
        }
        self.expect(Token::RightBrace, "}");
        if kind == NodeKind::Properties {
            self.expect(Token::Greater, ">");
        }
        self.close(node);
    }

    /// Parses a value of a dictionary or alias: any balanced tokens up to the `,` or bracket that ends it.
    pub(super) fn attr_value(&mut self) {
        let node = self.open(NodeKind::AttrValue);
        let start = self.at;
        let is_none = matches!(self.kind(), Token::Equal | Token::Question);
        while !is_none && !self.ends_attr_value(start) {
            match self.kind() {
                Token::Less | Token::LeftParen | Token::LeftBracket | Token::LeftBrace => self.balanced(),
                _ => self.bump(),
            }
        }
        if self.at == start {
            self.expected(Expected::AttrValue);
        }
        self.close(node);
    }

    fn ends_attr_value(&self, start: usize) -> bool {
        match self.kind() {
            Token::Comma
            | Token::RightBrace
            | Token::RightBracket
            | Token::RightParen
            | Token::Greater
            | Token::End
            | Token::Item => true,
            _ => self.at > start && self.first_on_line() && self.ends_line_of_value(),
        }
    }

    /// Whether the line that starts here ends the alias, rather than continuing it with `:`, `->` or `<`.
    fn ends_line_of_value(&self) -> bool {
        !matches!(self.kind(), Token::Colon | Token::Arrow | Token::Less)
    }

    /// Parses a bracket and everything up to the one that closes it. Stops early at a new statement, or at a value,
    /// which neither types nor attributes contain: the closing bracket is then missing.
    pub(super) fn balanced(&mut self) {
        let mut open: SmallVec<[Token; 16]> = SmallVec::new();
        loop {
            match self.kind() {
                _ if open.last() == Some(&Token::RightParen) && self.compares() => {}
                Token::Less => open.push(Token::Greater),
                Token::LeftParen => open.push(Token::RightParen),
                Token::LeftBracket => open.push(Token::RightBracket),
                Token::LeftBrace => open.push(Token::RightBrace),
                Token::Greater | Token::RightParen | Token::RightBracket | Token::RightBrace => {
                    let closes = open.iter().rposition(|&close| close == self.kind());
                    let Some(found) = closes else {
                        self.expected(Expected::Text(open.last().map_or(">", |&close| bracket(close))));
                        return;
                    };
                    if found + 1 < open.len() {
                        self.expected(Expected::Text(bracket(open[open.len() - 1])));
                    }
                    open.truncate(found);
                }
                Token::End | Token::Item | Token::Value => break,
                _ if self.first_on_line() && self.starts_statement() => break,
                _ => {}
            }
            self.bump();
            if open.is_empty() {
                return;
            }
        }
        if let Some(&close) = open.last() {
            self.expected(Expected::Text(bracket(close)));
        }
    }

    /// Skips one token, or a bracket and its contents. Errors inside are dropped, because the caller reports the whole
    /// group.
    pub(super) fn skip_group(&mut self) {
        match self.kind() {
            Token::Less | Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                let (errors, op_error, op_errors) = (self.errors.len(), self.op_error, self.op_errors);
                self.balanced();
                self.errors.truncate(errors);
                (self.op_error, self.op_errors) = (op_error, op_errors);
            }
            Token::Value => self.operand(NO_SLOT),
            _ => self.bump(),
        }
    }
}

/// The spelling of a closing bracket.
fn bracket(close: Token) -> &'static str {
    match close {
        Token::RightParen => ")",
        Token::RightBracket => "]",
        Token::RightBrace => "}",
        _ => ">",
    }
}
