//! The values that an expression can have if its variables have known ranges.

use super::expr::{Apply, Atom, Function, Poly, Symbol};

/// The least and the greatest value. They can exceed 64 bits.
pub(crate) type Interval = (i128, i128);

impl Poly {
    /// The range of the expression, perhaps too wide; `None` if that of a variable is unknown.
    pub(crate) fn interval(&self, of: &dyn Fn(Symbol) -> Option<Interval>) -> Option<Interval> {
        self.terms().try_fold((0, 0), |(low, high): Interval, (monomial, coefficient)| {
            let one = (i128::from(coefficient), i128::from(coefficient));
            let term = monomial.iter().try_fold(one, |product, atom| times(product, atom.interval(of)?))?;
            Some((low.checked_add(term.0)?, high.checked_add(term.1)?))
        })
    }
}

impl Atom {
    fn interval(&self, of: &dyn Fn(Symbol) -> Option<Interval>) -> Option<Interval> {
        match self {
            Atom::Symbol(symbol) => of(*symbol),
            Atom::Apply(apply) => apply.interval(of),
        }
    }
}

impl Apply {
    fn interval(&self, of: &dyn Fn(Symbol) -> Option<Interval>) -> Option<Interval> {
        use Function::*;
        let at = |index: usize| self.arguments.get(index)?.interval(of);
        match self.function {
            Equal | Less => Some((0, 1)),
            Min => at(0).zip(at(1)).map(|(a, b)| (a.0.min(b.0), a.1.min(b.1))),
            Max => at(0).zip(at(1)).map(|(a, b)| (a.0.max(b.0), a.1.max(b.1))),
            Select => at(1).zip(at(2)).map(|(yes, no)| (yes.0.min(no.0), yes.1.max(no.1))),
            Quotient | Floor | Ceiling => {
                let (value, divisor) = (at(0)?, at(1));
                match divisor.filter(|(least, _)| *least > 0) {
                    Some((least, greatest)) if value.0 >= 0 && self.function != Ceiling => {
                        Some((value.0 / greatest, value.1 / least))
                    }
                    // The magnitude does not grow.
                    Some(_) => Some((value.0.min(0), value.1.max(0))),
                    None => {
                        let magnitude = value.0.checked_abs()?.max(value.1.checked_abs()?);
                        Some((-magnitude, magnitude))
                    }
                }
            }
            ShiftRight => at(0).map(|(low, high)| (low.min(0), high.max(0))),
            Remainder | Modulo => {
                let divisor = at(1).filter(|(least, _)| *least > 0).map(|(_, greatest)| greatest - 1);
                let is_natural = self.function == Modulo || self.is_natural();
                match (divisor, at(0)) {
                    (Some(greatest), _) if is_natural => Some((0, greatest)),
                    (Some(greatest), value) => {
                        let (low, high) = value.unwrap_or((-greatest, greatest));
                        Some((low.clamp(-greatest, 0), high.clamp(0, greatest)))
                    }
                    (None, value) if self.function == Remainder => value.map(|(low, high)| (low.min(0), high.max(0))),
                    (None, _) => at(1).map(|(low, high)| (low.min(0), high.max(0))),
                }
            }
            And | Or | Xor => {
                let all_ones = |value: i128| (1 << (i128::BITS - value.max(0).leading_zeros())) - 1;
                let (a, b) = (at(0)?, at(1)?);
                (a.0 >= 0 && b.0 >= 0).then(|| (0, all_ones(a.1.max(b.1))))
            }
            ShiftLeft => {
                let (value, bits) = (at(0)?, at(1)?);
                let power = |bits: i128| u32::try_from(bits).ok().filter(|&bits| bits < 64).map(|bits| 1_i128 << bits);
                times(value, (power(bits.0)?, power(bits.1)?))
            }
            Unsigned => self.width().map(|bits| (0, (1 << bits) - 1)),
            Signed => self.width().map(|bits| (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        }
    }

    /// The width of an integer that is read as signed or unsigned.
    fn width(&self) -> Option<u32> {
        u32::try_from(self.arguments.get(1)?.as_number()?).ok().filter(|bits| (1..=64).contains(bits))
    }
}

fn times(a: Interval, b: Interval) -> Option<Interval> {
    let all = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((*all.iter().min()?, *all.iter().max()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_functions() {
        let (x, n) = (Symbol::Block(0), Symbol::Block(1));
        let of = |symbol: Symbol| Some(if symbol == x { (-3, 5) } else { (2, 4) });
        let product = Poly::from(x).mul(&n.into()).unwrap();
        assert_eq!(product.interval(&of), Some((-12, 20)));
        let least = Function::Min.of(vec![product, 7.into()]).unwrap();
        assert_eq!(least.interval(&of), Some((-12, 7)));
        assert_eq!(Function::Xor.of(vec![n.into(), 9.into()]).unwrap().interval(&of), Some((0, 15)));
        assert_eq!(Poly::from(n).interval(&|_| None), None);
        let quotient = |divisor: i64| Function::Quotient.of(vec![n.into(), divisor.into()]).unwrap().interval(&of);
        assert_eq!((quotient(2), quotient(-1)), (Some((1, 2)), Some((-4, 4))));
        let rest = Function::Remainder.of(vec![x.into(), 4.into()]).unwrap();
        assert_eq!(rest.interval(&of), Some((0, 3)), "the index of a tile block is not negative");
    }
}
