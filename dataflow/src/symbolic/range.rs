//! Bounds of expressions.

use super::expr::{Atom, Function, Poly, Symbol};

impl Poly {
    /// The least and the greatest value, if both are known.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        self.terms().try_fold((0_i64, 0_i64), |(low, high), (monomial, coefficient)| {
            let (least, greatest) = monomial.iter().try_fold((1_i64, 1_i64), |product, atom| {
                let (low, high) = atom.bounds().filter(|(low, _)| *low >= 0)?;
                Some((product.0.checked_mul(low)?, product.1.checked_mul(high)?))
            })?;
            let (a, b) = (least.checked_mul(coefficient)?, greatest.checked_mul(coefficient)?);
            Some((low.checked_add(a.min(b))?, high.checked_add(a.max(b))?))
        })
    }

    /// Whether it is known not to be negative.
    pub fn is_natural(&self) -> bool {
        self.terms().all(|(monomial, coefficient)| coefficient >= 0 && monomial.iter().all(Atom::is_natural))
            || self.bounds().is_some_and(|(low, _)| low >= 0)
    }

    /// Whether it is negative, as a truth value, if that is known.
    pub(super) fn sign_is_known(&self) -> Option<Poly> {
        if self.is_natural() {
            return Some(Poly::from(0));
        }
        let (_, high) = self.bounds()?;
        (high < 0).then(|| Poly::from(1))
    }
}

impl Atom {
    fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Atom::Symbol(Symbol::Lane(_, extent)) => Some((0, extent - 1)),
            Atom::Symbol(_) => None,
            Atom::Apply(apply) => match (apply.function, &apply.arguments[..]) {
                (Function::Equal | Function::Less, _) => Some((0, 1)),
                (Function::And | Function::Or | Function::Xor, [a, b]) => {
                    let is_truth = |poly: &Poly| poly.bounds() == Some((0, 1));
                    (is_truth(a) && is_truth(b)).then_some((0, 1))
                }
                (Function::Remainder | Function::Modulo, [value, divisor]) => {
                    let divisor = divisor.as_number().filter(|divisor| *divisor > 0)?;
                    (value.is_natural() || apply.function == Function::Modulo).then_some((0, divisor - 1))
                }
                (Function::Unsigned, [_, bits]) => {
                    let bits = u32::try_from(bits.as_number()?).ok().filter(|bits| *bits < 63)?;
                    Some((0, (1_i64 << bits) - 1))
                }
                (Function::Quotient | Function::Floor, [value, divisor]) => {
                    let divisor = divisor.as_number().filter(|divisor| *divisor > 0)?;
                    let (low, high) = value.bounds().filter(|(low, _)| *low >= 0)?;
                    Some((low / divisor, high / divisor))
                }
                _ => None,
            },
        }
    }

    fn is_natural(&self) -> bool {
        match self {
            Atom::Symbol(symbol) => symbol.is_natural(),
            Atom::Apply(apply) => match apply.function {
                Function::Equal | Function::Less | Function::Unsigned => true,
                Function::Signed => false,
                Function::Quotient | Function::Floor | Function::Ceiling | Function::Min => {
                    apply.arguments.iter().all(Poly::is_natural)
                }
                Function::Remainder => apply.arguments[0].is_natural(),
                Function::Modulo => apply.arguments[1].is_natural(),
                Function::ShiftRight | Function::ShiftLeft => apply.arguments[0].is_natural(),
                Function::Max => apply.arguments.iter().any(Poly::is_natural),
                Function::And => apply.arguments.iter().any(Poly::is_natural),
                Function::Or | Function::Xor => apply.arguments.iter().all(Poly::is_natural),
                Function::Select => apply.arguments[1..].iter().all(Poly::is_natural),
            },
        }
    }
}
