//! Formats numbers like C's `printf`.

use tile_analysis::print_format::Conversion;

/// A number to print.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// An integer of some width: its signed and its unsigned value.
    Int { signed: i64, unsigned: u64 },
    /// A float.
    Float(f64),
    /// An address.
    Pointer(u64),
}

impl Number {
    /// The letter that suits the number, for a conversion with a wrong or missing letter.
    fn default_letter(self) -> u8 {
        match self {
            Number::Int { .. } => b'i',
            Number::Float(_) => b'f',
            Number::Pointer(_) => b'p',
        }
    }
}

/// Writes a number according to a conversion; if its kind does not fit, with a conversion that does.
pub(crate) fn number(out: &mut Vec<u8>, conversion: Conversion, number: Number) {
    let own: &[u8] = match number {
        Number::Int { .. } => b"diouxXc",
        Number::Float(_) => b"eEfFgGaA",
        Number::Pointer(_) => b"p",
    };
    let letter = conversion.letter.filter(|letter| own.contains(letter)).unwrap_or(number.default_letter());
    match number {
        Number::Int { signed, unsigned } => int(out, conversion, letter, signed, unsigned),
        Number::Float(value) => float(out, conversion, letter, value),
        Number::Pointer(bits) => int(out, conversion, letter, bits as i64, bits),
    }
}

fn int(out: &mut Vec<u8>, conversion: Conversion, letter: u8, signed: i64, unsigned: u64) {
    let digits = match letter {
        b'd' | b'i' => signed.unsigned_abs().to_string(),
        b'o' => format!("{unsigned:o}"),
        b'x' | b'p' => format!("{unsigned:x}"),
        b'X' => format!("{unsigned:X}"),
        b'c' => return field(out, conversion, "", &[unsigned as u8], false),
        _ => unsigned.to_string(),
    };
    let is_signed = matches!(letter, b'd' | b'i');
    let prefix = match letter {
        b'p' => "0x",
        b'x' if conversion.alternate && unsigned != 0 => "0x",
        b'X' if conversion.alternate && unsigned != 0 => "0X",
        _ if is_signed => sign(conversion, signed < 0),
        _ => "",
    };
    let mut least = conversion.precision.unwrap_or(1);
    if letter == b'o' && conversion.alternate {
        least = least.max(digits.len() + usize::from(unsigned != 0));
    }
    // A zero with precision 0 prints no digits.
    let digits = if unsigned == 0 && least == 0 { String::new() } else { format!("{digits:0>least$}") };
    // A precision disables zero padding.
    field(out, conversion, prefix, digits.as_bytes(), conversion.zeros && conversion.precision.is_none());
}

fn sign(conversion: Conversion, negative: bool) -> &'static str {
    match conversion {
        _ if negative => "-",
        Conversion { plus: true, .. } => "+",
        Conversion { blank: true, .. } => " ",
        _ => "",
    }
}

/// Writes a prefix and digits, padded to the field width.
fn field(out: &mut Vec<u8>, conversion: Conversion, prefix: &str, digits: &[u8], zeros: bool) {
    let missing = conversion.width.saturating_sub(prefix.len() + digits.len());
    let fill = |byte: u8| std::iter::repeat_n(byte, missing);
    if !conversion.left && !zeros {
        out.extend(fill(b' '));
    }
    out.extend_from_slice(prefix.as_bytes());
    if !conversion.left && zeros {
        out.extend(fill(b'0'));
    }
    out.extend_from_slice(digits);
    if conversion.left {
        out.extend(fill(b' '));
    }
}

fn float(out: &mut Vec<u8>, conversion: Conversion, letter: u8, value: f64) {
    // The sign of NaN is meaningless, and differs between processors.
    let negative = value.is_sign_negative() && !value.is_nan();
    let prefix = sign(conversion, negative);
    let value = value.abs();
    let upper = letter.is_ascii_uppercase();
    let case = |text: String| if upper { text.to_ascii_uppercase() } else { text };
    if !value.is_finite() {
        let name = if value.is_nan() { "nan" } else { "inf" };
        return field(out, conversion, prefix, case(name.to_string()).as_bytes(), false);
    }
    let precision = conversion.precision.unwrap_or(6);
    let digits = match letter.to_ascii_lowercase() {
        b'e' => exponential(value, precision, conversion.alternate),
        b'g' => general(value, precision.max(1), conversion.alternate),
        b'a' => hexadecimal(value, conversion.precision, conversion.alternate),
        _ => fixed(value, precision, conversion.alternate),
    };
    let (prefix, digits) = match digits.strip_prefix("0x") {
        Some(digits) => (format!("{prefix}0x"), digits.to_string()),
        None => (prefix.to_string(), digits),
    };
    field(out, conversion, &case(prefix), case(digits).as_bytes(), conversion.zeros);
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{dot}")
}

/// The digits of the mantissa, and the exponent.
fn split_exponent(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_string(), exponent.parse().unwrap_or(0))
}

fn exponential(value: f64, precision: usize, point: bool) -> String {
    let (digits, exponent) = split_exponent(value, precision);
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{digits}{dot}{}", exponent_part(exponent))
}

fn exponent_part(exponent: i32) -> String {
    format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// The shorter of the two other forms, without trailing zeros unless the alternative form keeps them.
fn general(value: f64, precision: usize, keep: bool) -> String {
    let (digits, exponent) = split_exponent(value, precision - 1);
    let plain = exponent >= -4 && exponent < precision as i32;
    let mut text = if plain { fixed(value, (precision as i32 - 1 - exponent) as usize, keep) } else { digits };
    if keep && !text.contains('.') {
        text.push('.');
    } else if !keep && text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if plain { text } else { text + &exponent_part(exponent) }
}

fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7FF) as i32;
    let mut significand = bits & ((1 << 52) - 1) | u64::from(field != 0) << 52;
    let exponent = if value == 0.0 { 0 } else { field.max(1) - 1023 };
    if let Some(precision) = precision.filter(|&precision| precision < 13) {
        let dropped = 52 - 4 * precision as u32;
        let (half, odd) = (1 << (dropped - 1), significand >> dropped & 1);
        significand = (significand + half - 1 + odd) >> dropped << dropped;
    }
    let fraction = format!("{:013x}", significand & ((1 << 52) - 1));
    let fraction = match precision {
        Some(precision) => format!("{fraction:0<precision$}")[..precision].to_string(),
        None => fraction.trim_end_matches('0').to_string(),
    };
    let dot = if point || !fraction.is_empty() { "." } else { "" };
    format!("0x{}{dot}{fraction}p{exponent:+}", significand >> 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_analysis::print_format::parse;

    fn printed(format: &str, value: Number) -> String {
        let conversion = parse(format.as_bytes())[0].conversion().unwrap();
        let mut out = Vec::new();
        number(&mut out, conversion, value);
        String::from_utf8(out).unwrap()
    }

    /// The expected texts were printed by glibc's printf.
    #[test]
    fn integers() {
        let minus = Number::Int { signed: -5, unsigned: 0xFB };
        let zero = Number::Int { signed: 0, unsigned: 0 };
        let answer = Number::Int { signed: 42, unsigned: 42 };
        for (format, value, expected) in [
            ("%d", minus, "-5"),
            ("%u", minus, "251"),
            ("%x", minus, "fb"),
            ("%#X", minus, "0XFB"),
            ("%#o", answer, "052"),
            ("%#o", zero, "0"),
            ("%5d|", answer, "   42"),
            ("%-5d|", answer, "42   "),
            ("%05d", minus, "-0005"),
            ("%+d", answer, "+42"),
            ("% d", answer, " 42"),
            ("%.4d", minus, "-0005"),
            ("%08.4d", answer, "    0042"),
            ("%.0d", zero, ""),
            ("%#x", zero, "0"),
            ("%c", answer, "*"),
            ("%3c", answer, "  *"),
            ("%f", answer, "42"),
            ("%s", answer, "42"),
            ("%p", Number::Pointer(0x1F00), "0x1f00"),
            ("%i", Number::Pointer(0x1F00), "0x1f00"),
        ] {
            assert_eq!(printed(format, value), expected, "{format}");
        }
    }

    #[test]
    fn floats() {
        for (format, value, expected) in [
            ("%f", 1.5, "1.500000"),
            ("%.2f", 2.675, "2.67"),
            ("%.0f", 2.5, "2"),
            ("%#.0f", 2.5, "2."),
            ("%f", -0.0, "-0.000000"),
            ("%+08.3f", 3.25, "+003.250"),
            ("%8.2f|", -1.0, "   -1.00"),
            ("%-8.2f|", 1.0, "1.00    "),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.0e", 15.0, "2e+01"),
            ("%E", 1e-7, "1.000000E-07"),
            ("%e", 1e100, "1.000000e+100"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001, "1e-05"),
            ("%g", 123456.0, "123456"),
            ("%g", 1234567.0, "1.23457e+06"),
            ("%g", 100.0, "100"),
            ("%#g", 1.0, "1.00000"),
            ("%.3g", 999.9, "1e+03"),
            ("%g", 0.0, "0"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", 0.1, "0x1.999999999999ap-4"),
            ("%.2a", 1.999, "0x2.00p+0"),
            ("%A", -3.5, "-0X1.CP+1"),
            ("%a", 0.0, "0x0p+0"),
            ("%a", 5e-324, "0x0.0000000000001p-1022"),
            ("%f", f64::NAN, "nan"),
            ("%F", f64::NEG_INFINITY, "-INF"),
            ("%05f", f64::INFINITY, "  inf"),
            ("%d", 2.5, "2.500000"),
        ] {
            assert_eq!(printed(format, Number::Float(value)), expected, "{format} of {value}");
        }
    }
}
