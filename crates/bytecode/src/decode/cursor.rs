//! A cursor in a part of a file. Every read is checked against the end of the part.

use super::error::{Error, Read};
use crate::format::PADDING_BYTE;
use crate::varint;

/// A part of a file and the current position in it.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    file: &'a [u8],
    start: usize,
    at: usize,
    end: usize,
    /// The name of the part in messages.
    what: &'static str,
}

impl<'a> Cursor<'a> {
    /// A cursor over a whole file.
    pub(super) fn new(file: &'a [u8]) -> Cursor<'a> {
        Cursor { file, start: 0, at: 0, end: file.len(), what: "the file" }
    }

    /// The number of bytes left.
    pub(super) fn left(&self) -> usize {
        self.end - self.at
    }

    /// The offset from the start of the file.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Fails at the current position.
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(Error { offset: self.at, message: message.into() })
    }

    /// Fails at an earlier position.
    pub(super) fn fail_at<T>(&self, offset: usize, message: impl Into<String>) -> Read<T> {
        Err(Error { offset, message: message.into() })
    }

    fn too_short<T>(&self) -> Read<T> {
        self.fail(format!("unexpected end of {}", self.what))
    }

    pub(super) fn byte(&mut self) -> Read<u8> {
        Ok(self.bytes(1)?[0])
    }

    /// Reads this many bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Read<&'a [u8]> {
        if count > self.left() {
            return self.too_short();
        }
        self.at += count;
        Ok(&self.file[self.at - count..self.at])
    }

    /// Returns this many bytes as a separate part, and skips them.
    pub(super) fn part(&mut self, count: u64, what: &'static str) -> Read<Cursor<'a>> {
        let count = usize::try_from(count).ok().filter(|&count| count <= self.left());
        let Some(count) = count else { return self.fail(format!("{what} is longer than {}", self.what)) };
        self.at += count;
        Ok(Cursor { file: self.file, start: self.at - count, at: self.at - count, end: self.at, what })
    }

    /// The rest as a separate part.
    pub(super) fn rest(&self) -> Cursor<'a> {
        Cursor { start: self.at, ..self.clone() }
    }

    /// A part of this one. `start` and `end` are relative to the current position.
    pub(super) fn slice(&self, start: u64, end: u64, what: &'static str) -> Option<Cursor<'a>> {
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        let inside = start <= end && end <= self.left();
        inside.then(|| Cursor {
            file: self.file,
            start: self.at + start,
            at: self.at + start,
            end: self.at + end,
            what,
        })
    }

    pub(super) fn varint(&mut self) -> Read<u64> {
        match varint::read(&self.file[self.at..self.end]) {
            Some((value, length)) => {
                self.at += length;
                Ok(value)
            }
            None if self.left() < varint::MAX_LENGTH => self.too_short(),
            None => self.fail("a number takes more than 64 bits"),
        }
    }

    pub(super) fn signed(&mut self) -> Read<i64> {
        Ok(varint::signed(self.varint()?))
    }

    /// Reads a count of items that take at least `size` bytes each. Fails if they do not fit into the rest, so that
    /// callers do not allocate memory for them.
    pub(super) fn count(&mut self, what: &str, size: usize) -> Read<usize> {
        let offset = self.at;
        let count = self.varint()?;
        match usize::try_from(count).ok().filter(|&count| count <= self.left() / size.max(1)) {
            Some(count) => Ok(count),
            None => self.fail_at(offset, format!("{count} {what} do not fit into the rest of {}", self.what)),
        }
    }

    /// Reads a count and numbers of fixed width.
    pub(super) fn list<const WIDTH: usize>(&mut self, what: &str) -> Read<Vec<i64>> {
        let count = self.count(what, WIDTH)?;
        let bytes = self.bytes(count * WIDTH)?;
        Ok(bytes
            .chunks_exact(WIDTH)
            .map(|chunk| little_endian(chunk) << (64 - 8 * WIDTH) >> (64 - 8 * WIDTH))
            .collect())
    }

    /// Reads an unsigned number of fixed width.
    pub(super) fn fixed<const WIDTH: usize>(&mut self) -> Read<u64> {
        Ok(little_endian(self.bytes(WIDTH)?) as u64)
    }

    /// Skips to a multiple of `alignment`, relative to the start of this part.
    pub(super) fn align(&mut self, alignment: usize) -> Read<()> {
        let aligned = (self.at - self.start).next_multiple_of(alignment);
        self.bytes(aligned - (self.at - self.start)).map(|_| ())
    }

    /// Checks that only padding is left. Some writers pad the end of a section too.
    pub(super) fn finish_padded(&self) -> Read<()> {
        let is_padding = self.file[self.at..self.end].iter().all(|&byte| byte == PADDING_BYTE);
        if is_padding { Ok(()) } else { self.finish() }
    }

    /// Checks that nothing is left.
    pub(super) fn finish(&self) -> Read<()> {
        if self.left() == 0 { Ok(()) } else { self.fail(format!("extra bytes at the end of {}", self.what)) }
    }
}

fn little_endian(bytes: &[u8]) -> i64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | i64::from(byte))
}
