//! What has changed between two answers, without keeping them: an answer is remembered as the sums of its chunks. Where a
//! chunk ends follows from the tokens in it, so that what is inserted or deleted moves the ends of few of them.

use std::hash::Hasher;
use std::ops::Range;
use tower_lsp::ls_types::{SemanticToken, SemanticTokensEdit};

/// A chunk ends behind a token whose own sum has this many zero bits at its end.
const CHUNK_BITS: u32 = 6;

/// How many numbers a token has.
const NUMBERS: u32 = 5;

/// An answer, as far as it is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Painted {
    id: u64,
    chunks: Vec<Chunk>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Chunk {
    sum: u64,
    tokens: u32,
}

/// Remembers an answer while it is made.
pub(super) struct Recorder {
    painted: Painted,
    open: Chunk,
}

impl Recorder {
    /// A recorder of the answer with this id.
    pub(super) fn new(id: u64) -> Recorder {
        Recorder { painted: Painted { id, chunks: Vec::new() }, open: Chunk { sum: 0, tokens: 0 } }
    }

    /// Remembers a token.
    pub(super) fn token(&mut self, token: [u32; 5]) {
        self.add(sum(token));
    }

    /// Remembers tokens that were counted elsewhere.
    pub(super) fn follow(&mut self, behind: Behind) {
        behind.first.into_iter().for_each(|sum| self.add(sum));
        if let Some(rest) = behind.rest {
            self.painted.chunks.extend(rest.painted.chunks);
            self.open = rest.open;
        }
    }

    /// Remembers a token by its sum.
    fn add(&mut self, sum: u64) {
        self.open.sum = (self.open.sum.rotate_left(5) ^ sum).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.open.tokens += 1;
        if ends_chunk(sum) {
            self.close();
        }
    }

    fn close(&mut self) {
        self.painted.chunks.push(self.open);
        self.open = Chunk { sum: 0, tokens: 0 };
    }

    /// What is remembered.
    pub(super) fn finish(mut self) -> Painted {
        if self.open.tokens > 0 {
            self.close();
        }
        self.painted
    }
}

/// Remembers tokens of which it is not known yet behind which others they stand: the sums of those in the chunk that has
/// begun before, and then chunks.
#[derive(Default)]
pub(super) struct Behind {
    first: Vec<u64>,
    rest: Option<Recorder>,
}

impl Behind {
    /// Remembers a token.
    pub(super) fn token(&mut self, token: [u32; 5]) {
        let sum = sum(token);
        match &mut self.rest {
            Some(rest) => rest.add(sum),
            None => {
                self.first.push(sum);
                self.rest = ends_chunk(sum).then(|| Recorder::new(0));
            }
        }
    }
}

/// Whether a chunk ends behind the token with this sum.
fn ends_chunk(sum: u64) -> bool {
    sum.trailing_zeros() >= CHUNK_BITS
}

/// A well mixed sum of a token.
fn sum(token: [u32; 5]) -> u64 {
    let mut hasher = Mixer(0xcbf2_9ce4_8422_2325);
    token.into_iter().for_each(|number| hasher.write_u32(number));
    hasher.finish()
}

struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        (self.0 ^ self.0 >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    }
}

/// A stretch of tokens that has become another one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The tokens that were there.
    pub(super) before: Range<u32>,
    /// The tokens that are there now.
    pub(super) now: Range<u32>,
}

impl Painted {
    /// Whether this is the answer with that id.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.id.to_string() == id
    }

    /// How a later answer differs.
    pub(super) fn change(&self, now: &Painted) -> Change {
        let (old, new) = (&self.chunks, &now.chunks);
        let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let (old_rest, new_rest) = (&old[start..], &new[start..]);
        let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
        let count = |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.tokens).sum::<u32>();
        let first = count(&old[..start]);
        let middle = |rest: &[Chunk]| first..first + count(&rest[..rest.len() - end]);
        Change { before: middle(old_rest), now: middle(new_rest) }
    }
}

impl Change {
    /// The edit that makes the later answer of the earlier one, if they differ.
    pub(super) fn edits(&self, data: Vec<SemanticToken>) -> Vec<SemanticTokensEdit> {
        if self.before.is_empty() && self.now.is_empty() {
            return Vec::new();
        }
        vec![SemanticTokensEdit {
            start: self.before.start * NUMBERS,
            delete_count: self.before.len() as u32 * NUMBERS,
            data: Some(data),
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(tokens: &[[u32; 5]]) -> Painted {
        let mut recorder = Recorder::new(1);
        tokens.iter().for_each(|&token| recorder.token(token));
        recorder.finish()
    }

    #[test]
    fn a_change_is_found_and_is_small() {
        let old: Vec<[u32; 5]> = (0..10_000u32).map(|n| [n % 3, n * 7 % 61, 3, n % 11, 0]).collect();
        assert_eq!(painted(&old).change(&painted(&old)), Change { before: 10_000..10_000, now: 10_000..10_000 });
        for (at, removed, inserted) in [(0, 1, 0), (5000, 0, 3), (5000, 2, 1), (9999, 1, 5), (0, 10_000, 0)] {
            let mut new = old.clone();
            new.splice(at..at + removed, (0..inserted).map(|n| [9, 9, 9, 9, n as u32]));
            let change = painted(&old).change(&painted(&new));
            let range = |range: &Range<u32>| range.start as usize..range.end as usize;
            let mut applied = old.clone();
            applied.splice(range(&change.before), new[range(&change.now)].iter().copied());
            assert!(applied == new, "at {at}: {change:?}");
            assert!(change.now.len() < inserted + 1000, "{change:?}");
        }
        let empty = painted(&[]);
        assert_eq!(empty.change(&empty).edits(Vec::new()), []);
        assert_eq!(empty.change(&painted(&old)).now, 0..10_000);
    }
}
