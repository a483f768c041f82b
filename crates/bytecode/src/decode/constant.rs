//! Decodes constants.

use super::cursor::Cursor;
use super::decoder::Decoder;
use super::error::Read;
use tile_analysis::ir::Dense;
use tile_analysis::number;
use tile_analysis::types::Type;
use tile_dialect::Element;

impl Decoder<'_> {
    /// Reads the number of a constant. Returns the constant as the elements of a tile.
    pub(super) fn constant(&mut self, cursor: &mut Cursor, ty: Type) -> Read<Dense> {
        let offset = cursor.offset();
        let index = cursor.varint()?;
        let tile = ty.as_tile().and_then(|tile| Some((tile.len(), tile.number().filter(|&e| e != Element::I4)?)));
        let Some((count, element)) = tile else {
            return cursor.fail_at(offset, format!("a constant cannot have type `{ty}`"));
        };
        let mut entry = self.constants.entry(index, cursor)?;
        let length = entry.varint()?;
        let mut blob = entry.part(length, "a constant")?;
        let start = blob.offset();
        let bytes = blob.bytes(blob.left())?;
        let patterns = if element == Element::I1 { booleans(bytes, count) } else { whole_bytes(bytes, count, element) };
        let Some(patterns) = patterns else {
            return cursor.fail_at(start, format!("a constant of type `{ty}` cannot have {length} bytes"));
        };
        // Constants can share their bytes, so those of a small file can exceed the memory.
        self.elements_left = match self.elements_left.checked_sub(patterns.len()) {
            Some(left) => left,
            None => return cursor.fail_at(offset, "the constants are far larger than the file"),
        };
        if let Some(wrong) = patterns.iter().find(|&&pattern| pattern > mask(element)) {
            return cursor.fail_at(start, format!("{wrong:#x} is wider than an `{element}`"));
        }
        let bits = patterns.into_iter().map(|pattern| number::from_significant(element, pattern)).collect();
        Ok(Dense::new(element, bits))
    }
}

/// A mask of the bits of an element.
pub(super) fn mask(element: Element) -> u64 {
    u64::MAX >> (64 - element.bits())
}

/// Reads elements in whole bytes: either one for all, or every element.
fn whole_bytes(bytes: &[u8], count: usize, element: Element) -> Option<Vec<u64>> {
    let width = element.bits().div_ceil(8) as usize;
    let fits = bytes.len() == width || count.checked_mul(width) == Some(bytes.len());
    let read = |chunk: &[u8]| chunk.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
    fits.then(|| bytes.chunks_exact(width).map(read).collect())
}

/// Reads Booleans: packed, or the low bit of one byte for all.
fn booleans(bytes: &[u8], count: usize) -> Option<Vec<u64>> {
    let bit = |index: usize| u64::from(bytes[index / 8] >> (index % 8) & 1);
    match bytes {
        _ if bytes.len() == count.div_ceil(8) => Some((0..count).map(bit).collect()),
        [_] => Some(vec![bit(0)]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_are_packed_or_one_for_all() {
        assert_eq!(booleans(&[5], 8), Some(vec![1, 0, 1, 0, 0, 0, 0, 0]));
        assert_eq!(booleans(&[0xff], 4), Some(vec![1; 4]));
        assert_eq!(booleans(&[1], 4), Some(vec![1, 0, 0, 0]));
        assert_eq!(booleans(&[1, 0, 1, 1], 4), None, "one byte each");
        assert_eq!(booleans(&[1], 16), Some(vec![1]), "one for all");
        assert_eq!(booleans(&[0, 0xff], 16).map(|all| all.iter().sum()), Some(8u64));
        assert_eq!(booleans(&[1, 1, 1], 16), None);
        assert_eq!(booleans(&[6], 16), Some(vec![0]), "the low bit");
        assert_eq!(booleans(&[], 16), None);
    }

    #[test]
    fn other_elements_take_whole_bytes() {
        assert_eq!(whole_bytes(&[1, 0, 4], 8, Element::TF32), Some(vec![0x4_0001]));
        assert_eq!(whole_bytes(&[1, 2], 2, Element::F4E2M1FN), Some(vec![1, 2]));
        assert_eq!(whole_bytes(&[1, 2, 3, 4], 2, Element::I16), Some(vec![0x201, 0x403]));
        assert_eq!(whole_bytes(&[1, 2, 3, 4], 4, Element::I16), None);
        assert_eq!(whole_bytes(&[], 4, Element::I16), None);
    }
}
