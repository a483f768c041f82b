//! Substitution of variables.

use super::evaluate::Environment;
use super::expr::{Apply, Atom, Poly, Symbol};

impl Poly {
    /// Replaces variables. `replace` returns `None` for those that stay.
    pub fn substitute(&self, replace: &dyn Fn(Symbol) -> Option<Poly>) -> Option<Poly> {
        let mut sum = Poly::default();
        for (monomial, &coefficient) in &self.0 {
            let mut product = Poly::from(coefficient);
            for atom in monomial {
                let factor = match atom {
                    Atom::Symbol(symbol) => replace(*symbol).unwrap_or_else(|| Poly::from(*symbol)),
                    Atom::Apply(apply) => apply.substitute(replace)?,
                };
                product = product.mul(&factor)?;
            }
            sum = sum.add(&product)?;
        }
        Some(sum)
    }

    /// Replaces the known variables by their values.
    pub fn specialize(&self, environment: &impl Environment) -> Option<Poly> {
        self.substitute(&|symbol| environment.value(symbol).map(Poly::from))
    }
}

impl Apply {
    fn substitute(&self, replace: &dyn Fn(Symbol) -> Option<Poly>) -> Option<Poly> {
        let arguments = self.arguments.iter().map(|argument| argument.substitute(replace));
        self.function.of(arguments.collect::<Option<Vec<Poly>>>()?)
    }
}
