//! The parser: recursive descent over the tokens, guided by the forms of the op table.

mod attr;
mod form;
mod generic;
mod literal;
mod lookahead;
mod recovery;
mod region;
mod statement;
mod ty;
mod unclosed;

use crate::cut::{Piece, PieceKind};
use crate::lexer;
use crate::token::{SpannedToken, Token, Tokens};
use crate::tree::{ErrorKind, Expected, MAX_ERRORS, NO_SLOT, NodeData, NodeKind, SyntaxError, Tree};
use lookahead::Lookahead;

/// The maximum nesting depth of regions.
pub const MAX_DEPTH: usize = 128;

/// The maximum number of errors to report for one op, not counting its regions.
const MAX_OP_ERRORS: u8 = 2;

/// Parses the text of one item: an entry and any text after it that belongs to no other item.
pub fn parse_item(text: &str) -> Tree {
    let mut parser = Parser::new(text, lexer::lex(text));
    let root = parser.open(NodeKind::Root);
    parser.item();
    parser.close(root);
    parser.finish()
}

/// Parses the outline of a file: the text between its items. Each item is one token, [`Token::Item`].
pub fn parse_outline(text: &str, pieces: &[Piece]) -> Tree {
    let mut tokens = Tokens::default();
    for piece in pieces {
        match piece.kind {
            PieceKind::Outline => lexer::lex_range(text, piece.range.start, piece.range.end, &mut tokens),
            PieceKind::Item => lexer::push(&mut tokens, Token::Item, piece.range.start, piece.range.end),
        }
    }
    lexer::finish(&mut tokens, text.len());
    let mut parser = Parser::new(text, tokens);
    let root = parser.open(NodeKind::Root);
    parser.top_level();
    parser.close(root);
    parser.finish()
}

/// The maximum number of tokens to look ahead for a closing bracket. Without a limit, unclosed brackets would take
/// quadratic time.
const MAX_LOOKAHEAD: usize = 1 << 16;

struct Parser<'t> {
    text: &'t str,
    tokens: Tokens,
    at: usize,
    depth: usize,
    errors: Vec<SyntaxError>,
    /// The end of the first error of the current op, not counting its regions.
    op_error: Option<u32>,
    /// The number of errors reported for that op.
    op_errors: u8,
    nodes: Vec<NodeData>,
    lookahead: Lookahead,
    /// The first token of the current statement.
    statement: usize,
    /// The number of opening braces that cannot have a closing one.
    unclosed: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: Tokens) -> Self {
        let guess = tokens.len() / 2 + 8;
        let unclosed = tokens.unclosed_braces();
        Parser {
            text,
            tokens,
            at: 0,
            depth: 0,
            errors: Vec::new(),
            op_error: None,
            op_errors: 0,
            nodes: Vec::with_capacity(guess),
            lookahead: Lookahead::default(),
            statement: 0,
            unclosed,
        }
    }

    fn finish(mut self) -> Tree {
        self.report_bad_tokens();
        self.errors.sort_by_key(|error| error.range.start);
        self.errors.truncate(MAX_ERRORS);
        Tree { tokens: self.tokens, errors: self.errors, nodes: self.nodes }
    }

    /// Replaces the parser's errors about malformed tokens with those of the lexer.
    fn report_bad_tokens(&mut self) {
        let is_bad = |kind: Token| matches!(kind, Token::Unknown | Token::OpenString);
        if !self.tokens.spanned.iter().any(|token| is_bad(token.kind)) {
            return;
        }
        let tokens = &self.tokens;
        self.errors.retain(|error| {
            let token = tokens.at(error.range.end.saturating_sub(1));
            !(is_bad(tokens.kind(token)) && !error.range.is_empty() && tokens.end(token) == error.range.end)
        });
        let bad = tokens.spanned.iter().filter_map(|token| {
            let kind = match token.kind {
                Token::Unknown => ErrorKind::BadCharacter,
                Token::OpenString => ErrorKind::OpenString,
                _ => return None,
            };
            Some(SyntaxError { kind, range: token.range() })
        });
        self.errors.extend(bad.take(MAX_ERRORS));
    }

    // Tokens.

    fn kind(&self) -> Token {
        self.tokens.spanned[self.at].kind
    }

    fn kind_at(&self, ahead: usize) -> Token {
        self.tokens.kind(self.at + ahead)
    }

    fn token_text(&self, ahead: usize) -> &'t str {
        self.tokens.text(self.at + ahead, self.text)
    }

    /// The distance to the token after the bracketed group that opens at `ahead`.
    fn after_bracket(&self, ahead: usize, closes: Token) -> Option<usize> {
        let opens = self.kind_at(ahead);
        let mut depth = 0usize;
        for at in ahead..ahead + MAX_LOOKAHEAD {
            match self.kind_at(at) {
                kind if kind == opens => depth += 1,
                kind if kind == closes => depth -= 1,
                Token::End => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// Whether the tokens here are `<=` or `>=`, as inside the parentheses of affine sets. Elsewhere `>=` is a closing
    /// bracket and an `=`.
    fn compares(&self) -> bool {
        matches!(self.kind(), Token::Less | Token::Greater)
            && self.kind_at(1) == Token::Equal
            && self.tokens.end(self.at) == self.tokens.start(self.at + 1)
    }

    fn is_word(&self, word: &str) -> bool {
        self.kind() == Token::Name && self.token_text(0) == word
    }

    fn first_on_line(&self) -> bool {
        self.tokens.is_first_on_line(self.at, self.text)
    }

    fn bump(&mut self) {
        if self.at < self.tokens.len() {
            self.at += 1;
        }
    }

    fn eat(&mut self, kind: Token) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Token, text: &'static str) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(Expected::Text(text));
        }
        found
    }

    // Nodes.

    fn open(&mut self, kind: NodeKind) -> usize {
        self.open_slot(kind, NO_SLOT)
    }

    fn open_slot(&mut self, kind: NodeKind, slot: u8) -> usize {
        let at = self.at as u32;
        self.nodes.push(NodeData { kind, slot, first: at, last: at, end: 0 });
        self.nodes.len() - 1
    }

    fn close(&mut self, node: usize) {
        let end = self.nodes.len() as u32;
        let node = &mut self.nodes[node];
        (node.last, node.end) = (self.at as u32, end);
    }

    /// A node with a single token.
    fn leaf(&mut self, kind: NodeKind, slot: u8) {
        let node = self.open_slot(kind, slot);
        self.bump();
        self.close(node);
    }

    // Errors.

    /// Reports that something is missing before the current token. If that token starts a line, the error is placed at
    /// the end of the previous line, where the missing text belongs.
    fn expected(&mut self, expected: Expected) {
        self.error_before(ErrorKind::Expected(expected));
    }

    fn error_before(&mut self, kind: ErrorKind) {
        let range = if self.at > 0 && (self.kind() == Token::End || self.first_on_line()) {
            let end = self.tokens.spanned[self.at - 1].end;
            end..end
        } else {
            self.tokens.spanned[self.at].range()
        };
        self.error(kind, range);
    }

    /// Whether an error has been reported for the current op, not counting its regions.
    fn has_op_error(&self) -> bool {
        self.op_error.is_some() && self.op_errors > 0
    }

    fn error_here(&mut self, kind: ErrorKind) {
        self.error(kind, self.tokens.spanned[self.at].range());
    }

    /// Reports that a type is missing before the current token, even if that starts a line.
    fn expected_type(&mut self) {
        self.error_here(ErrorKind::Expected(Expected::Type));
    }

    /// Reports that a word is missing before the current token, which can be on the next line of the statement.
    fn expected_word(&mut self, expected: Expected) {
        let continues = self.first_on_line() && !self.starts_statement() && !self.at_statement_end();
        if continues { self.error_here(ErrorKind::Expected(expected)) } else { self.expected(expected) }
    }

    /// Reports a token that does not belong here. If it starts a line, the range starts at the end of the previous
    /// line, where the statement ends.
    fn unexpected(&mut self) {
        let SpannedToken { start, end, .. } = self.tokens.spanned[self.at];
        let start = if self.at > 0 && self.first_on_line() { self.tokens.spanned[self.at - 1].end } else { start };
        self.error(ErrorKind::Unexpected, start..end);
    }

    /// Whether there are too many errors to continue parsing.
    fn gives_up(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    fn error(&mut self, kind: ErrorKind, range: std::ops::Range<u32>) {
        if self.gives_up() {
            return;
        }
        if self.op_error.is_none() {
            self.op_errors = 0;
        }
        // Errors on later lines of an op are mostly consequences of its first error.
        let first = *self.op_error.get_or_insert(range.end);
        if self.text.get(first as usize..range.start as usize).is_some_and(|between| between.contains('\n')) {
            return;
        }
        // The same mistake is often found twice at the same position, and the first report is the better one. The third
        // and later errors of an op are mostly consequences of the first.
        if self.op_errors < MAX_OP_ERRORS && self.errors.last().is_none_or(|last| last.range != range) {
            self.op_errors += 1;
            self.errors.push(SyntaxError { kind, range });
        }
    }
}
