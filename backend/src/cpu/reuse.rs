//! The memory of tiles, used again: a tile that ends leaves its memory to the next one of its size on the same thread.
//! Memory that comes from the system each time costs more than what most ops do with it.

use super::tile::Word;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::thread::LocalKey;

/// The elements of a tile.
#[derive(Debug, PartialEq)]
pub(crate) struct Elements<T: Word>(Vec<T>);

/// Vectors that nobody uses, by the logarithm of their capacity.
pub(crate) type Spare<T> = RefCell<[Vec<Vec<T>>; SIZES]>;

/// Larger ones go back to the system.
const SIZES: usize = 24;
/// How many of each size are kept.
const KEPT: usize = 8;

/// No vectors yet.
pub(crate) const fn none<T>() -> Spare<T> {
    RefCell::new([const { Vec::new() }; SIZES])
}

/// A vector with so many elements, whatever they are: every one of them has to be written.
pub(crate) fn vector<T: Word>(count: usize) -> Vec<T> {
    let capacity = count.next_power_of_two();
    let size = capacity.ilog2() as usize;
    let spare = (size < SIZES).then(|| spare(|spare| spare[size].pop())).flatten();
    let mut vector: Vec<T> = spare.unwrap_or_else(|| Vec::with_capacity(capacity));
    vector.resize(count, T::default());
    vector
}

/// Uses the spare vectors of this thread; `None` where the thread is ending.
fn spare<T: Word, R>(f: impl FnOnce(&mut [Vec<Vec<T>>; SIZES]) -> Option<R>) -> Option<R> {
    let local: &'static LocalKey<Spare<T>> = T::spare();
    local.try_with(|spare| f(&mut spare.borrow_mut())).ok().flatten()
}

impl<T: Word> Drop for Elements<T> {
    fn drop(&mut self) {
        let vector = std::mem::take(&mut self.0);
        let Some(size) = vector.capacity().checked_ilog2() else { return };
        let size = size as usize;
        if size < SIZES {
            spare(|spare| (spare[size].len() < KEPT).then(|| spare[size].push(vector)));
        }
    }
}

impl<T: Word> Clone for Elements<T> {
    fn clone(&self) -> Elements<T> {
        let mut elements = vector(self.len());
        elements.copy_from_slice(&self.0);
        Elements(elements)
    }
}

impl<T: Word> From<Vec<T>> for Elements<T> {
    fn from(elements: Vec<T>) -> Elements<T> {
        Elements(elements)
    }
}

impl<T: Word> Deref for Elements<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Word> DerefMut for Elements<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again() {
        let first = Elements::from(vector::<u32>(1000));
        let place = first.as_ptr();
        drop(first);
        let smaller = vector::<u32>(600);
        assert_eq!((smaller.as_ptr(), smaller.len()), (place, 600));
        assert_eq!(vector::<u32>(0).len(), 0);
    }
}
