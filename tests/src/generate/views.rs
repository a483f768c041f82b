//! Loads through partition, strided and gather/scatter views, with constant and dynamic extents, and their shapes.

use super::builder::{Builder, Profile};
use super::literals::Range;
use super::pointers::is_storable;
use super::types::{Tile, commas, times};
use super::want::{load_order, want};
use tile_dialect::{Element, Mnemonic, NUMBERS};

/// The ops of this module.
pub(super) const OPS: &[Mnemonic] = &[
    Mnemonic::MakePartitionView,
    Mnemonic::MakeStridedView,
    Mnemonic::MakeGatherScatterView,
    Mnemonic::MakeTensorView,
    Mnemonic::GetTensorShape,
    Mnemonic::GetIndexSpaceShape,
    Mnemonic::LoadViewTko,
];

/// A tensor view of a new buffer.
struct Tensor {
    name: String,
    ty: String,
    element: Element,
    shape: Vec<u32>,
}

/// Adds a tensor view with a view of the kind that `op` makes, and a load through it. Returns whether it did.
pub(super) fn add(builder: &mut Builder, op: Mnemonic) -> bool {
    let kind = match op {
        Mnemonic::MakePartitionView | Mnemonic::MakeStridedView | Mnemonic::MakeGatherScatterView => op,
        _ => builder.pick(&OPS[..3]),
    };
    let element = element(builder);
    if !is_storable(element) {
        return false;
    }
    let rank = builder.rng.usize(1..=3);
    let shape: Vec<u32> = (0..rank).map(|_| builder.rng.u32(1..=if rank == 1 { 40 } else { 7 })).collect();
    let tensor = tensor(builder, element, &shape);
    if op == Mnemonic::GetTensorShape || builder.chance(10) {
        shape_of(builder, "get_tensor_shape", &tensor.name, &tensor.ty, rank);
    }
    match kind {
        Mnemonic::MakeGatherScatterView => gather(builder, &tensor),
        _ => partition(builder, &tensor, kind, op == Mnemonic::GetIndexSpaceShape),
    }
    true
}

fn element(builder: &mut Builder) -> Element {
    let all: Vec<Element> = NUMBERS.iter().copied().filter(|&element| is_allowed(builder.profile, element)).collect();
    builder.pick(&all)
}

/// Whether programs of a profile can have buffers of this element.
pub(super) fn is_allowed(profile: Profile, element: Element) -> bool {
    match profile {
        Profile::Cpu => true,
        Profile::Integers => element.is_int(),
        Profile::Gpu => !matches!(element, Element::F8E8M0FNU | Element::F4E2M1FN | Element::FNv8E5M3FNU),
    }
}

/// Adds a tensor view with random strides over a new buffer, and random choices of constant and dynamic extents.
fn tensor(builder: &mut Builder, element: Element, shape: &[u32]) -> Tensor {
    // The dimensions from the innermost to the outermost in memory.
    let mut order: Vec<usize> = (0..shape.len()).rev().collect();
    if builder.chance(25) {
        builder.rng.shuffle(&mut order);
    }
    let mut strides = vec![0; shape.len()];
    let mut size = if builder.chance(15) { 2 } else { 1 };
    for dim in order {
        strides[dim] = size;
        size *= shape[dim];
        if builder.chance(15) {
            size += builder.rng.u32(1..=3);
        }
    }
    let base = builder.input(element, size, Range::Any);
    let index = builder.pick(&["i32", "i32", "i64", "i16"]);
    let mut dynamic = 0;
    let mut listed = |builder: &mut Builder, extents: &[u32]| -> (Vec<String>, Vec<String>) {
        let one = |extent: &u32| {
            if builder.chance(70) {
                return (extent.to_string(), extent.to_string());
            }
            dynamic += 1;
            let index = Element::from_name(index).expect("an element");
            let value = if builder.rng.bool() {
                builder.scalar(index, &extent.to_string())
            } else {
                builder.splat(&Tile::scalar(index), extent)
            };
            (value, "?".to_string())
        };
        extents.iter().map(one).unzip()
    };
    let (extents, extent_types) = listed(builder, shape);
    let (steps, step_types) = listed(builder, &strides);
    let ty = format!("tensor_view<{}x{element}, strides=[{}]>", extent_types.join("x"), step_types.join(","));
    let before = if dynamic > 0 { format!("tile<{index}> -> ") } else { String::new() };
    let name = builder.op(&format!(
        "make_tensor_view {base}, shape = [{}], strides = [{}] : {before}{ty}",
        commas(&extents),
        commas(&steps)
    ));
    Tensor { name, ty, element, shape: shape.to_vec() }
}

fn shape_of(builder: &mut Builder, op: &str, view: &str, ty: &str, rank: usize) {
    let element = builder.pick(&[Element::I8, Element::I16, Element::I32, Element::I64]);
    let names: Vec<String> = (0..rank).map(|_| builder.name()).collect();
    let scalar = Tile::scalar(element);
    builder.line(&format!("{} = {op} {view} : {ty} -> {scalar}", names.join(", ")));
    names.iter().for_each(|name| builder.keep(name, &scalar));
}

/// The padding of a view, or nothing if no element is beyond the edge.
fn padding(builder: &mut Builder, element: Element, is_needed: bool) -> String {
    if !is_needed && builder.rng.bool() {
        return String::new();
    }
    let values: &[&str] = match element {
        Element::F8E8M0FNU | Element::FNv8E5M3FNU | Element::F8E4M3FN => &["zero"],
        _ if element.is_float() => &["zero", "neg_zero", "nan", "pos_inf", "neg_inf"],
        _ => &["zero"],
    };
    format!("padding_value = {}, ", builder.pick(values))
}

/// A partition view or a strided view, whose tiles can overlap.
fn partition(builder: &mut Builder, tensor: &Tensor, op: Mnemonic, wants_shape: bool) {
    let rank = tensor.shape.len();
    let mut map: Vec<usize> = (0..rank).collect();
    if rank > 1 && builder.chance(25) {
        builder.rng.shuffle(&mut map);
    }
    let tile: Vec<u32> = (0..rank).map(|_| 1 << builder.rng.u32(0..=if rank == 1 { 5 } else { 2 })).collect();
    let is_strided = op == Mnemonic::MakeStridedView;
    let steps: Vec<u32> =
        tile.iter().map(|&extent| if is_strided { builder.rng.u32(1..=extent + 2) } else { extent }).collect();
    // The number of tiles along each dimension, and whether all of their elements are inside.
    let extents: Vec<u32> = map.iter().map(|&dim| tensor.shape[dim]).collect();
    let counts: Vec<u32> = extents.iter().zip(&steps).map(|(extent, step)| extent.div_ceil(*step)).collect();
    let is_inside: Vec<bool> =
        (0..rank).map(|dim| (counts[dim] - 1) * steps[dim] + tile[dim] <= extents[dim]).collect();
    let padding = padding(builder, tensor.element, !is_inside.iter().all(|&inside| inside));
    let traversal = if is_strided { format!("traversal_strides=[{}], ", commas(&steps)) } else { String::new() };
    let dim_map = if map.is_sorted() { String::new() } else { format!(", dim_map=[{}]", commas(&map)) };
    let (kind, make) =
        if is_strided { ("strided_view", "make_strided_view") } else { ("partition_view", "make_partition_view") };
    let ty = format!("{kind}<tile=({}), {traversal}{padding}{}{dim_map}>", times(&tile), tensor.ty);
    let view = builder.op(&format!("{make} {} : {ty}", tensor.name));
    if wants_shape || builder.chance(10) {
        shape_of(builder, "get_index_space_shape", &view, &ty, rank);
    }
    let scalar = Tile::scalar(builder.pick(&[Element::I32, Element::I32, Element::I64, Element::I16]));
    let indices: Vec<String> = counts.iter().map(|&count| index(builder, &scalar, count)).collect();
    let result = Tile::new(tensor.element, &tile);
    let inbounds = if builder.chance(20) {
        let flags: Vec<String> = is_inside.iter().map(|&inside| (inside && builder.rng.bool()).to_string()).collect();
        format!(" inbounds = [{}]", flags.join(", "))
    } else {
        String::new()
    };
    let order = load_order(builder);
    load(builder, &result, &format!("{order} {view}[{}]{inbounds} : {ty}, {scalar}", indices.join(", ")));
}

/// An index from 0 to `count` - 1: a constant, or the block's number or any number modulo a power of two.
fn index(builder: &mut Builder, scalar: &Tile, count: u32) -> String {
    let power = 1 << count.ilog2();
    match builder.rng.u32(..3) {
        0 => {
            let number = builder.rng.u32(..count);
            builder.splat(scalar, number)
        }
        1 if scalar.element == Element::I32 => {
            let (block, mask) = (builder.block.clone(), builder.splat(scalar, power - 1));
            builder.op(&format!("andi {block}, {mask} : {scalar}"))
        }
        _ => {
            let (any, mask) = (want(builder, scalar), builder.splat(scalar, power - 1));
            builder.op(&format!("andi {any}, {mask} : {scalar}"))
        }
    }
}

/// A gather/scatter view.
fn gather(builder: &mut Builder, tensor: &Tensor) {
    let rank = tensor.shape.len();
    let sparse = builder.rng.usize(..rank);
    let tile: Vec<u32> = (0..rank).map(|_| 1 << builder.rng.u32(0..=if rank == 1 { 5 } else { 2 })).collect();
    let wide = Tile::new(builder.pick(&[Element::I32, Element::I32, Element::I64]), &[tile[sparse]]);
    // Some indices can be past the end, but the first one never is.
    let rows = if builder.rng.bool() {
        let places = builder.op(&format!("iota : {wide}"));
        if builder.rng.bool() {
            let mask = builder.splat(&wide, 5);
            builder.op(&format!("andi {places}, {mask} : {wide}"))
        } else {
            places
        }
    } else {
        let (any, mask) = (want(builder, &wide), builder.splat(&wide, (1 << tensor.shape[sparse].ilog2()) - 1));
        builder.op(&format!("andi {any}, {mask} : {wide}"))
    };
    let padding = padding(builder, tensor.element, true);
    let ty = format!("gather_scatter_view<tile=({}), {padding}{}, sparse_dim={sparse}>", times(&tile), tensor.ty);
    let view = builder.op(&format!("make_gather_scatter_view {} : {ty}", tensor.name));
    let scalar = Tile::scalar(wide.element);
    let mut indices = Vec::new();
    let mut types = Vec::new();
    for (dim, &extent) in tensor.shape.iter().enumerate() {
        // Along the other dimensions, the index is that of an element.
        let (value, ty) = if dim == sparse {
            (rows.clone(), wide.clone())
        } else {
            (index(builder, &scalar, extent), scalar.clone())
        };
        indices.push(value);
        types.push(ty.to_string());
    }
    let result = Tile::new(tensor.element, &tile);
    let order = load_order(builder);
    load(builder, &result, &format!("{order} {view}[{}] : {ty}, {}", indices.join(", "), types.join(", ")));
}

fn load(builder: &mut Builder, tile: &Tile, rest: &str) {
    let (result, token) = (builder.name(), builder.name());
    builder.line(&format!("{result}, {token} = load_view_tko {rest} -> {tile}, token"));
    builder.keep(&result, tile);
}
