//! Searching a text for the next byte of some. The plain functions of `memchr` first ask the processor which vector
//! instructions it has, which virtual machines are slow to tell: it takes longer than to go through a file of a thousand
//! lines. These here use what every processor of the kind has.

#[cfg(target_arch = "aarch64")]
use memchr::arch::aarch64::neon::memchr::{One, Three, Two};
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use memchr::arch::all::memchr::{One, Three, Two};
#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr::{One, Three, Two};

/// Searches with what has been made of the bytes to look for, or one by one where it could not be made.
macro_rules! length_until {
    ($bytes:expr, $kind:ident, $($byte:literal),+) => {{
        let bytes: &[u8] = $bytes;
        // Where it can always be made, it comes without an option around it.
        let found = match Option::<$kind>::from($kind::new($($byte),+)) {
            Some(searcher) => searcher.find(bytes),
            None => bytes.iter().position(|byte| [$($byte),+].contains(byte)),
        };
        found.unwrap_or(bytes.len())
    }};
}

/// How many bytes stand before the end of the line.
#[inline]
pub(crate) fn line_length(bytes: &[u8]) -> usize {
    length_until!(bytes, One, b'\n')
}

/// How many bytes one search goes through. A line of strings and no braces would be gone through to its end for each string.
const WINDOW: usize = 1024;

/// How many bytes stand before the first that a body's structure depends on: a brace, the end of the line, or what may open a
/// comment or string. It looks at the next [`WINDOW`] bytes only.
#[inline]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    let bytes = &bytes[..bytes.len().min(WINDOW)];
    let end = length_until!(bytes, Three, b'{', b'}', b'\n');
    length_until!(&bytes[..end], Two, b'/', b'"')
}

/// Where the line breaks of a text stand.
pub fn line_breaks(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut next = 0;
    std::iter::from_fn(move || {
        let found = next + line_length(bytes.get(next..)?);
        next = found + 1;
        (found < bytes.len()).then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_wherever_it_stands() {
        for length in 0..70 {
            let mut bytes = vec![b'a'; length];
            assert_eq!([line_length(&bytes), plain_length(&bytes)], [length; 2]);
            for place in 0..length {
                for byte in *b"{}\n/\"" {
                    bytes[place] = byte;
                    assert_eq!(plain_length(&bytes), place);
                    assert_eq!(line_length(&bytes), if byte == b'\n' { place } else { length });
                }
                bytes[place] = b'a';
            }
        }
    }

    #[test]
    fn line_breaks_are_found() {
        let found = |text: &str| line_breaks(text.as_bytes()).collect::<Vec<_>>();
        assert_eq!(found(""), []);
        assert_eq!(found("a"), []);
        assert_eq!(found("\n\na\n"), [0, 1, 3]);
        assert_eq!(found(&"0123456789abcdefghi\n".repeat(3)), [19, 39, 59]);
    }
}
