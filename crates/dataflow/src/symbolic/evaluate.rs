//! The value of an expression for known variables.

use super::expr::{Atom, Poly, Symbol};

/// The values of variables; `None` for those that are unknown.
pub trait Environment {
    /// The value of a variable.
    fn value(&self, symbol: Symbol) -> Option<i64>;
}

impl<F: Fn(Symbol) -> Option<i64>> Environment for F {
    fn value(&self, symbol: Symbol) -> Option<i64> {
        self(symbol)
    }
}

impl Poly {
    /// The value; `None` if a variable is unknown, a function is undefined, or the value overflows.
    pub fn evaluate(&self, environment: &impl Environment) -> Option<i64> {
        self.terms().try_fold(0_i64, |sum, (monomial, coefficient)| {
            let product = monomial
                .iter()
                .try_fold(coefficient, |product, atom| product.checked_mul(atom.evaluate(environment)?))?;
            sum.checked_add(product)
        })
    }
}

impl Atom {
    fn evaluate(&self, environment: &impl Environment) -> Option<i64> {
        match self {
            Atom::Symbol(symbol) => environment.value(*symbol),
            Atom::Apply(apply) => {
                let numbers = apply.arguments.iter().map(|argument| argument.evaluate(environment));
                apply.function.of_numbers(&numbers.collect::<Option<Vec<i64>>>()?)
            }
        }
    }
}
