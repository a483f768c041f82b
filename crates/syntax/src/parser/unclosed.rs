//! Regions whose closing brace is missing. If braces do not match, the indentation shows which region is not closed:
//! the text after it is not indented as its body is.

use super::Parser;
use crate::token::Token;
use crate::tree::{ErrorKind, Expected};

/// The start of a region.
pub(super) struct Opening {
    /// The token of its brace, if it has one.
    brace: Option<u32>,
    /// The first token of the statement with the region.
    pub(super) statement: usize,
    /// The indentation of the line with that token.
    indent: usize,
}

impl Parser<'_> {
    /// The start of the region that begins here.
    pub(super) fn opening(&self) -> Opening {
        let brace = (self.kind() == Token::LeftBrace).then_some(self.at as u32);
        // Without an unclosed brace, the indentation does not matter. A statement after others says nothing about it.
        let starts_line = self.unclosed > 0 && self.tokens.is_first_on_line(self.statement, self.text);
        let indent = if starts_line { self.indent_of(self.statement) } else { usize::MAX };
        Opening { brace, statement: self.statement, indent }
    }

    /// The indentation of the first statement of a region, if it starts a line.
    pub(super) fn body_indent(&self) -> Option<usize> {
        (self.unclosed > 0 && self.first_on_line()).then(|| self.indent_of(self.at))
    }

    /// Whether the current token follows a region that is not closed: its line is not indented as the body is.
    pub(super) fn is_after_region(&self, opening: &Opening, body: Option<usize>) -> bool {
        self.unclosed > 0
            && body.is_some_and(|body| body > opening.indent)
            && self.first_on_line()
            && match self.kind() {
                Token::Item | Token::Label => false,
                Token::RightBrace => self.indent_of(self.at) < opening.indent,
                _ => self.indent_of(self.at) <= opening.indent,
            }
    }

    /// Reports that a region is not closed before the current token.
    pub(super) fn not_closed(&mut self, opening: &Opening) {
        self.unclosed = self.unclosed.saturating_sub(1);
        self.error_before(opening.brace.map_or(ErrorKind::Expected(Expected::Text("}")), ErrorKind::Unclosed));
    }

    /// The indentation of the line with a token, in bytes. The first line of an item counts as not indented.
    fn indent_of(&self, token: usize) -> usize {
        let before = &self.text[..self.tokens.start(token) as usize];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        self.text.as_bytes()[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }
}
