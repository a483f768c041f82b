//! Numbers in attributes of unknown meaning.

use crate::context::Context;
use crate::diagnostics as d;
use crate::read::attr::{AttrReader, Read};
use crate::read::builtin::Foreign;
use std::ops::Range;
use tile_dialect::{Scalar, Sign};
use tile_syntax::Token;

/// A number as it is written.
pub(super) struct Number<'a> {
    place: Range<u32>,
    negative: bool,
    is_float: bool,
    word: &'a str,
}

impl<'a> Number<'a> {
    pub(crate) fn place(&self) -> Range<u32> {
        self.place.clone()
    }

    pub(crate) fn word(&self) -> &'a str {
        self.word
    }
}

impl<'a> AttrReader<'a> {
    /// `-1`, `2.0`, `7 : i8`.
    pub(crate) fn number_value(&mut self, context: Option<&Context>) -> Read<()> {
        let number = self.written_number()?;
        if !self.eat(Token::Colon) {
            let (scalar, name) = if number.is_float {
                (Scalar::Float(64), "f64")
            } else {
                (Scalar::Int { bits: 64, sign: Sign::Open }, "i64")
            };
            return self.check_number(&number, scalar, name);
        }
        let start = self.range().start as usize;
        let ty = self.foreign_type(context)?;
        let name = &self.text[start..self.tokens.end(self.at - 1) as usize];
        let scalar = if let Foreign::Scalar(scalar) = ty { scalar } else { Scalar::None };
        self.check_number(&number, scalar, name)
    }

    pub(super) fn written_number(&mut self) -> Read<Number<'a>> {
        let start = self.range().start;
        let negative = self.eat(Token::Minus);
        let (kind, word, end) = (self.kind(), self.word(), self.range().end);
        if !matches!(kind, Token::Integer | Token::Float) {
            return self.expected("a number");
        }
        self.at += 1;
        Ok(Number { place: start..end, negative, is_float: kind == Token::Float, word })
    }

    /// Whether a number may be of a type, which is called `name`.
    pub(super) fn check_number(&self, number: &Number<'_>, scalar: Scalar, name: &str) -> Read<()> {
        let is_bits = number.word.starts_with("0x");
        let is_float = matches!(scalar, Scalar::Float(_));
        let is_kind = match scalar {
            Scalar::Float(_) => number.is_float || is_bits,
            Scalar::Int { .. } | Scalar::Index => !number.is_float,
            Scalar::None => false,
        };
        let literal = || format!("{}{}", if number.negative { "-" } else { "" }, number.word);
        if !is_kind {
            return self.fail(d::bad_literal(number.place.clone(), &literal(), name, is_float));
        }
        if number.is_float || fits(number.word, number.negative, scalar) {
            Ok(())
        } else {
            self.fail(d::literal_range(number.place.clone(), &literal(), name))
        }
    }
}

/// Whether an integer is one of a type's. There is no `-0`, and bits of a float have no sign.
pub(crate) fn fits(word: &str, negative: bool, scalar: Scalar) -> bool {
    let (bits, sign) = match scalar {
        Scalar::Int { bits, sign } => (bits, sign),
        Scalar::Index => (64, Sign::Signed),
        Scalar::Float(bits) => (bits, Sign::Unsigned),
        Scalar::None => return false,
    };
    let (digits, radix) = word.strip_prefix("0x").map_or((word, 10), |digits| (digits, 16));
    let Ok(value) = u128::from_str_radix(digits, radix) else {
        // So many digits that only a very wide integer holds them.
        let width =
            if radix == 16 { digits.len() as f64 * 4.0 } else { digits.len() as f64 * std::f64::consts::LOG2_10 };
        return bits > 128 && !(negative && sign == Sign::Unsigned) && width as u32 <= bits;
    };
    let width = 128 - value.leading_zeros();
    match (negative, sign) {
        (true, Sign::Unsigned) => false,
        (true, _) => value != 0 && (width < bits || width == bits && value.is_power_of_two()),
        (false, Sign::Signed) => width < bits,
        (false, _) => width <= bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_fit_by_width_and_sign() {
        let cases = [
            ("i8", "255 -1 -128 0 0xFF 0x0FF", "256 -129 -0 0x1FF"),
            ("si8", "127 -128 0", "128 255 -129 -0"),
            ("ui8", "255 0", "256 -1 -0"),
            ("i0", "0", "1 -1"),
            ("i1", "1 -1 0", "2 -2"),
            ("i64", "18446744073709551615 -9223372036854775808", "18446744073709551616 -9223372036854775809"),
            ("index", "9223372036854775807 -9223372036854775808", "9223372036854775808"),
            ("i128", "340282366920938463463374607431768211455", "340282366920938463463374607431768211456"),
            ("i129", "340282366920938463463374607431768211456", ""),
            ("f16", "0x3C00", "0x13C00 -0x3C00"),
        ];
        for (ty, all, none) in cases {
            let scalar = Scalar::from_name(ty).expect("it is one");
            let fit = |word: &&str| fits(word.trim_start_matches('-'), word.starts_with('-'), scalar);
            assert_eq!(all.split_whitespace().find(|word| !fit(word)), None, "{ty}");
            assert_eq!(none.split_whitespace().find(fit), None, "{ty}");
        }
    }
}
