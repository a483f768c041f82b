//! The format strings of `print_tko`: how they are parsed, and which conversions fit which operand.
//!
//! [`Operand::fits`] is the single definition of the latter; the lint, the sanitizer and runs on a GPU use it.

use crate::types::Type;
use std::ops::Range;
use tile_dialect::Element;

/// One piece of a format string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Its byte range in the string, with escapes resolved.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: SegmentKind,
}

/// The kind of a piece of a format string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentKind {
    /// Literal text.
    Literal,
    /// `%%`, which prints one `%`.
    Percent,
    /// A conversion, which prints an operand.
    Conversion(Conversion),
}

/// A conversion specification, as in C.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conversion {
    /// `-`: left-aligned.
    pub left: bool,
    /// `+`: positive numbers get a sign.
    pub plus: bool,
    /// A blank: positive numbers get a blank instead of a sign.
    pub blank: bool,
    /// `#`: alternate form.
    pub alternate: bool,
    /// `0`: padded with zeros.
    pub zeros: bool,
    /// The minimum field width.
    pub width: usize,
    /// The precision, if given.
    pub precision: Option<usize>,
    /// The length modifier.
    pub length: Length,
    /// The conversion letter, one of [`CONVERSIONS`]; `None` for a bare `%`. The published programming model writes
    /// `<%, %, %>` for numbers, so a bare `%` prints an operand with [`Operand::conversion`]. NVIDIA's compiler prints
    /// the `%` itself.
    pub letter: Option<u8>,
}

/// The length modifier of a conversion, which determines the C type that the operand is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Length {
    /// No modifier: `int`, `double` or a pointer.
    #[default]
    Plain,
    /// `hh`: 8 bits.
    Char,
    /// `h`: 16 bits.
    Short,
    /// `l`: 64 bits on Linux. It has no effect on float conversions.
    Long,
    /// `ll`: 64 bits.
    LongLong,
    /// `j`, `z`, `t` or `L`, which `printf` on a GPU does not support.
    Other,
}

/// How an operand is passed to `printf` on a GPU. NVIDIA's compiler passes operands as C does: integers of up to 32
/// bits as `int`, sign-extended except for `i1`; 64-bit integers as `long long`; floats of every type as `double`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// An integer of 8, 16 or 32 bits; narrower ones count as 8 bits.
    Int(u32),
    /// A 64-bit integer.
    LongLong,
    /// A float.
    Double,
    /// A pointer.
    Pointer,
}

impl Operand {
    /// How an operand of this type is passed; `None` if it is not a tile.
    pub fn of(ty: Type) -> Option<Operand> {
        let tile = ty.as_tile()?;
        match tile.number() {
            Some(element) => Some(Operand::of_element(element)),
            None => tile.pointee().map(|_| Operand::Pointer),
        }
    }

    /// How an element of this type is passed.
    pub fn of_element(element: Element) -> Operand {
        match element.bits() {
            _ if element.is_float() => Operand::Double,
            ..=8 => Operand::Int(8),
            16 => Operand::Int(16),
            32 => Operand::Int(32),
            _ => Operand::LongLong,
        }
    }

    /// The conversion that prints the operand as a decimal number, or a pointer as an address.
    pub fn conversion(self) -> &'static str {
        match self {
            Operand::Int(_) => "%i",
            Operand::LongLong => "%lli",
            Operand::Double => "%f",
            Operand::Pointer => "%p",
        }
    }

    /// The conversion letters that print an operand of this kind.
    pub fn letters(self) -> &'static [u8] {
        match self {
            Operand::Int(_) => b"diouxXc",
            Operand::LongLong => b"diouxX",
            Operand::Double => b"eEfFgGaA",
            Operand::Pointer => b"p",
        }
    }

    /// Whether a conversion with this length modifier and letter prints the operand correctly on every target.
    pub fn fits(self, length: Length, letter: u8) -> bool {
        let length_fits = match (self, length) {
            // `printf` on a GPU does not support `hh` either: it prints the characters of the format.
            (_, Length::Char | Length::Other) => false,
            (Operand::LongLong, length) => matches!(length, Length::Long | Length::LongLong),
            (Operand::Int(_), Length::Plain) => true,
            (Operand::Int(bits), Length::Short) => bits <= 16 && letter != b'c',
            (Operand::Double, length) => matches!(length, Length::Plain | Length::Long),
            (_, length) => length == Length::Plain,
        };
        length_fits && self.letters().contains(&letter)
    }

    /// Returns a conversion that prints the operand: the given one if it fits, the same with another length modifier if
    /// only that is wrong, or else one with the letter of [`Operand::conversion`].
    pub fn fit(self, conversion: Conversion) -> Conversion {
        let length = if self == Operand::LongLong { Length::LongLong } else { Length::Plain };
        let default = self.conversion().as_bytes().last().copied();
        match conversion.letter {
            Some(letter) if self.fits(conversion.length, letter) => conversion,
            Some(letter) if self.letters().contains(&letter) => Conversion { length, ..conversion },
            _ => Conversion { length, letter: default, ..conversion },
        }
    }
}

/// Replaces the conversions that do not fit their operands, keeping flags, width and precision. The result makes a
/// target with C's `printf` print what the CPU engine prints. Extra operands are not printed, and conversions without
/// an operand are kept.
pub fn fitted(format: &[u8], operands: &[Option<Operand>]) -> Vec<u8> {
    let mut operands = operands.iter();
    let mut out = Vec::with_capacity(format.len() + 8);
    for segment in parse(format) {
        let text = &format[segment.range.clone()];
        match segment.conversion().and_then(|conversion| Some((conversion, (*operands.next()?)?))) {
            Some((conversion, operand)) => {
                out.extend_from_slice(&text[..text.len() - conversion.suffix().len()]);
                out.extend_from_slice(operand.fit(conversion).suffix().as_bytes());
            }
            None => out.extend_from_slice(text),
        }
    }
    out
}

/// The conversion letters. `s`, `S` and `n` fit no tile element.
pub const CONVERSIONS: &[u8] = b"diouxXeEfFgGaAcspSn";

/// The letters that end a conversion for upstream's verifier.
const UPSTREAM_ENDS: &[u8] = b"diouxXeEfFgGaAcsSpn";

/// The maximum width and precision; larger values are clamped.
const MAX_WIDTH: usize = 4096;

impl Segment {
    /// The conversion, if this is one.
    pub fn conversion(&self) -> Option<Conversion> {
        match self.kind {
            SegmentKind::Conversion(conversion) => Some(conversion),
            _ => None,
        }
    }
}

impl Conversion {
    /// Whether this is a bare `%`.
    pub fn is_bare(self) -> bool {
        self.letter.is_none()
    }

    /// The length modifier and the letter, which end the conversion; empty for a bare `%`. Any modifier that GPUs do
    /// not support is returned as `j`.
    pub fn suffix(self) -> String {
        let Some(letter) = self.letter else { return String::new() };
        let length = match self.length {
            Length::Plain => "",
            Length::Char => "hh",
            Length::Short => "h",
            Length::Long => "l",
            Length::LongLong => "ll",
            Length::Other => "j",
        };
        format!("{length}{}", letter as char)
    }
}

/// Splits a format string into segments, which are contiguous and cover all of it.
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

/// Parses the conversion after a `%` and returns its length with it.
fn conversion(text: &[u8]) -> Option<(usize, Conversion)> {
    let mut found = Conversion::default();
    let mut at = flags(text, &mut found);
    (found.width, at) = number(text, at);
    if text.get(at) == Some(&b'.') {
        let (precision, end) = number(text, at + 1);
        found.precision = Some(precision);
        at = end;
    }
    let (length, modifier) = length_modifier(&text[at..]);
    (found.length, at) = (modifier, at + length);
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

/// Parses the number at a position and returns it, or 0 if there is none, with the position after it.
fn number(text: &[u8], start: usize) -> (usize, usize) {
    let digits = text[start.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit());
    let (value, count) = digits
        .fold((0usize, 0), |(value, count), byte| ((value * 10 + usize::from(byte - b'0')).min(MAX_WIDTH), count + 1));
    (value, start + count)
}

/// Returns the length modifier at the start of a text, with its length in bytes.
fn length_modifier(text: &[u8]) -> (usize, Length) {
    match text {
        [b'h', b'h', ..] => (2, Length::Char),
        [b'l', b'l', ..] => (2, Length::LongLong),
        [b'h', ..] => (1, Length::Short),
        [b'l', ..] => (1, Length::Long),
        [b'j' | b'z' | b't' | b'L', ..] => (1, Length::Other),
        _ => (0, Length::Plain),
    }
}

/// Returns the number of operands that upstream's verifier expects, or the position of a `%` that it considers
/// unterminated.
///
/// It treats every byte after a `%` as part of the conversion, up to a letter that can end one or another `%`.
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
            length: Length::Long,
            letter: Some(b'e'),
        };
        assert_eq!(found, expected);
        let found = parse(b"%99999999999999999999.f")[0].conversion().unwrap();
        assert_eq!((found.width, found.precision), (MAX_WIDTH, Some(0)));
    }

    #[test]
    fn each_operand_gets_a_fitting_conversion() {
        use Operand::*;
        for (format, operand, expected) in [
            ("%i", Int(32), "%i"),
            ("a %08.3x|", LongLong, "a %08.3llx|"),
            ("%d", LongLong, "%lld"),
            ("%lld", Int(8), "%d"),
            ("%hhx", Int(8), "%x"),
            ("%hhx", Int(32), "%x"),
            ("%ld", LongLong, "%ld"),
            ("%zu", LongLong, "%llu"),
            ("%c", LongLong, "%lli"),
            ("%5i", Double, "%5f"),
            ("%.2f", Int(16), "%.2i"),
            ("%lf", Double, "%lf"),
            ("%Lf", Double, "%f"),
            ("%x", Pointer, "%p"),
            ("%s", Pointer, "%p"),
            ("%n", Double, "%f"),
            ("<%> of", Int(32), "<%i> of"),
            ("100%% %", LongLong, "100%% %lli"),
            ("%5 tiles", Int(32), "%i5 tiles"),
        ] {
            assert_eq!(String::from_utf8(fitted(format.as_bytes(), &[Some(operand)])).unwrap(), expected, "{format}");
        }
        assert_eq!(fitted(b"%i and %i", &[Some(LongLong)]), b"%lli and %i");
        assert_eq!(fitted(b"%d %d", &[None, Some(Double)]), b"%d %f");
    }

    #[test]
    fn elements_are_passed_as_in_c() {
        use Element::*;
        for (elements, operand) in [
            (&[I1, I4, I8][..], Operand::Int(8)),
            (&[I16], Operand::Int(16)),
            (&[I32], Operand::Int(32)),
            (&[I64], Operand::LongLong),
            (&[F16, BF16, F32, F64, TF32, F8E5M2, F4E2M1FN], Operand::Double),
        ] {
            elements.iter().for_each(|&element| assert_eq!(Operand::of_element(element), operand, "{element}"));
        }
        assert_eq!(Operand::of(Type::tile(&[2], BF16)), Some(Operand::Double));
        assert_eq!(Operand::of(Type::token()), None);
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
