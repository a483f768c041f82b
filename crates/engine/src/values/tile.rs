//! The representation of tiles: typed vectors, shared until they are written, or a single element.

use crate::values::pool::{Elements, Pool, PoolElement, none};
use std::thread::LocalKey;
use tile_dialect::Element;

/// The elements of a tile in row-major order, or a single one if all are equal.
///
/// A tile does not know its shape; the op that uses it does. A tile of `n` elements stores `n`, or one if all are
/// equal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tile {
    /// `i1`.
    Bool(Elements<bool>),
    /// The bits of 4-bit and 8-bit elements.
    U8(Elements<u8>),
    /// The bits of `i16`, `f16` and `bf16`.
    U16(Elements<u16>),
    /// The bits of `i32` and `tf32`.
    U32(Elements<u32>),
    /// The bits of `i64`, and addresses.
    U64(Elements<u64>),
    /// `f32`.
    F32(Elements<f32>),
    /// `f64`.
    F64(Elements<f64>),
}

/// A type whose vectors are tiles.
pub(crate) trait Scalar: PoolElement {
    /// The size of one element in memory, in bytes.
    const BYTES: usize;

    /// The tile of these elements.
    fn tile(elements: Vec<Self>) -> Tile;

    /// The tile whose elements all equal this value.
    fn splat(self) -> Tile;

    /// The elements of a tile. The plan of an op knows its element type, so a different one is a bug.
    fn of(tile: &Tile) -> &[Self];

    /// The elements in any representation.
    fn held(tile: &Tile) -> &Elements<Self>;

    /// Like [`Scalar::held`], for writing.
    fn held_mut(tile: &mut Tile) -> &mut Elements<Self>;

    /// The elements of a tile for writing: in place if they are unshared.
    fn of_mut(tile: &mut Tile) -> &mut [Self];

    /// Reads an element of memory from as many bytes as it has.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! scalar {
    ($type:ty, $variant:ident, $bytes:literal, $from:expr, $to:expr) => {
        impl PoolElement for $type {
            fn spare() -> &'static LocalKey<Pool<Self>> {
                thread_local!(static SPARE: Pool<$type> = const { none() });
                &SPARE
            }

            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                $from(bits)
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                $to(self)
            }
        }

        impl Scalar for $type {
            const BYTES: usize = $bytes;

            #[inline]
            fn tile(elements: Vec<Self>) -> Tile {
                Tile::$variant(elements.into())
            }

            #[inline]
            fn splat(self) -> Tile {
                Tile::$variant(Elements::One(self))
            }

            #[inline]
            fn of(tile: &Tile) -> &[Self] {
                Self::held(tile)
            }

            #[inline]
            fn held(tile: &Tile) -> &Elements<Self> {
                match tile {
                    Tile::$variant(elements) => elements,
                    other => unreachable!(concat!("a tile of ", stringify!($type), ", not {:?}"), other.kind()),
                }
            }

            #[inline]
            fn held_mut(tile: &mut Tile) -> &mut Elements<Self> {
                match tile {
                    Tile::$variant(elements) => elements,
                    other => unreachable!(concat!("a tile of ", stringify!($type), ", not {:?}"), other.kind()),
                }
            }

            #[inline]
            fn of_mut(tile: &mut Tile) -> &mut [Self] {
                Self::held_mut(tile).own()
            }

            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                let mut word = [0; 8];
                word[..$bytes].copy_from_slice(&bytes[..$bytes]);
                <$type>::from_memory(u64::from_le_bytes(word))
            }
        }
    };
}

/// How the bits in memory are decoded.
trait FromMemory {
    fn from_memory(bits: u64) -> Self;
}

impl FromMemory for bool {
    /// Every byte except 0 is true.
    #[inline(always)]
    fn from_memory(bits: u64) -> bool {
        bits != 0
    }
}

macro_rules! from_memory {
    ($($type:ty)*) => {$(
        impl FromMemory for $type {
            #[inline(always)]
            fn from_memory(bits: u64) -> Self {
                <Self as PoolElement>::of_bits(bits)
            }
        }
    )*};
}

from_memory!(u8 u16 u32 u64 f32 f64);

scalar!(bool, Bool, 1, |bits| bits & 1 == 1, u64::from);
scalar!(u8, U8, 1, |bits| bits as u8, u64::from);
scalar!(u16, U16, 2, |bits| bits as u16, u64::from);
scalar!(u32, U32, 4, |bits| bits as u32, u64::from);
scalar!(u64, U64, 8, |bits| bits, |bits| bits);
scalar!(f32, F32, 4, |bits| f32::from_bits(bits as u32), |value: f32| u64::from(value.to_bits()));
scalar!(f64, F64, 8, f64::from_bits, f64::to_bits);

/// The Rust type of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScalarKind {
    /// `bool`.
    Bool,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

impl ScalarKind {
    /// The size of one element in bytes.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            ScalarKind::Bool | ScalarKind::U8 => 1,
            ScalarKind::U16 => 2,
            ScalarKind::U32 | ScalarKind::F32 => 4,
            ScalarKind::U64 | ScalarKind::F64 => 8,
        }
    }

    /// The Rust type for an element type.
    pub(crate) fn of(element: Element) -> ScalarKind {
        match element {
            Element::I1 => ScalarKind::Bool,
            Element::I16 | Element::F16 | Element::BF16 => ScalarKind::U16,
            Element::I32 | Element::TF32 => ScalarKind::U32,
            Element::I64 => ScalarKind::U64,
            Element::F32 => ScalarKind::F32,
            Element::F64 => ScalarKind::F64,
            _ => ScalarKind::U8,
        }
    }
}

/// Names the Rust type of a [`ScalarKind`] and evaluates an expression with it.
macro_rules! with_kind {
    ($kind:expr, $word:ident => $body:expr) => {
        match $kind {
            $crate::values::tile::ScalarKind::Bool => {
                type $word = bool;
                $body
            }
            $crate::values::tile::ScalarKind::U8 => {
                type $word = u8;
                $body
            }
            $crate::values::tile::ScalarKind::U16 => {
                type $word = u16;
                $body
            }
            $crate::values::tile::ScalarKind::U32 => {
                type $word = u32;
                $body
            }
            $crate::values::tile::ScalarKind::U64 => {
                type $word = u64;
                $body
            }
            $crate::values::tile::ScalarKind::F32 => {
                type $word = f32;
                $body
            }
            $crate::values::tile::ScalarKind::F64 => {
                type $word = f64;
                $body
            }
        }
    };
}

pub(crate) use with_kind;

impl Tile {
    /// The Rust type of its elements.
    pub(crate) fn kind(&self) -> ScalarKind {
        match self {
            Tile::Bool(_) => ScalarKind::Bool,
            Tile::U8(_) => ScalarKind::U8,
            Tile::U16(_) => ScalarKind::U16,
            Tile::U32(_) => ScalarKind::U32,
            Tile::U64(_) => ScalarKind::U64,
            Tile::F32(_) => ScalarKind::F32,
            Tile::F64(_) => ScalarKind::F64,
        }
    }

    /// Whether another value shares its elements.
    pub(crate) fn is_shared(&self) -> bool {
        match self {
            Tile::Bool(elements) => elements.is_shared(),
            Tile::U8(elements) => elements.is_shared(),
            Tile::U16(elements) => elements.is_shared(),
            Tile::U32(elements) => elements.is_shared(),
            Tile::U64(elements) => elements.is_shared(),
            Tile::F32(elements) => elements.is_shared(),
            Tile::F64(elements) => elements.is_shared(),
        }
    }

    /// The same tile for another value, without copying its elements.
    pub(crate) fn share(&mut self) -> Tile {
        match self {
            Tile::Bool(elements) => Tile::Bool(elements.share()),
            Tile::U8(elements) => Tile::U8(elements.share()),
            Tile::U16(elements) => Tile::U16(elements.share()),
            Tile::U32(elements) => Tile::U32(elements.share()),
            Tile::U64(elements) => Tile::U64(elements.share()),
            Tile::F32(elements) => Tile::F32(elements.share()),
            Tile::F64(elements) => Tile::F64(elements.share()),
        }
    }

    /// The number of stored elements: one if all are equal.
    pub(crate) fn stored(&self) -> usize {
        with_kind!(self.kind(), T => T::held(self).count())
    }

    /// Whether its elements are a progression that is not stored.
    #[inline]
    pub(crate) fn is_affine(&self) -> bool {
        match self {
            Tile::U8(elements) => matches!(elements, Elements::Affine(_)),
            Tile::U16(elements) => matches!(elements, Elements::Affine(_)),
            Tile::U32(elements) => matches!(elements, Elements::Affine(_)),
            Tile::U64(elements) => matches!(elements, Elements::Affine(_)),
            // Progressions are integers with at least two values.
            Tile::Bool(_) | Tile::F32(_) | Tile::F64(_) => false,
        }
    }

    /// Stores the elements of a progression.
    #[inline]
    pub(crate) fn expand(&mut self) {
        if self.is_affine() {
            with_kind!(self.kind(), T => T::held_mut(self).expand());
        }
    }

    /// A tile whose elements all have these bits.
    pub(crate) fn splat(kind: ScalarKind, bits: u64) -> Tile {
        with_kind!(kind, T => T::of_bits(bits).splat())
    }

    /// A tile of elements with these bits.
    pub(crate) fn from_bits(kind: ScalarKind, bits: &[u64]) -> Tile {
        with_kind!(kind, T => T::tile(bits.iter().map(|&bits| T::of_bits(bits)).collect()))
    }

    /// The bits of the element at `index`.
    pub(crate) fn bits(&self, index: usize) -> u64 {
        with_kind!(self.kind(), T => at(T::of(self), index).bits())
    }
}

/// The element at `index` of a tile that may store a single element.
#[inline(always)]
pub(crate) fn at<T: Copy>(elements: &[T], index: usize) -> T {
    if elements.len() == 1 { elements[0] } else { elements[index] }
}

/// All `count` elements of a tile that may store a single element.
pub(crate) fn full<T: Scalar>(elements: &[T], count: usize) -> std::borrow::Cow<'_, [T]> {
    if elements.len() == 1 && count != 1 { vec![elements[0]; count].into() } else { elements.into() }
}
