//! The buffers of a program.

use super::value::Pointer;
use tile_dialect::Element;

/// The bytes of each buffer.
#[derive(Clone, Default, Debug)]
pub(super) struct Memory(pub(super) Vec<Vec<u8>>);

impl Memory {
    pub(super) fn load(&self, at: Pointer, element: Element) -> Option<u64> {
        let start = usize::try_from(at.offset).ok()?;
        let bytes = self.0[at.buffer].get(start..start + element.bytes())?;
        let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        Some(if element == Element::I1 { u64::from(bits != 0) } else { bits })
    }

    pub(super) fn store(&mut self, at: Pointer, element: Element, bits: u64) -> Option<()> {
        let start = usize::try_from(at.offset).ok()?;
        let size = element.bytes();
        self.0[at.buffer].get_mut(start..start + size)?.copy_from_slice(&bits.to_le_bytes()[..size]);
        Some(())
    }
}
