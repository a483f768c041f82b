//! Byte searches in a text. The usual functions of `memchr` first detect the processor's vector instructions, which is
//! slow on virtual machines: detection takes longer than searching a file of a thousand lines. The functions here use
//! only the instructions that every processor of the architecture has.

#[cfg(target_arch = "aarch64")]
use memchr::arch::aarch64::neon::memchr::{One, Three, Two};
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use memchr::arch::all::memchr::{One, Three, Two};
#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr::{One, Three, Two};

/// Searches with a vectorized searcher, or byte by byte if none can be created.
macro_rules! length_until {
    ($bytes:expr, $kind:ident, $($byte:literal),+) => {{
        let bytes: &[u8] = $bytes;
        // On some architectures `new` is infallible and does not return an `Option`.
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

/// The maximum number of bytes to search at once. Without it, a line of many strings and no braces would be searched to
/// its end for each string.
const WINDOW: usize = 1024;

/// The number of bytes before the first one that the structure of a body depends on: a brace, the end of the line, or
/// the possible start of a comment or string. Searches the next [`WINDOW`] bytes only.
#[inline]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    let bytes = &bytes[..bytes.len().min(WINDOW)];
    let end = length_until!(bytes, Three, b'{', b'}', b'\n');
    length_until!(&bytes[..end], Two, b'/', b'"')
}

/// The offsets of the line breaks of a text.
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
    fn a_byte_is_found_at_every_offset() {
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
