//! Types. The parser only finds where a type ends; its contents are parsed when the type is resolved.

use super::Parser;
use crate::token::Token;
use crate::tree::{ErrorKind, Expected, NodeKind};
use tile_dialect::{Builtin, DIALECT_PREFIX, TYPE_NAMES, lookup};

impl Parser<'_> {
    /// Whether a type can start here. A name that is neither a type nor an op counts as a misspelled type, unless it
    /// starts a new line. A parenthesis before a value starts the arguments of a region.
    pub(super) fn starts_type(&self) -> bool {
        match self.kind() {
            Token::TypeName => true,
            Token::LeftParen => self.kind_at(1) != Token::Value,
            Token::Name => {
                let name = self.token_text(0);
                is_type_name(name) || !self.first_on_line() && lookup(name).is_none() && name != "loc"
            }
            _ => false,
        }
    }

    /// Parses one type.
    pub(super) fn ty(&mut self, slot: u8) {
        let node = self.open_slot(NodeKind::Type, slot);
        match self.kind() {
            Token::Name | Token::TypeName => {
                let missing = self.missing_bracket();
                self.bump();
                if self.kind() == Token::Less {
                    self.balanced();
                } else if let Some(at) = missing {
                    self.error(ErrorKind::Expected(Expected::Text("<")), at..at);
                    self.bump();
                }
            }
            Token::LeftParen => self.function_type(),
            _ => self.expected(Expected::Type),
        }
        self.close(node);
    }

    /// The position of the missing `<` in `tile4xf32>`.
    fn missing_bracket(&self) -> Option<u32> {
        let name = self.token_text(0);
        let short = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name);
        let ty = TYPE_NAMES.into_iter().filter(|ty| short.len() > ty.len()).find(|ty| short.starts_with(ty))?;
        let is_meant = self.kind_at(1) == Token::Greater && !is_type_name(name) && self.kind() == Token::Name;
        is_meant.then(|| self.tokens.start(self.at) + (name.len() - short.len() + ty.len()) as u32)
    }

    /// Parses `(T, …) -> T` or `(T, …) -> (T, …)`, starting at the parenthesis.
    fn function_type(&mut self) {
        self.balanced();
        if self.eat(Token::Arrow) {
            match self.kind() {
                Token::LeftParen => self.balanced(),
                Token::Name | Token::TypeName => {
                    self.bump();
                    if self.kind() == Token::Less {
                        self.balanced();
                    }
                }
                _ => self.expected(Expected::Type),
            }
        }
    }
}

/// Whether `name` is the name of a type: one of the dialect, an element type, or one of MLIR's own.
pub(super) fn is_type_name(name: &str) -> bool {
    let short = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name);
    TYPE_NAMES.contains(&short) || Builtin::from_name(name).is_some()
}
