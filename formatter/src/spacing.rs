//! Spaces between the tokens of a line. They depend on the two tokens and on the innermost bracket around them.

use crate::plan::mark;
use crate::source::{Source, without_prefix};
use tile_dialect::{PREVIEW_PREFIX, TYPE_NAMES};
use tile_syntax::Token;

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bracket {
    /// Any other bracket.
    Other,
    /// `<` after anything but the name of a type, with the index of its token.
    Angle(usize),
    /// `<` after the name of a type.
    Type,
    /// `[` of strides, inside a type.
    Strides,
    /// Inside `loc(…)`.
    Location,
    /// Inside a construct of MLIR that is not part of Tile IR. Spacing is preserved.
    Kept,
    /// `<` of a type or an attribute of the preview. Spacing is preserved.
    Preview,
}

impl Bracket {
    /// Whether it belongs to a type or another construct that is never broken into lines.
    fn is_type(self) -> bool {
        matches!(self, Bracket::Type | Bracket::Preview)
    }
}

/// MLIR keywords before `<` that are not part of Tile IR. Punctuation inside the brackets has another meaning.
const KEPT: [&str; 7] = ["affine_map", "affine_set", "strided", "sparse", "memref", "tensor", "vector"];

/// Type parameters that are written without spaces around `=`. Those in `STRIDES` have none after commas either.
const TIGHT_KEYS: [&str; 5] = ["tile", "strides", "traversal_strides", "dim_map", "sparse_dim"];
const STRIDES: [&str; 2] = ["strides", "traversal_strides"];

/// The state at a token of a line.
pub(crate) struct Spacing<'t> {
    source: Source<'t>,
    open: Vec<Bracket>,
    /// Number of open brackets that belong to types.
    types: usize,
    previous: Option<usize>,
}

impl<'t> Spacing<'t> {
    pub(crate) fn new(source: Source<'t>) -> Self {
        Spacing { source, open: Vec::new(), types: 0, previous: None }
    }

    /// Starts a new line.
    pub(crate) fn restart(&mut self) {
        self.open.clear();
        self.types = 0;
        self.previous = None;
    }

    /// Whether the current token is inside a type.
    pub(crate) fn in_type(&self) -> bool {
        self.types > 0
    }

    /// Number of brackets that are open after the current token.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Advances to a token; returns whether a space precedes it.
    pub(crate) fn before(&mut self, token: usize) -> bool {
        let kind = self.kind(token);
        let space = self.previous.is_some_and(|previous| {
            let before = self.kind(previous);
            self.needs_space(previous, before, token, kind) || would_join(before, kind)
        });
        match kind {
            _ if self.compares(token) => {}
            Token::Less | Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                let bracket = if self.is_preview(token, kind) { Bracket::Preview } else { self.bracket(kind) };
                self.types += usize::from(bracket.is_type());
                self.open.push(bracket);
            }
            Token::Greater | Token::RightParen | Token::RightBracket | Token::RightBrace => {
                let closed = self.open.pop();
                self.types -= usize::from(closed.is_some_and(Bracket::is_type));
            }
            _ => {}
        }
        self.previous = Some(token);
        space
    }

    fn kind(&self, token: usize) -> Token {
        self.source.tokens().kind(token)
    }

    fn text(&self, token: usize) -> &'t str {
        self.source.tokens().text(token, self.source.text)
    }

    fn has(&self, token: usize, mark: u16) -> bool {
        self.source.marks.has(token, mark)
    }

    fn around(&self) -> Bracket {
        self.open.last().copied().unwrap_or(Bracket::Other)
    }

    /// Whether `<` opens a type, an attribute or a list of the preview.
    fn is_preview(&self, token: usize, kind: Token) -> bool {
        let Some(previous) = self.previous.filter(|_| kind == Token::Less) else { return false };
        let is_preview = |token: usize| {
            let word = self.text(token);
            word.rsplit_once('x').map_or(word, |(_, word)| word).starts_with(PREVIEW_PREFIX)
                || word.starts_with(PREVIEW_PREFIX)
        };
        let opens = |token: usize| self.kind(token) == Token::LeftBracket;
        match self.kind(previous) {
            Token::Symbol => opens(token + 1),
            Token::Name | Token::Extents if is_preview(previous) => true,
            Token::AttrName | Token::TypeName if self.kind(token + 1) == Token::Name => {
                is_preview(token + 1) || self.is_symbolic_tile(previous, token)
            }
            Token::Name | Token::TypeName => self.is_symbolic_tile(previous, token),
            _ => false,
        }
    }

    /// Whether a type's name and its `<` start a tile with symbolic extents.
    fn is_symbolic_tile(&self, name: usize, less: usize) -> bool {
        let is_extent = |token: usize| matches!(self.kind(token), Token::Extents | Token::Integer);
        without_prefix(self.text(name)) == "tile"
            && (self.kind(less + 1) == Token::LeftBracket
                || is_extent(less + 1) && self.kind(less + 2) == Token::LeftBracket
                || self.text(less + 1).rsplit('x').next().is_some_and(|word| word.starts_with(PREVIEW_PREFIX)))
    }

    /// Classifies a bracket that follows the current token.
    fn bracket(&self, kind: Token) -> Bracket {
        let Some(previous) = self.previous else { return Bracket::Other };
        let before = self.kind(previous);
        match kind {
            _ if matches!(self.around(), Bracket::Location | Bracket::Kept | Bracket::Preview) => self.around(),
            Token::Less if before == Token::Name && KEPT.contains(&self.text(previous)) => Bracket::Kept,
            Token::LeftParen if before == Token::Name && self.text(previous) == "loc" => Bracket::Location,
            Token::LeftBracket if before == Token::Equal && self.is_key(previous, &STRIDES) => Bracket::Strides,
            Token::Less if self.names_type(previous, before) => Bracket::Type,
            Token::Less => Bracket::Angle(previous + 1),
            _ => Bracket::Other,
        }
    }

    fn names_type(&self, token: usize, kind: Token) -> bool {
        match kind {
            Token::Name | Token::TypeName => TYPE_NAMES.contains(&without_prefix(self.text(token))),
            Token::Extents => true,
            _ => false,
        }
    }

    /// Whether one of `keys` precedes an `=` inside angle brackets.
    fn is_key(&self, equal: usize, keys: &[&str]) -> bool {
        matches!(self.around(), Bracket::Type | Bracket::Angle(_))
            && equal > 0
            && self.kind(equal - 1) == Token::Name
            && keys.contains(&self.text(equal - 1))
    }

    fn needs_space(&self, previous: usize, before: Token, token: usize, kind: Token) -> bool {
        use Token::*;
        if self.has(token, mark::TIGHT) {
            return false;
        }
        if matches!(self.around(), Bracket::Kept | Bracket::Preview) {
            return !self.touch(previous, token);
        }
        match (before, kind) {
            // A comparison of an affine set, even if the name before its `<` is missing.
            (Less | Greater | Equal, Equal) if self.touch(previous, token) => false,
            (LeftParen | LeftBracket | LeftBrace | Less | DoubleColon, _) => false,
            (_, RightParen | RightBracket | RightBrace | Greater | Comma | DoubleColon) => false,
            (Comma, _) => self.around() != Bracket::Strides,
            (Minus, Integer | Float) => false,
            (_, Colon) => {
                self.around() != Bracket::Location && self.around() != Bracket::Angle(previous.wrapping_sub(1))
            }
            (Colon, _) => self.around() != Bracket::Location,
            (_, Equal) => !self.is_key(token, &TIGHT_KEYS),
            (Equal, _) => !self.is_key(previous, &TIGHT_KEYS),
            (Extents, Name | TypeName | Extents) => !self.touch(previous, token),
            (Symbol | Label | String, LeftParen) => false,
            (Name, LeftParen) => self.text(previous) == "in",
            (Value | AttrName | Name | Greater | RightParen, LeftBracket) => self.has(token, mark::APART),
            (Name | TypeName | AttrName | Extents, Less) => self.has(token, mark::APART),
            (Symbol, Less) if self.kind(token + 1) == LeftBracket => false,
            _ => true,
        }
    }

    /// Whether this is a `<=` or `>=`, as in affine sets.
    fn compares(&self, token: usize) -> bool {
        self.around() == Bracket::Kept
            && matches!(self.kind(token), Token::Less | Token::Greater)
            && self.kind(token + 1) == Token::Equal
            && self.touch(token, token + 1)
    }

    /// Whether two tokens are adjacent in the text.
    fn touch(&self, first: usize, second: usize) -> bool {
        self.source.tokens().end(first) == self.source.tokens().start(second)
    }
}

/// Whether two tokens would lex differently without a space between them.
fn would_join(before: Token, kind: Token) -> bool {
    use Token::*;
    matches!(
        (before, kind),
        (Colon | DoubleColon, Colon | DoubleColon) | (Minus, Greater) | (LeftBrace, Minus) | (Slash, Slash)
    )
}
