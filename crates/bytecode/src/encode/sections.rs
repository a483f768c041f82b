//! Writes sections and their tables.

use crate::format::{PADDING_BYTE, section};
use crate::varint;

/// Appends a section that consists of several parts. The content starts at a multiple of `alignment`.
pub(super) fn write(file: &mut Vec<u8>, id: u8, alignment: usize, parts: &[&[u8]]) {
    file.push(if alignment > 1 { id | section::ALIGNED } else { id });
    varint::write(file, parts.iter().map(|part| part.len() as u64).sum());
    if alignment > 1 {
        varint::write(file, alignment as u64);
        pad(file, alignment);
    }
    parts.iter().for_each(|part| file.extend_from_slice(part));
}

/// Encodes the count that precedes a list.
pub(super) fn count(count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint::write(&mut bytes, count as u64);
    bytes
}

/// Appends padding up to a multiple of `alignment`.
pub(super) fn pad(bytes: &mut Vec<u8>, alignment: usize) {
    let end = bytes.len().next_multiple_of(alignment);
    bytes.resize(end, PADDING_BYTE);
}

/// A table of entries of different lengths.
#[derive(Default)]
pub(super) struct Table {
    starts: Vec<u64>,
    data: Vec<u8>,
}

impl Table {
    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Starts an entry. The caller appends its bytes.
    pub(super) fn entry(&mut self) -> &mut Vec<u8> {
        self.starts.push(self.data.len() as u64);
        &mut self.data
    }

    /// Appends the number of entries and the start of each, in numbers of `width` bytes. The entries must follow.
    pub(super) fn write_head(&self, width: usize, bytes: &mut Vec<u8>) {
        varint::write(bytes, self.starts.len() as u64);
        pad(bytes, width);
        bytes.reserve(self.starts.len() * width);
        for start in &self.starts {
            bytes.extend_from_slice(&start.to_le_bytes()[..width]);
        }
    }

    /// The entries.
    pub(super) fn data(&self) -> &[u8] {
        &self.data
    }

    /// Appends a section that contains the table.
    pub(super) fn write(&self, file: &mut Vec<u8>, id: u8, width: usize) {
        let mut head = Vec::new();
        self.write_head(width, &mut head);
        write(file, id, width, &[&head, &self.data]);
    }
}
