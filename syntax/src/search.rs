//! Searches a text for the next of a set of bytes. The plain functions of `memchr` first detect the vector instructions
//! of the processor. That is slow in virtual machines: it takes longer than searching a file of a thousand lines. These
//! functions use the instructions that every processor of the architecture has.

#[cfg(target_arch = "aarch64")]
use memchr::arch::aarch64::neon::memchr::{One, Three, Two};
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use memchr::arch::all::memchr::{One, Three, Two};
#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr::{One, Three, Two};

/// Searches with a prepared searcher, or byte by byte where none could be made.
macro_rules! length_until {
    ($bytes:expr, $kind:ident, $($byte:literal),+) => {{
        let bytes: &[u8] = $bytes;
        // On this architecture the searcher always exists and is not an `Option`.
        let found = match Option::<$kind>::from($kind::new($($byte),+)) {
            Some(searcher) => searcher.find(bytes),
            None => bytes.iter().position(|byte| [$($byte),+].contains(byte)),
        };
        found.unwrap_or(bytes.len())
    }};
}

/// The number of bytes before the end of the line.
#[inline]
pub(crate) fn line_length(bytes: &[u8]) -> usize {
    length_until!(bytes, One, b'\n')
}

/// The maximum number of bytes that one search scans. Otherwise a line of strings without braces would be scanned to
/// its end once per string.
const WINDOW: usize = 1024;

/// The number of bytes before the first byte that the structure of a body depends on: a brace, the end of the line, or
/// the start of a comment or string. Scans at most [`WINDOW`] bytes.
#[inline]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    let bytes = &bytes[..bytes.len().min(WINDOW)];
    let end = length_until!(bytes, Three, b'{', b'}', b'\n');
    length_until!(&bytes[..end], Two, b'/', b'"')
}

/// The positions of the line breaks of a text.
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
