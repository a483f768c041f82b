//! Functions of expressions that are not polynomials.

use super::expr::{Apply, Atom, Function, Poly};

impl Function {
    /// The result for numbers; `None` where the language leaves it undefined, or if it overflows.
    pub(super) fn of_numbers(self, numbers: &[i64]) -> Option<i64> {
        let (&first, rest) = numbers.split_first()?;
        let second = *rest.first()?;
        let bits = u32::try_from(second).ok().filter(|&bits| bits < 64);
        match self {
            Function::Quotient => first.checked_div(second),
            Function::Floor => {
                let quotient = first.checked_div(second)?;
                Some(quotient - i64::from(first % second != 0 && (first < 0) != (second < 0)))
            }
            Function::Ceiling => {
                let quotient = first.checked_div(second)?;
                Some(quotient + i64::from(first % second != 0 && (first < 0) == (second < 0)))
            }
            Function::Remainder => first.checked_rem(second),
            Function::Modulo => {
                let rest = first.checked_rem(second)?;
                Some(if rest != 0 && (rest < 0) != (second < 0) { rest + second } else { rest })
            }
            Function::Min => Some(first.min(second)),
            Function::Max => Some(first.max(second)),
            Function::And => Some(first & second),
            Function::Or => Some(first | second),
            Function::Xor => Some(first ^ second),
            Function::ShiftLeft => first.checked_mul(1_i64.checked_shl(bits?).filter(|power| *power > 0)?),
            Function::ShiftRight => Some(first >> bits?),
            Function::Equal => Some((first == second).into()),
            Function::Less => Some((first < second).into()),
            Function::Select => Some(if first == 0 { *rest.get(1)? } else { second }),
            // An unsigned number of 64 bits need not fit.
            Function::Unsigned => Some(first & (1_i64.checked_shl(bits.filter(|&bits| bits < 63)?)? - 1)),
            Function::Signed => {
                let unused = 64 - bits.filter(|&bits| bits > 0)?;
                Some(first << unused >> unused)
            }
        }
    }

    /// Applies the function, simplified where possible. `None` if that overflows or is too long.
    pub fn of(self, arguments: Vec<Poly>) -> Option<Poly> {
        if let Some(numbers) = arguments.iter().map(Poly::as_number).collect::<Option<Vec<i64>>>() {
            return self.of_numbers(&numbers).map(Poly::from);
        }
        let simplified = match (self, &arguments[..]) {
            (Function::ShiftLeft, [value, bits]) => shifted(value, bits),
            (Function::ShiftRight, [value, bits]) => {
                power(bits).and_then(|by| Function::Floor.of(vec![value.clone(), by]))
            }
            (Function::And, [value, mask]) => {
                masked(value, mask).or_else(|| masked(mask, value)).or_else(|| both(value, mask))
            }
            (Function::Modulo, [value, divisor]) if value.is_natural() && divisor.is_natural() => {
                Function::Remainder.of(arguments.clone())
            }
            (
                Function::Quotient | Function::Floor | Function::Ceiling | Function::Remainder | Function::Modulo,
                [value, divisor],
            ) => divisor.as_number().and_then(|divisor| self.divided(value, divisor)),
            (Function::Xor | Function::Or, [a, b]) if a.is_zero() => Some(b.clone()),
            (Function::Xor | Function::Or, [a, b]) if b.is_zero() => Some(a.clone()),
            (Function::Min | Function::Max, [a, b]) => self.extreme(a, b),
            (Function::Unsigned, [value, _]) if value.is_natural() => Some(value.clone()),
            (Function::Signed, [value, bits]) => {
                let largest =
                    bits.as_number().filter(|bits| (1..=63).contains(bits)).map(|bits| (1_i64 << (bits - 1)) - 1);
                let fits = value
                    .bounds()
                    .zip(largest)
                    .is_some_and(|((low, high), largest)| low >= -largest && high <= largest);
                fits.then(|| value.clone())
            }
            (Function::Less, [a, b]) => a.sub(b).and_then(|difference| difference.sign_is_known()),
            (Function::Equal, [a, b]) if a == b => Some(Poly::from(1)),
            (Function::Select, [condition, yes, no]) => match condition.as_number() {
                Some(0) => Some(no.clone()),
                Some(_) => Some(yes.clone()),
                None if yes == no => Some(yes.clone()),
                None => modulo(condition, yes, no),
            },
            _ => None,
        };
        simplified.unwrap_or_else(|| Poly::from(Apply::new(self, arguments))).checked()
    }

    /// Division by a number. `64 * x + r` divided by 64 is `x` if `r` is in `0..64`.
    fn divided(self, value: &Poly, divisor: i64) -> Option<Poly> {
        // Rounding to zero is rounding down only for natural numbers.
        if matches!(self, Function::Quotient | Function::Remainder) && !value.is_natural() {
            return None;
        }
        let (quotient, rest) = value.split_multiples(divisor)?;
        let is_small = rest.bounds().is_some_and(|(low, high)| low >= 0 && high < divisor);
        match self {
            Function::Remainder | Function::Modulo if is_small => Some(rest),
            Function::Remainder | Function::Modulo if rest == *value => None,
            Function::Remainder | Function::Modulo => self.of(vec![rest, divisor.into()]),
            Function::Ceiling if rest.is_zero() => Some(quotient),
            Function::Quotient | Function::Floor if is_small => Some(quotient),
            _ if quotient.is_zero() => None,
            _ => quotient.add(&self.of(vec![rest, divisor.into()])?),
        }
    }

    fn extreme(self, a: &Poly, b: &Poly) -> Option<Poly> {
        let (low, high) = a.sub(b)?.bounds()?;
        let first_is_less = if high <= 0 {
            true
        } else if low >= 0 {
            false
        } else {
            return None;
        };
        Some(if first_is_less == (self == Function::Min) { a.clone() } else { b.clone() })
    }
}

/// `n mod d` as it is computed from the remainder `r` of `n` by `d`: `r + d` if `r` is not 0 and has not the sign of
/// `d`, and `r` otherwise. This is how frontends translate the `%` of Python.
fn modulo(condition: &Poly, yes: &Poly, no: &Poly) -> Option<Poly> {
    let Atom::Apply(remainder) = no.as_atom()? else { return None };
    let (Function::Remainder, [_, divisor]) = (remainder.function, &remainder.arguments[..]) else { return None };
    let is_negative = |poly: &Poly| Function::Less.of(vec![poly.clone(), 0.into()]);
    let differs = Function::Xor.of(vec![is_negative(no)?, is_negative(divisor)?])?;
    let is_not_zero = Poly::from(1).sub(&Function::Equal.of(vec![no.clone(), 0.into()])?)?;
    let is_modulo = *yes == no.add(divisor)? && *condition == Function::And.of(vec![differs, is_not_zero])?;
    is_modulo.then(|| Function::Modulo.of(remainder.arguments.clone()))?
}

fn power(bits: &Poly) -> Option<Poly> {
    let bits = u32::try_from(bits.as_number()?).ok().filter(|&bits| bits < 63)?;
    Some(Poly::from(1_i64 << bits))
}

fn shifted(value: &Poly, bits: &Poly) -> Option<Poly> {
    value.mul(&power(bits)?)
}

/// `value & mask` for a mask of the low bits is a remainder.
fn masked(value: &Poly, mask: &Poly) -> Option<Poly> {
    let divisor =
        mask.as_number()?.checked_add(1).filter(|divisor| *divisor > 0 && (*divisor & (*divisor - 1)) == 0)?;
    value.is_natural().then(|| Function::Remainder.of(vec![value.clone(), divisor.into()]))?
}

/// A conjunction with a known truth value.
fn both(a: &Poly, b: &Poly) -> Option<Poly> {
    let is_truth = |poly: &Poly| poly.bounds().is_some_and(|(low, high)| low >= 0 && high <= 1);
    match (a.as_number(), b.as_number()) {
        (Some(0), _) | (_, Some(0)) => Some(Poly::default()),
        (Some(1), _) if is_truth(b) => Some(b.clone()),
        (_, Some(1)) if is_truth(a) => Some(a.clone()),
        _ => (a == b).then(|| a.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::expr::Symbol;
    use super::*;
    use tile_analysis::ir::OpId;

    fn row() -> Poly {
        Poly::from(Symbol::Block(0))
    }

    fn lane() -> Poly {
        Poly::from(Symbol::Lane(0, 64))
    }

    #[test]
    fn division_undoes_a_row_major_index() {
        let index = row().scale(64).unwrap().add(&lane()).unwrap();
        assert_eq!(Function::Quotient.of(vec![index.clone(), 64.into()]), Some(row()));
        assert_eq!(Function::Remainder.of(vec![index.clone(), 64.into()]), Some(lane()));
        assert_eq!(Function::And.of(vec![index.clone(), 63.into()]), Some(lane()));
        let half = Function::Quotient.of(vec![index, 32.into()]).unwrap();
        let rest = Function::Quotient.of(vec![lane(), 32.into()]).unwrap();
        assert_eq!(half, row().scale(2).unwrap().add(&rest).unwrap());
    }

    #[test]
    fn numbers_are_computed() {
        assert_eq!(Function::Ceiling.of(vec![7.into(), 2.into()]), Some(Poly::from(4)));
        assert_eq!(Function::Floor.of(vec![Poly::from(-7), 2.into()]), Some(Poly::from(-4)));
        assert_eq!(Function::Quotient.of(vec![Poly::from(-7), 2.into()]), Some(Poly::from(-3)));
        assert_eq!(Function::Quotient.of(vec![7.into(), 0.into()]), None);
    }

    #[test]
    fn pythons_remainder_is_a_modulo() {
        let (n, d) = (
            Poly::from(Symbol::Grid(0)).scale(-1).unwrap(),
            Poly::from(Symbol::Iteration(OpId(0))).sub(&5.into()).unwrap(),
        );
        let rest = Function::Remainder.of(vec![n.clone(), d.clone()]).unwrap();
        let less = |poly: &Poly| Function::Less.of(vec![poly.clone(), 0.into()]).unwrap();
        let differs = Function::Xor.of(vec![less(&rest), less(&d)]).unwrap();
        let is_zero = Function::Equal.of(vec![rest.clone(), 0.into()]).unwrap();
        let condition = Function::And.of(vec![differs, Poly::from(1).sub(&is_zero).unwrap()]).unwrap();
        let yes = rest.add(&d).unwrap();
        let found = Function::Select.of(vec![condition.clone(), yes, rest.clone()]).unwrap();
        assert_eq!(found, Function::Modulo.of(vec![n, d.clone()]).unwrap());
        let other = Function::Select.of(vec![condition, d, rest]).unwrap();
        assert_ne!(other, found);
        let of_numbers = |a: i64, b: i64| Function::Modulo.of_numbers(&[a, b]);
        let all = [(7, 3, 1), (-7, 3, 2), (7, -3, -2), (-7, -3, -1), (6, 3, 0), (-6, 3, 0)];
        assert!(all.iter().all(|&(a, b, result)| of_numbers(a, b) == Some(result)));
    }

    #[test]
    fn comparisons_with_known_ranges_are_decided() {
        assert_eq!(Function::Less.of(vec![lane(), 64.into()]), Some(Poly::from(1)));
        assert_eq!(Function::Min.of(vec![lane(), 64.into()]), Some(lane()));
        assert_eq!(Function::Less.of(vec![row(), 64.into()]).unwrap().as_number(), None);
    }
}
