//! Bytes that tile blocks on several threads read and write concurrently.
//!
//! The bytes are stored in atomic 64-bit words. Whole words are accessed with relaxed loads and stores, which are plain
//! moves of the processor; a smaller element is written by compare-and-swap, so that a concurrent write to a neighbor
//! is never lost. Elements are aligned and never cross words, so an element is never torn.

use crate::values::tile::Scalar;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shared bytes.
#[derive(Debug)]
pub(crate) struct AtomicBuffer {
    words: Words,
    len: usize,
}

/// The words of a buffer.
#[derive(Debug)]
enum Words {
    /// Own words, preceded by padding so that they begin at a cache line.
    Own { padded: Vec<AtomicU64>, padding: usize },
    /// Words of the caller.
    Lent(&'static [AtomicU64]),
}

/// The bytes of a word.
const WORD: usize = 8;

/// The words of a cache line.
const LINE: usize = 8;

impl AtomicBuffer {
    /// Creates a buffer with these bytes.
    pub(crate) fn new(bytes: &[u8]) -> AtomicBuffer {
        let (whole, rest) = bytes.as_chunks::<WORD>();
        let mut words: Vec<AtomicU64> = Vec::with_capacity(bytes.len().div_ceil(WORD) + LINE - 1);
        let padding = words.as_ptr().align_offset(LINE * WORD).min(LINE - 1);
        words.resize_with(padding, AtomicU64::default);
        words.extend(whole.iter().map(|word| AtomicU64::new(u64::from_le_bytes(*word))));
        if !rest.is_empty() {
            let mut last = [0; WORD];
            last[..rest.len()].copy_from_slice(rest);
            words.push(AtomicU64::new(u64::from_le_bytes(last)));
        }
        AtomicBuffer { words: Words::Own { padded: words, padding }, len: bytes.len() }
    }

    /// Creates a buffer of the first `len` bytes of these words, in little-endian order. The other bytes of the last
    /// word keep their values.
    pub(crate) fn lent(words: &'static [AtomicU64], len: usize) -> AtomicBuffer {
        assert!(len <= size_of_val(words));
        AtomicBuffer { words: Words::Lent(words), len }
    }

    #[inline(always)]
    fn words(&self) -> &[AtomicU64] {
        match &self.words {
            Words::Own { padded, padding } => &padded[*padding..],
            Words::Lent(words) => words,
        }
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The contents.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len.next_multiple_of(WORD));
        for word in self.words() {
            bytes.extend_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        bytes.truncate(self.len);
        bytes
    }

    /// The element at an offset that is a multiple of its size.
    #[inline]
    pub(crate) fn read<T: Scalar>(&self, offset: usize) -> T {
        let word = self.words()[offset / WORD].load(Ordering::Relaxed);
        element(word, offset % WORD)
    }

    /// Writes the element at an offset that is a multiple of its size.
    #[inline]
    pub(crate) fn write<T: Scalar>(&self, offset: usize, value: T) {
        if T::BYTES == WORD {
            self.words()[offset / WORD].store(value.bits(), Ordering::Relaxed);
        } else {
            let put = |word| Some(with_element(word, offset % WORD, value));
            let word = &self.words()[offset / WORD];
            // The closure never declines.
            let _ = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, put);
        }
    }

    /// The nibble at an offset in nibbles.
    pub(crate) fn read_nibble(&self, offset: usize) -> u8 {
        self.read::<u8>(offset / 2) >> (offset % 2 * 4) & 0xF
    }

    /// Writes the nibble at an offset in nibbles. The other nibble of the byte is unchanged, even if another block
    /// writes it concurrently.
    pub(crate) fn write_nibble(&self, offset: usize, bits: u8) {
        let place = offset % 2 * 4;
        self.update(offset / 2, |byte: u8| Some(byte & !(0xF << place) | (bits & 0xF) << place));
    }

    /// Reads consecutive nibbles.
    pub(crate) fn read_nibbles<T: Scalar>(&self, offset: usize, into: &mut [T]) {
        let mut bytes = vec![0u8; (offset % 2 + into.len()).div_ceil(2)];
        self.read_row(offset / 2, &mut bytes);
        for (index, into) in (offset % 2..).zip(into) {
            *into = T::of_bits((bytes[index / 2] >> (index % 2 * 4) & 0xF).into());
        }
    }

    /// Writes consecutive nibbles.
    pub(crate) fn write_nibbles<T: Scalar>(&self, offset: usize, from: &[T]) {
        let (head, rest) = from.split_at((offset % 2).min(from.len()));
        let (pairs, tail) = rest.as_chunks::<2>();
        let start = offset + head.len();
        let bits = |value: &T| value.bits() as u8 & 0xF;
        let bytes: Vec<u8> = pairs.iter().map(|[low, high]| bits(low) | bits(high) << 4).collect();
        head.iter().for_each(|value| self.write_nibble(offset, bits(value)));
        self.write_row(start / 2, &bytes);
        tail.iter().for_each(|value| self.write_nibble(start + 2 * bytes.len(), bits(value)));
    }

    /// Atomically replaces the element at an offset that is a multiple of its size, unless `f` declines. Returns the
    /// old element. The operation acquires and releases.
    pub(crate) fn update<T: Scalar>(&self, offset: usize, f: impl Fn(T) -> Option<T>) -> T {
        let place = offset % WORD;
        let put = |word| f(element(word, place)).map(|new| with_element(word, place, new));
        let old = self.words()[offset / WORD].fetch_update(Ordering::AcqRel, Ordering::Acquire, put);
        element(old.unwrap_or_else(|old| old), place)
    }

    /// Reads consecutive elements.
    #[inline(never)]
    pub(crate) fn read_row<T: Scalar>(&self, offset: usize, into: &mut [T]) {
        let (head, start, end) = split::<T>(offset, into.len());
        let (head, rest) = into.split_at_mut(head);
        head.iter_mut().enumerate().for_each(|(index, into)| *into = self.read(offset + index * T::BYTES));
        let (whole, tail) = rest.split_at_mut((end - start) / T::BYTES);
        let words = &self.words()[start / WORD..end / WORD];
        read_words(words, whole);
        tail.iter_mut().enumerate().for_each(|(index, into)| *into = self.read(end + index * T::BYTES));
    }

    /// Prefetches bytes: one access per cache line lets the processor load many lines at the same time.
    pub(crate) fn touch(&self, offset: usize, bytes: usize) {
        let lines = self.words()[offset / WORD..(offset + bytes).div_ceil(WORD)].iter().step_by(LINE);
        std::hint::black_box(lines.fold(0, |seen, word| seen ^ word.load(Ordering::Relaxed)));
    }

    /// Writes consecutive elements.
    #[inline(never)]
    pub(crate) fn write_row<T: Scalar>(&self, offset: usize, from: &[T]) {
        let (head, start, end) = split::<T>(offset, from.len());
        let (head, rest) = from.split_at(head);
        head.iter().enumerate().for_each(|(index, &value)| self.write(offset + index * T::BYTES, value));
        let (whole, tail) = rest.split_at((end - start) / T::BYTES);
        write_words(&self.words()[start / WORD..end / WORD], whole);
        tail.iter().enumerate().for_each(|(index, &value)| self.write(end + index * T::BYTES, value));
    }
}

/// Reads the elements in words.
#[inline(always)]
fn read_words<T: Scalar>(words: &[AtomicU64], into: &mut [T]) {
    for (group, word) in into.chunks_exact_mut(WORD / T::BYTES).zip(words) {
        let word = word.load(Ordering::Relaxed);
        group.iter_mut().enumerate().for_each(|(index, into)| *into = element(word, index * T::BYTES));
    }
}

/// Writes the elements in words.
#[inline(always)]
fn write_words<T: Scalar>(words: &[AtomicU64], from: &[T]) {
    for (group, word) in from.chunks_exact(WORD / T::BYTES).zip(words) {
        let bits = group.iter().rev().fold(0, |bits, &value| bits << (T::BYTES * 8 % 64) | value.bits());
        word.store(bits, Ordering::Relaxed);
    }
}

/// The number of elements of a row before its first whole word, the start of that word, and the end of the last one.
fn split<T: Scalar>(offset: usize, count: usize) -> (usize, usize, usize) {
    let head = ((offset.next_multiple_of(WORD) - offset) / T::BYTES).min(count);
    let start = offset + head * T::BYTES;
    let per_word = WORD / T::BYTES;
    (head, start, start + (count - head) / per_word * WORD)
}

/// The element that begins at a byte of a word.
#[inline(always)]
fn element<T: Scalar>(word: u64, place: usize) -> T {
    T::read(&(word >> (place * 8)).to_le_bytes())
}

/// A word with the element that begins at a byte replaced.
#[inline(always)]
fn with_element<T: Scalar>(word: u64, place: usize, value: T) -> u64 {
    let mask = (u64::MAX >> (64 - T::BYTES * 8)) << (place * 8);
    word & !mask | value.bits() << (place * 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares rows of every length and offset with a plain copy.
    fn rows<T: Scalar + std::fmt::Debug>() {
        let bytes: Vec<u8> = (0..37).collect();
        for start in 0..16 / T::BYTES {
            for count in 0..=(37 / T::BYTES - start) {
                let cells = AtomicBuffer::new(&bytes);
                let mut found = vec![T::default(); count];
                cells.read_row(start * T::BYTES, &mut found);
                let expected: Vec<T> = bytes[start * T::BYTES..].chunks(T::BYTES).take(count).map(T::read).collect();
                assert_eq!(found, expected, "{start} {count}");
                let new = vec![T::of_bits(0xF1F2_F3F4_F5F6_F7F9); count];
                cells.write_row(start * T::BYTES, &new);
                let mut expected = bytes.clone();
                let row = &mut expected[start * T::BYTES..][..count * T::BYTES];
                let put =
                    |(bytes, value): (&mut [u8], &T)| bytes.copy_from_slice(&value.bits().to_le_bytes()[..T::BYTES]);
                row.chunks_mut(T::BYTES).zip(&new).for_each(put);
                assert_eq!(cells.to_bytes(), expected, "{start} {count}");
            }
        }
    }

    #[test]
    fn rows_begin_and_end_anywhere() {
        rows::<bool>();
        rows::<u8>();
        rows::<u16>();
        rows::<u32>();
        rows::<u64>();
        rows::<f32>();
    }

    #[test]
    fn nibbles_begin_and_end_anywhere() {
        let bytes: Vec<u8> = (0..11).map(|byte| byte * 23).collect();
        let nibbles = |bytes: &[u8]| bytes.iter().flat_map(|byte| [byte & 0xF, byte >> 4]).collect::<Vec<u8>>();
        for start in 0..22 {
            for count in 0..=22 - start {
                let cells = AtomicBuffer::new(&bytes);
                let mut found = vec![0u8; count];
                cells.read_nibbles(start, &mut found);
                assert_eq!(found, nibbles(&bytes)[start..][..count], "{start} {count}");
                let new: Vec<u8> = (0..count as u8).map(|index| 0xA0 | index).collect();
                cells.write_nibbles(start, &new);
                let mut expected = nibbles(&bytes);
                expected[start..][..count].iter_mut().zip(&new).for_each(|(nibble, new)| *nibble = new & 0xF);
                assert_eq!(nibbles(&cells.to_bytes()), expected, "{start} {count}");
            }
        }
    }

    #[test]
    fn neighbors_in_a_word_do_not_disturb_each_other() {
        let cells = AtomicBuffer::new(&[0; 8]);
        std::thread::scope(|scope| {
            for index in 0..4 {
                let cells = &cells;
                scope.spawn(move || {
                    for value in 1..=1000u16 {
                        cells.write(index * 2, value);
                        assert_eq!(cells.read::<u16>(index * 2), value);
                    }
                });
            }
        });
        assert_eq!(cells.to_bytes(), [0xE8, 3, 0xE8, 3, 0xE8, 3, 0xE8, 3]);
    }

    #[test]
    fn updates_are_atomic() {
        let cells = AtomicBuffer::new(&[0; 4]);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        cells.update(0, |old: u32| Some(old + 1));
                    }
                });
            }
        });
        assert_eq!(cells.read::<u32>(0), 4000);
        assert_eq!(cells.update(0, |_: u32| None), 4000);
    }
}
