//! Statements: results, the op's name, and its form.

use super::Parser;
use crate::token::Token;
use crate::tree::{ErrorKind, Expected, NO_SLOT, NodeKind};
use tile_dialect::{Mnemonic, Named, lookup};

impl Parser<'_> {
    /// Parses the text of one item, to its end.
    pub(super) fn item(&mut self) {
        self.statement();
        // In a correct file, nothing follows the item's own statement.
        while self.kind() != Token::End {
            self.op_error = None;
            if self.gives_up() {
                self.skip_rest();
            } else if self.kind() == Token::RightBrace {
                self.extra_braces();
            } else {
                self.statement();
            }
        }
    }

    /// Parses the statements of a file.
    pub(super) fn top_level(&mut self) {
        while self.kind() != Token::End {
            self.op_error = None;
            match self.kind() {
                kind if kind != Token::Item && self.gives_up() => self.skip_rest(),
                Token::RightBrace => self.extra_braces(),
                Token::OpenMetadata => self.metadata(),
                _ => self.statement(),
            }
        }
    }

    /// Reports and skips closing braces without a matching one. A run of them is reported once.
    fn extra_braces(&mut self) {
        let brace = self.tokens.spanned[self.at].range();
        // An item can end without a brace, if that is missing.
        let ends_with_brace = |&before: &usize| self.text[..self.tokens.end(before) as usize].ends_with('}');
        let closed = self.at.checked_sub(1).filter(|before| {
            self.first_on_line()
                && matches!(self.tokens.kind(*before), Token::RightBrace | Token::Item)
                && ends_with_brace(before)
        });
        // Either of the two braces could be the extra one, so the range covers both.
        let start = closed.map_or(brace.start, |before| self.tokens.end(before) - 1);
        self.error(ErrorKind::ExtraBrace, start..brace.end);
        let node = self.open(NodeKind::Error);
        while self.eat(Token::RightBrace) {}
        self.close(node);
    }

    /// Skips MLIR resources: `{-# … #-}`.
    fn metadata(&mut self) {
        let node = self.open(NodeKind::Error);
        while !matches!(self.kind(), Token::End | Token::CloseMetadata) {
            self.bump();
        }
        self.expect(Token::CloseMetadata, "#-}");
        self.close(node);
    }

    /// Parses one statement. Always consumes at least one token.
    pub(super) fn statement(&mut self) {
        let start = self.at;
        (self.statement, self.op_error) = (start, None);
        match self.kind() {
            Token::Item => self.leaf(NodeKind::Item, NO_SLOT),
            Token::AttrName | Token::TypeName if self.kind_at(1) == Token::Equal => self.alias(),
            Token::Value if !self.starts_results() => self.nameless_op(),
            // Names on the left are missing: `= iota : …`, `, %b = …`, `:2 = …`.
            Token::Equal | Token::Comma | Token::Colon if self.starts_results() => self.op(),
            Token::Value | Token::Name | Token::String => self.op(),
            // The keyword of an item is missing: `@name(…) {`.
            Token::Symbol if self.kind_at(1) == Token::LeftParen => self.entry_without_keyword(),
            _ => {
                self.error_here(ErrorKind::ExpectedOp);
                self.skip_statement();
            }
        }
        if self.at == start {
            self.leaf(NodeKind::Error, NO_SLOT);
        }
    }

    fn alias(&mut self) {
        let node = self.open(NodeKind::Alias);
        let is_type = self.kind() == Token::TypeName;
        self.bump();
        self.bump();
        if is_type {
            self.ty(NO_SLOT);
        } else {
            self.attr_value();
        }
        self.close(node);
    }

    fn entry_without_keyword(&mut self) {
        let node = self.open_slot(NodeKind::Op, Mnemonic::Entry as u8);
        self.expected(Expected::OpName);
        let named = Named { row: Mnemonic::Entry.row(), spelling: None };
        self.form(named.row, named.form());
        self.close(node);
    }

    fn op(&mut self) {
        let node = self.open(NodeKind::Op);
        self.results();
        match self.kind() {
            Token::String if self.kind_at(1) == Token::LeftParen => self.generic_op(node),
            Token::Name => self.custom_op(node),
            _ => {
                self.expected(Expected::OpName);
                if !self.at_statement_end() {
                    self.skip_statement();
                }
            }
        }
        self.close(node);
    }

    /// Parses an op without results whose name is missing: `%i in (…) { … }`. Its regions are parsed like those of any
    /// op.
    fn nameless_op(&mut self) {
        let node = self.open(NodeKind::Op);
        self.error_here(ErrorKind::Expected(Expected::OpName));
        self.skip_statement();
        self.close(node);
    }

    fn custom_op(&mut self, node: usize) {
        let name = self.token_text(0);
        let is_builtin = name == "builtin.module" || name == "module" && self.is_builtin_module();
        let named = if is_builtin { None } else { lookup(name) };
        if named.is_none() && !is_builtin {
            self.error_here(ErrorKind::UnknownOp);
        }
        self.leaf(NodeKind::OpName, NO_SLOT);
        match named {
            Some(named) => {
                self.nodes[node].slot = named.row.op as u8;
                self.form(named.row, named.form());
            }
            None if is_builtin => self.builtin_module(),
            None => return self.unknown_op(),
        }
        // A value or a name on the next line starts a separate statement if this one is complete.
        let is_next = matches!(self.kind(), Token::Value | Token::Name) && self.first_on_line();
        if !is_next && !self.at_statement_end() {
            if !self.has_op_error() {
                self.unexpected();
            }
            self.skip_statement();
        }
    }

    /// Whether this is MLIR's own module, which can wrap ours: `module {` without a name, or with a name if it contains
    /// only modules. A named `module` with entries is a `cuda_tile.module` without its prefix.
    fn is_builtin_module(&self) -> bool {
        if self.kind_at(1) != Token::Symbol {
            return self.kind_at(1) == Token::LeftBrace || self.token_text(1) == "attributes";
        }
        let has_attributes = self.token_text(2) == "attributes" && self.kind_at(3) == Token::LeftBrace;
        let ahead = if has_attributes { self.after_bracket(3, Token::RightBrace).unwrap_or(2) } else { 2 };
        let is_module = matches!(self.token_text(ahead + 1), "module" | "builtin.module" | "cuda_tile.module");
        self.kind_at(ahead) == Token::LeftBrace && (is_module || self.kind_at(ahead + 1) == Token::RightBrace)
    }

    /// Parses the rest of MLIR's own module, after its name.
    fn builtin_module(&mut self) {
        if self.kind() == Token::Symbol {
            let symbol = self.open(NodeKind::Attr);
            self.bump();
            self.close(symbol);
        }
        if self.is_word("attributes") {
            self.bump();
            self.dict(NodeKind::Dict);
        }
        if self.kind() == Token::LeftBrace {
            self.region(NO_SLOT);
        } else {
            self.expected(Expected::Text("{"));
        }
        self.location();
    }

    /// Parses `%a, %b:2 =`, if present. Names, commas and `=` can each be missing.
    fn results(&mut self) {
        if !matches!(self.kind(), Token::Value | Token::Comma | Token::Colon | Token::Equal) {
            return;
        }
        let mut comma = true;
        loop {
            match self.kind() {
                Token::Value => {
                    if !comma {
                        self.expected(Expected::Text(","));
                    }
                    self.result();
                    comma = false;
                }
                Token::Comma => {
                    if comma {
                        self.error_here(ErrorKind::Expected(Expected::Value));
                    }
                    self.bump();
                    comma = true;
                }
                Token::Colon if self.kind_at(1) == Token::Integer => {
                    self.error_here(ErrorKind::Expected(Expected::Value));
                    self.bump();
                    self.bump();
                    comma = false;
                }
                _ => break,
            }
        }
        if comma {
            self.error_here(ErrorKind::Expected(Expected::Value));
        }
        if self.kind() == Token::Name && self.touches_value(0) {
            self.error_here(ErrorKind::BadName);
            self.leaf(NodeKind::Error, NO_SLOT);
            self.bump();
            return;
        }
        self.expect(Token::Equal, "=");
    }

    /// Parses `%a` or `%a:2`.
    fn result(&mut self) {
        let node = self.open(NodeKind::Result);
        self.bump();
        if self.kind() == Token::Colon && self.kind_at(1) == Token::Integer {
            self.bump();
            self.bump();
        }
        self.close(node);
    }

    /// Parses the rest of an op whose name is not in the table: any recognizable operands, types and regions.
    pub(super) fn unknown_op(&mut self) {
        while !self.at_statement_end() {
            match self.kind() {
                Token::Value => self.operand(NO_SLOT),
                Token::LeftBrace if self.opens_region() => self.region(NO_SLOT),
                Token::LeftBrace => self.dict(NodeKind::Dict),
                Token::Less | Token::LeftParen | Token::LeftBracket => self.skip_group(),
                Token::Item | Token::RightBrace => return,
                _ => self.bump(),
            }
        }
    }

    /// Whether the brace here opens a region rather than a dictionary.
    fn opens_region(&self) -> bool {
        match self.kind_at(1) {
            Token::Item | Token::Value | Token::Label => true,
            Token::RightBrace => self.tokens.is_first_on_line(self.at + 1, self.text),
            Token::String => self.kind_at(2) == Token::LeftParen,
            Token::Name => !matches!(self.kind_at(2), Token::Equal | Token::Comma | Token::RightBrace),
            _ => false,
        }
    }
}
