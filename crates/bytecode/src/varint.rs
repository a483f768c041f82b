//! Variable-length numbers: seven bits per byte, lowest bits first. The high bit is set in every byte but the last.

/// Writes a number.
pub fn write(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Writes a signed number in zigzag encoding: the sign is the lowest bit, so that small negative numbers are short.
pub fn write_signed(bytes: &mut Vec<u8>, value: i64) {
    write(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

/// The maximum length of a number in bytes.
pub const MAX_LENGTH: usize = 10;

/// Reads the number at the start of `bytes`. Returns the number and its length, or `None` if it is incomplete or takes
/// more than 64 bits.
pub fn read(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().enumerate().take(MAX_LENGTH) {
        let bits = u64::from(byte & 0x7f);
        if index + 1 == MAX_LENGTH && bits > 1 {
            return None;
        }
        value |= bits << (7 * index);
        if byte < 0x80 {
            return Some((value, index + 1));
        }
    }
    None
}

/// Decodes a number that [`write_signed`] encoded.
pub fn signed(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_minimum_length() {
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
            assert_eq!(read(&bytes), Some((value, bytes.len())));
            assert_eq!(read(&bytes[..bytes.len() - 1]), None, "{value} cut short");
        }
    }

    #[test]
    fn numbers_of_more_than_64_bits_are_rejected() {
        assert_eq!(read(&[0xff; 11]), None);
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]), None);
    }

    #[test]
    fn the_sign_is_the_lowest_bit() {
        for (value, expected) in [(0, 0), (-1, 1), (1, 2), (-2, 3), (i64::MAX, u64::MAX - 1), (i64::MIN, u64::MAX)] {
            let (mut signed, mut unsigned) = (Vec::new(), Vec::new());
            write_signed(&mut signed, value);
            write(&mut unsigned, expected);
            assert_eq!(signed, unsigned, "{value}");
            assert_eq!(super::signed(expected), value);
        }
    }
}
