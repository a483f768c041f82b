//! Sections and the tables inside them.

use crate::bytecode::format::{PADDING_BYTE, section};
use crate::bytecode::varint;

/// Appends a section. Its content starts at a multiple of `alignment`.
pub(super) fn write(file: &mut Vec<u8>, id: u8, alignment: usize, content: &[u8]) {
    file.push(if alignment > 1 { id | section::ALIGNED } else { id });
    varint::write(file, content.len() as u64);
    if alignment > 1 {
        varint::write(file, alignment as u64);
        pad(file, alignment);
    }
    file.extend_from_slice(content);
}

/// A content with the number of its entries in front.
pub(super) fn counted(count: usize, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(content.len() + 10);
    varint::write(&mut bytes, count as u64);
    bytes.extend_from_slice(content);
    bytes
}

/// Fills up to a multiple of `alignment`.
pub(super) fn pad(bytes: &mut Vec<u8>, alignment: usize) {
    let end = bytes.len().next_multiple_of(alignment);
    bytes.resize(end, PADDING_BYTE);
}

/// Entries of different lengths, one behind the other.
#[derive(Default)]
pub(super) struct Table {
    starts: Vec<u64>,
    data: Vec<u8>,
}

impl Table {
    /// How many entries it has.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Starts an entry, whose bytes the caller appends.
    pub(super) fn entry(&mut self) -> &mut Vec<u8> {
        self.starts.push(self.data.len() as u64);
        &mut self.data
    }

    /// Appends the number of entries, where each starts, in numbers of `width` bytes, and the entries.
    pub(super) fn write(&self, width: usize, bytes: &mut Vec<u8>) {
        varint::write(bytes, self.starts.len() as u64);
        pad(bytes, width);
        for start in &self.starts {
            bytes.extend_from_slice(&start.to_le_bytes()[..width]);
        }
        bytes.extend_from_slice(&self.data);
    }

    /// The table as the content of a section.
    pub(super) fn section(&self, width: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.data.len() + self.starts.len() * width + 16);
        self.write(width, &mut bytes);
        bytes
    }
}
