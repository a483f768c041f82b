//! The types of views.

use super::shapes::usual;
use super::statement::Statement;
use crate::types::{Access, TensorViewType, TileViewType, Type, TypeKind};
use tile_dialect::OperandName;

impl Statement {
    /// The tensor view of a pointer, with the numbers in its lists.
    pub(super) fn tensor_view(&self) -> Option<Type> {
        let pointer = self.operand(0)?.as_tile()?.pointer()?;
        let (shape, strides) = (self.list(OperandName::DynamicShape), self.list(OperandName::DynamicStrides));
        let (element, attr) = (pointer.to, pointer.attr);
        let view = TensorViewType { element, shape: shape.into(), strides: strides.into(), attr };
        Some(Type::new(TypeKind::TensorView(view)))
    }

    pub(super) fn partition_views(&self) -> Vec<Type> {
        self.tile_views(|rank, _| Access::Partition { dim_map: (0..rank).collect() })
    }

    pub(super) fn strided_views(&self) -> Vec<Type> {
        self.tile_views(|rank, tile| Access::Strided { traversal: tile.into(), dim_map: (0..rank).collect() })
    }

    pub(super) fn gather_scatter_views(&self) -> Vec<Type> {
        self.tile_views(|_, _| Access::GatherScatter { sparse_dim: 0 })
    }

    /// Views of the tensor with the tiles of nearby views and tiles of its rank, or else with usual ones.
    fn tile_views(&self, access: impl Fn(usize, &[i64]) -> Access) -> Vec<Type> {
        let Some(tensor) = self.operand(0) else { return Vec::new() };
        let Some(rank) = tensor.as_tensor_view().map(|view| view.shape.len()) else { return Vec::new() };
        let nearby = self.shapes().into_iter().filter(|shape| shape.len() == rank);
        let view = |tile: Vec<i64>| {
            let access = access(rank, &tile);
            Type::new(TypeKind::TileView(TileViewType { tile: tile.into(), tensor, padding: None, access }))
        };
        nearby.chain([usual(rank)]).map(view).collect()
    }
}
