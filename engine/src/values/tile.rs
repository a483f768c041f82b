//! Tiles as the engine holds them: single elements, and typed vectors that are shared until they are written.

use crate::values::pool::{Elements, Pooled, Spare, none};
use std::thread::LocalKey;
use tile_dialect::Element;

/// The elements of a tile in row-major order, or a single one that all elements equal.
///
/// A tile does not know its shape; the op that uses it does. A tile of `n` elements holds `n`, or one where all are
/// equal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tile {
    /// `i1`.
    Bool(Elements<bool>),
    /// The bits of elements of 4 and 8 bits.
    Byte(Elements<u8>),
    /// The bits of `i16`, `f16` and `bf16`.
    Half(Elements<u16>),
    /// The bits of `i32` and `tf32`.
    Word(Elements<u32>),
    /// The bits of `i64`, and addresses.
    Long(Elements<u64>),
    /// `f32`.
    Single(Elements<f32>),
    /// `f64`.
    Double(Elements<f64>),
}

/// A type whose vectors are tiles.
pub(crate) trait Word: Pooled {
    /// The bytes of one element in memory.
    const BYTES: usize;

    /// Whether the bytes that it has in memory are just those that it is here, whatever they are.
    const IS_PLAIN: bool;

    /// The tile of these elements.
    fn tile(elements: Vec<Self>) -> Tile;

    /// The tile whose elements all equal this one.
    fn splat(self) -> Tile;

    /// The elements of a tile. The plan of an op knows its type, so another one is a mistake of the engine.
    fn of(tile: &Tile) -> &[Self];

    /// The same, however they are held.
    fn held(tile: &Tile) -> &Elements<Self>;

    /// As [`Word::held`], for writing.
    fn held_mut(tile: &mut Tile) -> &mut Elements<Self>;

    /// The elements of a tile for writing: in place where nothing else shares them.
    fn of_mut(tile: &mut Tile) -> &mut [Self];

    /// Reads an element of memory from as many bytes as it has.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! word {
    ($type:ty, $variant:ident, $bytes:literal, $from:expr, $to:expr) => {
        impl Pooled for $type {
            fn spare() -> &'static LocalKey<Spare<Self>> {
                thread_local!(static SPARE: Spare<$type> = const { none() });
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

        impl Word for $type {
            const BYTES: usize = $bytes;
            const IS_PLAIN: bool = <$type as FromMemory>::IS_PLAIN;

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

/// What the bits in memory mean.
trait FromMemory {
    const IS_PLAIN: bool;

    fn from_memory(bits: u64) -> Self;
}

impl FromMemory for bool {
    const IS_PLAIN: bool = false;

    /// Every byte but 0 is true.
    #[inline(always)]
    fn from_memory(bits: u64) -> bool {
        bits != 0
    }
}

macro_rules! from_memory {
    ($($type:ty)*) => {$(
        impl FromMemory for $type {
            const IS_PLAIN: bool = true;

            #[inline(always)]
            fn from_memory(bits: u64) -> Self {
                <Self as Pooled>::of_bits(bits)
            }
        }
    )*};
}

from_memory!(u8 u16 u32 u64 f32 f64);

word!(bool, Bool, 1, |bits| bits & 1 == 1, u64::from);
word!(u8, Byte, 1, |bits| bits as u8, u64::from);
word!(u16, Half, 2, |bits| bits as u16, u64::from);
word!(u32, Word, 4, |bits| bits as u32, u64::from);
word!(u64, Long, 8, |bits| bits, |bits| bits);
word!(f32, Single, 4, |bits| f32::from_bits(bits as u32), |value: f32| u64::from(value.to_bits()));
word!(f64, Double, 8, f64::from_bits, f64::to_bits);

/// The Rust type that holds an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `bool`.
    Bool,
    /// `u8`.
    Byte,
    /// `u16`.
    Half,
    /// `u32`.
    Word,
    /// `u64`.
    Long,
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

impl Kind {
    /// The bytes that one element takes.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Kind::Bool | Kind::Byte => 1,
            Kind::Half => 2,
            Kind::Word | Kind::Single => 4,
            Kind::Long | Kind::Double => 8,
        }
    }

    /// What holds the numbers of an element type.
    pub(crate) fn of(element: Element) -> Kind {
        match element {
            Element::I1 => Kind::Bool,
            Element::I16 | Element::F16 | Element::BF16 => Kind::Half,
            Element::I32 | Element::TF32 => Kind::Word,
            Element::I64 => Kind::Long,
            Element::F32 => Kind::Single,
            Element::F64 => Kind::Double,
            _ => Kind::Byte,
        }
    }
}

/// Names the Rust type of a [`Kind`] and evaluates an expression with it.
macro_rules! with_kind {
    ($kind:expr, $word:ident => $body:expr) => {
        match $kind {
            $crate::values::tile::Kind::Bool => {
                type $word = bool;
                $body
            }
            $crate::values::tile::Kind::Byte => {
                type $word = u8;
                $body
            }
            $crate::values::tile::Kind::Half => {
                type $word = u16;
                $body
            }
            $crate::values::tile::Kind::Word => {
                type $word = u32;
                $body
            }
            $crate::values::tile::Kind::Long => {
                type $word = u64;
                $body
            }
            $crate::values::tile::Kind::Single => {
                type $word = f32;
                $body
            }
            $crate::values::tile::Kind::Double => {
                type $word = f64;
                $body
            }
        }
    };
}

pub(crate) use with_kind;

impl Tile {
    /// What holds its elements.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Tile::Bool(_) => Kind::Bool,
            Tile::Byte(_) => Kind::Byte,
            Tile::Half(_) => Kind::Half,
            Tile::Word(_) => Kind::Word,
            Tile::Long(_) => Kind::Long,
            Tile::Single(_) => Kind::Single,
            Tile::Double(_) => Kind::Double,
        }
    }

    /// Whether another value holds the same elements.
    pub(crate) fn is_shared(&self) -> bool {
        match self {
            Tile::Bool(elements) => elements.is_shared(),
            Tile::Byte(elements) => elements.is_shared(),
            Tile::Half(elements) => elements.is_shared(),
            Tile::Word(elements) => elements.is_shared(),
            Tile::Long(elements) => elements.is_shared(),
            Tile::Single(elements) => elements.is_shared(),
            Tile::Double(elements) => elements.is_shared(),
        }
    }

    /// The same tile for another value, without a copy of its elements.
    pub(crate) fn share(&mut self) -> Tile {
        match self {
            Tile::Bool(elements) => Tile::Bool(elements.share()),
            Tile::Byte(elements) => Tile::Byte(elements.share()),
            Tile::Half(elements) => Tile::Half(elements.share()),
            Tile::Word(elements) => Tile::Word(elements.share()),
            Tile::Long(elements) => Tile::Long(elements.share()),
            Tile::Single(elements) => Tile::Single(elements.share()),
            Tile::Double(elements) => Tile::Double(elements.share()),
        }
    }

    /// How many elements are stored: one where all are equal.
    pub(crate) fn stored(&self) -> usize {
        with_kind!(self.kind(), T => T::held(self).count())
    }

    /// Whether its elements are at even distances and not stored.
    #[inline]
    pub(crate) fn is_even(&self) -> bool {
        match self {
            Tile::Byte(elements) => matches!(elements, Elements::Even(_)),
            Tile::Half(elements) => matches!(elements, Elements::Even(_)),
            Tile::Word(elements) => matches!(elements, Elements::Even(_)),
            Tile::Long(elements) => matches!(elements, Elements::Even(_)),
            // Numbers that wrap around are integers of two values or more.
            Tile::Bool(_) | Tile::Single(_) | Tile::Double(_) => false,
        }
    }

    /// Stores its elements if they are not.
    #[inline]
    pub(crate) fn expand(&mut self) {
        if self.is_even() {
            with_kind!(self.kind(), T => T::held_mut(self).expand());
        }
    }

    /// A tile whose elements all have these bits.
    pub(crate) fn splat(kind: Kind, bits: u64) -> Tile {
        with_kind!(kind, T => T::of_bits(bits).splat())
    }

    /// A tile of elements with these bits.
    pub(crate) fn from_bits(kind: Kind, bits: &[u64]) -> Tile {
        with_kind!(kind, T => T::tile(bits.iter().map(|&bits| T::of_bits(bits)).collect()))
    }

    /// The bits of the element at `index`.
    pub(crate) fn bits(&self, index: usize) -> u64 {
        with_kind!(self.kind(), T => at(T::of(self), index).bits())
    }
}

/// The element at `index` of a tile that may be stored as one element.
#[inline(always)]
pub(crate) fn at<T: Copy>(elements: &[T], index: usize) -> T {
    if elements.len() == 1 { elements[0] } else { elements[index] }
}

/// All `count` elements of a tile that may be stored as one element.
pub(crate) fn full<T: Word>(elements: &[T], count: usize) -> std::borrow::Cow<'_, [T]> {
    if elements.len() == 1 && count != 1 { vec![elements[0]; count].into() } else { elements.into() }
}
