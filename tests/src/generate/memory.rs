//! Memory that is written and read again, with tokens in between: buffers, scratch memory, globals and atomic accesses.

use super::builder::{Builder, Profile, Value};
use super::output::store_order;
use super::pointers::{Elements, dense_view, is_storable, lanes, spread};
use super::types::{Tile, commas, pointers};
use super::want::{scope, want};
use tile_dialect::{Element, Mnemonic};

/// The ops of this module.
pub(super) const OPS: &[Mnemonic] = &[
    Mnemonic::AtomicCasTko,
    Mnemonic::AtomicRmwTko,
    Mnemonic::AtomicRedViewTko,
    Mnemonic::Alloca,
    Mnemonic::GetGlobal,
    Mnemonic::StorePtrTko,
    Mnemonic::LoadPtrTko,
    Mnemonic::StoreViewTko,
    Mnemonic::MemoryFenceAliasTko,
    Mnemonic::MakeToken,
    Mnemonic::JoinTokens,
    Mnemonic::Offset,
    Mnemonic::PtrToInt,
    Mnemonic::IntToPtr,
    Mnemonic::PtrToPtr,
];

/// Adds accesses. Returns whether it did.
pub(super) fn add(builder: &mut Builder, op: Mnemonic) -> bool {
    // A loop would repeat the accesses without a token.
    if builder.loops > 0 {
        return false;
    }
    match op {
        Mnemonic::AtomicCasTko => compare_and_swap(builder),
        Mnemonic::AtomicRmwTko => {
            if builder.rng.bool() {
                modify(builder)
            } else {
                accumulate(builder)
            }
        }
        Mnemonic::AtomicRedViewTko => reduce_view(builder),
        Mnemonic::Alloca => scratch(builder),
        Mnemonic::GetGlobal => global(builder),
        Mnemonic::StoreViewTko => through_views(builder),
        _ => through_pointers(builder),
    }
}

/// A value that can be stored.
fn storable(builder: &mut Builder) -> Option<Value> {
    builder.find(|tile| is_storable(tile.element) && tile.count() <= 64)
}

/// Stores a value and loads it again through the same pointers.
fn through_pointers(builder: &mut Builder) -> bool {
    let Some(Value { name, tile }) = storable(builder) else { return false };
    let elements = Elements::new(&tile, true);
    let count = elements.count(builder);
    if count > 512 {
        return false;
    }
    let base = builder.output(tile.element, count);
    let at = elements.pointers(builder, &base);
    write_and_read(builder, &at, &name, &tile);
    true
}

fn write_and_read(builder: &mut Builder, at: &str, value: &str, tile: &Tile) {
    let ty = pointers(tile.element, &tile.shape);
    let first = token(builder);
    let order = store_order(builder);
    let stored = builder.op(&format!("store_ptr_tko {order} {at}, {value}{first} : {ty}, {tile} -> token"));
    let stored = delayed(builder, &stored);
    let order = if builder.chance(25) { format!("acquire {}", scope(builder)) } else { "weak".to_string() };
    let (result, loaded) = (builder.name(), builder.name());
    builder.line(&format!("{result}, {loaded} = load_ptr_tko {order} {at} token = {stored} : {ty} -> {tile}, token"));
    builder.keep(&result, tile);
    if builder.rng.bool() {
        let next = want(builder, tile);
        builder.op(&format!("store_ptr_tko weak {at}, {next} token = {loaded} : {ty}, {tile} -> token"));
    }
}

/// Sometimes a new token, as an operand.
fn token(builder: &mut Builder) -> String {
    if builder.chance(20) { format!(" token = {}", builder.op("make_token : token")) } else { String::new() }
}

/// A token that depends on another.
fn delayed(builder: &mut Builder, token: &str) -> String {
    match builder.rng.u32(..6) {
        0 => builder.op(&format!("memory_fence_alias_tko {token}")),
        1 => {
            let other = builder.op("make_token : token");
            builder.op(&format!("join_tokens {other}, {token} : token"))
        }
        _ => token.to_string(),
    }
}

/// Stores a value and loads it again through a view of the block's elements.
fn through_views(builder: &mut Builder) -> bool {
    let Some(Value { name, tile }) = storable(builder) else { return false };
    let elements = Elements::new(&Tile::scalar(tile.element), true);
    let count = tile.count() * builder.blocks();
    if tile.shape.is_empty() || count > 512 {
        return false;
    }
    let base = builder.output(tile.element, count);
    let at = own_start(builder, &base, &tile, elements.tile.element);
    let (tensor, view, lists) = dense_view(&tile);
    let made = builder.op(&format!("make_tensor_view {at}, {lists} : {tensor}"));
    let made = builder.op(&format!("make_partition_view {made} : {view}"));
    let zero = builder.splat(&Tile::scalar(Element::I32), 0);
    let index = commas(&vec![zero; tile.rank()]);
    let order = store_order(builder);
    let stored =
        builder.op(&format!("store_view_tko {order} {name}, {made}[{index}] : {tile}, {view}, tile<i32> -> token"));
    let stored = delayed(builder, &stored);
    let (result, token) = (builder.name(), builder.name());
    builder.line(&format!(
        "{result}, {token} = load_view_tko weak {made}[{index}] token = {stored} : {view}, tile<i32> -> {tile}, token"
    ));
    builder.keep(&result, &tile);
    true
}

/// The pointer to the first of the block's elements, which are as many as `tile` has.
fn own_start(builder: &mut Builder, base: &str, tile: &Tile, element: Element) -> String {
    let size = builder.splat(&Tile::scalar(Element::I32), tile.count());
    let block = builder.block.clone();
    let first = builder.op(&format!("muli {block}, {size} : tile<i32>"));
    let ty = pointers(element, &[]);
    builder.op(&format!("offset {base}, {first} : {ty}, tile<i32> -> {ty}"))
}

/// Stores a value to scratch memory and loads it again.
fn scratch(builder: &mut Builder) -> bool {
    let Some(Value { name, tile }) = storable(builder) else { return false };
    let ty = pointers(tile.element, &[]);
    let global = if builder.rng.bool() { " global" } else { "" };
    let count = tile.count();
    let base = builder.op(&format!("alloca num_elem = {count}, alignment = 16{global} : {ty}"));
    let at = Elements::new(&tile, false).pointers(builder, &base);
    write_and_read(builder, &at, &name, &tile);
    true
}

/// Loads the elements of a global.
fn global(builder: &mut Builder) -> bool {
    let elements = [Element::I1, Element::I8, Element::I16, Element::I32, Element::I64, Element::F32, Element::F16];
    let element = builder.pick(if builder.profile == Profile::Integers { &elements[..5] } else { &elements });
    let tile = Tile::new(element, &[1 << builder.rng.u32(0..=4)]);
    let attributes = builder.pick(&["", "constant ", "private ", "private constant "]);
    let name = builder.global(&tile, attributes);
    let base = builder.op(&format!("get_global {name} : {}", pointers(element, &[])));
    let at = Elements::new(&tile, false).pointers(builder, &base);
    let (result, token) = (builder.name(), builder.name());
    let ty = pointers(element, &tile.shape);
    builder.line(&format!("{result}, {token} = load_ptr_tko weak {at} : {ty} -> {tile}, token"));
    builder.keep(&result, &tile);
    true
}

/// A mode of atomic ops for an element.
fn mode(builder: &mut Builder, element: Element, is_commutative: bool) -> Option<&'static str> {
    let modes: &[&str] = match element {
        Element::I32 | Element::I64 if is_commutative => &["add", "and", "or", "xor", "max", "min", "umax", "umin"],
        Element::I32 | Element::I64 => &["add", "and", "or", "xor", "max", "min", "umax", "umin", "xchg"],
        Element::F32 | Element::F64 if !is_commutative => &["addf", "xchg"],
        Element::F16 | Element::BF16 if !is_commutative => &["addf"],
        _ => return None,
    };
    Some(builder.pick(modes))
}

fn order(builder: &mut Builder) -> String {
    format!("{} {}", builder.pick(&["relaxed", "acquire", "release", "acq_rel"]), scope(builder))
}

/// Atomic ops on elements that only this block accesses.
fn modify(builder: &mut Builder) -> bool {
    let Some(Value { name, tile }) = storable(builder) else { return false };
    let Some(mode) = mode(builder, tile.element, false) else { return false };
    let elements = Elements::new(&tile, true);
    let count = elements.count(builder);
    if count > 256 || mode == "addf" && builder.profile == Profile::Gpu {
        return false;
    }
    let base = builder.input(tile.element, count, super::literals::Range::Any);
    let at = elements.pointers(builder, &base);
    let (ty, order) = (pointers(tile.element, &tile.shape), order(builder));
    let (old, token) = (builder.name(), builder.name());
    builder
        .line(&format!("{old}, {token} = atomic_rmw_tko {order} {at}, {mode}, {name} : {ty}, {tile} -> {tile}, token"));
    builder.keep(&old, &tile);
    if builder.rng.bool() {
        let (again, end) = (builder.name(), builder.name());
        let next = want(builder, &tile);
        builder.line(&format!(
            "{again}, {end} = atomic_rmw_tko {order} {at}, {mode}, {next} token = {token} : {ty}, {tile} -> {tile}, token"
        ));
        builder.keep(&again, &tile);
    }
    true
}

/// Atomic ops on elements that all blocks access, in any order.
fn accumulate(builder: &mut Builder) -> bool {
    let value = builder.find(|tile| matches!(tile.element, Element::I32 | Element::I64) && tile.count() <= 64);
    let Some(Value { name, tile }) = value else { return false };
    let Some(mode) = mode(builder, tile.element, true) else { return false };
    let base = builder.input(tile.element, tile.count(), super::literals::Range::Any);
    // Several elements can be the same one in memory.
    let (index, mask) = (tile.of(Element::I32), builder.rng.u32(..tile.count()));
    let places = lanes(builder, &index, 1);
    let mask = builder.splat(&index, mask);
    let places = builder.op(&format!("andi {places}, {mask} : {index}"));
    let (one, ones) = (pointers(tile.element, &[]), pointers(tile.element, &vec![1; tile.rank()]));
    let ty = pointers(tile.element, &tile.shape);
    let all = if tile.shape.is_empty() {
        base
    } else {
        let single = builder.op(&format!("reshape {base} : {one} -> {ones}"));
        builder.op(&format!("broadcast {single} : {ones} -> {ty}"))
    };
    let at = builder.op(&format!("offset {all}, {places} : {ty}, {index} -> {ty}"));
    let semantics = builder.pick(&["relaxed", "acquire", "release", "acq_rel"]);
    let scope = builder.pick(&["device", "sys"]);
    let truth = tile.of(Element::I1);
    let (mask, types) = if builder.chance(30) {
        (format!(", {}", want(builder, &truth)), format!(", {truth}"))
    } else {
        (String::new(), String::new())
    };
    let (old, token) = (builder.name(), builder.name());
    builder.line(&format!(
        "{old}, {token} = atomic_rmw_tko {semantics} {scope} {at}, {mode}, {name}{mask} : {ty}, {tile}{types} -> {tile}, token"
    ));
    true
}

/// Compares and swaps elements that only this block accesses.
fn compare_and_swap(builder: &mut Builder) -> bool {
    let is_wide = |tile: &Tile| matches!(tile.element, Element::I32 | Element::I64 | Element::F32 | Element::F64);
    let Some(Value { name, tile }) = builder.find(|tile| is_wide(tile) && tile.count() <= 64) else { return false };
    let elements = Elements::new(&tile, true);
    let count = elements.count(builder);
    if count > 256 {
        return false;
    }
    let base = builder.input(tile.element, count, super::literals::Range::Any);
    let at = elements.pointers(builder, &base);
    let ty = pointers(tile.element, &tile.shape);
    let expected = if builder.rng.bool() {
        let zero = if tile.element.is_float() { "0.0" } else { "0" };
        builder.splat(&tile, zero)
    } else {
        want(builder, &tile)
    };
    let order = order(builder);
    let (old, token) = (builder.name(), builder.name());
    builder.line(&format!(
        "{old}, {token} = atomic_cas_tko {order} {at}, {expected}, {name} : {ty}, {tile} -> {tile}, token"
    ));
    builder.keep(&old, &tile);
    true
}

/// Combines a tile with a view that all blocks write.
fn reduce_view(builder: &mut Builder) -> bool {
    let value = builder.find(|tile| {
        matches!(tile.element, Element::I32 | Element::I64) && tile.count() <= 64 && !tile.shape.is_empty()
    });
    let Some(Value { name, tile }) = value else { return false };
    let Some(mode) = mode(builder, tile.element, true) else { return false };
    let base = builder.input(tile.element, tile.count(), super::literals::Range::Any);
    let (tensor, view, lists) = dense_view(&tile);
    let made = builder.op(&format!("make_tensor_view {base}, {lists} : {tensor}"));
    let made = builder.op(&format!("make_partition_view {made} : {view}"));
    let zero = builder.splat(&Tile::scalar(Element::I32), 0);
    let zero = spread(builder, &zero, &Tile::scalar(Element::I32));
    let index = commas(&vec![zero; tile.rank()]);
    builder.op(&format!(
        "atomic_red_view_tko relaxed device {made}[{index}], {mode}, {name} : {tile}, {view}, tile<i32> -> token"
    ));
    true
}
