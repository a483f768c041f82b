//! Shadows of values: which elements are unspecified, and which accesses precede a token.

use crate::sanitize::past::Past;
use crate::simd;
use crate::values::tile::{Scalar, Tile, at};
use tile_analysis::ir::OpId;

/// The shadow of a value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shadow {
    /// All elements are specified, and no access precedes.
    #[default]
    Clean,
    /// A tile with unspecified elements: an [`Origin`] for each element, 0 for specified ones.
    Elements(Tile),
    /// A token.
    Token(Past),
}

/// Why an element is unspecified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// It was masked out.
    Masked,
    /// It is outside the tensor.
    Outside,
    /// It was never written.
    NeverWritten,
    /// The op that computed it has no defined result for its operands. The origin is a number assigned by the sanitizer
    /// instead of an op.
    Undefined,
}

/// The origin of an unspecified element: an op and a reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    pub(crate) op: OpId,
    pub(crate) reason: Reason,
}

impl Origin {
    /// Encodes it as a nonzero number.
    pub(crate) fn code(self) -> u32 {
        (self.op.0 << 2) + self.reason as u32 + 1
    }

    /// Decodes a nonzero number.
    pub(crate) fn of(code: u32) -> Origin {
        let reason = match (code - 1) % 4 {
            0 => Reason::Masked,
            1 => Reason::Outside,
            2 => Reason::NeverWritten,
            _ => Reason::Undefined,
        };
        Origin { op: OpId((code - 1) >> 2), reason }
    }
}

impl Shadow {
    /// The shadow of a tile whose elements have these origins, 0 for specified ones.
    pub(crate) fn of(origins: Tile) -> Shadow {
        if u32::of(&origins).iter().all(|&code| code == 0) { Shadow::Clean } else { Shadow::Elements(origins) }
    }

    /// The origin of an unspecified element, if there is one.
    pub(crate) fn origins(&self) -> Option<&[u32]> {
        match self {
            Shadow::Elements(tile) => Some(u32::of(tile)),
            _ => None,
        }
    }

    /// The origins of all elements.
    pub(crate) fn tile(&self) -> Tile {
        match self {
            Shadow::Elements(tile) => tile.clone(),
            _ => u32::tile(vec![0]),
        }
    }

    /// The origin of the element at `index`, if it is unspecified.
    pub(crate) fn at(&self, index: usize) -> Option<Origin> {
        let code = at(self.origins()?, index);
        (code != 0).then(|| Origin::of(code))
    }

    /// The first unspecified element.
    pub(crate) fn first(&self) -> Option<(usize, Origin)> {
        let origins = self.origins()?;
        let index = origins.iter().position(|&code| code != 0)?;
        Some((index, Origin::of(origins[index])))
    }

    /// The preceding accesses, if it is a token.
    pub(crate) fn past(&self) -> Option<&Past> {
        match self {
            Shadow::Token(past) => Some(past),
            _ => None,
        }
    }

    /// The shadow of elements that depend on one element of each of two tiles.
    pub(crate) fn or(&self, other: &Shadow) -> Shadow {
        match (self, other) {
            (Shadow::Elements(a), Shadow::Elements(b)) => Shadow::Elements(simd::zip(a, b, first)),
            (Shadow::Elements(_), _) => self.clone(),
            (_, Shadow::Elements(_)) => other.clone(),
            _ => Shadow::Clean,
        }
    }
}

/// The first of two origins that exists.
pub(crate) fn first(a: u32, b: u32) -> u32 {
    if a != 0 { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_numbers() {
        for reason in [Reason::Masked, Reason::Outside, Reason::NeverWritten, Reason::Undefined] {
            for op in [0, 1, 77] {
                let origin = Origin { op: OpId(op), reason };
                assert_ne!(origin.code(), 0);
                assert_eq!(Origin::of(origin.code()), origin);
            }
        }
    }
}
