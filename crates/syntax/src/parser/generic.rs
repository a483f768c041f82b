//! Parses generic form: `"cuda_tile.addi"(%a, %b) <{…}> ({ … }) {…} : (T, T) -> T`.

use super::Parser;
use crate::token::Token;
use crate::tree::{Expected, NO_SLOT, NodeKind};
use tile_dialect::{DIALECT_PREFIX, lookup};

impl Parser<'_> {
    /// Parses an op in generic form, starting at its name.
    pub(super) fn generic_op(&mut self, node: usize) {
        let name = self.token_text(0).trim_matches('"');
        if let Some(named) = name.strip_prefix(DIALECT_PREFIX).and_then(lookup) {
            self.nodes[node].slot = named.row.op as u8;
        }
        self.leaf(NodeKind::OpName, NO_SLOT);
        self.generic_operands();
        if self.kind() == Token::LeftBracket {
            // Successor blocks, which no op of the language has.
            self.unexpected();
            self.balanced();
        }
        if self.kind() == Token::Less && self.kind_at(1) == Token::LeftBrace {
            self.dict(NodeKind::Properties);
        }
        if self.kind() == Token::LeftParen {
            self.generic_regions();
        }
        if self.kind() == Token::LeftBrace {
            self.dict(NodeKind::Dict);
        }
        if self.expect(Token::Colon, ":") {
            self.generic_types();
        }
        self.location();
        if !self.at_statement_end() && self.kind() != Token::RightParen {
            self.unexpected();
            self.skip_statement();
        }
    }

    fn generic_operands(&mut self) {
        self.bump();
        while self.kind() == Token::Value {
            self.operand(NO_SLOT);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightParen, ")");
    }

    fn generic_regions(&mut self) {
        self.bump();
        let mut index = 0;
        while self.kind() == Token::LeftBrace {
            self.region(index);
            index = index.saturating_add(1);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightParen, ")");
    }

    /// Parses `(T, …) -> T` or `(T, …) -> (T, …)`. Slot 0: operand types; slot 1: result types.
    fn generic_types(&mut self) {
        let node = self.open(NodeKind::FunctionType);
        self.function_types(0, 1);
        self.close(node);
    }

    /// Parses the types of a function type into two slots, without an enclosing node.
    pub(super) fn function_types(&mut self, operands: u8, results: u8) {
        if self.kind() == Token::LeftParen {
            self.type_list(operands);
        } else {
            self.expected(Expected::Text("("));
        }
        if self.expect(Token::Arrow, "->") {
            if self.kind() == Token::LeftParen && !self.is_function_type() {
                self.type_list(results);
            } else if self.starts_type() {
                self.ty(results);
            } else {
                self.expected(Expected::Type);
            }
        }
    }

    /// Whether the parenthesis here opens a function type, not a list of types.
    fn is_function_type(&self) -> bool {
        self.after_bracket(0, Token::RightParen).is_some_and(|after| self.kind_at(after) == Token::Arrow)
    }

    fn type_list(&mut self, slot: u8) {
        self.bump();
        while self.starts_type() {
            self.ty(slot);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightParen, ")");
    }
}
