//! The lexer. It never fails: a character that starts no token becomes [`Token::Unknown`].

use crate::search;
use crate::token::{SpannedToken, Token, Tokens};

/// The lexical class of a byte: which token it can start or continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Letter,
    Digit,
    Percent,
    At,
    Bang,
    Hash,
    Caret,
    Quote,
    Slash,
    Minus,
    Colon,
    Question,
    LeftBrace,
    Mark,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            byte if is_blank(byte) => Class::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'%' => Class::Percent,
            b'@' => Class::At,
            b'!' => Class::Bang,
            b'#' => Class::Hash,
            b'^' => Class::Caret,
            b'"' => Class::Quote,
            b'/' => Class::Slash,
            b'-' => Class::Minus,
            b':' => Class::Colon,
            b'?' => Class::Question,
            b'{' => Class::LeftBrace,
            b',' | b'=' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'}' | b'*' | b'+' | b'|' => Class::Mark,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

/// Whether a byte is whitespace between tokens. Like NVIDIA's lexer, this accepts no others, such as form feeds.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Bytes that can continue a name: letters, digits, `_`, `$` and `.`.
const NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'.');
        byte += 1;
    }
    table
};

/// The length limit, in bytes, of a block comment lexed as one token: without it, a line with many unterminated `/*`
/// would take quadratic time.
const MAX_BLOCK_COMMENT: usize = 1024;

/// Lexes a text.
pub fn lex(text: &str) -> Tokens {
    let mut tokens = Tokens::default();
    reserve(&mut tokens, text.len());
    lex_range(text, 0, text.len(), &mut tokens);
    finish(&mut tokens, text.len());
    tokens
}

/// Reserves space for the tokens of `bytes` bytes of text, to avoid reallocation.
pub(crate) fn reserve(tokens: &mut Tokens, bytes: usize) {
    tokens.spanned.reserve(bytes / 4 + 16);
}

/// Adds the [`Token::End`].
pub(crate) fn finish(tokens: &mut Tokens, at: usize) {
    push(tokens, Token::End, at, at);
}

pub(crate) fn push(tokens: &mut Tokens, kind: Token, start: usize, end: usize) {
    tokens.spanned.push(SpannedToken { start: start as u32, end: end as u32, kind });
}

/// Lexes `text[from..to]`; offsets count from the start of `text`.
pub(crate) fn lex_range(text: &str, from: usize, to: usize, tokens: &mut Tokens) {
    let mut lexer = Lexer { bytes: &text.as_bytes()[..to], at: from };
    loop {
        while lexer.at < to && CLASSES[lexer.bytes[lexer.at] as usize] == Class::Blank {
            lexer.at += 1;
        }
        if lexer.at >= to {
            return;
        }
        let start = lexer.at;
        match lexer.token() {
            Some(kind) => push(tokens, kind, start, lexer.at),
            None => tokens.comments.push((start as u32, lexer.at as u32)),
        }
    }
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn take(&mut self, count: usize, kind: Token) -> Option<Token> {
        self.at += count;
        Some(kind)
    }

    /// The length of a block comment, which the language does not have: up to its `*/`, or just the `/*` if that is on
    /// another line or too far away.
    fn block_comment(&self) -> usize {
        let rest = &self.bytes[self.at..self.bytes.len().min(self.at + MAX_BLOCK_COMMENT)];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        line.get(2..).and_then(|inner| memchr::memmem::find(inner, b"*/")).map_or(2, |end| end + 4)
    }

    fn skip_name(&mut self) {
        while self.at < self.bytes.len() && NAME[self.bytes[self.at] as usize] {
            self.at += 1;
        }
    }

    fn skip_digits(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
    }

    /// Lexes the next token; returns `None` for a comment.
    fn token(&mut self) -> Option<Token> {
        let byte = self.bytes[self.at];
        match CLASSES[byte as usize] {
            Class::Letter => {
                self.skip_name();
                Some(Token::Name)
            }
            Class::Percent => self.suffixed(Token::Value),
            Class::Bang => self.suffixed(Token::TypeName),
            Class::Caret => self.suffixed(Token::Label),
            Class::Hash if self.peek(1) == b'-' && self.peek(2) == b'}' => self.take(3, Token::CloseMetadata),
            Class::Hash => self.suffixed(Token::AttrName),
            Class::At => self.symbol(),
            Class::Digit => Some(self.number()),
            Class::Question if self.peek(1) == b'x' => Some(self.extents()),
            Class::Question => self.take(1, Token::Question),
            Class::Quote => Some(self.string()),
            Class::Slash if self.peek(1) == b'/' => {
                self.skip_comment();
                None
            }
            Class::Slash if self.peek(1) == b'*' => self.take(self.block_comment(), Token::Unknown),
            Class::Slash => self.take(1, Token::Slash),
            Class::Minus if self.peek(1) == b'>' => self.take(2, Token::Arrow),
            Class::Minus => self.take(1, Token::Minus),
            Class::Colon if self.peek(1) == b':' => self.take(2, Token::DoubleColon),
            Class::Colon => self.take(1, Token::Colon),
            Class::LeftBrace if self.peek(1) == b'-' && self.peek(2) == b'#' => self.take(3, Token::OpenMetadata),
            Class::LeftBrace => self.take(1, Token::LeftBrace),
            Class::Mark => self.take(1, mark(byte)),
            Class::Blank | Class::Other => self.unknown(),
        }
    }

    /// Lexes a sigil and the name after it, which can also contain `-`.
    fn suffixed(&mut self, kind: Token) -> Option<Token> {
        self.at += 1;
        let start = self.at;
        if self.peek(0).is_ascii_digit() {
            self.skip_digits();
        } else {
            while self.at < self.bytes.len() && (NAME[self.bytes[self.at] as usize] || self.is_inner_dash()) {
                self.at += 1;
            }
        }
        if self.at > start { Some(kind) } else { self.unknown_run() }
    }

    /// Whether this is a `-` inside a name rather than the start of `->`.
    fn is_inner_dash(&self) -> bool {
        self.bytes[self.at] == b'-' && self.peek(1) != b'>'
    }

    fn symbol(&mut self) -> Option<Token> {
        self.at += 1;
        match self.peek(0) {
            b'"' => Some(match self.string() {
                Token::String => Token::Symbol,
                other => other,
            }),
            byte if CLASSES[byte as usize] == Class::Letter => {
                while self.at < self.bytes.len() && (NAME[self.bytes[self.at] as usize] || self.is_inner_dash()) {
                    self.at += 1;
                }
                Some(Token::Symbol)
            }
            _ => Some(Token::Unknown),
        }
    }

    fn number(&mut self) -> Token {
        if self.peek(0) == b'0' && self.peek(1) == b'x' && self.peek(2).is_ascii_hexdigit() {
            self.at += 2;
            while self.peek(0).is_ascii_hexdigit() {
                self.at += 1;
            }
            return if self.peek(0) == b'x' { self.extents() } else { Token::Integer };
        }
        self.skip_digits();
        match self.peek(0) {
            b'x' => self.extents(),
            b'.' => self.fraction(),
            _ => Token::Integer,
        }
    }

    fn fraction(&mut self) -> Token {
        self.at += 1;
        self.skip_digits();
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.skip_digits();
            }
        }
        Token::Float
    }

    /// Lexes the rest of a list after its first extent: any number of `x` and an extent, then optionally an element
    /// type.
    fn extents(&mut self) -> Token {
        if self.peek(0) == b'?' {
            self.at += 1;
        }
        while self.peek(0) == b'x' {
            self.at += 1;
            match self.peek(0) {
                b'?' => self.at += 1,
                byte if byte.is_ascii_digit() => self.skip_digits(),
                _ => self.skip_name(),
            }
        }
        Token::Extents
    }

    fn string(&mut self) -> Token {
        self.at += 1;
        loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n') => return Token::OpenString,
                Some(b'"') => {
                    self.at += 1;
                    return Token::String;
                }
                // An escaped quote does not end the string; an escaped line break still does.
                Some(b'\\') if self.peek(1) != b'\n' && self.at + 1 < self.bytes.len() => self.at += 2,
                Some(_) => self.at += 1,
            }
        }
    }

    fn skip_comment(&mut self) {
        self.at += search::line_length(&self.bytes[self.at..]);
        if self.bytes[self.at - 1] == b'\r' {
            self.at -= 1;
        }
    }

    /// Consumes a run of characters that start no token.
    fn unknown(&mut self) -> Option<Token> {
        self.at += 1;
        self.unknown_run()
    }

    fn unknown_run(&mut self) -> Option<Token> {
        while self.at < self.bytes.len() && CLASSES[self.bytes[self.at] as usize] == Class::Other {
            self.at += 1;
        }
        Some(Token::Unknown)
    }
}

fn mark(byte: u8) -> Token {
    match byte {
        b',' => Token::Comma,
        b'=' => Token::Equal,
        b'<' => Token::Less,
        b'>' => Token::Greater,
        b'(' => Token::LeftParen,
        b')' => Token::RightParen,
        b'[' => Token::LeftBracket,
        b']' => Token::RightBracket,
        b'}' => Token::RightBrace,
        b'*' => Token::Star,
        b'+' => Token::Plus,
        _ => Token::Bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token> {
        let tokens = lex(text);
        (0..tokens.len()).map(|index| tokens.kind(index)).collect()
    }

    #[test]
    fn extents_are_one_token() {
        use Token::*;
        assert_eq!(kinds("tile<64x?xf32>"), [Name, Less, Extents, Greater]);
        assert_eq!(kinds("?x?xptr<f32>"), [Extents, Less, Name, Greater]);
        assert_eq!(kinds("(4x8)"), [LeftParen, Extents, RightParen]);
        assert_eq!(kinds("0x8xf32 0xFF80 2x!t"), [Extents, Integer, Extents, TypeName]);
    }

    #[test]
    fn form_feeds_are_not_blanks() {
        use Token::*;
        assert_eq!(kinds("a\t\r\nb"), [Name, Name]);
        assert_eq!(kinds("a\u{b}b\u{c}"), [Name, Unknown, Name, Unknown]);
    }

    #[test]
    fn an_escape_can_be_cut_off_by_the_end() {
        use Token::*;
        assert_eq!(kinds("\"a\\"), [OpenString]);
        assert_eq!(kinds("\"a\\\"b\" %x"), [String, Value]);
        assert_eq!(kinds("@\"a b\" @-"), [Symbol, Unknown, Minus]);
    }

    #[test]
    fn a_dash_belongs_to_a_name_but_an_arrow_does_not() {
        use Token::*;
        assert_eq!(kinds("%a-b ->%c->"), [Value, Arrow, Value, Arrow]);
    }

    #[test]
    fn comments_are_kept_apart_from_tokens() {
        let tokens = lex("a // b\r\n// c");
        assert_eq!(tokens.len(), 1);
        assert_eq!(tokens.comments(), [(2, 6), (8, 12)]);
    }
}
