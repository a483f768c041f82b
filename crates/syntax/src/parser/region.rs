//! Parses regions, blocks and parameters.

use super::MAX_DEPTH;
use super::Parser;
use super::form::Op;
use crate::token::Token;
use crate::tree::{ErrorKind, Expected, NO_SLOT, NodeKind};
use tile_dialect::{Mnemonic, RegionArgs};

impl Parser<'_> {
    /// Parses a region of an op in custom form and its argument list, if it has one.
    pub(super) fn op_region(&mut self, op: Op, index: u8) {
        if op.row.regions[index as usize].args == RegionArgs::Listed {
            if self.kind() == Token::LeftParen {
                self.block_args(index);
            } else {
                self.expected(Expected::Text("("));
            }
        }
        let is_item = matches!(op.row.op, Mnemonic::Entry | Mnemonic::TestingFunc);
        self.region_of(index, is_item && self.depth == 0);
    }

    pub(super) fn region(&mut self, slot: u8) {
        self.region_of(slot, false);
    }

    /// Parses braces and the statements between them. `last` is set for the body of an item: no statements can follow
    /// it, so a brace that closes it early is an extra one.
    fn region_of(&mut self, slot: u8, last: bool) {
        let node = self.open_slot(NodeKind::Region, slot);
        self.op_error = None;
        let opening = self.opening();
        if self.kind() == Token::LeftBrace {
            self.bump();
        } else {
            self.expected(Expected::Text("{"));
        }
        let body = self.body_indent();
        if self.depth == MAX_DEPTH {
            self.error_here(ErrorKind::TooDeep);
            self.skip_region();
            self.close(node);
            return;
        }
        self.depth += 1;
        loop {
            self.op_error = None;
            match self.kind() {
                Token::End => {
                    self.not_closed(&opening);
                    break;
                }
                _ if self.is_after_region(&opening, body) => {
                    self.not_closed(&opening);
                    break;
                }
                kind if kind != Token::Item && self.gives_up() => self.skip_rest(),
                Token::RightBrace if last && self.more_statements_follow() && self.another_brace_closes() => {
                    self.error_here(ErrorKind::ExtraBrace);
                    self.leaf(NodeKind::Error, NO_SLOT);
                }
                Token::RightBrace => {
                    self.bump();
                    break;
                }
                Token::Label => self.block_header(),
                _ => self.statement(),
            }
        }
        self.depth -= 1;
        self.op_error = None;
        self.statement = opening.statement;
        self.close(node);
    }

    fn more_statements_follow(&self) -> bool {
        match self.kind_at(1) {
            Token::End | Token::Item | Token::RightParen | Token::Colon | Token::LeftBrace | Token::Comma => false,
            Token::RightBrace => true,
            Token::Name => self.token_text(1) != "loc",
            _ => true,
        }
    }

    /// Whether another brace follows that would close the region instead of the one here.
    fn another_brace_closes(&self) -> bool {
        let mut open = 1;
        for ahead in 1.. {
            match self.kind_at(ahead) {
                Token::LeftBrace => open += 1,
                Token::RightBrace => open -= 1,
                Token::End => return false,
                _ => {}
            }
            if open == 0 {
                return true;
            }
        }
        false
    }

    /// Skips everything up to the brace that closes the region.
    fn skip_region(&mut self) {
        let mut open = 1;
        while open > 0 && self.kind() != Token::End {
            open += match self.kind() {
                Token::LeftBrace => 1,
                Token::RightBrace => -1,
                _ => 0,
            };
            self.bump();
        }
    }

    /// Parses `^bb0(%a: T):`.
    fn block_header(&mut self) {
        let node = self.open(NodeKind::BlockHeader);
        self.bump();
        if self.kind() == Token::LeftParen {
            self.block_args(0);
        }
        self.expect(Token::Colon, ":");
        self.close(node);
    }

    /// Parses `(%a: T, %b: T)`, starting at the parenthesis.
    fn block_args(&mut self, region: u8) {
        self.bump();
        while self.kind() == Token::Value {
            let node = self.open_slot(NodeKind::BlockArg, region);
            self.bump();
            if self.expect(Token::Colon, ":") {
                self.param_type();
            }
            self.location();
            self.close(node);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.close_list();
    }

    /// Parses the `)` of a parameter list and skips any unexpected tokens before it.
    fn close_list(&mut self) {
        if self.eat(Token::RightParen) {
            return;
        }
        self.expected(Expected::Text(")"));
        let node = self.open(NodeKind::Error);
        while !(matches!(self.kind(), Token::RightParen | Token::LeftBrace | Token::RightBrace | Token::End)
            || self.first_on_line() && self.starts_statement())
        {
            self.skip_group();
        }
        self.eat(Token::RightParen);
        self.close(node);
    }

    fn param_type(&mut self) {
        let start = self.tokens.start(self.at);
        let is_pointer = self.kind_at(1) == Token::Name && self.pointer_stars();
        if !self.starts_type() {
            return self.expected(Expected::Type);
        }
        self.ty(NO_SLOT);
        if self.pointer_stars() || is_pointer {
            self.error(ErrorKind::PointerStar, start..self.tokens.end(self.at - 1));
        }
    }

    /// Skips the `*` before or after a type. Returns whether there was one.
    fn pointer_stars(&mut self) -> bool {
        let found = self.kind() == Token::Star;
        if found {
            let node = self.open(NodeKind::Error);
            while self.eat(Token::Star) {}
            self.close(node);
        }
        found
    }

    /// Reports and skips a type followed by a name: `float* x` or `tile<i32> %n`. Returns whether there was one.
    fn type_first(&mut self) -> bool {
        let start = self.tokens.start(self.at);
        let stars =
            |parser: &Self, ahead| (ahead..).find(|&ahead| parser.kind_at(ahead) != Token::Star).unwrap_or(ahead);
        let after = if self.kind_at(1) == Token::Less { self.after_bracket(1, Token::Greater) } else { Some(1) };
        let Some(name) = after.map(|after| stars(self, after)) else { return false };
        let is_name = matches!(self.kind_at(name), Token::Name | Token::Value)
            && !self.tokens.is_first_on_line(self.at + name, self.text)
            && matches!(self.kind_at(name + 1), Token::Comma | Token::RightParen);
        if self.kind() != Token::Name || !is_name {
            return false;
        }
        self.error(ErrorKind::TypeFirst, start..self.tokens.end(self.at + name));
        let node = self.open(NodeKind::Error);
        self.at += name + 1;
        self.close(node);
        true
    }

    /// Parses the `(%a: T, …) [-> T]` of an entry.
    pub(super) fn signature(&mut self, region: u8) {
        let node = self.open_slot(NodeKind::Signature, region);
        self.expect(Token::LeftParen, "(");
        let mut are_named = None;
        while !self.ends_params() {
            // Either all parameters have names or none does.
            let is_named = matches!(self.kind(), Token::Value | Token::Colon);
            match *are_named.get_or_insert(is_named) {
                named if named == is_named => {}
                true => self.expected(Expected::Value),
                false => self.expected_type(),
            }
            self.param();
            if self.eat(Token::Comma) {
                if self.kind() == Token::RightParen {
                    self.expected_word(Expected::Text("a parameter"));
                }
                continue;
            }
            if self.ends_params() {
                continue;
            }
            self.expected(Expected::Text(","));
            self.skip_to_next_param();
        }
        self.close_list();
        if self.eat(Token::Arrow) {
            self.param_type();
        }
        self.close(node);
    }

    fn ends_params(&self) -> bool {
        match self.kind() {
            Token::RightParen | Token::RightBrace | Token::LeftBrace | Token::Arrow | Token::End | Token::Item => true,
            _ => self.first_on_line() && self.starts_statement(),
        }
    }

    /// Skips tokens that do not fit a parameter, up to the next one.
    fn skip_to_next_param(&mut self) {
        let node = self.open(NodeKind::Error);
        while !self.ends_params() && !matches!(self.kind(), Token::Comma | Token::Value) {
            self.skip_group();
        }
        self.eat(Token::Comma);
        self.close(node);
    }

    fn param(&mut self) {
        let node = self.open(NodeKind::Param);
        self.op_error = None;
        if self.type_first() {
            return self.close(node);
        }
        if self.eat(Token::Value) {
            self.expect(Token::Colon, ":");
        } else if self.kind() == Token::Colon {
            self.expected(Expected::Value);
            self.bump();
        }
        self.param_type();
        if self.kind() == Token::LeftBrace && self.is_dict() {
            self.dict(NodeKind::Dict);
        }
        self.location();
        self.close(node);
    }
}
