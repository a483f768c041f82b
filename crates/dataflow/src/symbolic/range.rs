//! Bounds of expressions.

use super::expr::{Atom, Function, Poly, Symbol};

impl Poly {
    /// The least and the greatest value, if those of all variables are known without a launch.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let (low, high) = self.interval(&|symbol| match symbol {
            Symbol::Lane(_, extent) => Some((0, i128::from(extent) - 1)),
            _ => None,
        })?;
        Some((i64::try_from(low).ok()?, i64::try_from(high).ok()?))
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
    fn is_natural(&self) -> bool {
        match self {
            Atom::Symbol(symbol) => symbol.is_natural(),
            Atom::Apply(apply) => apply.is_natural(),
        }
    }
}

impl Function {
    /// Whether the result for arguments is known not to be negative.
    pub(super) fn is_natural_of(self, arguments: &[Poly]) -> bool {
        match self {
            Function::Equal | Function::Less | Function::Unsigned => true,
            Function::Signed => false,
            Function::Quotient | Function::Floor | Function::Ceiling | Function::Min => {
                arguments.iter().all(Poly::is_natural)
            }
            Function::Remainder => arguments[0].is_natural(),
            Function::Modulo => arguments[1].is_natural(),
            Function::ShiftRight | Function::ShiftLeft => arguments[0].is_natural(),
            Function::Max => arguments.iter().any(Poly::is_natural),
            Function::And => arguments.iter().any(Poly::is_natural),
            Function::Or | Function::Xor => arguments.iter().all(Poly::is_natural),
            Function::Select => arguments[1..].iter().all(Poly::is_natural),
        }
    }
}
