//! 4-bit elements: in device memory two share a byte, the first one in the lower nibble. In buffers of launches and
//! `.npy` files each has a separate byte.

use std::borrow::Cow;
use tile_dialect::Element;

/// Elements as memory has them.
pub fn pack(element: Element, bytes: &[u8]) -> Cow<'_, [u8]> {
    if element.bits() != 4 {
        return bytes.into();
    }
    bytes.chunks(2).map(|pair| pair[0] & 0xF | pair.get(1).map_or(0, |high| high << 4)).collect()
}

/// So many elements as a buffer has them.
pub fn unpack(element: Element, bytes: Vec<u8>, count: usize) -> Vec<u8> {
    if element.bits() != 4 {
        return bytes;
    }
    bytes.iter().flat_map(|byte| [byte & 0xF, byte >> 4]).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_four_bits_share_bytes() {
        let packed = pack(Element::F4E2M1FN, &[1, 2, 15]);
        assert_eq!(*packed, [0x21, 0x0F]);
        assert_eq!(unpack(Element::F4E2M1FN, packed.into(), 3), [1, 2, 15]);
        assert_eq!(*pack(Element::I8, &[1, 2, 15]), [1, 2, 15]);
        assert_eq!(unpack(Element::I8, vec![1, 2], 2), [1, 2]);
    }
}
