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
    /// Elements shared by several values.
    Shared(Arc<Pooled<T>>),
    /// Arithmetic progressions of integers, which need no memory. Only code that asks for them sees them in this form:
    /// see [`Elements::expand`].
    Affine(Affine<T>),
}

/// Rows of elements with constant distances within and between rows; overflow wraps around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine<T> {
    pub(crate) first: T,
    /// From an element to the next one in its row.
    pub(crate) step: T,
    /// From a row to the next one.
    pub(crate) row_step: T,
    /// The number of elements in a row, at least two.
    pub(crate) count: u32,
    /// The number of rows.
    pub(crate) rows: u32,
}

impl<T: PoolElement> Elements<T> {
    /// Whether another value shares them.
    pub(crate) fn is_shared(&self) -> bool {
        match self {
            Elements::One(_) | Elements::Own(_) | Elements::Affine(_) => false,
            Elements::Shared(elements) => Arc::strong_count(elements) > 1,
        }
    }

    /// The elements for writing: a copy if another value shares them.
    #[inline]
    pub(crate) fn own(&mut self) -> &mut [T] {
        match self {
            Elements::One(element) => std::slice::from_mut(element),
            Elements::Own(elements) => &mut elements.0,
            Elements::Shared(elements) => &mut Arc::make_mut(elements).0,
            Elements::Affine(_) => unreachable!("elements that are not stored"),
        }
    }

    /// Stores progressions as elements.
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

    /// The number of stored elements, counting those of progressions.
    pub(crate) fn count(&self) -> usize {
        match self {
            Elements::Affine(affine) => affine.count as usize * affine.rows as usize,
            stored => stored.len(),
        }
    }

    /// The same elements for another value, without copying.
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

/// A vector that returns to the pool when it is dropped.
#[derive(Debug)]
pub(crate) struct Pooled<T: PoolElement>(Vec<T>);

/// Unused vectors, by the logarithm of their capacity.
pub(crate) type Pool<T> = RefCell<[Vec<Vec<T>>; SIZES]>;

/// Larger ones are freed.
const SIZES: usize = 24;
/// The maximum number of unused vectors of each size.
const KEPT: usize = 8;

/// An empty pool.
pub(crate) const fn none<T>() -> Pool<T> {
    RefCell::new([const { Vec::new() }; SIZES])
}

/// A vector with this many elements of arbitrary value: all of them have to be written.
pub(crate) fn vector<T: PoolElement>(count: usize) -> Vec<T> {
    let capacity = count.next_power_of_two();
    let size = capacity.ilog2() as usize;
    let spare = (size < SIZES).then(|| spare(|spare| spare[size].pop())).flatten();
    let mut vector: Vec<T> = spare.unwrap_or_else(|| Vec::with_capacity(capacity));
    vector.resize(count, T::default());
    vector
}

/// Returns a vector to the pool.
pub(crate) fn recycle<T: PoolElement>(vector: Vec<T>) {
    drop(Pooled(vector));
}

/// Accesses the pool of this thread; `None` while the thread is ending.
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
    fn memory_is_reused() {
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
        // Cloning unshared elements copies them.
        let alone = Elements::from(vec![1u32, 2]);
        assert_ne!(alone.clone().as_ptr(), alone.as_ptr());
    }
}
