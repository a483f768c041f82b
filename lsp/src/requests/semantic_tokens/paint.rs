//! The semantic tokens of a program.

use super::encode::Encoder;
use crate::text::Text;
use std::ops::Range;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::semantic_tokens::{self, Kind};
use tower_lsp::ls_types::SemanticToken;

/// The modifier bit of names that are visible in the whole file.
pub(super) const STATIC: u8 = 16;

/// The tokens of a part of a file, given in bytes. The first one is relative to the start of the file.
pub(super) fn paint(db: &Database, file: File, text: &Text, range: Range<u32>, with_plain: bool) -> Vec<SemanticToken> {
    let line = text.rope.byte_to_line(range.start as usize);
    let start = text.rope.line_to_byte(line) as u32;
    let mut encoder = Encoder::from(file.text(db), text.encoding, start, line as u32);
    let mut found = Vec::new();
    semantic_tokens::tokens(db, file, range, &mut |word| {
        if with_plain || !is_plain(word.kind) {
            let shared = if matches!(word.kind, Kind::Global | Kind::Entry) { STATIC } else { 0 };
            if let Some([delta_line, delta_start, length]) = encoder.place(&word.range) {
                let token_modifiers_bitset = u32::from(word.modifiers | shared);
                let token_type = word.kind as u32;
                found.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset });
            }
        }
    });
    found
}

/// Whether an editor's grammar highlights tokens of this kind as well. They are not sent to clients that merge semantic
/// tokens with those of a grammar.
pub(super) fn is_plain(kind: Kind) -> bool {
    use Kind::{Comment, Element, Keyword, Label, Number, Text, Type};
    matches!(kind, Comment | Element | Keyword | Label | Number | Text | Type)
}
