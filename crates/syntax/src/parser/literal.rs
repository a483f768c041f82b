//! Literals, bare names and named operands in the position of values, as other languages write them.

use super::Parser;
use super::form::Op;
use crate::token::Token;
use crate::tree::{ErrorKind, NO_SLOT, NodeKind};
use tile_dialect::form::Piece;

impl Parser<'_> {
    /// Whether a literal or a bare name takes the place of an operand here; `after` are the pieces after the operand.
    pub(super) fn starts_literal_operand(&mut self, op: Op, after: &[Piece]) -> bool {
        match self.kind() {
            Token::Integer | Token::Float => !self.first_on_line(),
            Token::Minus => matches!(self.kind_at(1), Token::Integer | Token::Float) && !self.first_on_line(),
            Token::Name => {
                !self.first_on_line()
                    && !self.starts_statement()
                    && !after.iter().any(|piece| !is_type(piece) && self.starts(op, piece))
                    && self.ends_operand_at(1, op, after)
            }
            _ => false,
        }
    }

    /// Whether the token `ahead` can follow an operand.
    fn ends_operand_at(&mut self, ahead: usize, op: Op, after: &[Piece]) -> bool {
        let follows = matches!(
            self.kind_at(ahead),
            Token::Comma
                | Token::Colon
                | Token::Arrow
                | Token::LeftBrace
                | Token::LeftBracket
                | Token::RightParen
                | Token::RightBracket
                | Token::RightBrace
                | Token::End
        );
        let at = self.at + ahead;
        follows
            || self.tokens.is_first_on_line(at, self.text)
            || after.iter().any(|piece| !is_type(piece) && self.starts_at(ahead, op, piece))
    }

    /// Whether `mask=%m` is `ahead`, with a name that is not a keyword of the op.
    pub(super) fn is_named_operand(&self, ahead: usize, op: Op) -> bool {
        let is_keyword = |piece: &Piece| match piece {
            Piece::Word(word) => *word == self.token_text(ahead),
            Piece::Group(pieces) => matches!(pieces[0], Piece::Word(word) if word == self.token_text(ahead)),
            _ => false,
        };
        self.kind_at(ahead) == Token::Name
            && self.kind_at(ahead + 1) == Token::Equal
            && self.kind_at(ahead + 2) == Token::Value
            && !op.form.pieces.iter().any(is_keyword)
    }

    /// Reports and skips the name of an operand. Returns whether there was one.
    pub(super) fn named_operand(&mut self, op: Op) -> bool {
        let found = self.is_named_operand(0, op) && !self.first_on_line();
        if found {
            self.report_literal(ErrorKind::NamedOperand(op.row.op), NO_SLOT, 2);
        }
        found
    }

    /// Reports the literal or bare name that starts here, and parses it as an operand.
    pub(super) fn literal_operand(&mut self, op: Op, index: u8) {
        let length = 1 + usize::from(self.kind() == Token::Minus);
        self.report_literal(ErrorKind::NotAValue(op.row.op, index), index, length);
    }

    /// Reports `1.0`, `-1` or `[1, 2]` in place of `<f32: 1.0>`. Returns whether there was one.
    pub(super) fn bare_literal(&mut self, op: Op, index: u8) -> bool {
        let length = match self.kind() {
            Token::Integer | Token::Float => 1,
            Token::Minus if matches!(self.kind_at(1), Token::Integer | Token::Float) => 2,
            Token::Name if matches!(self.token_text(0), "true" | "false") => 1,
            Token::LeftBracket => match self.after_bracket(0, Token::RightBracket) {
                Some(length) => length,
                None => return false,
            },
            _ => return false,
        };
        if self.first_on_line() {
            return false;
        }
        self.report_literal(ErrorKind::BareLiteral(op.row.op, index), NO_SLOT, length);
        true
    }

    /// Reports tokens and puts them into an error node with this slot.
    fn report_literal(&mut self, kind: ErrorKind, slot: u8, length: usize) {
        self.error(kind, self.tokens.start(self.at)..self.tokens.end(self.at + length - 1));
        let node = self.open_slot(NodeKind::Error, slot);
        self.at += length;
        self.close(node);
    }
}

/// Whether the piece is a type. Any name could be a misspelled type.
fn is_type(piece: &Piece) -> bool {
    matches!(piece, Piece::Type(_) | Piece::TypeArrow { .. })
}
