//! Programs that load tiles of `f32`, compute element by element and store the results, without control flow: the
//! programs that the CPU engine fuses and runs in batches of tile blocks.

use super::builder::Builder;
use super::pointers::{lanes, spread};
use super::types::{Tile, commas, pointers, times};
use tile_dialect::Element;

/// Adds one or two streams.
pub(super) fn add(builder: &mut Builder) {
    for _ in 0..builder.rng.u32(1..=2) {
        stream(builder);
    }
}

/// The elements of a tile in a buffer.
struct Place {
    tile: Tile,
    /// The distance from the elements of one tile block to those of the next.
    step: u32,
    /// The number of elements before those of the first block.
    first: u32,
    /// The number of elements of the buffer; the mask of an access excludes those past the end.
    size: u32,
}

impl Place {
    /// The whole tile of each block, one after another.
    fn own(builder: &Builder, tile: &Tile) -> Place {
        Place { tile: tile.clone(), step: tile.count(), first: 0, size: tile.count() * builder.blocks() }
    }

    /// A random place, whose elements can be those of several blocks.
    fn any(builder: &mut Builder, tile: &Tile) -> Place {
        let count = tile.count();
        let step = builder.pick(&[count, count, count, 0, 1, count / 2, count + 3]);
        let first = builder.pick(&[0, 0, 0, 1, 16]);
        let end = first + step * (builder.blocks() - 1) + count;
        let size = if builder.chance(20) { builder.rng.u32(1..=end) } else { end };
        Place { tile: tile.clone(), step, first, size }
    }

    /// Adds the pointers, and the mask with its type if some elements are past the end.
    fn pointers(&self, builder: &mut Builder, base: &str) -> (String, Option<String>) {
        let index = self.tile.of(Element::I32);
        let scalar = Tile::scalar(Element::I32);
        let (block, step) = (builder.block.clone(), builder.splat(&scalar, self.step));
        let mut start = builder.op(&format!("muli {block}, {step} : {scalar}"));
        if self.first > 0 {
            let first = builder.splat(&scalar, self.first);
            start = builder.op(&format!("addi {start}, {first} : {scalar}"));
        }
        let (within, starts) = (lanes(builder, &index, 1), spread(builder, &start, &index));
        let at = builder.op(&format!("addi {starts}, {within} : {index}"));
        let ones = pointers(Element::F32, &vec![1; index.rank()]);
        let (one, many) = (pointers(Element::F32, &[]), pointers(Element::F32, &index.shape));
        let single = builder.op(&format!("reshape {base} : {one} -> {ones}"));
        let all = builder.op(&format!("broadcast {single} : {ones} -> {many}"));
        let all = builder.op(&format!("offset {all}, {at} : {many}, {index} -> {many}"));
        let end = self.first + self.step * (builder.blocks() - 1) + self.tile.count();
        if self.size >= end {
            return (all, None);
        }
        let size = builder.splat(&index, self.size);
        let truth = index.of(Element::I1);
        let mask = builder.op(&format!("cmpi less_than {at}, {size}, signed : {index} -> {truth}"));
        (all, Some(mask))
    }
}

/// Only consecutive ops are fused, so the addresses and the constants come first.
fn stream(builder: &mut Builder) {
    let shape = builder.pick(&[vec![64], vec![64], vec![128], vec![8, 8], vec![4, 32], vec![2, 4, 16]]);
    let tile = Tile::new(Element::F32, &shape);
    let ty = pointers(Element::F32, &tile.shape);
    let mut accesses = Vec::new();
    let mut values: Vec<String> = (0..builder.rng.u32(1..=3)).map(|_| load(builder, &tile, &mut accesses)).collect();
    let own = Place::own(builder, &tile);
    let (value, token) = (builder.name(), builder.name());
    let is_updated = builder.chance(30);
    let store = if is_updated {
        // A buffer that is read and written.
        let base = builder.filled(Element::F32, own.size);
        let (at, _) = own.pointers(builder, &base);
        accesses.push(format!("{value}, {token} = load_ptr_tko weak {at} : {ty} -> {tile}, token"));
        values.push(value);
        [format!("store_ptr_tko weak {at}, "), format!(" token = {token} : {ty}, {tile} -> token")]
    } else if builder.rng.bool() {
        let base = builder.output(Element::F32, own.size);
        let (at, _) = own.pointers(builder, &base);
        [format!("store_ptr_tko weak {at}, "), format!(" : {ty}, {tile} -> token")]
    } else {
        let base = builder.output(Element::F32, own.size);
        let (view, ty, index) = view(builder, &tile, &base);
        ["store_view_tko weak ".to_string(), format!(", {view}[{index}] : {tile}, {ty}, tile<i32> -> token")]
    };
    let number = builder.pick(&["0.5", "-3.0", "0x7F800000", "1.0e-40"]);
    let constant = builder.splat(&tile, number);
    accesses.iter().for_each(|access| builder.line(access));
    for _ in 0..builder.rng.u32(1..=4) {
        let value = compute(builder, &tile, &values, &constant);
        if builder.chance(70) {
            // An intermediate value without other uses.
            values.pop();
        }
        values.push(value);
    }
    let value = values.last().cloned().unwrap_or_default();
    let name = builder.name();
    builder.line(&format!("{name} = {}", store.join(&value)));
}

/// Adds the address of a load, and the load itself to `accesses`. Returns the name of its result.
fn load(builder: &mut Builder, tile: &Tile, accesses: &mut Vec<String>) -> String {
    let (value, token) = (builder.name(), builder.name());
    if builder.chance(30) {
        let base = builder.filled(Element::F32, tile.count() * builder.blocks());
        let (view, ty, index) = view(builder, tile, &base);
        let types = format!("{ty}, tile<i32> -> {tile}, token");
        accesses.push(format!("{value}, {token} = load_view_tko weak {view}[{index}] : {types}"));
        return value;
    }
    let place = Place::any(builder, tile);
    let base = builder.filled(Element::F32, place.size);
    let (at, mask) = place.pointers(builder, &base);
    let ty = pointers(Element::F32, &tile.shape);
    let (operands, types) = match mask {
        None => (at, ty),
        Some(mask) => {
            let padding = builder.splat(tile, "0.5");
            (format!("{at}, {mask}, {padding}"), format!("{ty}, {}, {tile}", tile.of(Element::I1)))
        }
    };
    accesses.push(format!("{value}, {token} = load_ptr_tko weak {operands} : {types} -> {tile}, token"));
    value
}

/// A partition view of a buffer, whose tiles along the first dimension are those of the blocks. Returns its name, its
/// type and the index.
fn view(builder: &mut Builder, tile: &Tile, base: &str) -> (String, String, String) {
    let mut shape = tile.shape.clone();
    shape[0] *= builder.blocks();
    let mut strides = vec![1; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim] * shape[dim];
    }
    let tensor = format!("tensor_view<{}xf32, strides=[{}]>", times(&shape), commas(&strides));
    let ty = format!("partition_view<tile=({}), {tensor}>", times(&tile.shape));
    let lists = format!("shape = [{}], strides = [{}]", commas(&shape), commas(&strides));
    let made = builder.op(&format!("make_tensor_view {base}, {lists} : {tensor}"));
    let view = builder.op(&format!("make_partition_view {made} : {ty}"));
    let mut index = vec![builder.block.clone()];
    if tile.rank() > 1 {
        let zero = builder.splat(&Tile::scalar(Element::I32), 0);
        index.resize(tile.rank(), zero);
    }
    (view, ty, commas(&index))
}

/// An op on some of the values, always the last one.
fn compute(builder: &mut Builder, tile: &Tile, values: &[String], constant: &str) -> String {
    let last = values.last().cloned().unwrap_or_default();
    let any = |builder: &mut Builder| {
        if builder.chance(25) { constant.to_string() } else { builder.pick(values) }
    };
    let other = any(builder);
    let op = builder.pick(&["addf", "subf", "mulf", "divf", "fma"]);
    let third = if op == "fma" { format!(", {}", any(builder)) } else { String::new() };
    let (left, right) = if builder.rng.bool() { (last, other) } else { (other, last) };
    let modifier = if builder.chance(10) { " rounding<zero>" } else { "" };
    builder.op(&format!("{op} {left}, {right}{third}{modifier} : {tile}"))
}
