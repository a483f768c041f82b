//! Tiles of pointers into buffers.

use super::builder::Builder;
use super::types::{Tile, commas, pointers, times};
use tile_dialect::Element;

/// Whether a buffer can have this element.
pub(super) fn is_storable(element: Element) -> bool {
    !matches!(element, Element::I4 | Element::F4E2M1FN)
}

/// Elements of a buffer.
pub(super) struct Elements {
    /// The type of the tile that is loaded or stored.
    pub(super) tile: Tile,
    /// Whether each tile block has its own.
    pub(super) own: bool,
    /// The distance of neighbors.
    pub(super) stride: u32,
}

impl Elements {
    pub(super) fn new(tile: &Tile, own: bool) -> Elements {
        Elements { tile: tile.clone(), own, stride: 1 }
    }

    /// The number of elements of the buffer.
    pub(super) fn count(&self, builder: &Builder) -> u32 {
        self.tile.count() * self.stride * if self.own { builder.blocks() } else { 1 }
    }

    /// Adds the pointers to these elements of a buffer.
    pub(super) fn pointers(&self, builder: &mut Builder, base: &str) -> String {
        let Elements { tile, own, stride } = self;
        let index = index_type(builder);
        let base = through_integers(builder, base, tile.element);
        let scalar = Tile::scalar(index);
        let first = own.then(|| {
            let size = builder.splat(&scalar, tile.count() * stride);
            let block = as_index(builder, index);
            builder.op(&format!("muli {block}, {size} : {scalar}"))
        });
        let element = tile.element;
        let one = pointers(element, &[]);
        if tile.shape.is_empty() {
            return match first {
                Some(first) => builder.op(&format!("offset {base}, {first} : {one}, {scalar} -> {one}")),
                None => base,
            };
        }
        // Either the pointer or the index begins at the block's elements.
        let by_index = builder.rng.bool();
        let base = match &first {
            Some(first) if !by_index => builder.op(&format!("offset {base}, {first} : {one}, {scalar} -> {one}")),
            _ => base,
        };
        let mut at = lanes(builder, &tile.of(index), *stride);
        if let Some(first) = first.filter(|_| by_index) {
            let first = spread(builder, &first, &tile.of(index));
            at = builder.op(&format!("addi {at}, {first} : {}", tile.of(index)));
        }
        let many = pointers(element, &tile.shape);
        let ones = vec![1; tile.rank()];
        let single = builder.op(&format!("reshape {base} : {one} -> {}", pointers(element, &ones)));
        let all = builder.op(&format!("broadcast {single} : {} -> {many}", pointers(element, &ones)));
        builder.op(&format!("offset {all}, {at} : {many}, {} -> {many}", tile.of(index)))
    }
}

fn index_type(builder: &mut Builder) -> Element {
    if builder.chance(80) { Element::I32 } else { Element::I64 }
}

/// The number of the tile block as a scalar of an index type.
pub(super) fn as_index(builder: &mut Builder, index: Element) -> String {
    let block = builder.block.clone();
    if index == Element::I32 { block } else { builder.op(&format!("exti {block} signed : tile<i32> -> tile<i64>")) }
}

/// Adds a tile with the same integer everywhere.
pub(super) fn spread(builder: &mut Builder, scalar: &str, tile: &Tile) -> String {
    if tile.shape.is_empty() {
        return scalar.to_string();
    }
    let ones = Tile::new(tile.element, &vec![1; tile.rank()]);
    let single = builder.op(&format!("reshape {scalar} : {} -> {ones}", Tile::scalar(tile.element)));
    builder.op(&format!("broadcast {single} : {ones} -> {tile}"))
}

/// Adds a tile with the multiples of a number, in row-major order.
pub(super) fn lanes(builder: &mut Builder, tile: &Tile, stride: u32) -> String {
    let flat = Tile::new(tile.element, &[tile.count()]);
    let mut at = builder.op(&format!("iota : {flat}"));
    if stride != 1 {
        let stride = builder.splat(&flat, stride);
        at = builder.op(&format!("muli {at}, {stride} : {flat}"));
    }
    if tile.rank() == 1 {
        return at;
    }
    builder.op(&format!("reshape {at} : {flat} -> {tile}"))
}

/// Sometimes converts a pointer to an integer or to another type of pointer, and back.
fn through_integers(builder: &mut Builder, base: &str, element: Element) -> String {
    let ty = pointers(element, &[]);
    match builder.rng.u32(..20) {
        0 => {
            let address = builder.op(&format!("ptr_to_int {base} : {ty} -> tile<i64>"));
            builder.op(&format!("int_to_ptr {address} : tile<i64> -> {ty}"))
        }
        1 => {
            let bytes = builder.op(&format!("ptr_to_ptr {base} : {ty} -> tile<ptr<i8>>"));
            builder.op(&format!("ptr_to_ptr {bytes} : tile<ptr<i8>> -> {ty}"))
        }
        2 => builder.op(&format!("assume div_by<16>, {base} : {ty}")),
        _ => base.to_string(),
    }
}

/// The types of a tensor view and of a partition view with one tile, for the elements of `tile` in row-major order.
pub(super) fn dense_view(tile: &Tile) -> (String, String, String) {
    let mut strides = vec![1; tile.rank()];
    for dim in (1..tile.rank()).rev() {
        strides[dim - 1] = strides[dim] * tile.shape[dim];
    }
    let shape = times(&tile.shape);
    let tensor = format!("tensor_view<{shape}x{}, strides=[{}]>", tile.element, commas(&strides));
    let view = format!("partition_view<tile=({shape}), {tensor}>");
    let lists = format!("shape = [{}], strides = [{}]", commas(&tile.shape), commas(&strides));
    (tensor, view, lists)
}
