//! Element-by-element loops over whole tiles, compiled for the vector units that the processor has.
//!
//! There is a loop for every op and every type. So what need not be in the loop is outside it, in functions that know the
//! op only as a `dyn Fn`: looking at the operands, single elements, and processors without vector units.

use super::reuse::vector;
use super::tile::{Tile, Word};
use pulp::{Arch, Scalar, Simd, WithSimd};
use std::sync::LazyLock;

/// The vector units of this processor.
pub(crate) fn arch() -> Arch {
    static ARCH: LazyLock<Arch> = LazyLock::new(Arch::new);
    *ARCH
}

/// The vector units that these loops use. Wider ones than AVX2 gain nothing where an element is loaded, changed once and
/// stored, and each loop would be in the program once more.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Units(pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Units {
    /// Those of this processor; `None` where it has none that are worth the name.
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
    /// Those of this processor.
    pub(crate) fn new() -> Option<Units> {
        Some(Units(arch()))
    }

    /// Runs a loop.
    #[inline]
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        self.0.dispatch(work)
    }
}

/// What is left to do: nothing, or a loop over these.
enum Start<T, Operands> {
    Done(T),
    Loop(Units, Operands),
}

/// Applies a function to each element.
pub(crate) fn map<A: Word, R: Word>(a: &Tile, f: impl Fn(A) -> R) -> Tile {
    match start_map(a, &f) {
        Start::Done(tile) => tile,
        Start::Loop(units, a) => R::tile(units.run(Map { a, f })),
    }
}

#[inline(never)]
fn start_map<'a, A: Word, R: Word>(a: &'a Tile, f: &dyn Fn(A) -> R) -> Start<Tile, &'a [A]> {
    match (A::of(a), Units::new()) {
        (&[a], _) => Start::Done(f(a).splat()),
        (a, Some(units)) => Start::Loop(units, a),
        (a, None) => Start::Done(R::tile(Map { a, f }.with_simd(Scalar))),
    }
}

/// Applies a function to each element, in place.
pub(crate) fn map_in_place<A: Word>(a: &mut Tile, f: impl Fn(A) -> A) {
    match start_map_in_place(a, &f) {
        Start::Done(()) => {}
        Start::Loop(units, a) => units.run(MapInPlace { a, f }),
    }
}

/// As [`map_in_place`], in the widest units that there are: for a function that computes much from an element.
pub(crate) fn map_in_place_widely<A: Word>(a: &mut Tile, f: impl Fn(A) -> A) {
    match start_map_in_place(a, &f) {
        Start::Done(()) => {}
        Start::Loop(_, a) => arch().dispatch(MapInPlace { a, f }),
    }
}

#[inline(never)]
fn start_map_in_place<'a, A: Word>(a: &'a mut Tile, f: &dyn Fn(A) -> A) -> Start<(), &'a mut [A]> {
    match (A::of_mut(a), Units::new()) {
        ([a], _) => *a = f(*a),
        (a, Some(units)) => return Start::Loop(units, a),
        (a, None) => MapInPlace { a, f }.with_simd(Scalar),
    }
    Start::Done(())
}

/// Applies a function to each pair of elements; the results take the place of the first ones, which all have to be
/// stored.
pub(crate) fn zip_in_place<A: Word, B: Word>(a: &mut Tile, b: &Tile, f: impl Fn(A, B) -> A) {
    match start_zip_in_place(a, b, &f) {
        Start::Done(()) => {}
        Start::Loop(units, (a, b)) => units.run(ZipInPlace { a, b, f }),
    }
}

#[inline(never)]
fn start_zip_in_place<'a, A: Word, B: Word>(
    a: &'a mut Tile,
    b: &'a Tile,
    f: &dyn Fn(A, B) -> A,
) -> Start<(), (&'a mut [A], &'a [B])> {
    match (A::of_mut(a), B::of(b), Units::new()) {
        ([a], &[b], _) => *a = f(*a, b),
        (a, b, Some(units)) => return Start::Loop(units, (a, b)),
        (a, b, None) => ZipInPlace { a, b, f }.with_simd(Scalar),
    }
    Start::Done(())
}

/// Applies a function to each pair of elements; either tile may be stored as one element.
pub(crate) fn zip<A: Word, B: Word, R: Word>(a: &Tile, b: &Tile, f: impl Fn(A, B) -> R) -> Tile {
    match start_zip(a, b, &f) {
        Start::Done(tile) => tile,
        Start::Loop(units, (a, b)) => R::tile(units.run(Zip { a, b, f })),
    }
}

#[inline(never)]
fn start_zip<'a, A: Word, B: Word, R: Word>(
    a: &'a Tile,
    b: &'a Tile,
    f: &dyn Fn(A, B) -> R,
) -> Start<Tile, (&'a [A], &'a [B])> {
    match (A::of(a), B::of(b), Units::new()) {
        (&[a], &[b], _) => Start::Done(f(a, b).splat()),
        (a, b, Some(units)) => Start::Loop(units, (a, b)),
        (a, b, None) => Start::Done(R::tile(Zip { a, b, f }.with_simd(Scalar))),
    }
}

/// Applies a function to each triple of elements; any tile may be stored as one element.
pub(crate) fn zip3<A: Word, B: Word, C: Word, R: Word>(a: &Tile, b: &Tile, c: &Tile, f: impl Fn(A, B, C) -> R) -> Tile {
    match start_zip3(a, b, c, &f) {
        Start::Done(tile) => tile,
        Start::Loop(units, (a, b, c)) => R::tile(units.run(Zip3 { a, b, c, f })),
    }
}

#[inline(never)]
#[allow(clippy::type_complexity)] // three slices
fn start_zip3<'a, A: Word, B: Word, C: Word, R: Word>(
    a: &'a Tile,
    b: &'a Tile,
    c: &'a Tile,
    f: &dyn Fn(A, B, C) -> R,
) -> Start<Tile, (&'a [A], &'a [B], &'a [C])> {
    match (A::of(a), B::of(b), C::of(c), Units::new()) {
        (&[a], &[b], &[c], _) => Start::Done(f(a, b, c).splat()),
        (a, b, c, Some(units)) => Start::Loop(units, (a, b, c)),
        (a, b, c, None) => Start::Done(R::tile(Zip3 { a, b, c, f }.with_simd(Scalar))),
    }
}

/// The index of the first element for which a predicate holds.
pub(crate) fn find<A: Word>(a: &Tile, f: impl Fn(A) -> bool) -> Option<usize> {
    A::of(a).iter().position(|&a| f(a))
}

/// The index of the first pair of elements for which a predicate holds.
pub(crate) fn find2<A: Word, B: Word>(a: &Tile, b: &Tile, f: impl Fn(A, B) -> bool) -> Option<usize> {
    let holds = zip(a, b, f);
    find(&holds, |holds: bool| holds)
}

/// How many elements a loop takes at a time.
const STRIP: usize = 256;

/// A tile in strips. Where one element stands for all of them, one strip of it, in `room`, stands for all strips. So one
/// loop does for stored tiles and for single elements, which matters as each loop is compiled for every op, every type
/// and several processors.
#[derive(Clone, Copy)]
struct Strips<'a, T> {
    elements: &'a [T],
    /// How far it is from one strip to the next.
    step: usize,
}

impl<'a, T: Word> Strips<'a, T> {
    #[inline(always)]
    fn of(elements: &'a [T], room: &'a mut Option<[T; STRIP]>) -> Self {
        match elements {
            &[element] => Strips { elements: fill(room, element), step: 0 },
            elements => Strips { elements, step: STRIP },
        }
    }

    /// The strip of a number and what follows it.
    #[inline(always)]
    fn at(self, number: usize) -> &'a [T] {
        &self.elements[number * self.step..]
    }
}

/// A strip of one element.
#[inline(never)]
fn fill<T: Word>(room: &mut Option<[T; STRIP]>, element: T) -> &[T] {
    room.insert([element; STRIP])
}

struct Map<'a, A, F> {
    a: &'a [A],
    f: F,
}

impl<A: Word, R: Word, F: Fn(A) -> R> WithSimd for Map<'_, A, F> {
    type Output = Vec<R>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<R> {
        let mut out = vector::<R>(self.a.len());
        for (out, &a) in out.iter_mut().zip(self.a) {
            *out = (self.f)(a);
        }
        out
    }
}

struct MapInPlace<'a, A, F> {
    a: &'a mut [A],
    f: F,
}

impl<A: Word, F: Fn(A) -> A> WithSimd for MapInPlace<'_, A, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for a in self.a {
            *a = (self.f)(*a);
        }
    }
}

struct ZipInPlace<'a, A, B, F> {
    a: &'a mut [A],
    b: &'a [B],
    f: F,
}

impl<A: Word, B: Word, F: Fn(A, B) -> A> WithSimd for ZipInPlace<'_, A, B, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut room = None;
        let strip = Strips::of(self.b, &mut room);
        for (at, a) in self.a.chunks_mut(STRIP).enumerate() {
            for (a, &b) in a.iter_mut().zip(strip.at(at)) {
                *a = (self.f)(*a, b);
            }
        }
    }
}

struct Zip<'a, A, B, F> {
    a: &'a [A],
    b: &'a [B],
    f: F,
}

impl<A: Word, B: Word, R: Word, F: Fn(A, B) -> R> WithSimd for Zip<'_, A, B, F> {
    type Output = Vec<R>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<R> {
        let f = self.f;
        let mut out = vector::<R>(self.a.len().max(self.b.len()));
        let (mut room_a, mut room_b) = (None, None);
        let (a, b) = (Strips::of(self.a, &mut room_a), Strips::of(self.b, &mut room_b));
        for (at, out) in out.chunks_mut(STRIP).enumerate() {
            for ((out, &a), &b) in out.iter_mut().zip(a.at(at)).zip(b.at(at)) {
                *out = f(a, b);
            }
        }
        out
    }
}

struct Zip3<'a, A, B, C, F> {
    a: &'a [A],
    b: &'a [B],
    c: &'a [C],
    f: F,
}

impl<A: Word, B: Word, C: Word, R: Word, F: Fn(A, B, C) -> R> WithSimd for Zip3<'_, A, B, C, F> {
    type Output = Vec<R>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<R> {
        let f = self.f;
        let mut out = vector::<R>(self.a.len().max(self.b.len()).max(self.c.len()));
        let (mut room_a, mut room_b, mut room_c) = (None, None, None);
        let (a, b) = (Strips::of(self.a, &mut room_a), Strips::of(self.b, &mut room_b));
        let c = Strips::of(self.c, &mut room_c);
        for (at, out) in out.chunks_mut(STRIP).enumerate() {
            for (((out, &a), &b), &c) in out.iter_mut().zip(a.at(at)).zip(b.at(at)).zip(c.at(at)) {
                *out = f(a, b, c);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stored_element_stands_for_all() {
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
        zip_in_place(&mut own, &one, |a: u32, b: u32| a + b);
        zip_in_place(&mut other, &ten, |a: u32, b: u32| a * b);
        assert_eq!((own, other), (two, counted(10)));
    }

    #[test]
    fn without_vector_units_the_results_are_the_same() {
        let (a, b) = ([1u32, 2, 3], [10u32]);
        let f: &dyn Fn(u32, u32) -> u32 = &|a, b| b - a;
        let plain = Zip { a: &a[..], b: &b[..], f }.with_simd(Scalar);
        assert_eq!(u32::tile(plain), zip(&u32::tile(a.to_vec()), &u32::tile(b.to_vec()), f));
    }

    #[test]
    fn finds_the_first() {
        assert_eq!(find(&u32::tile(vec![3, 0, 0]), |a: u32| a == 0), Some(1));
        assert_eq!(find2(&u32::tile(vec![3, 4]), &u32::tile(vec![4]), |a: u32, b: u32| a == b), Some(1));
    }
}
