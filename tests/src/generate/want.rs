//! Values of a given type: one in scope, or a new one.

use super::builder::{Builder, Profile, Value};
use super::literals::Range;
use super::pointers::{Elements, is_storable, spread};
use super::types::{Tile, pointers};
use tile_dialect::Element;

/// A value of this type.
pub(super) fn want(builder: &mut Builder, tile: &Tile) -> String {
    if builder.chance(75)
        && let Some(value) = builder.find(|other| other == tile)
    {
        return value.name;
    }
    make(builder, tile)
}

/// A new value of this type.
fn make(builder: &mut Builder, tile: &Tile) -> String {
    let element = tile.element;
    if element == Element::I4 {
        let wide = want(builder, &tile.of(Element::I8));
        return builder.define(tile, &format!("trunci {wide} : {} -> {tile}", tile.of(Element::I8)));
    }
    match builder.rng.u32(..10) {
        0..6 if is_storable(element) => load(builder, tile, Range::Any),
        6 if element == Element::I32 => {
            let block = builder.block.clone();
            let spread = spread(builder, &block, tile);
            builder.keep(&spread, tile);
            spread
        }
        7 if tile.rank() == 1 && element.is_int() && iota_fits(tile) => builder.define(tile, &format!("iota : {tile}")),
        8 if !tile.shape.is_empty() => match builder.find(|other| *other == Tile::scalar(element)) {
            Some(Value { name, .. }) => {
                let spread = spread(builder, &name, tile);
                builder.keep(&spread, tile);
                spread
            }
            None => builder.constant(tile, Range::Any),
        },
        _ => builder.constant(tile, Range::Any),
    }
}

/// Whether the type has all indices of a tile.
pub(super) fn iota_fits(tile: &Tile) -> bool {
    tile.element.bits() > 32 || u64::from(tile.count()) <= 1 << tile.element.bits()
}

/// A scalar parameter or a tile that is loaded from a new buffer.
pub(super) fn load(builder: &mut Builder, tile: &Tile, range: Range) -> String {
    let own = builder.rng.bool();
    let elements = Elements { stride: if builder.chance(10) { 2 } else { 1 }, ..Elements::new(tile, own) };
    let count = elements.count(builder);
    if count > 512 {
        return builder.constant(tile, range);
    }
    let base = builder.input(tile.element, count, range);
    let at = elements.pointers(builder, &base);
    let order = load_order(builder);
    let (result, token, ty) = (builder.name(), builder.name(), pointers(tile.element, &tile.shape));
    if builder.chance(20) {
        let truth = tile.of(Element::I1);
        let (mask, padding) = (want(builder, &truth), builder.constant(tile, range));
        builder.line(&format!(
            "{result}, {token} = load_ptr_tko {order} {at}, {mask}, {padding} : {ty}, {truth}, {tile} -> {tile}, token"
        ));
    } else {
        builder.line(&format!("{result}, {token} = load_ptr_tko {order} {at} : {ty} -> {tile}, token"));
    }
    builder.keep(&result, tile);
    result
}

/// An order of a load from memory that nothing writes.
pub(super) fn load_order(builder: &mut Builder) -> String {
    match builder.rng.u32(..8) {
        0 => format!("relaxed {}", scope(builder)),
        1 if builder.profile != Profile::Integers => format!("acquire {}", scope(builder)),
        _ => "weak".to_string(),
    }
}

/// A memory scope.
pub(super) fn scope(builder: &mut Builder) -> &'static str {
    builder.pick(&["tl_blk", "device", "sys"])
}
