//! Buffers: the memory that a pointer argument points to.

use super::literal::Number;
use super::{element_by_name, shape};
use serde::{Deserialize, Serialize};
use tile_analysis::number;
use tile_dialect::Element;

/// Elements in memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Buffer {
    /// The element type.
    #[serde(with = "element_by_name")]
    pub element: Element,
    /// The extents, outermost first.
    pub shape: Vec<u64>,
    /// The distances between neighbors along each dimension, in elements.
    pub strides: Vec<u64>,
    /// The memory: little-endian, 4-bit elements in one byte each.
    pub bytes: Vec<u8>,
}

/// The value of an argument before or after a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Value {
    /// A pointer's memory.
    Buffer(Buffer),
    /// A scalar.
    Scalar(Number),
    /// An address of another argument's buffer.
    Address,
}

impl Buffer {
    /// The number of elements of the shape; `None` if the memory is too short for shape and strides.
    pub fn count(&self) -> Option<usize> {
        if self.strides.len() != self.shape.len() {
            return None;
        }
        let needed = usize::try_from(extent(&self.shape, &self.strides)?).ok()?;
        let count = usize::try_from(extent(&self.shape, &row_major(&self.shape)?)?).ok()?;
        (needed.checked_mul(self.element.bytes())? <= self.bytes.len()).then_some(count)
    }

    /// Whether the elements are contiguous in row-major order.
    pub fn is_dense(&self) -> bool {
        row_major(&self.shape).is_some_and(|strides| strides == self.strides)
    }

    /// The elements' memory in row-major order without gaps; `None` as for [`Buffer::count`].
    pub fn dense(&self) -> Option<Vec<u8>> {
        let size = self.element.bytes();
        let count = self.count()?;
        if self.is_dense() {
            return Some(self.bytes[..count * size].to_vec());
        }
        let mut dense = Vec::with_capacity(count.checked_mul(size)?);
        for offset in offsets(&self.shape, &self.strides) {
            dense.extend_from_slice(&self.bytes[offset * size..(offset + 1) * size]);
        }
        Some(dense)
    }

    /// The values in row-major order; `None` as for [`Buffer::count`].
    pub fn values(&self) -> Option<Vec<f64>> {
        Some(number::decode_all(self.element, &self.dense()?))
    }

    /// The position of each element in memory, in elements, in row-major order.
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        offsets(&self.shape, &self.strides)
    }

    /// The indices of an element, from its position in memory.
    pub fn indices(&self, position: u64) -> Vec<u64> {
        let mut left = position;
        let mut order: Vec<usize> = (0..self.shape.len()).collect();
        order.sort_by_key(|&dimension| std::cmp::Reverse(self.strides[dimension]));
        let mut found = vec![0; self.shape.len()];
        for dimension in order {
            let stride = self.strides[dimension].max(1);
            found[dimension] = left / stride;
            left %= stride;
        }
        found
    }

    /// Writes elements, passed in row-major order, to the positions that the strides give.
    pub(super) fn scatter(&mut self, dense: &[u8]) {
        let size = self.element.bytes();
        for (offset, element) in offsets(&self.shape, &self.strides).zip(dense.chunks_exact(size)) {
            self.bytes[offset * size..(offset + 1) * size].copy_from_slice(element);
        }
    }
}

/// The row-major strides of a shape; `None` if one exceeds 64 bits.
pub fn row_major(shape: &[u64]) -> Option<Vec<u64>> {
    let mut strides = vec![1u64; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim].checked_mul(shape[dim].max(1))?;
    }
    Some(strides)
}

/// The number of elements from the start of one replica to the start of the next.
pub(super) fn replica_extent(shape: &[u64], strides: &[u64]) -> Option<u64> {
    extent(shape, strides).map(|extent| extent.max(1))
}

/// The number of elements from the first element of a shape to the last, both included; `None` if it exceeds 64 bits.
pub(super) fn extent(shape: &[u64], strides: &[u64]) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    let last = shape
        .iter()
        .zip(strides)
        .try_fold(0u64, |sum, (extent, stride)| sum.checked_add((extent - 1).checked_mul(*stride)?));
    last?.checked_add(1)
}

/// The offset of each element, in row-major order. The largest offset must lie within memory.
pub(super) fn offsets(shape: &[u64], strides: &[u64]) -> impl Iterator<Item = usize> {
    let shape: Vec<usize> = shape.iter().map(|extent| *extent as usize).collect();
    let strides: Vec<isize> = strides.iter().map(|stride| *stride as isize).collect();
    shape::offsets(0, &shape, &strides)
}
