//! What pointers count. Two elements of four bits share a byte, and a pointer to one of them says which half it is: such
//! pointers count nibbles, all others bytes. So the next element is as far as [`Element::bytes`] says, and only who
//! makes a pointer of an address, or an address of a pointer, has to know.

use tile_dialect::Element;

/// What pointers to an element count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// Bytes.
    Byte,
    /// Nibbles.
    Nibble,
}

impl Unit {
    /// What pointers to this element count.
    #[inline]
    pub(crate) fn of(element: Element) -> Unit {
        if element.bits() == 4 { Unit::Nibble } else { Unit::Byte }
    }

    /// The pointer to an address.
    #[inline]
    pub(crate) fn pointer(self, address: u64) -> u64 {
        match self {
            Unit::Byte => address,
            Unit::Nibble => address << 1,
        }
    }

    /// The address of the byte that a pointer points into.
    #[inline]
    pub(crate) fn address(self, pointer: u64) -> u64 {
        match self {
            Unit::Byte => pointer,
            Unit::Nibble => pointer >> 1,
        }
    }

    /// The same place, or distance, in nibbles. Beyond what they can count no memory lies.
    #[inline]
    pub(crate) fn nibbles(self, pointer: u64) -> u64 {
        match self {
            Unit::Byte => pointer.saturating_mul(2),
            Unit::Nibble => pointer,
        }
    }
}
