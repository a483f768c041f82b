//! Ops that rearrange elements.

use super::builder::{Builder, Profile, Value};
use super::elementwise::without_nan;
use super::types::{Tile, commas, shape_of};
use super::want::{iota_fits, want};
use tile_dialect::{Element, Mnemonic, NUMBERS};

/// The ops of this module.
pub(super) const OPS: &[Mnemonic] = &[
    Mnemonic::Iota,
    Mnemonic::Reshape,
    Mnemonic::Broadcast,
    Mnemonic::Permute,
    Mnemonic::Cat,
    Mnemonic::Extract,
    Mnemonic::Insert,
    Mnemonic::Pack,
    Mnemonic::Unpack,
];

/// Adds an op. Returns whether it did.
pub(super) fn add(builder: &mut Builder, op: Mnemonic) -> bool {
    let source = builder.any();
    let Value { name, tile } = source;
    let result = match op {
        Mnemonic::Iota => {
            let element = builder.pick(&[Element::I1, Element::I8, Element::I16, Element::I32, Element::I64]);
            let count = 1 << builder.rng.u32(0..=6);
            let tile = Tile::new(element, &[count]);
            if !iota_fits(&tile) {
                return false;
            }
            Some((format!("iota : {tile}"), tile))
        }
        Mnemonic::Reshape => {
            let to = Tile::new(tile.element, &shape_of(&mut builder.rng, tile.count()));
            Some((format!("reshape {name} : {tile} -> {to}"), to))
        }
        Mnemonic::Broadcast => broadcast(builder, &name, &tile),
        Mnemonic::Permute if tile.rank() >= 2 => {
            let mut order: Vec<usize> = (0..tile.rank()).collect();
            builder.rng.shuffle(&mut order);
            let shape: Vec<u32> = order.iter().map(|&dim| tile.shape[dim]).collect();
            let to = Tile::new(tile.element, &shape);
            Some((format!("permute {name} [{}] : {tile} -> {to}", commas(&order)), to))
        }
        Mnemonic::Cat if tile.rank() > 0 && tile.count() <= 32 => {
            let other = want(builder, &tile);
            let dim = builder.rng.usize(..tile.rank());
            let mut to = tile.clone();
            to.shape[dim] *= 2;
            Some((format!("cat {name}, {other} dim = {dim} : {tile}, {tile} -> {to}"), to))
        }
        Mnemonic::Extract => {
            let (slice, index) = slice(builder, &tile);
            Some((format!("extract {name}[{}] : {tile} -> {slice}", commas(&index)), slice))
        }
        Mnemonic::Insert => {
            let (slice, index) = slice(builder, &tile);
            if slice.element.bits() == 4 && slice.count() % 2 == 1 {
                return false;
            }
            let part = want(builder, &slice);
            Some((format!("insert {part}, {name}[{}] : {slice}, {tile}", commas(&index)), tile))
        }
        Mnemonic::Pack => pack(builder, &name, &tile),
        Mnemonic::Unpack => unpack(builder, &name, &tile),
        _ => None,
    };
    let Some((op, tile)) = result.filter(|(_, tile)| tile.element.bits() != 4 || tile.count() % 2 == 0) else {
        return false;
    };
    builder.define(&tile, &op);
    true
}

fn broadcast(builder: &mut Builder, name: &str, tile: &Tile) -> Option<(String, Tile)> {
    if tile.shape.is_empty() {
        // A dimension of extent 1 to repeat.
        let one = Tile::new(tile.element, &[1]);
        let name = builder.op(&format!("reshape {name} : {tile} -> {one}"));
        let to = Tile::new(tile.element, &[1 << builder.rng.u32(0..=5)]);
        return Some((format!("broadcast {name} : {one} -> {to}"), to));
    }
    let mut to = tile.clone();
    for extent in &mut to.shape {
        if *extent == 1 {
            *extent = 1 << builder.rng.u32(0..=2);
        }
    }
    (to.count() <= 64).then(|| (format!("broadcast {name} : {tile} -> {to}"), to))
}

/// The type of a slice of a tile, and the index of one.
fn slice(builder: &mut Builder, tile: &Tile) -> (Tile, Vec<String>) {
    let mut to = tile.clone();
    let mut index = Vec::new();
    let i32s = Tile::scalar(Element::I32);
    for extent in &mut to.shape {
        let parts = 1u32 << builder.rng.u32(0..=extent.ilog2());
        *extent /= parts;
        let number = if builder.rng.bool() {
            let number = builder.rng.u32(..parts);
            builder.splat(&i32s, number)
        } else {
            let (any, mask) = (want(builder, &i32s), builder.splat(&i32s, parts - 1));
            builder.op(&format!("andi {any}, {mask} : {i32s}"))
        };
        index.push(number);
    }
    (to, index)
}

fn pack(builder: &mut Builder, name: &str, tile: &Tile) -> Option<(String, Tile)> {
    let bits = tile.count() * tile.element.bits();
    if tile.rank() != 1 || tile.element.bits() == 8 || !bits.is_multiple_of(8) || tile.element == Element::TF32 {
        return None;
    }
    let name = if builder.profile == Profile::Gpu { without_nan(builder, name, tile) } else { name.to_string() };
    let to = Tile::new(Element::I8, &[bits / 8]);
    (to.count() <= 256).then(|| (format!("pack {name} : {tile} -> {to}"), to))
}

fn unpack(builder: &mut Builder, _: &str, _: &Tile) -> Option<(String, Tile)> {
    let bytes = builder.find(|tile| tile.element == Element::I8 && tile.rank() == 1)?;
    let narrow = [Element::I4];
    let elements: Vec<Element> = NUMBERS.iter().chain(&narrow).copied().collect();
    let element = builder.pick(&elements);
    let is_wrong = match builder.profile {
        Profile::Cpu => false,
        Profile::Gpu => element.bits() == 4 || matches!(element, Element::F8E8M0FNU | Element::FNv8E5M3FNU),
        Profile::Integers => !element.is_int(),
    };
    let bits = bytes.tile.count() * 8;
    if is_wrong || matches!(element.bits(), 8 | 19) || bits % element.bits() != 0 || bits / element.bits() > 64 {
        return None;
    }
    let to = Tile::new(element, &[bits / element.bits()]);
    Some((format!("unpack {} : {} -> {to}", bytes.name, bytes.tile), to))
}
