//! Reading a file, or all that comes from elsewhere, and saying why that is not possible.

use std::io::{self, Read};

/// The largest text that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Reads all that there is, of which so much is expected.
pub fn read(input: &mut dyn Read, expected: u64) -> io::Result<Vec<u8>> {
    let bytes = read_at_most(MOST_BYTES, input, expected)?;
    bytes.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 GiB, the most that is read"))
}

/// Nothing where there is more: some devices never end.
fn read_at_most(most: u64, input: &mut dyn Read, expected: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::with_capacity(expected.min(most) as usize + 1);
    input.take(most + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
}

/// Why a file cannot be read, in a sentence.
pub fn unreadable(path: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file `{path}`"),
        io::ErrorKind::IsADirectory => format!("`{path}` is a folder, not a file"),
        _ => format!("cannot read `{path}`: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_not_read_for_ever() {
        assert_eq!(read_at_most(9, &mut io::repeat(b'x'), 0).ok(), Some(None));
        assert_eq!(read_at_most(9, &mut &b"123456789"[..], 99).ok(), Some(Some(b"123456789".to_vec())));
    }
}
