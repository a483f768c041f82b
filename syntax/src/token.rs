//! Tokens: the words of the text.

use std::ops::Range;

/// What kind of word a token is. The lexis is that of MLIR's text, with one addition: a list of extents with an
/// element type behind it, such as `64x?xf32`, is one token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the punctuation marks speak for themselves
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
    /// `#name`, also the `#1` of `%a#1`.
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
    /// A string without its closing quote.
    OpenString,
    /// An entry that is parsed on its own; it stands in the outline of a file.
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

/// A token and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SpannedToken {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: Token,
}

impl SpannedToken {
    /// Where it stands, in bytes.
    pub(crate) fn range(self) -> Range<u32> {
        self.start..self.end
    }
}

/// The tokens of a text, comments apart. Offsets are in bytes.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Tokens {
    pub(crate) words: Vec<SpannedToken>,
    /// Start and end of every comment, without the line break.
    pub(crate) comments: Vec<(u32, u32)>,
}

impl Tokens {
    /// How many tokens there are, the end not counted.
    pub fn len(&self) -> usize {
        self.words.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind of a token; [`Token::End`] at and after the end.
    pub fn kind(&self, index: usize) -> Token {
        self.words.get(index).map_or(Token::End, |word| word.kind)
    }

    /// Where a token starts.
    pub fn start(&self, index: usize) -> u32 {
        self.word(index).start
    }

    /// Where a token ends.
    pub fn end(&self, index: usize) -> u32 {
        self.word(index).end
    }

    /// A token; the end at and after the end.
    fn word(&self, index: usize) -> SpannedToken {
        self.words[index.min(self.len())]
    }

    /// The text of a token.
    pub fn text<'t>(&self, index: usize, text: &'t str) -> &'t str {
        let word = self.word(index);
        &text[word.start as usize..word.end as usize]
    }

    /// Start and end of every comment.
    pub fn comments(&self) -> &[(u32, u32)] {
        &self.comments
    }

    /// The token at an offset, or the next one behind it.
    pub fn at(&self, offset: u32) -> usize {
        self.words[..self.len()].partition_point(|word| word.end <= offset)
    }

    /// Whether only blanks and comments stand before the token on its line.
    pub fn is_first_on_line(&self, index: usize, text: &str) -> bool {
        if index == 0 {
            return true;
        }
        let (from, to) = (self.words[index - 1].end as usize, self.start(index) as usize);
        // Words mostly touch each other, or are a blank apart.
        from < to && text.as_bytes()[from..to].contains(&b'\n')
    }
}
