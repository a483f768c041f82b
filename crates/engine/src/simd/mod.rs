//! Element-by-element loops over whole tiles, compiled for the vector units that the processor has.
//!
//! There is a loop for every op and every type. To keep the program small, everything else is outside the loops, in
//! functions that know the op only as a trait object: inspecting the operands, allocating the results, and processors
//! without vector units.

pub(crate) mod narrow;
pub(crate) mod rounding;

use crate::values::pool::vector;
use crate::values::tile::{Scalar, Tile};
use pulp::{Arch, Simd, WithSimd};
use std::sync::LazyLock;

/// The vector units of this processor.
pub(crate) fn arch() -> Arch {
    static ARCH: LazyLock<Arch> = LazyLock::new(Arch::new);
    *ARCH
}

/// The supported vector units. Wider ones than AVX2 are not faster for loops that load, change and store each element
/// once, and would add another copy of each loop to the program.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Units(pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Units {
    /// The vector units of this processor; `None` if it has no suitable ones.
    pub(crate) fn new() -> Option<Units> {
        match arch() {
            Arch::V4(units) => Some(Units(*units)),
            Arch::V3(units) => Some(Units(units)),
            _ => None,
        }
    }

    /// Runs a loop.
    #[inline]
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        Simd::vectorize(self.0, work)
    }
}

/// The vector units that these loops use.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(crate) struct Units(Arch);

#[cfg(not(target_arch = "x86_64"))]
impl Units {
    /// The vector units of this processor.
    pub(crate) fn new() -> Option<Units> {
        Some(Units(arch()))
    }

    /// Runs a loop.
    #[inline]
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        self.0.dispatch(work)
    }
}

/// A function of one element, and its loop.
pub(crate) trait UnaryFn<A, R> {
    fn one(&self, a: A) -> R;
    fn all(&self, units: Units, a: &[A], out: &mut [R]);
}

/// A function of two elements, and its loop.
pub(crate) trait BinaryFn<A, B, R> {
    fn one(&self, a: A, b: B) -> R;
    fn all(&self, units: Units, a: &[A], b: &[B], out: &mut [R]);
}

/// A function of three elements, and its loop.
pub(crate) trait TernaryFn<A, B, C, R> {
    fn one(&self, a: A, b: B, c: C) -> R;
    fn all(&self, units: Units, a: &[A], b: &[B], c: &[C], out: &mut [R]);
}

/// A function that changes an element, and its loop.
pub(crate) trait UnaryInPlace<A> {
    fn one(&self, a: A) -> A;
    fn all(&self, units: Units, a: &mut [A]);
}

/// A function that changes an element by another one, and its loop.
pub(crate) trait BinaryInPlace<A, B> {
    fn one(&self, a: A, b: B) -> A;
    fn all(&self, units: Units, a: &mut [A], b: &[B]);
}

/// A function that is expensive per element: its loop uses the widest vector units of the processor.
pub(crate) struct WidestSimd<F>(pub(crate) F);

/// Applies a function to each element.
pub(crate) fn map<A: Scalar, R: Scalar>(a: &Tile, f: impl Fn(A) -> R) -> Tile {
    map_of(a, &f)
}

/// The part of [`map`] that does not depend on the function.
pub(crate) fn map_of<A: Scalar, R: Scalar>(a: &Tile, f: &dyn UnaryFn<A, R>) -> Tile {
    let a = A::of(a);
    if let &[a] = a {
        return f.one(a).splat();
    }
    let mut out = vector::<R>(a.len());
    match Units::new() {
        Some(units) => f.all(units, a, &mut out),
        None => out.iter_mut().zip(a).for_each(|(out, &a)| *out = f.one(a)),
    }
    R::tile(out)
}

/// Applies a function to each element, in place.
pub(crate) fn map_in_place<A: Scalar>(a: &mut Tile, f: &dyn UnaryInPlace<A>) {
    match (A::of_mut(a), Units::new()) {
        ([a], _) => *a = f.one(*a),
        (a, Some(units)) => f.all(units, a),
        (a, None) => a.iter_mut().for_each(|a| *a = f.one(*a)),
    }
}

/// Applies a function to each pair of elements; the results overwrite the first ones, which all have to be stored.
pub(crate) fn zip_in_place<A: Scalar, B: Scalar>(a: &mut Tile, b: &Tile, f: &dyn BinaryInPlace<A, B>) {
    let (a, b) = (A::of_mut(a), B::of(b));
    if let ([a], &[b]) = (&mut *a, b) {
        *a = f.one(*a, b);
        return;
    }
    let length = strip([a.len(), b.len()]);
    let mut buffer = None;
    let b = Strips::of(b, length, &mut buffer);
    for (number, a) in a.chunks_mut(length).enumerate() {
        let b = b.at(number, a.len());
        match Units::new() {
            Some(units) => f.all(units, a, b),
            None => a.iter_mut().zip(b).for_each(|(a, &b)| *a = f.one(*a, b)),
        }
    }
}

/// Applies a function to each pair of elements; either tile can store a single element.
pub(crate) fn zip<A: Scalar, B: Scalar, R: Scalar>(a: &Tile, b: &Tile, f: impl Fn(A, B) -> R) -> Tile {
    zip_of(a, b, &f)
}

/// The part of [`zip`] that does not depend on the function.
pub(crate) fn zip_of<A: Scalar, B: Scalar, R: Scalar>(a: &Tile, b: &Tile, f: &dyn BinaryFn<A, B, R>) -> Tile {
    zip_with(Units::new(), A::of(a), B::of(b), f)
}

fn zip_with<A: Scalar, B: Scalar, R: Scalar>(
    units: Option<Units>,
    a: &[A],
    b: &[B],
    f: &dyn BinaryFn<A, B, R>,
) -> Tile {
    if let (&[a], &[b]) = (a, b) {
        return f.one(a, b).splat();
    }
    let mut out = vector::<R>(a.len().max(b.len()));
    let length = strip([a.len(), b.len()]);
    let (mut buffer_a, mut buffer_b) = (None, None);
    let (a, b) = (Strips::of(a, length, &mut buffer_a), Strips::of(b, length, &mut buffer_b));
    for (number, out) in out.chunks_mut(length).enumerate() {
        let (a, b) = (a.at(number, out.len()), b.at(number, out.len()));
        match units {
            Some(units) => f.all(units, a, b, out),
            None => out.iter_mut().zip(a).zip(b).for_each(|((out, &a), &b)| *out = f.one(a, b)),
        }
    }
    R::tile(out)
}

/// Applies a function to each triple of elements; any tile can store a single element.
pub(crate) fn zip3<A: Scalar, B: Scalar, C: Scalar, R: Scalar>(
    a: &Tile,
    b: &Tile,
    c: &Tile,
    f: impl Fn(A, B, C) -> R,
) -> Tile {
    zip3_of(a, b, c, &f)
}

/// The part of [`zip3`] that does not depend on the function.
pub(crate) fn zip3_of<A: Scalar, B: Scalar, C: Scalar, R: Scalar>(
    a: &Tile,
    b: &Tile,
    c: &Tile,
    f: &dyn TernaryFn<A, B, C, R>,
) -> Tile {
    let (a, b, c) = (A::of(a), B::of(b), C::of(c));
    if let (&[a], &[b], &[c]) = (a, b, c) {
        return f.one(a, b, c).splat();
    }
    let mut out = vector::<R>(a.len().max(b.len()).max(c.len()));
    let length = strip([a.len(), b.len(), c.len()]);
    let (mut buffer_a, mut buffer_b, mut buffer_c) = (None, None, None);
    let (a, b) = (Strips::of(a, length, &mut buffer_a), Strips::of(b, length, &mut buffer_b));
    let c = Strips::of(c, length, &mut buffer_c);
    for (number, out) in out.chunks_mut(length).enumerate() {
        let (a, b, c) = (a.at(number, out.len()), b.at(number, out.len()), c.at(number, out.len()));
        match Units::new() {
            Some(units) => f.all(units, a, b, c, out),
            None => out.iter_mut().zip(a).zip(b).zip(c).for_each(|(((out, &a), &b), &c)| *out = f.one(a, b, c)),
        }
    }
    R::tile(out)
}

/// The index of the first element for which a predicate holds.
pub(crate) fn find<A: Scalar>(a: &Tile, f: impl Fn(A) -> bool) -> Option<usize> {
    A::of(a).iter().position(|&a| f(a))
}

/// The index of the first pair of elements for which a predicate holds.
pub(crate) fn find2<A: Scalar, B: Scalar>(a: &Tile, b: &Tile, f: impl Fn(A, B) -> bool) -> Option<usize> {
    let holds = zip(a, b, f);
    find(&holds, |holds: bool| holds)
}

/// How many elements a loop takes at a time if some tiles store a single element.
const STRIP: usize = 256;

/// How many elements a loop takes at a time: all of them if every tile stores the same number.
fn strip<const N: usize>(stored: [usize; N]) -> usize {
    if stored.iter().all(|&count| count == stored[0]) { stored[0] } else { STRIP }
}

/// A tile in strips. A single element is expanded to one strip, in `buffer`, which represents all strips. So one loop
/// handles both stored tiles and single elements, which matters because each loop is compiled for every op and every
/// type.
#[derive(Clone, Copy)]
struct Strips<'a, T> {
    elements: &'a [T],
    /// The distance between strips; 0 for a single element.
    step: usize,
}

impl<'a, T: Scalar> Strips<'a, T> {
    fn of(elements: &'a [T], length: usize, buffer: &'a mut Option<[T; STRIP]>) -> Self {
        match elements {
            &[element] => Strips { elements: buffer.insert([element; STRIP]), step: 0 },
            elements => Strips { elements, step: length },
        }
    }

    /// The first `count` elements of a strip, by the strip's number.
    fn at(self, number: usize, count: usize) -> &'a [T] {
        &self.elements[number * self.step..][..count]
    }
}

impl<A: Scalar, R: Scalar, F: Fn(A) -> R> UnaryFn<A, R> for F {
    fn one(&self, a: A) -> R {
        self(a)
    }

    fn all(&self, units: Units, a: &[A], out: &mut [R]) {
        units.run(Map { a, out, f: self });
    }
}

struct Map<'a, A, R, F> {
    a: &'a [A],
    out: &'a mut [R],
    f: F,
}

impl<A: Scalar, R: Scalar, F: Fn(A) -> R> WithSimd for Map<'_, A, R, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (out, &a) in self.out.iter_mut().zip(self.a) {
            *out = (self.f)(a);
        }
    }
}

impl<A: Scalar, F: Fn(A) -> A> UnaryInPlace<A> for F {
    fn one(&self, a: A) -> A {
        self(a)
    }

    fn all(&self, units: Units, a: &mut [A]) {
        units.run(MapInPlace { a, f: self });
    }
}

impl<A: Scalar, F: Fn(A) -> A> UnaryInPlace<A> for WidestSimd<F> {
    fn one(&self, a: A) -> A {
        self.0(a)
    }

    fn all(&self, _: Units, a: &mut [A]) {
        arch().dispatch(MapInPlace { a, f: &self.0 });
    }
}

struct MapInPlace<'a, A, F> {
    a: &'a mut [A],
    f: F,
}

impl<A: Scalar, F: Fn(A) -> A> WithSimd for MapInPlace<'_, A, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for a in self.a {
            *a = (self.f)(*a);
        }
    }
}

impl<A: Scalar, B: Scalar, F: Fn(A, B) -> A> BinaryInPlace<A, B> for F {
    fn one(&self, a: A, b: B) -> A {
        self(a, b)
    }

    fn all(&self, units: Units, a: &mut [A], b: &[B]) {
        units.run(ZipInPlace { a, b, f: self });
    }
}

struct ZipInPlace<'a, A, B, F> {
    a: &'a mut [A],
    b: &'a [B],
    f: F,
}

impl<A: Scalar, B: Scalar, F: Fn(A, B) -> A> WithSimd for ZipInPlace<'_, A, B, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (a, &b) in self.a.iter_mut().zip(self.b) {
            *a = (self.f)(*a, b);
        }
    }
}

impl<A: Scalar, B: Scalar, R: Scalar, F: Fn(A, B) -> R> BinaryFn<A, B, R> for F {
    fn one(&self, a: A, b: B) -> R {
        self(a, b)
    }

    fn all(&self, units: Units, a: &[A], b: &[B], out: &mut [R]) {
        units.run(Zip { a, b, out, f: self });
    }
}

struct Zip<'a, A, B, R, F> {
    a: &'a [A],
    b: &'a [B],
    out: &'a mut [R],
    f: F,
}

impl<A: Scalar, B: Scalar, R: Scalar, F: Fn(A, B) -> R> WithSimd for Zip<'_, A, B, R, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for ((out, &a), &b) in self.out.iter_mut().zip(self.a).zip(self.b) {
            *out = (self.f)(a, b);
        }
    }
}

impl<A: Scalar, B: Scalar, C: Scalar, R: Scalar, F: Fn(A, B, C) -> R> TernaryFn<A, B, C, R> for F {
    fn one(&self, a: A, b: B, c: C) -> R {
        self(a, b, c)
    }

    fn all(&self, units: Units, a: &[A], b: &[B], c: &[C], out: &mut [R]) {
        units.run(Zip3 { a, b, c, out, f: self });
    }
}

struct Zip3<'a, A, B, C, R, F> {
    a: &'a [A],
    b: &'a [B],
    c: &'a [C],
    out: &'a mut [R],
    f: F,
}

impl<A: Scalar, B: Scalar, C: Scalar, R: Scalar, F: Fn(A, B, C) -> R> WithSimd for Zip3<'_, A, B, C, R, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (((out, &a), &b), &c) in self.out.iter_mut().zip(self.a).zip(self.b).zip(self.c) {
            *out = (self.f)(a, b, c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stored_element_represents_all() {
        let (one, two) = (u32::tile(vec![10]), u32::tile(vec![1, 2]));
        assert_eq!(zip(&two, &one, |a: u32, b: u32| a - b.min(a)), u32::tile(vec![0, 0]));
        assert_eq!(zip(&one, &two, |a: u32, b: u32| a - b), u32::tile(vec![9, 8]));
        assert_eq!(zip(&one, &one, |a: u32, b: u32| a + b), u32::tile(vec![20]));
        let pick = |c: bool, a: u32, b: u32| if c { a } else { b };
        let mask = bool::tile(vec![true, false]);
        assert_eq!(zip3(&mask, &one, &two, pick), u32::tile(vec![10, 2]));
        assert_eq!(zip3(&bool::tile(vec![false]), &one, &two, pick), u32::tile(vec![1, 2]));
        assert_eq!(zip3(&mask, &two, &one, pick), u32::tile(vec![1, 10]));
    }

    #[test]
    fn strips_are_joined() {
        let count = 2 * STRIP + 3;
        let counted = |by: usize| u32::tile((0..count).map(|at| (at * by) as u32).collect());
        let (one, two, ten) = (counted(1), counted(2), u32::tile(vec![10]));
        assert_eq!(zip(&one, &one, |a: u32, b: u32| a + b), two);
        assert_eq!(zip3(&one, &ten, &two, |a: u32, b: u32, c: u32| a * b + c), counted(12));
        let (mut own, mut other) = (counted(1), counted(1));
        zip_in_place(&mut own, &one, &|a: u32, b: u32| a + b);
        zip_in_place(&mut other, &ten, &|a: u32, b: u32| a * b);
        assert_eq!((own, other), (two, counted(10)));
    }

    #[test]
    fn without_vector_units_the_results_are_the_same() {
        let (a, b) = ([1u32, 2, 3], [10u32]);
        let f: &dyn Fn(u32, u32) -> u32 = &|a, b| b - a;
        assert_eq!(zip_with(None, &a, &b, &f), zip(&u32::tile(a.to_vec()), &u32::tile(b.to_vec()), f));
    }

    #[test]
    fn finds_the_first() {
        assert_eq!(find(&u32::tile(vec![3, 0, 0]), |a: u32| a == 0), Some(1));
        assert_eq!(find2(&u32::tile(vec![3, 4]), &u32::tile(vec![4]), |a: u32, b: u32| a == b), Some(1));
    }
}
