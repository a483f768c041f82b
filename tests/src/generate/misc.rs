//! Prints, assertions, assumptions, and ops about the grid.

use super::builder::{Builder, Profile, Value};
use super::types::{Tile, signed_range};
use tile_dialect::{Element, Mnemonic};

/// The ops of this module.
pub(super) const OPS: &[Mnemonic] = &[
    Mnemonic::Constant,
    Mnemonic::GetTileBlockId,
    Mnemonic::GetNumTileBlocks,
    Mnemonic::Assume,
    Mnemonic::Assert,
    Mnemonic::PrintTko,
    Mnemonic::GdcWaitTko,
    Mnemonic::GdcLaunchDependentsTko,
];

/// Adds an op. Returns whether it did.
pub(super) fn add(builder: &mut Builder, op: Mnemonic) -> bool {
    match op {
        Mnemonic::Constant => {
            let tile = builder.any().tile;
            if tile.element == Element::I4 {
                return false;
            }
            builder.constant(&tile, super::literals::Range::Any);
            true
        }
        Mnemonic::Assume => assume(builder),
        Mnemonic::Assert => assert(builder),
        Mnemonic::PrintTko => print(builder),
        Mnemonic::GetTileBlockId | Mnemonic::GetNumTileBlocks => {
            let names: Vec<String> = (0..3).map(|_| builder.name()).collect();
            builder.line(&format!("{} = {} : tile<i32>", names.join(", "), op.row().name));
            let scalar = Tile::scalar(Element::I32);
            names.iter().for_each(|name| builder.keep(name, &scalar));
            true
        }
        _ => {
            if builder.loops == 0 && builder.chance(25) {
                builder.op(&format!("{} -> token", op.row().name));
                return true;
            }
            false
        }
    }
}

/// An assumption that holds.
fn assume(builder: &mut Builder) -> bool {
    let is_int = |tile: &Tile| tile.element.is_int() && tile.element.bits() > 4;
    let Some(Value { name, tile }) = builder.find(is_int) else { return false };
    let (low, high) = signed_range(tile.element);
    let (value, predicate) = match builder.rng.u32(..4) {
        0 => (name, format!("bounded<{low}, {high}>")),
        1 => {
            let most = builder.pick(&[1, 7, 100]);
            let mask = builder.splat(&tile, if most == 100 { 64 } else { most });
            (builder.op(&format!("andi {name}, {mask} : {tile}")), format!("bounded<0, {most}>"))
        }
        2 => {
            let by = builder.pick(&[2, 4, 16]);
            let factor = builder.splat(&tile, by);
            (builder.op(&format!("muli {name}, {factor} : {tile}")), format!("div_by<{by}>"))
        }
        _ if !tile.shape.is_empty() => {
            let mask = builder.splat(&tile, 0);
            let groups: Vec<String> = tile.shape.iter().map(u32::to_string).collect();
            let zero = builder.op(&format!("andi {name}, {mask} : {tile}"));
            (zero, format!("same_elements<[{}]>", groups.join(", ")))
        }
        _ => (name, format!("bounded<?, {high}>")),
    };
    builder.define(&tile, &format!("assume {predicate}, {value} : {tile}"));
    true
}

/// An assertion that holds.
fn assert(builder: &mut Builder) -> bool {
    let Some(Value { name, tile }) = builder.find(|tile| tile.element.is_int() && tile.element != Element::I4) else {
        return false;
    };
    let truth = tile.of(Element::I1);
    let holds = builder.op(&format!("cmpi less_than_or_equal {name}, {name}, signed : {tile} -> {truth}"));
    builder.line(&format!("assert {holds}, \"a value is not equal to itself\" : {truth}"));
    true
}

/// A print of one or two values, after the previous one.
fn print(builder: &mut Builder) -> bool {
    if builder.depth > 0 || builder.profile == Profile::Gpu {
        return false;
    }
    let conversion = |builder: &mut Builder, element: Element| match element {
        Element::I64 => builder.pick(&["%lli", "%llu", "%llx"]),
        _ if element.is_int() => builder.pick(&["%i", "%u", "%x", "%5d"]),
        _ => builder.pick(&["%f", "%e", "%g", "%.3f"]),
    };
    let is_printable = |tile: &Tile| tile.count() <= 8 && tile.element.bits() != 4 && tile.element != Element::I1;
    let Some(Value { name, tile }) = builder.find(is_printable) else { return false };
    let block = builder.block.clone();
    let conversion = conversion(builder, tile.element);
    let after = builder.printed.as_ref().map_or(String::new(), |token| format!(" token = {token}"));
    let line = format!("print_tko \"%i: {conversion}\\n\", {block}, {name}{after} : tile<i32>, {tile} -> token");
    builder.printed = Some(builder.op(&line));
    true
}
