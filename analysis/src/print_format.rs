//! The format strings of `print_tko`: C's conversions over bytes, and a `%` alone.

use std::ops::Range;

/// The letters that end a conversion.
const CONVERSIONS: &[u8] = b"diuoxXeEfFgGaAcsp";
/// The letters that upstream's checker stops at.
const UPSTREAM: &[u8] = b"diuoxXeEfFgGaAcCsSpn";

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Segment {
    /// Bytes that are printed as they are.
    Literal(Vec<u8>),
    /// A place where an operand is printed.
    Conversion(Conversion),
}

/// How an operand is printed.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// Where it stands in the format.
    pub range: Range<usize>,
    /// `-`: the value stands on the left of its field.
    pub left: bool,
    /// `+`: a sign stands in front of positive numbers too.
    pub plus: bool,
    /// ` `: a blank stands where the sign of a positive number would.
    pub space: bool,
    /// `#`: the alternative form, such as `0x` in front of hexadecimal numbers.
    pub alternate: bool,
    /// `0`: the field is filled with zeros.
    pub zero: bool,
    /// The least number of characters.
    pub width: Option<usize>,
    /// The number of digits behind the point, or the least number of digits of an integer.
    pub precision: Option<usize>,
    /// The conversion's letter; `None` for a `%` alone, which prints integers as `i` and floats as `f`.
    pub letter: Option<u8>,
}

impl Segment {
    /// The conversion that it is.
    pub fn conversion(&self) -> Option<&Conversion> {
        match self {
            Segment::Conversion(conversion) => Some(conversion),
            Segment::Literal(_) => None,
        }
    }
}

impl Conversion {
    /// Whether it is a `%` without a letter.
    pub fn is_bare(&self) -> bool {
        self.letter.is_none()
    }
}

/// Cuts a format into its parts. Every format has some.
pub fn parse(format: &[u8]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut literal = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            literal.push(format[at]);
            at += 1;
        } else if format.get(at + 1) == Some(&b'%') {
            literal.push(b'%');
            at += 2;
        } else {
            if !literal.is_empty() {
                segments.push(Segment::Literal(std::mem::take(&mut literal)));
            }
            let conversion = conversion(format, at);
            at = conversion.range.end;
            segments.push(Segment::Conversion(conversion));
        }
    }
    if !literal.is_empty() {
        segments.push(Segment::Literal(literal));
    }
    segments
}

/// The conversion whose `%` stands at `start`. Where no letter follows it is the `%` alone.
fn conversion(format: &[u8], start: usize) -> Conversion {
    let mut found = Conversion::default();
    let mut at = start + 1;
    let peek = |at: usize| format.get(at).copied().unwrap_or(0);
    loop {
        match peek(at) {
            b'-' => found.left = true,
            b'+' => found.plus = true,
            b' ' => found.space = true,
            b'#' => found.alternate = true,
            b'0' => found.zero = true,
            _ => break,
        }
        at += 1;
    }
    let number = |at: &mut usize| {
        let from = *at;
        while peek(*at).is_ascii_digit() {
            *at += 1;
        }
        std::str::from_utf8(&format[from..*at]).ok().and_then(|digits| digits.parse().ok())
    };
    found.width = number(&mut at);
    if peek(at) == b'.' {
        at += 1;
        found.precision = Some(number(&mut at).unwrap_or(0));
    }
    while matches!(peek(at), b'h' | b'l' | b'L' | b'z' | b'j' | b't') {
        at += 1;
    }
    if CONVERSIONS.contains(&peek(at)) {
        // "% tiles" is a bare conversion and a word: nobody writes a blank in front of the letter of a lone `%`.
        let is_word = found.space && peek(at + 1).is_ascii_alphabetic();
        if !is_word {
            return Conversion { range: start..at + 1, letter: Some(peek(at)), ..found };
        }
    }
    Conversion { range: start..start + 1, ..Conversion::default() }
}

/// How many conversions upstream's checker counts: behind a `%` it reads on to the next letter of a conversion or the
/// next `%`, and two `%` in a row count for nothing. The position of the `%` that nothing ends is the error.
pub fn upstream_conversion_count(format: &[u8]) -> Result<usize, usize> {
    let (mut count, mut at) = (0, 0);
    while at < format.len() {
        if format[at] != b'%' {
            at += 1;
            continue;
        }
        if format.get(at + 1) == Some(&b'%') {
            at += 2;
            continue;
        }
        let rest = &format[at + 1..];
        let end = rest.iter().position(|byte| *byte == b'%' || UPSTREAM.contains(byte)).ok_or(at)?;
        count += 1;
        at += 1 + end + usize::from(rest[end] != b'%');
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(format: &str) -> Vec<Option<char>> {
        let segments = parse(format.as_bytes());
        segments.iter().filter_map(Segment::conversion).map(|found| found.letter.map(char::from)).collect()
    }

    #[test]
    fn conversions_have_letters_or_stand_alone() {
        assert_eq!(letters("%i %08.3f %-4lld%%"), [Some('i'), Some('f'), Some('d')]);
        assert_eq!(letters("<%, %, %> in <%>\n"), [None; 4]);
        assert_eq!(letters("100%"), [None]);
        assert_eq!(letters("% tiles"), [None]);
    }

    #[test]
    fn upstream_reads_on_to_the_next_letter() {
        let count = |format: &str| upstream_conversion_count(format.as_bytes());
        assert_eq!(count("Hello, I am tile <%, %, %> in a kernel with <%, %, %> tiles.\n"), Ok(6));
        assert_eq!(count("%%"), Ok(0));
        assert_eq!(count("5 %"), Err(2));
    }
}
