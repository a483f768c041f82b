//! Numbers of variable length: seven bits a byte, the lowest first; the high bit says that more follow.

/// Writes a number.
pub fn write(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Writes a number with a sign. The sign is the lowest bit, so that small negative numbers are short too.
pub fn write_signed(bytes: &mut Vec<u8>, value: i64) {
    write(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_must_be() {
        let cases: [(u64, &[u8]); 6] = [
            (0, &[0]),
            (127, &[0x7f]),
            (128, &[0x80, 1]),
            (300, &[0xac, 2]),
            (1 << 14, &[0x80, 0x80, 1]),
            (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        ];
        for (value, expected) in cases {
            let mut bytes = Vec::new();
            write(&mut bytes, value);
            assert_eq!(bytes, expected, "{value}");
        }
    }

    #[test]
    fn the_sign_is_the_lowest_bit() {
        for (value, expected) in [(0, 0), (-1, 1), (1, 2), (-2, 3), (i64::MAX, u64::MAX - 1), (i64::MIN, u64::MAX)] {
            let (mut signed, mut unsigned) = (Vec::new(), Vec::new());
            write_signed(&mut signed, value);
            write(&mut unsigned, expected);
            assert_eq!(signed, unsigned, "{value}");
        }
    }
}
