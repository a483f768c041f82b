//! The integers of an entry that could overflow.

use super::{Interpreter, Symbolic};
use crate::overflow::Integer;
use tile_dialect::Mnemonic as M;

impl Interpreter<'_> {
    /// The results of ops that can overflow, as far as they are expressions.
    pub(super) fn integers(&self) -> Vec<Integer> {
        let mut found = Vec::new();
        for op in &self.body.ops {
            if !matches!(op.op, M::Addi | M::Subi | M::Muli | M::Negi | M::Absi | M::Shli | M::Trunci) {
                continue;
            }
            let Some(value) = self.body.results(op).next() else { continue };
            let element = self.body.ty(value).as_tile().and_then(|tile| tile.number());
            // A truth value is computed without overflow.
            let Some(bits) = element.map(|element| element.bits()).filter(|bits| *bits > 1) else { continue };
            if let Symbolic::Integer(poly) = self.get(value)
                && poly.unknown().is_none()
            {
                found.push(Integer { value, poly, bits });
            }
        }
        found
    }
}
