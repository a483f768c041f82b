//! Dialect prefixes that can be dropped without changing the meaning.

use super::marks::mark;
use super::planner::{Op, Planner};
use tile_dialect::{AttrKind, DIALECT_PREFIX, Mnemonic, TYPE_NAMES};
use tile_syntax::{Node, Token};

/// The predicates of `assume`.
const PREDICATES: [&str; 3] = ["div_by", "same_elements", "bounded"];

impl Planner<'_> {
    /// Drops the prefix of an op's name if the parent op makes the dialect the default. `cuda_tile.module` keeps it,
    /// because `module` is MLIR's builtin op.
    pub(super) fn shorten_op(&mut self, token: usize, op: Op) {
        let is_long = self.token_text(token).starts_with(DIALECT_PREFIX);
        if is_long && op.in_module && op.has_own_name() && !op.is(Mnemonic::Module) {
            self.mark(token, mark::SHORT);
        }
    }

    /// Drops the prefix of an `assume` predicate.
    pub(super) fn shorten_predicate(&mut self, node: Node, op: Op) {
        let first = self.tree.tokens_of(node).start;
        let attrs = op.row.map_or(&[][..], |row| row.row().attrs);
        let kind = attrs.get(self.tree.slot(node) as usize).map(|attr| &attr.kind);
        let long = self.token_text(first).strip_prefix('#').and_then(|name| name.strip_prefix(DIALECT_PREFIX));
        if matches!(kind, Some(AttrKind::Predicate)) && long.is_some_and(|name| PREDICATES.contains(&name)) {
            self.mark(first, mark::SHORT);
        }
    }

    /// Drops the prefixes of a type that the dialect parses. Types inside a tuple or a function type are parsed by MLIR
    /// and keep theirs.
    pub(super) fn shorten_type(&mut self, node: Node) {
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
        let all_own = tokens.clone().filter(|&token| opens(token)).all(|token| is_own(token.saturating_sub(1)));
        if all_own && self.kind(tokens.start) != Token::LeftParen {
            for token in tokens {
                if self.kind(token) == Token::TypeName && self.long_type(token).is_some() {
                    self.mark(token, mark::SHORT);
                }
            }
        }
    }

    /// Returns `tile` for `!cuda_tile.tile`; `None` for other tokens.
    fn long_type(&self, token: usize) -> Option<&str> {
        let name = self.token_text(token).strip_prefix('!')?.strip_prefix(DIALECT_PREFIX)?;
        TYPE_NAMES.contains(&name).then_some(name)
    }
}
