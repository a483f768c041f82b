//! Expressions as text, such as `64 * %bx + %k`.

use super::expr::{Apply, Atom, Function, Poly, Symbol};
use std::fmt::Write;

/// The names of variables in the text of an expression.
pub trait Names {
    /// The name of a variable.
    fn name(&self, symbol: Symbol) -> String;
}

impl<F: Fn(Symbol) -> String> Names for F {
    fn name(&self, symbol: Symbol) -> String {
        self(symbol)
    }
}

impl Poly {
    /// Formats the expression as a sum, with negative terms after positive ones, and the constant last.
    pub fn text(&self, names: &dyn Names) -> String {
        if let Some((operator, [a, b])) = self.negated_comparison() {
            return format!("{} {operator} {}", a.factor(names), b.factor(names));
        }
        let mut text = String::new();
        let (constant, mut rest): (Vec<_>, Vec<_>) = self.terms().partition(|(monomial, _)| monomial.is_empty());
        rest.sort_by_key(|(_, coefficient)| *coefficient < 0);
        for (monomial, coefficient) in rest.into_iter().chain(constant) {
            let _ = match (text.is_empty(), coefficient < 0) {
                (true, false) => Ok(()),
                (true, true) => text.write_char('-'),
                (false, false) => text.write_str(" + "),
                (false, true) => text.write_str(" - "),
            };
            let size = coefficient.unsigned_abs();
            let is_alone = self.terms().len() == 1 && monomial.len() == 1 && coefficient == 1;
            let mut factors: Vec<String> = monomial.iter().map(|atom| atom.text(names, is_alone)).collect();
            if size != 1 || factors.is_empty() {
                factors.insert(0, size.to_string());
            }
            text += &factors.join(" * ");
        }
        if text.is_empty() { "0".to_string() } else { text }
    }

    /// The operator and the sides of `1 - (a < b)` or `1 - (a = b)`.
    fn negated_comparison(&self) -> Option<(&'static str, &[Poly; 2])> {
        let mut terms = self.terms();
        let (Some((constant, 1)), Some((factors, -1)), None) = (terms.next(), terms.next(), terms.next()) else {
            return None;
        };
        let (true, [Atom::Apply(apply)]) = (constant.is_empty(), &factors[..]) else { return None };
        let operator = match apply.function {
            Function::Less => "≥",
            Function::Equal => "≠",
            _ => return None,
        };
        apply.arguments.first_chunk().map(|sides| (operator, sides))
    }

    /// Whether a term has a negative coefficient, so that the value can be negative.
    fn subtracts(&self) -> bool {
        self.terms().any(|(monomial, coefficient)| {
            coefficient < 0 || monomial.iter().any(|atom| matches!(atom, Atom::Apply(apply) if apply.is_signed()))
        })
    }

    /// The text, in parentheses if it contains an operator.
    fn factor(&self, names: &dyn Names) -> String {
        let text = self.text(names);
        let mut terms = self.terms();
        let is_atom = match (terms.next(), terms.next()) {
            (None, _) => true,
            (Some((monomial, coefficient)), None) => match &monomial[..] {
                [] => coefficient >= 0,
                [Atom::Symbol(_)] => coefficient == 1,
                [Atom::Apply(apply)] => coefficient == 1 && !apply.is_infix(),
                _ => false,
            },
            _ => false,
        };
        if is_atom { text } else { format!("({text})") }
    }
}

impl Atom {
    /// The text, in parentheses if it contains an operator and is not alone.
    fn text(&self, names: &dyn Names, is_alone: bool) -> String {
        match self {
            Atom::Symbol(symbol) => names.name(*symbol),
            Atom::Apply(apply) if is_alone || !apply.is_infix() => apply.text(names),
            Atom::Apply(apply) => format!("({})", apply.text(names)),
        }
    }
}

impl Apply {
    /// Whether it can be negative although all names stand for numbers that are not.
    fn is_signed(&self) -> bool {
        match self.function {
            Function::Unsigned | Function::Equal | Function::Less => false,
            Function::Signed => true,
            _ => self.arguments.iter().any(Poly::subtracts),
        }
    }

    fn is_infix(&self) -> bool {
        use Function::*;
        matches!(self.function, Remainder | Modulo | And | Or | Xor | ShiftLeft | ShiftRight | Equal | Less)
    }

    fn text(&self, names: &dyn Names) -> String {
        let arguments = &self.arguments;
        let infix =
            |operator: &str| format!("{} {operator} {}", arguments[0].factor(names), arguments[1].factor(names));
        let call = |name: &str| {
            let arguments: Vec<String> = arguments.iter().map(|argument| argument.text(names)).collect();
            format!("{name}({})", arguments.join(", "))
        };
        // Names of sizes stand for numbers that are not negative.
        let rounds_to_zero = || arguments.iter().any(Poly::subtracts);
        match self.function {
            Function::Quotient if rounds_to_zero() => format!("trunc({})", infix("/")),
            Function::Remainder if rounds_to_zero() => infix("rem"),
            Function::Unsigned => format!("u{}({})", arguments[1].text(names), arguments[0].text(names)),
            Function::Signed => format!("i{}({})", arguments[1].text(names), arguments[0].text(names)),
            Function::Quotient | Function::Floor => {
                format!("⌊{} / {}⌋", arguments[0].factor(names), arguments[1].factor(names))
            }
            Function::Ceiling => format!("⌈{} / {}⌉", arguments[0].factor(names), arguments[1].factor(names)),
            Function::Remainder | Function::Modulo => infix("mod"),
            Function::Min => call("min"),
            Function::Max => call("max"),
            Function::And => infix("&"),
            Function::Or => infix("|"),
            Function::Xor => infix("^"),
            Function::ShiftLeft => infix("<<"),
            Function::ShiftRight => infix(">>"),
            Function::Equal => infix("="),
            Function::Less => infix("<"),
            Function::Select => call("select"),
        }
    }
}
