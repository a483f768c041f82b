//! The units of pointers. Two 4-bit elements share a byte, and a pointer to one of them says which nibble it is: such
//! pointers count nibbles, all others bytes. Then the distance of neighbors is always [`Element::bytes`], and only
//! conversions between pointers and addresses have to consider the unit.

use tile_dialect::Element;

/// The unit of pointers to an element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// Bytes.
    Byte,
    /// Nibbles.
    Nibble,
}

impl Unit {
    /// The unit for this element type.
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

    /// The same address, or distance, in nibbles. Saturates, since no memory is that far.
    #[inline]
    pub(crate) fn nibbles(self, pointer: u64) -> u64 {
        match self {
            Unit::Byte => pointer.saturating_mul(2),
            Unit::Nibble => pointer,
        }
    }
}
