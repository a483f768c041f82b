//! Tables of strings and constants.

use super::sections::Table;
use crate::varint;
use rustc_hash::FxHashMap;
use tile_analysis::ir::Dense;
use tile_analysis::number::significant;
use tile_dialect::Element;

/// Distinct strings, numbered in order of insertion.
#[derive(Default)]
pub(super) struct Strings<'a> {
    indices: FxHashMap<&'a [u8], u64>,
    table: Table,
}

impl<'a> Strings<'a> {
    /// Returns the number of a string, and inserts it if it is new.
    pub(super) fn index(&mut self, string: &'a [u8]) -> u64 {
        let table = &mut self.table;
        *self.indices.entry(string).or_insert_with(|| {
            let index = table.len() as u64;
            table.entry().extend_from_slice(string);
            index
        })
    }

    /// The table of strings.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }
}

/// Distinct constants, numbered in order of insertion. Constants with the same bytes share an entry, whatever their
/// types.
#[derive(Default)]
pub(super) struct Constants {
    indices: FxHashMap<Box<[u8]>, u64>,
    table: Table,
    bytes: Vec<u8>,
}

impl Constants {
    /// Returns the number of a constant, and inserts it if it is new.
    pub(super) fn index(&mut self, constant: &Dense) -> u64 {
        self.bytes.clear();
        bytes_of(constant, &mut self.bytes);
        if let Some(&index) = self.indices.get(&*self.bytes) {
            return index;
        }
        let index = self.table.len() as u64;
        let entry = self.table.entry();
        varint::write(entry, self.bytes.len() as u64);
        entry.extend_from_slice(&self.bytes);
        self.indices.insert(self.bytes.as_slice().into(), index);
        index
    }

    /// The table of constants.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }
}

/// Appends the bytes of a constant: one element if all are equal, otherwise all elements.
fn bytes_of(constant: &Dense, bytes: &mut Vec<u8>) {
    let all_equal = constant.bits.windows(2).all(|pair| pair[0] == pair[1]);
    let elements = if all_equal { &constant.bits[..constant.bits.len().min(1)] } else { &constant.bits[..] };
    match constant.element {
        Element::I1 if all_equal => bytes.extend(elements.iter().map(|bit| if bit & 1 == 1 { 0xff } else { 0 })),
        Element::I1 => bytes.extend(elements.chunks(8).map(packed)),
        element => {
            let width = element.bits().div_ceil(8) as usize;
            for &bits in elements {
                bytes.extend_from_slice(&significant(element, bits).to_le_bytes()[..width]);
            }
        }
    }
}

/// Packs up to eight Booleans into one byte, the first in the lowest bit.
fn packed(values: &[u64]) -> u8 {
    values.iter().rev().fold(0, |byte, value| byte << 1 | (value & 1) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(element: Element, bits: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes_of(&Dense { element, bits: bits.into() }, &mut bytes);
        bytes
    }

    #[test]
    fn booleans_are_packed_and_other_elements_take_whole_bytes() {
        assert_eq!(bytes(Element::I32, &[1, 2]), [1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(bytes(Element::I32, &[7, 7]), [7, 0, 0, 0], "all are equal");
        assert_eq!(bytes(Element::TF32, &[0x3f80_2000]), [1, 0xfc, 1], "19 bits");
        assert_eq!(bytes(Element::F4E2M1FN, &[1, 2]), [1, 2], "not packed");
        assert_eq!(bytes(Element::I1, &[1, 0, 1, 0, 0, 0, 0, 0]), [5]);
        assert_eq!(bytes(Element::I1, &[1, 0, 0, 0, 0, 0, 0, 0, 1]), [1, 1]);
        assert_eq!((bytes(Element::I1, &[1]), bytes(Element::I1, &[0])), (vec![0xff], vec![0]));
    }
}
