//! The operands of two aligned ops.

use crate::changes::Difference;
use crate::slots::Pairing;
use tile_analysis::ir::Value;

/// An operand of two aligned ops.
#[derive(Clone)]
pub(crate) struct Operand {
    /// The operand group and the position in it, if the group can have several values.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) a: Option<Value>,
    pub(crate) b: Option<Value>,
}

impl Operand {
    /// Pairs the operands of two lists, by position unless `pairing` has other pairs.
    pub(crate) fn list(group: Option<usize>, a: &[Value], b: &[Value], pairing: Option<&Pairing>) -> Vec<Operand> {
        let positional: Pairing = (0..a.len()).map(|index| (index < b.len()).then_some(index)).collect();
        let pairing = pairing.filter(|pairing| pairing.len() == a.len()).unwrap_or(&positional);
        let place = |index: usize| Some((group?, index));
        let of_a = a.iter().zip(pairing).enumerate().map(|(index, (&value, other))| {
            let other = other.and_then(|other| b.get(other).copied());
            Operand { place: place(index), a: Some(value), b: other }
        });
        let of_b = b.iter().enumerate().filter(|(index, _)| !pairing.contains(&Some(*index)));
        let of_b = of_b.map(|(index, &value)| Operand { place: place(index), a: None, b: Some(value) });
        of_a.chain(of_b).collect()
    }

    pub(crate) fn difference(self) -> Difference {
        Difference::Operand { place: self.place, a: self.a, b: self.b }
    }
}
