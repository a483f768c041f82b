//! Arithmetic of polynomials.

use super::expr::{Atom, Function, Monomial, Poly, Symbol};

/// The maximum number of terms. Longer expressions are not worth reading.
const MAX_TERMS: usize = 64;

/// The maximum number of functions and variables. Where values are used several times, as in a hash function,
/// expressions would grow exponentially.
const MAX_SIZE: usize = 512;

impl Poly {
    /// The number, if it has no variables.
    pub fn as_number(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Monomial::new()).copied(),
            _ => None,
        }
    }

    /// The atom, if it is nothing but one.
    pub(super) fn as_atom(&self) -> Option<&Atom> {
        match (self.terms().next()?, self.terms().len()) {
            ((monomial, 1), 1) => <&[Atom; 1]>::try_from(&monomial[..]).ok().map(|[atom]| atom),
            _ => None,
        }
    }

    /// The constant term.
    pub fn constant(&self) -> i64 {
        self.0.get(&Monomial::new()).copied().unwrap_or(0)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum. `None` if a coefficient overflows or there are too many terms, as in the other operations.
    pub fn add(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    /// The difference.
    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    fn add_scaled(&self, other: &Poly, factor: i64) -> Option<Poly> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.add_term(monomial.clone(), coefficient.checked_mul(factor)?)?;
        }
        sum.checked()
    }

    /// The product.
    pub fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut monomial: Monomial = left.iter().chain(right).cloned().collect();
                monomial.sort();
                product.add_term(monomial, a.checked_mul(*b)?)?;
            }
        }
        product.checked()
    }

    /// The product with a number.
    pub fn scale(&self, factor: i64) -> Option<Poly> {
        self.mul(&Poly::from(factor))
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: i64) -> Option<()> {
        let sum = self.0.get(&monomial).copied().unwrap_or(0).checked_add(coefficient)?;
        match sum {
            0 => self.0.remove(&monomial),
            _ => self.0.insert(monomial, sum),
        };
        Some(())
    }

    /// The expression, unless it is too long.
    pub(super) fn checked(self) -> Option<Poly> {
        (self.0.len() <= MAX_TERMS && self.size() <= MAX_SIZE).then_some(self)
    }

    /// The quotient, if every coefficient is divisible, or both sides of a choice.
    pub fn divide_exactly(&self, divisor: i64) -> Option<Poly> {
        let (quotient, remainder) = self.split_multiples(divisor)?;
        remainder.terms().try_fold(quotient, |sum, (monomial, coefficient)| {
            let [Atom::Apply(apply)] = &monomial[..] else { return None };
            let (Function::Select, [condition, yes, no]) = (apply.function, &apply.arguments[..]) else { return None };
            let divided = |side: &Poly| side.scale(coefficient)?.divide_exactly(divisor);
            sum.add(&Function::Select.of(vec![condition.clone(), divided(yes)?, divided(no)?])?)
        })
    }

    /// Splits `self` into `divisor * quotient + remainder`, where no coefficient of the remainder is divisible, and its
    /// constant is in `0..divisor`. `None` if the divisor is not positive.
    pub fn split_multiples(&self, divisor: i64) -> Option<(Poly, Poly)> {
        let (mut quotient, mut remainder) = (Poly::default(), Poly::default());
        for (monomial, &coefficient) in &self.0 {
            let is_constant = monomial.is_empty();
            let (whole, rest) = match coefficient.checked_rem(divisor).filter(|_| divisor > 0)? {
                0 => (coefficient / divisor, 0),
                _ if is_constant => (coefficient.div_euclid(divisor), coefficient.rem_euclid(divisor)),
                _ => (0, coefficient),
            };
            quotient.add_term(monomial.clone(), whole)?;
            remainder.add_term(monomial.clone(), rest)?;
        }
        Some((quotient, remainder))
    }

    /// Splits `self` into `symbol * factor + rest`, where `rest` is free of the symbol; `None` unless it is linear in
    /// the symbol.
    pub fn split_linear(&self, symbol: Symbol) -> Option<(Poly, Poly)> {
        let (mut factor, mut rest) = (Poly::default(), Poly::default());
        for (monomial, &coefficient) in &self.0 {
            let is_symbol = |atom: &Atom| *atom == Atom::Symbol(symbol);
            let others: Monomial = monomial.iter().filter(|atom| !is_symbol(atom)).cloned().collect();
            if others.iter().any(|atom| atom.mentions(&|found| found == symbol)) {
                return None;
            }
            match monomial.len() - others.len() {
                0 => rest.add_term(others, coefficient)?,
                1 => factor.add_term(others, coefficient)?,
                _ => return None,
            }
        }
        Some((factor, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Poly {
        Poly::from(Symbol::Block(0))
    }

    fn y() -> Poly {
        Poly::from(Symbol::Block(1))
    }

    #[test]
    fn arithmetic_cancels() {
        let sum = x().add(&y()).unwrap();
        let square = sum.mul(&sum).unwrap();
        let expected = x().mul(&x()).unwrap().add(&x().mul(&y()).unwrap().scale(2).unwrap()).unwrap();
        assert_eq!(square, expected.add(&y().mul(&y()).unwrap()).unwrap());
        assert!(sum.sub(&x()).unwrap().sub(&y()).unwrap().is_zero());
    }

    #[test]
    fn linear_split() {
        let poly = x().scale(64).unwrap().add(&y()).unwrap().add(&Poly::from(3)).unwrap();
        let (factor, rest) = poly.split_linear(Symbol::Block(0)).unwrap();
        assert_eq!((factor, rest), (Poly::from(64), y().add(&Poly::from(3)).unwrap()));
        assert_eq!(x().mul(&x()).unwrap().split_linear(Symbol::Block(0)), None);
    }

    #[test]
    fn overflow_is_detected() {
        assert_eq!(Poly::from(i64::MAX).add(&Poly::from(1)), None);
        assert_eq!(Poly::from(i64::MIN).divide_exactly(-1), None);
    }
}
