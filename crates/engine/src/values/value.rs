//! Run-time values of a program.

use crate::values::tile::Tile;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A tile.
    Tile(Tile),
    /// A view of any kind. Its tiling is part of its type.
    View(Arc<Tensor>),
    /// A token, which has no contents.
    Token,
}

/// A tensor in memory.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    /// The address of the element at index 0.
    pub(crate) base: u64,
    /// The extents.
    pub(crate) shape: Box<[i64]>,
    /// The strides in elements.
    pub(crate) strides: Box<[i64]>,
}

impl Value {
    /// Returns the tile. Panics if the value is not a tile: the plan of an op knows the kinds of its operands, so this
    /// would be a bug in the engine.
    #[inline]
    pub(crate) fn tile(&self) -> &Tile {
        match self {
            Value::Tile(tile) => tile,
            other => unreachable!("a tile, not {other:?}"),
        }
    }

    /// Takes the tile and leaves a token. Panics if the value is not a tile.
    pub(crate) fn take_tile(&mut self) -> Tile {
        match std::mem::replace(self, Value::Token) {
            Value::Tile(tile) => tile,
            other => unreachable!("a tile, not {other:?}"),
        }
    }

    /// Takes the tile if no other value shares its elements.
    pub(crate) fn own_tile(&mut self) -> Option<Tile> {
        if self.tile().is_shared() { None } else { Some(self.take_tile()) }
    }

    /// Returns a tile to modify: the tile itself if no other value shares its elements, otherwise a copy.
    pub(crate) fn own_or_copy(&mut self) -> Tile {
        self.own_tile().unwrap_or_else(|| self.tile().clone())
    }

    /// The same value for another reader, without copying its contents.
    #[inline]
    pub(crate) fn share(&mut self) -> Value {
        match self {
            Value::Tile(tile) => Value::Tile(tile.share()),
            Value::View(view) => Value::View(view.clone()),
            Value::Token => Value::Token,
        }
    }

    /// Whether it is an affine tile, whose elements are not stored.
    #[inline]
    pub(crate) fn is_affine(&self) -> bool {
        matches!(self, Value::Tile(tile) if tile.is_affine())
    }

    /// Stores the elements of an affine tile.
    #[inline]
    pub(crate) fn expand(&mut self) {
        if let Value::Tile(tile) = self {
            tile.expand();
        }
    }

    /// Returns the view. Panics if the value is not a view.
    pub(crate) fn view(&self) -> &Arc<Tensor> {
        match self {
            Value::View(view) => view,
            other => unreachable!("a view, not {other:?}"),
        }
    }
}

impl From<Tile> for Value {
    fn from(tile: Tile) -> Value {
        Value::Tile(tile)
    }
}
