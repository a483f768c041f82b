//! The format strings of `print_tko`.

use std::ops::Range;

/// One piece of a format string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Its bytes in the string, escapes resolved.
    pub range: Range<usize>,
    /// What it is.
    pub kind: SegmentKind,
}

/// What a piece of a format string is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentKind {
    /// Text that stands for itself.
    Literal,
    /// `%%`, which prints one `%`.
    Percent,
    /// A conversion, which prints an operand.
    Conversion(Conversion),
}

/// How an operand is printed, as in C.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conversion {
    /// `-`: to the left of its field.
    pub left: bool,
    /// `+`: with a sign even where it is positive.
    pub plus: bool,
    /// A blank in the place of a plus sign.
    pub blank: bool,
    /// `#`: the alternative form.
    pub alternate: bool,
    /// `0`: filled with zeros.
    pub zeros: bool,
    /// The least number of characters.
    pub width: usize,
    /// The precision, where one is given.
    pub precision: Option<usize>,
    /// Its letter, one of [`CONVERSIONS`]; `None` for a `%` without a conversion behind it, which prints an operand as its
    /// type suggests.
    pub letter: Option<u8>,
}

/// The letters of the conversions.
pub const CONVERSIONS: &[u8] = b"diouxXeEfFgGaAcsp";

/// The letters at which upstream's verifier takes a conversion to end.
const UPSTREAM_ENDS: &[u8] = b"diouxXeEfFgGaAcsSpn";

/// No field is wider, and no number has more digits: what a format asks for beyond is cut down to it.
const WIDEST: usize = 4096;

impl Segment {
    /// The conversion that it is.
    pub fn conversion(&self) -> Option<Conversion> {
        match self.kind {
            SegmentKind::Conversion(conversion) => Some(conversion),
            _ => None,
        }
    }
}

impl Conversion {
    /// Whether it is a `%` without a letter.
    pub fn is_bare(self) -> bool {
        self.letter.is_none()
    }
}

/// Takes a format string apart. The segments lie side by side and cover all of it.
pub fn parse(format: &[u8]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let (length, kind) = segment(&format[at..]);
        segments.push(Segment { range: at..at + length, kind });
        at += length;
    }
    segments
}

fn segment(rest: &[u8]) -> (usize, SegmentKind) {
    if rest[0] != b'%' {
        let length = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
        return (length, SegmentKind::Literal);
    }
    if rest.get(1) == Some(&b'%') {
        return (2, SegmentKind::Percent);
    }
    match conversion(&rest[1..]) {
        Some((length, conversion)) => (length + 1, SegmentKind::Conversion(conversion)),
        None => (1, SegmentKind::Conversion(Conversion::default())),
    }
}

/// The conversion behind a `%`, and its length.
fn conversion(text: &[u8]) -> Option<(usize, Conversion)> {
    let mut found = Conversion::default();
    let mut at = flags(text, &mut found);
    (found.width, at) = number(text, at);
    if text.get(at) == Some(&b'.') {
        let (precision, end) = number(text, at + 1);
        found.precision = Some(precision);
        at = end;
    }
    at += length_modifier(&text[at..]);
    let letter = text.get(at).filter(|letter| CONVERSIONS.contains(letter))?;
    found.letter = Some(*letter);
    Some((at + 1, found))
}

fn flags(text: &[u8], found: &mut Conversion) -> usize {
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'-' => found.left = true,
            b'+' => found.plus = true,
            b' ' => found.blank = true,
            b'#' => found.alternate = true,
            b'0' => found.zeros = true,
            _ => return at,
        }
    }
    text.len()
}

/// The number at a place, 0 where there is none, and the place behind it.
fn number(text: &[u8], start: usize) -> (usize, usize) {
    let digits = text[start.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit());
    let (value, count) = digits
        .fold((0usize, 0), |(value, count), byte| ((value * 10 + usize::from(byte - b'0')).min(WIDEST), count + 1));
    (value, start + count)
}

/// The length of `hh`, `h`, `l`, `ll`, `j`, `z`, `t` or `L`. It changes nothing: operands know their width.
fn length_modifier(text: &[u8]) -> usize {
    match text {
        [b'h', b'h', ..] | [b'l', b'l', ..] => 2,
        [b'h' | b'l' | b'j' | b'z' | b't' | b'L', ..] => 1,
        _ => 0,
    }
}

/// How many operands upstream's verifier counts, or the place of a `%` that it finds unterminated.
///
/// It takes every byte behind a `%` as part of the conversion, up to a letter that can end one or to another `%`.
pub fn upstream_conversion_count(format: &[u8]) -> Result<usize, usize> {
    let mut count = 0;
    let mut at = 0;
    while let Some(found) = format[at..].iter().position(|&byte| byte == b'%') {
        let start = at + found;
        let rest = &format[start + 1..];
        if rest.first() == Some(&b'%') {
            at = start + 2;
            continue;
        }
        let end = rest.iter().position(|byte| *byte == b'%' || UPSTREAM_ENDS.contains(byte)).ok_or(start)?;
        count += 1;
        at = start + 1 + end + usize::from(rest[end] != b'%');
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &str) -> Vec<String> {
        let text = |segment: Segment| {
            let text = &format[segment.range];
            match segment.kind {
                SegmentKind::Literal => text.to_string(),
                SegmentKind::Percent => "percent".to_string(),
                SegmentKind::Conversion(Conversion { letter: None, .. }) => "bare".to_string(),
                SegmentKind::Conversion(Conversion { letter: Some(letter), .. }) => {
                    format!("{text}:{}", letter as char)
                }
            }
        };
        parse(format.as_bytes()).into_iter().map(text).collect()
    }

    #[test]
    fn text_conversions_and_escapes() {
        assert_eq!(shown("a %d, %+08.3f %%\n"), ["a ", "%d:d", ", ", "%+08.3f:f", " ", "percent", "\n"]);
        assert_eq!(shown("%lld%hhx%zu%Lf"), ["%lld:d", "%hhx:x", "%zu:u", "%Lf:f"]);
        assert_eq!(shown(""), [""; 0]);
    }

    #[test]
    fn a_percent_sign_without_a_conversion_is_bare() {
        assert_eq!(shown("<%, %, %> of"), ["<", "bare", ", ", "bare", ", ", "bare", "> of"]);
        assert_eq!(shown("%"), ["bare"]);
        assert_eq!(shown("%5"), ["bare", "5"]);
        assert_eq!(shown("%*d"), ["bare", "*d"]);
        assert_eq!(shown("%.3q"), ["bare", ".3q"]);
    }

    #[test]
    fn parts_of_a_conversion() {
        let found = parse(b"%-+ #012.34le")[0].conversion().unwrap();
        let expected = Conversion {
            left: true,
            plus: true,
            blank: true,
            alternate: true,
            zeros: true,
            width: 12,
            precision: Some(34),
            letter: Some(b'e'),
        };
        assert_eq!(found, expected);
        let found = parse(b"%99999999999999999999.f")[0].conversion().unwrap();
        assert_eq!((found.width, found.precision), (WIDEST, Some(0)));
    }

    #[test]
    fn upstream_counts_naively() {
        assert_eq!(upstream_conversion_count(b"no conversion"), Ok(0));
        assert_eq!(upstream_conversion_count(b"%lld, %+08.3f %%"), Ok(2));
        assert_eq!(upstream_conversion_count(b"%%%%"), Ok(0));
        assert_eq!(upstream_conversion_count(b"<%, %, %> in <%, %, %> blocks, of which one"), Ok(6));
        assert_eq!(upstream_conversion_count(b"hello % from the world"), Ok(1));
        assert_eq!(upstream_conversion_count(b"hello_world, %"), Err(13));
        assert_eq!(upstream_conversion_count(b"%"), Err(0));
        assert_eq!(upstream_conversion_count(b"\xC3%\xC3d"), Ok(1));
    }
}
