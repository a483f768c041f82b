//! Tokens.

use std::ops::Range;

/// The kind of a token. The lexical syntax is that of MLIR, with one addition: a list of extents followed by an element
/// type, such as `64x?xf32`, is one token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the punctuation marks are self-explanatory
#[repr(u8)]
pub enum Token {
    /// The end of the text.
    End,
    /// A character or sequence that starts no token.
    Unknown,
    /// A keyword or a name with dots, such as `entry` or `cuda_tile.addi`.
    Name,
    /// `%a`.
    Value,
    /// `@name` or `@"any name"`.
    Symbol,
    /// `!name`.
    TypeName,
    /// `#name`, and also the `#1` of `%a#1`.
    AttrName,
    /// `^bb0`.
    Label,
    /// A decimal or hexadecimal number without a dot.
    Integer,
    /// A number with a dot.
    Float,
    /// `64x?xf32`, `4x8`, `?x?xptr`.
    Extents,
    /// `"…"`.
    String,
    /// A string that lacks its closing quote.
    OpenString,
    /// An entry in the outline of a file; its text is parsed separately.
    Item,
    Arrow,
    DoubleColon,
    Colon,
    Comma,
    Equal,
    Less,
    Greater,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Question,
    Star,
    Plus,
    Minus,
    Slash,
    Bar,
    /// `{-#`, which opens file metadata.
    OpenMetadata,
    /// `#-}`.
    CloseMetadata,
}

/// A token and its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SpannedToken {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: Token,
}

impl SpannedToken {
    /// Its range, in bytes.
    pub(crate) fn range(self) -> Range<u32> {
        self.start..self.end
    }
}

/// The tokens of a text, with the comments kept separately. Offsets are in bytes.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Tokens {
    pub(crate) spanned: Vec<SpannedToken>,
    /// Start and end of every comment, excluding the line break.
    pub(crate) comments: Vec<(u32, u32)>,
}

impl Tokens {
    /// The number of tokens, not counting the [`Token::End`].
    #[inline]
    pub fn len(&self) -> usize {
        self.spanned.len() - 1
    }

    /// Whether the text has no tokens.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind of a token; [`Token::End`] for any index past the last one.
    #[inline]
    pub fn kind(&self, index: usize) -> Token {
        self.spanned.get(index).map_or(Token::End, |token| token.kind)
    }

    /// The start of a token.
    #[inline]
    pub fn start(&self, index: usize) -> u32 {
        self.get(index).start
    }

    /// The end of a token.
    #[inline]
    pub fn end(&self, index: usize) -> u32 {
        self.get(index).end
    }

    /// The token at `index`; [`Token::End`] for any index past the last one.
    #[inline]
    fn get(&self, index: usize) -> SpannedToken {
        self.spanned[index.min(self.len())]
    }

    /// The text of a token.
    #[inline]
    pub fn text<'t>(&self, index: usize, text: &'t str) -> &'t str {
        let token = self.get(index);
        &text[token.start as usize..token.end as usize]
    }

    /// The start and end of every comment.
    pub fn comments(&self) -> &[(u32, u32)] {
        &self.comments
    }

    /// The index of the token at an offset, or of the next one after it.
    pub fn at(&self, offset: u32) -> usize {
        self.spanned[..self.len()].partition_point(|token| token.end <= offset)
    }

    /// The number of opening braces minus that of closing ones.
    pub fn unclosed_braces(&self) -> usize {
        let depth = |token: &SpannedToken| match token.kind {
            Token::LeftBrace => 1,
            Token::RightBrace => -1,
            _ => 0,
        };
        self.spanned.iter().map(depth).sum::<isize>().max(0) as usize
    }

    /// Whether only whitespace and comments precede the token on its line.
    pub fn is_first_on_line(&self, index: usize, text: &str) -> bool {
        if index == 0 {
            return true;
        }
        let (from, to) = (self.spanned[index - 1].end as usize, self.start(index) as usize);
        // Most tokens are adjacent or separated by one blank, so this search is short.
        from < to && text.as_bytes()[from..to].contains(&b'\n')
    }
}
