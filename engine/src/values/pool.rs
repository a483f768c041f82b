//! A pool of tile memory: a dropped tile leaves its memory to the next one of its size on the same thread. Allocating
//! memory from the system each time costs more than what most ops do with it.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;
use std::thread::LocalKey;

/// An element type whose vectors are pooled.
pub(crate) trait PoolElement: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The pool of this thread.
    fn spare() -> &'static LocalKey<Pool<Self>>;

    /// The element whose bits are the low ones.
    fn of_bits(bits: u64) -> Self;

    /// The element's bits.
    fn bits(self) -> u64;
}

/// The elements of a tile. Cloning unshared elements copies them; see [`Elements::share`].
#[derive(Clone, Debug)]
pub(crate) enum Elements<T: PoolElement> {
    /// A single value for all elements, which needs no memory.
    One(T),
    /// Unshared elements, the common case: no reference count, and none of the locked instructions for it, which wait
    /// for pending stores.
    Own(Pooled<T>),
    /// All of them, for any number of values.
    Shared(Arc<Pooled<T>>),
    /// Integers at even distances, which take no memory. Only who asks for them gets them like this: see
    /// [`Elements::expand`].
    Affine(Affine<T>),
}

/// Rows of elements that are each as far from the one before, as the rows are; what is too large wraps around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine<T> {
    pub(crate) first: T,
    /// From an element to the next one in its row.
    pub(crate) step: T,
    /// From a row to the next one.
    pub(crate) row_step: T,
    /// How many elements a row has: two at least.
    pub(crate) count: u32,
    /// How many rows there are.
    pub(crate) rows: u32,
}

impl<T: PoolElement> Elements<T> {
    /// Whether another value holds them too.
    pub(crate) fn is_shared(&self) -> bool {
        match self {
            Elements::One(_) | Elements::Own(_) | Elements::Affine(_) => false,
            Elements::Shared(elements) => Arc::strong_count(elements) > 1,
        }
    }

    /// The elements for writing: a copy where another value holds them too.
    #[inline]
    pub(crate) fn own(&mut self) -> &mut [T] {
        match self {
            Elements::One(element) => std::slice::from_mut(element),
            Elements::Own(elements) => &mut elements.0,
            Elements::Shared(elements) => &mut Arc::make_mut(elements).0,
            Elements::Affine(_) => unreachable!("elements that are not stored"),
        }
    }

    /// Stores them one by one if they are not.
    pub(crate) fn expand(&mut self) {
        let Elements::Affine(Affine { first, step, row_step, count, .. }) = *self else { return };
        let mut elements = vector(self.count());
        let (mut first, step) = (first.bits(), step.bits());
        for row in elements.chunks_exact_mut(count as usize) {
            row.iter_mut().zip(0..).for_each(|(element, index): (_, u64)| {
                *element = T::of_bits(first.wrapping_add(step.wrapping_mul(index)));
            });
            first = first.wrapping_add(row_step.bits());
        }
        *self = elements.into();
    }

    /// How many are stored, or would be.
    pub(crate) fn count(&self) -> usize {
        match self {
            Elements::Affine(even) => even.count as usize * even.rows as usize,
            stored => stored.len(),
        }
    }

    /// The same elements for another value, without a copy.
    pub(crate) fn share(&mut self) -> Elements<T> {
        if let Elements::Own(elements) = self {
            let elements = std::mem::replace(elements, Pooled(Vec::new()));
            *self = Elements::Shared(Arc::new(elements));
        }
        self.clone()
    }
}

impl<T: PoolElement> Deref for Elements<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Elements::One(element) => std::slice::from_ref(element),
            Elements::Own(elements) => &elements.0,
            Elements::Shared(elements) => &elements.0,
            Elements::Affine(_) => unreachable!("elements that are not stored"),
        }
    }
}

impl<T: PoolElement> PartialEq for Elements<T> {
    fn eq(&self, other: &Elements<T>) -> bool {
        self[..] == other[..]
    }
}

impl<T: PoolElement> From<Vec<T>> for Elements<T> {
    #[inline]
    fn from(elements: Vec<T>) -> Elements<T> {
        let elements = Pooled(elements);
        match elements.0[..] {
            [element] => Elements::One(element),
            _ => Elements::Own(elements),
        }
    }
}

/// A vector that is used again when nobody holds it any longer.
#[derive(Debug)]
pub(crate) struct Pooled<T: PoolElement>(Vec<T>);

/// Vectors that nobody uses, by the logarithm of their capacity.
pub(crate) type Pool<T> = RefCell<[Vec<Vec<T>>; SIZES]>;

/// Larger ones go back to the system.
const SIZES: usize = 24;
/// How many of each size are kept.
const KEPT: usize = 8;

/// No vectors yet.
pub(crate) const fn none<T>() -> Pool<T> {
    RefCell::new([const { Vec::new() }; SIZES])
}

/// A vector with so many elements, whatever they are: every one of them has to be written.
pub(crate) fn vector<T: PoolElement>(count: usize) -> Vec<T> {
    let capacity = count.next_power_of_two();
    let size = capacity.ilog2() as usize;
    let spare = (size < SIZES).then(|| spare(|spare| spare[size].pop())).flatten();
    let mut vector: Vec<T> = spare.unwrap_or_else(|| Vec::with_capacity(capacity));
    vector.resize(count, T::default());
    vector
}

/// Takes a vector that nobody needs any longer.
pub(crate) fn recycle<T: PoolElement>(vector: Vec<T>) {
    drop(Pooled(vector));
}

/// Uses the spare vectors of this thread; `None` where the thread is ending.
fn spare<T: PoolElement, R>(f: impl FnOnce(&mut [Vec<Vec<T>>; SIZES]) -> Option<R>) -> Option<R> {
    let local: &'static LocalKey<Pool<T>> = T::spare();
    local.try_with(|spare| f(&mut spare.borrow_mut())).ok().flatten()
}

impl<T: PoolElement> Drop for Pooled<T> {
    fn drop(&mut self) {
        let vector = std::mem::take(&mut self.0);
        let Some(size) = vector.capacity().checked_ilog2() else { return };
        let size = size as usize;
        if size < SIZES {
            spare(|spare| (spare[size].len() < KEPT).then(|| spare[size].push(vector)));
        }
    }
}

impl<T: PoolElement> Clone for Pooled<T> {
    fn clone(&self) -> Pooled<T> {
        let mut elements = vector(self.0.len());
        elements.copy_from_slice(&self.0);
        Pooled(elements)
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

    #[test]
    fn elements_are_shared_until_they_are_written() {
        let mut first = Elements::from(vec![1u32, 2, 3]);
        assert!(!first.is_shared());
        let mut second = first.share();
        assert!(first.is_shared() && second.is_shared());
        assert_eq!(first.as_ptr(), second.as_ptr());
        second.own()[0] = 9;
        assert_eq!((&first[..], &second[..]), (&[1, 2, 3][..], &[9, 2, 3][..]));
        drop(second);
        assert!(!first.is_shared());
        // A clone of elements that nobody shares is a copy.
        let alone = Elements::from(vec![1u32, 2]);
        assert_ne!(alone.clone().as_ptr(), alone.as_ptr());
    }
}
