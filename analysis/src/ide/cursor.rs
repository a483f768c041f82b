//! The token at an offset and what it refers to.

use crate::db::{self, File};
use crate::ir::Value;
use crate::lower::Lowered;
use crate::read::attr;
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Token, Tree};

/// A position in a file: the tree that contains it and the token that it touches.
pub(super) struct Cursor<'db> {
    /// The start of the tree's text in the file.
    pub(super) base: u32,
    /// The tree's text: an item, or the whole file for the outline.
    pub(super) text: &'db str,
    /// The tree: an item's, or the outline.
    pub(super) tree: &'db Tree,
    /// The lowered item; `None` in the outline.
    pub(super) lowered: Option<&'db Lowered>,
    /// The token that the offset touches.
    pub(super) token: usize,
    /// The offset in the tree's text.
    pub(super) offset: u32,
}

/// A named entity that can be defined and referenced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// A value of the item at the cursor.
    Value(Value),
    /// A global or an entry, without `@`.
    Symbol(Box<str>),
    /// An alias, with `!` or `#`.
    Alias(Box<str>),
}

impl<'db> Cursor<'db> {
    /// The cursor at an offset of a file; `None` if the offset touches no token.
    pub(super) fn new(db: &'db dyn salsa::Database, file: File, offset: u32) -> Option<Cursor<'db>> {
        let (base, text, tree, lowered): (u32, &str, &Tree, _) = match db::layout(db, file).at(db, offset) {
            Some((start, item)) => (start, item.text(db), db::syntax(db, item), Some(db::lowered(db, item, file))),
            None => (0, file.text(db), &db::file_outline(db, file).tree, None),
        };
        let offset = offset - base;
        let token = touched(tree, offset)?;
        Some(Cursor { base, text, tree, lowered, token, offset })
    }

    /// The kind of the word.
    pub(super) fn kind(&self) -> Token {
        self.tree.tokens.kind(self.token)
    }

    /// The word.
    pub(super) fn word(&self) -> &'db str {
        self.tree.tokens.text(self.token, self.text)
    }

    /// The range of the word in the file.
    pub(super) fn word_range(&self) -> Range<u32> {
        self.in_file(&(self.tree.tokens.start(self.token)..self.tree.tokens.end(self.token)))
    }

    /// Converts a range of the tree's text to a range of the file.
    pub(super) fn in_file(&self, range: &Range<u32>) -> Range<u32> {
        range.start + self.base..range.end + self.base
    }

    /// The nodes around the word, innermost first.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.tree.path_to(self.token).into_iter().rev()
    }

    /// The innermost node of a kind around the word.
    pub(super) fn node(&self, kind: NodeKind) -> Option<Node> {
        self.nodes().find(|&node| self.tree.kind(node) == kind)
    }

    /// The value that the word names, and the range of that name in the tree's text.
    pub(super) fn value(&self) -> Option<(Range<u32>, Value)> {
        let lowered = self.lowered?;
        match self.kind() {
            Token::Value | Token::AttrName => {}
            _ => return None,
        }
        // Between two adjacent words, look inside the chosen one.
        let inside = self.offset.clamp(self.tree.tokens.start(self.token), self.tree.tokens.end(self.token) - 1);
        lowered.spans.value_at(inside).filter(|(range, _)| range.end > inside)
    }

    /// The entity that the word names.
    pub(super) fn named(&self) -> Option<Named> {
        match self.kind() {
            Token::Symbol => Some(Named::Symbol(attr::symbol(self.word()))),
            Token::TypeName => Some(Named::Alias(self.word().into())),
            _ => match self.value() {
                Some((_, value)) => Some(Named::Value(value)),
                None if self.kind() == Token::AttrName => Some(Named::Alias(self.word().into())),
                None => None,
            },
        }
    }
}

/// The token at an offset, or the one that ends there. Of two adjacent tokens, a word is preferred.
fn touched(tree: &Tree, offset: u32) -> Option<usize> {
    let tokens = &tree.tokens;
    let at = tokens.at(offset);
    let touches = |&token: &usize| token < tokens.len() && tokens.start(token) <= offset && offset <= tokens.end(token);
    let candidates = [Some(at), at.checked_sub(1)].into_iter().flatten().filter(touches);
    candidates.max_by_key(|&token| (is_word(tokens.kind(token)), token))
}

fn is_word(kind: Token) -> bool {
    matches!(
        kind,
        Token::Name | Token::Value | Token::Symbol | Token::TypeName | Token::AttrName | Token::Extents | Token::Label
    )
}
