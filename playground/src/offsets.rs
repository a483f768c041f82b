//! Conversion between offsets in bytes and in UTF-16 code units.

use std::ops::Range;

/// The characters of a text whose lengths in bytes and in code units differ.
#[derive(Debug, Default)]
pub(crate) struct Offsets {
    wide: Vec<Wide>,
}

/// A character that has more bytes than code units.
#[derive(Debug)]
struct Wide {
    bytes: Range<u32>,
    /// How many bytes more than code units the text up to its end has.
    excess: u32,
}

impl Offsets {
    pub(crate) fn of(text: &str) -> Offsets {
        let mut excess = 0;
        let mut wide = Vec::new();
        let found = if text.is_ascii() { "" } else { text };
        for (start, character) in found.char_indices().filter(|(_, character)| !character.is_ascii()) {
            excess += (character.len_utf8() - character.len_utf16()) as u32;
            wide.push(Wide { bytes: start as u32..(start + character.len_utf8()) as u32, excess });
        }
        Offsets { wide }
    }

    /// The offset in code units of a byte at a character boundary.
    pub(crate) fn units(&self, byte: u32) -> u32 {
        byte - self.excess(self.wide.partition_point(|wide| wide.bytes.end <= byte))
    }

    /// The offset in bytes of a code unit. Inside a character, that of its start.
    pub(crate) fn byte(&self, unit: u32) -> u32 {
        let before = self.wide.partition_point(|wide| wide.bytes.end - wide.excess <= unit);
        let byte = unit + self.excess(before);
        self.wide.get(before).map_or(byte, |next| byte.min(next.bytes.start))
    }

    /// A range in code units.
    pub(crate) fn range(&self, bytes: &Range<u32>) -> [u32; 2] {
        [self.units(bytes.start), self.units(bytes.end)]
    }

    /// The excess of the first `count` characters.
    fn excess(&self, count: usize) -> u32 {
        count.checked_sub(1).map_or(0, |last| self.wide[last].excess)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_every_length_are_converted() {
        for text in ["", "abc", "ä", "aäb→c\u{1f600}d\u{1f600}\u{1f600}ä", "\u{1f600}"] {
            let offsets = Offsets::of(text);
            let mut unit = 0;
            for (byte, character) in text.char_indices() {
                assert_eq!((offsets.units(byte as u32), offsets.byte(unit)), (unit, byte as u32), "{text}");
                // The second half of a surrogate pair.
                let inside = unit + character.len_utf16() as u32 - 1;
                assert_eq!(offsets.byte(inside), byte as u32, "{text}");
                unit += character.len_utf16() as u32;
            }
            assert_eq!((offsets.units(text.len() as u32), offsets.byte(unit)), (unit, text.len() as u32), "{text}");
        }
    }
}
