//! Stores to buffers that are compared after the run. Each tile block stores to its own elements.

use super::builder::Builder;
use super::pointers::{Elements, dense_view, is_storable};
use super::types::{Tile, commas, pointers};
use super::want::{scope, want};
use tile_dialect::Element;

/// The maximum number of elements of a buffer.
const MAX_ELEMENTS: u32 = 1024;

/// Stores a value to a new buffer. Returns whether it did.
pub(super) fn store(builder: &mut Builder, value: &str, tile: &Tile) -> bool {
    let Some((value, tile)) = storable(builder, value, tile) else { return false };
    let elements = Elements::new(&tile, true);
    let count = elements.count(builder);
    if count > MAX_ELEMENTS {
        return false;
    }
    let base = builder.output(tile.element, count);
    put(builder, &elements, &base, &value, true);
    true
}

/// Stores a value that the language leaves open within a tolerance.
pub(super) fn store_open(builder: &mut Builder, value: &str, tile: &Tile, tolerance: &str) {
    let elements = Elements::new(tile, true);
    let count = elements.count(builder);
    if count <= MAX_ELEMENTS && builder.loops == 0 {
        let base = builder.open_output(tile.element, count, tolerance);
        put(builder, &elements, &base, value, false);
    }
}

/// The value itself, or a conversion to an element that buffers can have.
fn storable(builder: &mut Builder, value: &str, tile: &Tile) -> Option<(String, Tile)> {
    if is_storable(tile.element) {
        return Some((value.to_string(), tile.clone()));
    }
    let wide = tile.of(if tile.element == Element::I4 { Element::I32 } else { Element::F32 });
    let op = if tile.element == Element::I4 { "exti" } else { "ftof" };
    let sign = if tile.element == Element::I4 { " signed" } else { "" };
    Some((builder.op(&format!("{op} {value}{sign} : {tile} -> {wide}")), wide))
}

fn put(builder: &mut Builder, elements: &Elements, base: &str, value: &str, can_mask: bool) {
    let tile = &elements.tile;
    if tile.rank() > 0 && builder.chance(35) {
        return put_by_view(builder, tile, base, value);
    }
    let at = elements.pointers(builder, base);
    let order = store_order(builder);
    let ty = pointers(tile.element, &tile.shape);
    if can_mask && builder.chance(20) {
        let truth = tile.of(Element::I1);
        let mask = want(builder, &truth);
        builder.op(&format!("store_ptr_tko {order} {at}, {value}, {mask} : {ty}, {tile}, {truth} -> token"));
    } else {
        builder.op(&format!("store_ptr_tko {order} {at}, {value} : {ty}, {tile} -> token"));
    }
}

/// Stores a tile through a partition view of all blocks' elements: the blocks are along a further first dimension.
fn put_by_view(builder: &mut Builder, tile: &Tile, base: &str, value: &str) {
    let all: Vec<u32> = std::iter::once(builder.blocks()).chain(tile.shape.iter().copied()).collect();
    let (tensor, _, lists) = dense_view(&Tile::new(tile.element, &all));
    let one = Tile::new(tile.element, &[&[1], tile.shape.as_slice()].concat());
    let view = format!("partition_view<tile=({}), {tensor}>", super::types::times(&one.shape));
    let value = builder.op(&format!("reshape {value} : {tile} -> {one}"));
    let made = builder.op(&format!("make_tensor_view {base}, {lists} : {tensor}"));
    let made = builder.op(&format!("make_partition_view {made} : {view}"));
    let zero = builder.splat(&Tile::scalar(Element::I32), 0);
    let mut index = vec![builder.block.clone()];
    index.resize(one.rank(), zero);
    let order = store_order(builder);
    builder
        .op(&format!("store_view_tko {order} {value}, {made}[{}] : {one}, {view}, tile<i32> -> token", commas(&index)));
}

/// An order of a store to memory that nothing else accesses.
pub(super) fn store_order(builder: &mut Builder) -> String {
    match builder.rng.u32(..8) {
        0 => format!("relaxed {}", scope(builder)),
        1 => format!("release {}", scope(builder)),
        _ => "weak".to_string(),
    }
}
