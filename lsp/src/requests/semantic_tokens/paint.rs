//! Words of a program as semantic tokens.

use super::encode::Encoder;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::semantic_tokens::{self, Kind};

/// The bit of what the whole file sees.
pub(super) const STATIC: u8 = 16;

/// Encodes the words of a range.
pub(super) fn paint(
    db: &Database,
    file: File,
    range: std::ops::Range<u32>,
    with_plain: bool,
    mut encoder: Encoder<'_>,
    mut put: impl FnMut([u32; 5]),
) {
    semantic_tokens::tokens(db, file, range, &mut |word| {
        if with_plain || !is_plain(word.kind) {
            let shared = if matches!(word.kind, Kind::Global | Kind::Entry) { STATIC } else { 0 };
            if let Some([line, start, length]) = encoder.place(&word.range) {
                put([line, start, length, word.kind as u32, u32::from(word.modifiers | shared)]);
            }
        }
    });
}

/// Whether an editor's grammar tells these words as well. Clients that lay our colours over those of a grammar are spared
/// them.
pub(super) fn is_plain(kind: Kind) -> bool {
    use Kind::{Comment, Element, Keyword, Label, Number, Text, Type};
    matches!(kind, Comment | Element | Keyword | Label | Number | Text | Type)
}
