//! Reads numbers.

use super::{Cursor, Parsed, is_word};
use crate::error::LaunchError;
use crate::literal::Number;
use std::ops::Range;

impl Cursor<'_> {
    /// A number with its sign.
    pub(in super::super) fn number(&mut self) -> Parsed<(Number, Range<usize>)> {
        let start = self.start();
        let negative = self.eat("-");
        if !negative {
            self.eat("+");
        }
        let (number, range) = self.unsigned_number()?;
        let range = start..range.end;
        if !negative {
            return Ok((number, range));
        }
        let too_small = || LaunchError::new(range.clone(), "the number is below -2^63");
        Ok((number.negated().ok_or_else(too_small)?, range))
    }

    /// A number without a sign: `12`, `0x1F`, `1.5e-3`, `inf`, `nan`, `true`, `false`.
    pub(in super::super) fn unsigned_number(&mut self) -> Parsed<(Number, Range<usize>)> {
        let start = self.start();
        if let Some(number) = named_number(self.peek_word()) {
            let (_, range) = self.word();
            return Ok((number, range));
        }
        let spelling = number_spelling(self.rest());
        if !spelling.starts_with(|c: char| c.is_ascii_digit() || c == '.') || spelling == "." {
            return Err(self.expected("a number"));
        }
        let range = start..start + spelling.len();
        let number = parse_number(spelling).map_err(|message| LaunchError::new(range.clone(), message))?;
        self.at = range.end;
        Ok((number, range))
    }

    /// A whole number within `low..=high`; `what` names it in errors.
    pub(in super::super) fn whole(&mut self, what: &str, low: i128, high: i128) -> Parsed<i128> {
        let (number, range) = self.number().map_err(|error| {
            let hint = format!("{what} is a whole number");
            if error.help.is_some() { error } else { error.help(hint) }
        })?;
        match number {
            Number::Whole(value) if (low..=high).contains(&value) => Ok(value),
            Number::Whole(value) => {
                Err(LaunchError::new(range, format!("{what} must be between {low} and {high}, found {value}")))
            }
            Number::Real(value) => {
                Err(LaunchError::new(range, format!("{what} must be a whole number, not {}", Number::Real(value))))
            }
        }
    }

    /// `[1, 2, 3]`: whole numbers, each at least `low`; `what` names one in errors.
    pub(in super::super) fn whole_list(&mut self, what: &str, low: i128) -> Parsed<Vec<u64>> {
        self.expect("[")?;
        let mut numbers = vec![];
        while !self.eat("]") {
            let spelling = self.next_token();
            numbers.push(self.whole(what, low, i64::MAX.into()).map_err(|error| {
                let separated_by_x = self.slice(spelling).contains(['x', 'X']);
                if separated_by_x { error.help("extents are separated by commas: `f32[32, 64]`") } else { error }
            })? as u64);
            if !self.eat(",") {
                self.expect("]")?;
                break;
            }
        }
        Ok(numbers)
    }
}

fn named_number(word: &str) -> Option<Number> {
    match word {
        "inf" => Some(Number::Real(f64::INFINITY)),
        "nan" => Some(Number::Real(f64::NAN)),
        "true" => Some(Number::Whole(1)),
        "false" => Some(Number::Whole(0)),
        _ => None,
    }
}

/// The longest prefix of `text` that looks like a number, including the sign of an exponent.
fn number_spelling(text: &str) -> &str {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let mut end = 0;
    let mut last = ' ';
    for c in text.chars() {
        let sign_of_exponent = !hex && matches!(c, '+' | '-') && matches!(last, 'e' | 'E');
        if !(is_word(c) || (c == '.' && !hex) || sign_of_exponent) {
            break;
        }
        end += c.len_utf8();
        last = c;
    }
    &text[..end]
}

fn parse_number(spelling: &str) -> Result<Number, String> {
    let digits: String = spelling.chars().filter(|c| *c != '_').collect();
    let bad = || format!("`{spelling}` is not a number");
    let whole = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.chars().all(|c| c.is_ascii_hexdigit()) && !hex.is_empty() => u64::from_str_radix(hex, 16),
        Some(_) => return Err(bad()),
        None if digits.chars().all(|c| c.is_ascii_digit()) => digits.parse::<u64>(),
        None if digits.chars().all(|c| c.is_ascii_digit() || ".eE+-".contains(c)) => {
            return digits.parse().map(Number::Real).map_err(|_| bad());
        }
        None => return Err(bad()),
    };
    whole.map(|value| Number::Whole(value.into())).map_err(|_| format!("{spelling} is above 2^64 - 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Parsed<Number> {
        let mut cursor = Cursor::new(text, 0..text.len());
        let (number, range) = cursor.number()?;
        assert_eq!(range, 0..text.len());
        cursor.finish()?;
        Ok(number)
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        assert_eq!(number("12"), Ok(Number::Whole(12)));
        assert_eq!(number("-9223372036854775808"), Ok(Number::Whole(i64::MIN.into())));
        assert_eq!(number("18446744073709551615"), Ok(Number::Whole(u64::MAX.into())));
        assert_eq!(number("0xFF"), Ok(Number::Whole(255)));
        assert_eq!(number("1_000"), Ok(Number::Whole(1000)));
        assert_eq!(number("1.5e-3"), Ok(Number::Real(1.5e-3)));
        assert_eq!(number("-inf"), Ok(Number::Real(f64::NEG_INFINITY)));
        assert_eq!(number("true"), Ok(Number::Whole(1)));
        assert_eq!(number("1.").map(|n| n.to_string()), Ok("1.0".into()));
        for bad in ["18446744073709551616", "-9223372036854775809", "1x", "0x", "--1", "1.2.3", "", "e5", "."] {
            assert!(number(bad).is_err(), "{bad}");
        }
    }
}
