//! Detection of the start and end of statements, on which error recovery is based.

use super::Parser;
use super::ty::is_type_name;
use crate::token::Token;
use crate::tree::NodeKind;
use tile_dialect::lookup;

impl Parser<'_> {
    /// Whether the tokens here look like the left side of `=`: `%a =`, `%a:2 =`, `%a, %b =`.
    pub(super) fn starts_assignment(&self) -> bool {
        self.kind() == Token::Value
            && self.lookahead.assignment(self.at, self.first_on_line(), || self.scan_assignment())
    }

    /// The end of the left side that starts here, as a token index, and whether `=` follows it.
    fn scan_assignment(&self) -> (usize, bool) {
        let mut ahead = 0;
        let ends = |ahead: usize, is_assignment| (self.at + ahead, is_assignment);
        loop {
            if self.kind_at(ahead) != Token::Value {
                return ends(ahead, false);
            }
            // `addf %a,` with nothing after it: the assignment on the next line does not start here.
            if ahead > 0 && !self.first_on_line() && self.tokens.is_first_on_line(self.at + ahead, self.text) {
                return ends(ahead, false);
            }
            ahead += 1;
            if self.kind_at(ahead) == Token::Colon && self.kind_at(ahead + 1) == Token::Integer {
                ahead += 2;
            }
            // `%4_x =` is lexed as the value `%4` and a name: not a valid name, but meant as one.
            ahead += usize::from(self.kind_at(ahead) == Token::Name && self.touches_value(ahead));
            match self.kind_at(ahead) {
                Token::Equal => return ends(ahead, true),
                Token::Comma => ahead += 1,
                _ => return ends(ahead, false),
            }
        }
    }

    /// Whether the name `ahead` directly follows a value and is followed by `=`.
    pub(super) fn touches_value(&self, ahead: usize) -> bool {
        let at = self.at + ahead;
        self.kind_at(ahead + 1) == Token::Equal && at > 0 && self.tokens.end(at - 1) == self.tokens.start(at)
    }

    /// Whether the tokens here are the left side of an op, with or without the `=`, a name or a comma.
    pub(super) fn starts_results(&self) -> bool {
        let is_left_side = |kind| matches!(kind, Token::Value | Token::Comma | Token::Colon | Token::Integer);
        let tokens = &self.tokens.spanned;
        let end = || (self.at..).find(|&at| !is_left_side(tokens[at].kind)).unwrap_or(self.at);
        let mut ahead = self.lookahead.left_side_end(self.at, end) - self.at;
        ahead += usize::from(ahead > 0 && self.kind_at(ahead) == Token::Name && self.touches_value(ahead));
        if self.kind_at(ahead) == Token::Equal {
            return matches!(self.kind_at(ahead + 1), Token::Name | Token::String) || ahead > 0;
        }
        let is_op = match self.kind_at(ahead) {
            Token::Name => lookup(self.token_text(ahead)).is_some(),
            Token::String => self.kind_at(ahead + 1) == Token::LeftParen,
            _ => false,
        };
        let is_result = |last: usize| match self.kind_at(last) {
            Token::Integer => last > 0 && self.kind_at(last - 1) == Token::Colon,
            kind => kind == Token::Value,
        };
        ahead > 0 && is_op && is_result(ahead - 1) && !self.tokens.is_first_on_line(self.at + ahead, self.text)
    }

    /// Whether the tokens here look like the start of a statement. Used only for a token that starts a line or does not
    /// fit anything else.
    pub(super) fn starts_statement(&self) -> bool {
        match self.kind() {
            Token::Value => self.starts_assignment(),
            Token::Name => {
                let name = self.token_text(0);
                // `step = 2` on a separate line is an entry of a dictionary.
                lookup(name).is_some() && self.kind_at(1) != Token::Equal
            }
            Token::String => self.kind_at(1) == Token::LeftParen,
            Token::Item | Token::Label => true,
            Token::Equal | Token::Comma | Token::Colon => self.first_on_line() && self.starts_results(),
            Token::AttrName | Token::TypeName => self.kind_at(1) == Token::Equal,
            _ => false,
        }
    }

    /// Whether the current statement cannot continue here.
    pub(super) fn at_statement_end(&self) -> bool {
        match self.kind() {
            Token::End | Token::RightBrace | Token::Item | Token::Label | Token::OpenMetadata => true,
            Token::String | Token::AttrName | Token::TypeName | Token::Value if !self.first_on_line() => {
                self.kind() == Token::Value && self.starts_assignment() && self.follows_brace_or_type()
            }
            Token::Name if !self.first_on_line() => self.starts_statement() && self.follows_brace_or_type(),
            Token::Name => self.starts_statement() || self.is_unknown_op(),
            Token::Value => self.starts_results(),
            Token::LeftBrace => self.first_on_line(),
            _ => self.first_on_line() && self.starts_statement(),
        }
    }

    /// Whether the current token follows a brace or `>`, after which another statement can start on the same line:
    /// `{ %a = op … }`.
    fn follows_brace(&self) -> bool {
        self.at > 0 && matches!(self.tokens.kind(self.at - 1), Token::LeftBrace | Token::RightBrace | Token::Greater)
    }

    fn follows_brace_or_type(&self) -> bool {
        self.follows_brace()
            || self.at > 0
                && match self.tokens.kind(self.at - 1) {
                    Token::Name => is_type_name(self.tokens.text(self.at - 1, self.text)),
                    kind => matches!(kind, Token::TypeName | Token::RightParen | Token::String | Token::Value),
                }
    }

    /// A line that starts with `name %a`, `name "…"` or `name @s`: a misspelled op.
    fn is_unknown_op(&self) -> bool {
        !is_type_name(self.token_text(0))
            && matches!(self.kind_at(1), Token::Value | Token::String | Token::Symbol | Token::Colon | Token::Less)
            && !matches!(self.token_text(0), "loc" | "to" | "in" | "step" | "unsigned" | "signed" | "rounding")
            && !is_form_keyword(self.token_text(0))
    }

    /// Skips everything up to the next item, because there are too many errors.
    pub(super) fn skip_rest(&mut self) {
        let node = self.open(NodeKind::Error);
        while !matches!(self.kind(), Token::End | Token::Item) {
            self.bump();
        }
        self.close(node);
    }

    /// Skips the rest of a statement that cannot be parsed, including brackets and regions.
    pub(super) fn skip_statement(&mut self) {
        let node = self.open(NodeKind::Error);
        let start = self.at;
        while !matches!(self.kind(), Token::End | Token::RightBrace | Token::Item)
            && (self.at == start || !self.at_statement_end())
        {
            match self.kind() {
                Token::LeftBrace if !self.is_dict() => {
                    self.region(crate::tree::NO_SLOT);
                }
                _ => self.skip_group(),
            }
        }
        self.close(node);
    }
}

/// Whether a name is a keyword of a form that can start a line and precede a value or a string.
fn is_form_keyword(name: &str) -> bool {
    matches!(
        name,
        "weak" | "relaxed" | "acquire" | "release" | "acq_rel" | "tl_blk" | "device" | "sys" | "ordered" | "unordered"
    ) || tile_dialect::PREDICATE.value(name).is_some()
}
