//! The final check of the result: a bug in the formatter must not lose text.

use tile_dialect::DIALECT_PREFIX;
use tile_syntax::{Piece, PieceKind, Token, Tokens, Tree, lex, parse_item, parse_outline, split};

/// Whether two texts differ only in whitespace and dialect prefixes.
pub(crate) fn same_significant_text(before: &str, after: &str) -> bool {
    let (mut before, mut after) = (SignificantBytes::new(before), SignificantBytes::new(after));
    loop {
        // Fast path: most bytes are equal and plain.
        let pairs = before.rest().iter().zip(after.rest());
        let same = pairs.take_while(|(left, right)| left == right && IS_PLAIN[usize::from(**left)]).count();
        (before.at, after.at) = (before.at + same, after.at + same);
        match (before.next(), after.next()) {
            (None, None) => return true,
            (left, right) if left == right => {}
            _ => return false,
        }
    }
}

/// Whether two texts have the same strings, and the same comments up to whitespace.
pub(crate) fn same_strings_and_comments(before: &str, after: &str) -> bool {
    let (old, new) = (lex(before), lex(after));
    let same_comment = |(old, new)| same_significant_text(slice(before, old), slice(after, new));
    strings(&old, before).eq(strings(&new, after))
        && old.comments().len() == new.comments().len()
        && old.comments().iter().zip(new.comments()).all(same_comment)
}

/// Whether two texts have as many items. A nested item ends the one around it if it is moved to a line of its own.
pub(crate) fn same_items(before: &str, after: &str) -> bool {
    let items = |text| split(text).iter().filter(|piece| piece.kind == PieceKind::Item).count();
    items(before) == items(after)
}

/// Whether two texts parse alike: into trees of the same shape with the same errors.
///
/// In a text with errors the parser uses line breaks to find the end of statements, so the same tokens with other line
/// breaks can be a different program.
pub(crate) fn same_syntax(before: &str, after: &str) -> bool {
    let (old, new) = (split(before), split(after));
    let trees = |pieces: &[Piece], text: &str| -> Vec<(Tree, Vec<usize>)> {
        let items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item).map(|item| &text[item.range.clone()]);
        let items = items.map(|text| (parse_item(text), text));
        let all = std::iter::once((parse_outline(text, pieces), text)).chain(items);
        all.map(|(tree, text)| {
            let lines = lines_of_errors(&tree, text);
            (tree, lines)
        })
        .collect()
    };
    let (old, new) = (trees(&old, before), trees(&new, after));
    let mut pairs = old.iter().zip(&new);
    old.len() == new.len() && pairs.all(|(old, new)| old.0.has_shape_of(&new.0) && old.1 == new.1)
}

/// The first token on the line of each error: formatting must not move an error to a line that starts differently.
fn lines_of_errors(tree: &Tree, text: &str) -> Vec<usize> {
    let line = |offset: u32| text[..offset as usize].rfind('\n').map_or(0, |at| at as u32);
    tree.errors.iter().map(|error| tree.tokens.at(line(error.range.start))).collect()
}

fn strings<'t>(tokens: &'t Tokens, text: &'t str) -> impl Iterator<Item = &'t str> {
    let is_string = |&token: &usize| matches!(tokens.kind(token), Token::String | Token::OpenString);
    (0..tokens.len()).filter(is_string).map(|token| tokens.text(token, text))
}

fn slice<'t>(text: &'t str, range: &(u32, u32)) -> &'t str {
    &text[range.0 as usize..range.1 as usize]
}

/// Whether a byte is always significant: it is not whitespace, and no dialect prefix begins with it.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [true; 256];
    let others = b" \t\n\r\x0b\x0c!#c";
    let mut at = 0;
    while at < others.len() {
        is_plain[others[at] as usize] = false;
        at += 1;
    }
    is_plain
};

/// The bytes of a text without whitespace and dialect prefixes.
struct SignificantBytes<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> SignificantBytes<'t> {
    fn new(text: &'t str) -> Self {
        SignificantBytes { bytes: text.as_bytes(), at: 0 }
    }

    fn rest(&self) -> &'t [u8] {
        &self.bytes[self.at..]
    }

    /// The length of the dialect prefix here, including its sigil; zero if there is none.
    fn prefix(&self) -> usize {
        let rest = self.rest();
        let sigil = usize::from(matches!(rest.first(), Some(b'!' | b'#')));
        if rest[sigil..].starts_with(DIALECT_PREFIX.as_bytes()) { sigil + DIALECT_PREFIX.len() } else { 0 }
    }
}

impl Iterator for SignificantBytes<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'!' | b'#' | b'c' => match self.prefix() {
                    0 => break,
                    length => self.at += length,
                },
                _ => break,
            }
        }
        self.at += 1;
        Some(self.bytes[self.at - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_whitespace_and_prefixes() {
        assert!(same_significant_text(
            "cuda_tile.continue : !cuda_tile.tile<i32> // a",
            "  continue:\ntile<i32>// a\n"
        ));
        assert!(same_significant_text("", " \n"));
    }

    #[test]
    fn finds_every_other_difference() {
        assert!(!same_significant_text("%a = b", "%a = "));
        assert!(!same_significant_text("%a", "%a // b"));
        assert!(!same_significant_text("!t", "t"));
    }

    #[test]
    fn finds_changed_ends_of_comments_and_strings() {
        assert!(same_strings_and_comments("a // b  \n \"c \"", "a// b\n\"c \""));
        assert!(!same_strings_and_comments("a // b }", "a // b\n}"));
        assert!(!same_strings_and_comments("\"a \"", "\"a\""));
    }
}
