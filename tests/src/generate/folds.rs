//! Reductions and scans with associative and commutative functions.

use super::builder::{Builder, Profile, Value};
use super::literals::Range;
use super::types::{Tile, signed_range};
use super::want::{load, want};
use tile_analysis::number::decode_int;
use tile_dialect::{Element, Mnemonic};

/// The ops of this module.
pub(super) const OPS: &[Mnemonic] = &[Mnemonic::Reduce, Mnemonic::Scan];

/// Adds a reduction or a scan. Returns whether it did.
pub(super) fn add(builder: &mut Builder, op: Mnemonic) -> bool {
    let is_integer = builder.profile == Profile::Integers;
    let is_accepted = |element: Element| match element {
        Element::I1 | Element::I8 | Element::I16 | Element::I32 | Element::I64 => true,
        Element::F16 | Element::BF16 | Element::F32 | Element::F64 => !is_integer,
        _ => false,
    };
    let Some(Value { name, tile }) = builder.find(|tile| tile.rank() > 0 && is_accepted(tile.element)) else {
        return false;
    };
    let dim = builder.rng.usize(..tile.rank());
    let mut to = tile.clone();
    let order = if op == Mnemonic::Reduce {
        to.shape.remove(dim);
        String::new()
    } else {
        format!("reverse = {} ", builder.rng.bool())
    };
    if tile.element.is_int() && tile.element != Element::I1 && builder.chance(25) {
        add_extreme_with_index(builder, op, &order, dim, [&name, &tile.to_string()], &tile, &to);
        return true;
    }
    let element = tile.element;
    let (function, identity) = function(builder, element);
    let is_sum = matches!(function.as_str(), "addf" | "mulf");
    let name = if is_sum && builder.profile == Profile::Gpu {
        // Sums of small whole numbers are exact, however they are grouped.
        load(builder, &tile, Range::Small)
    } else {
        name
    };
    let one = Tile::scalar(element);
    let result = builder.name();
    builder.line(&format!(
        "{result} = {} {name} dim = {dim} {order}identities = [{identity} : {element}] : {tile} -> {to}",
        op.row().name
    ));
    let (left, right, combined) = (builder.name(), builder.name(), builder.name());
    builder.fold(&format!("{left}: {one}, {right}: {one}"), |builder| {
        let (operator, end) = function.split_once(' ').unwrap_or((&function, ""));
        builder.line(&format!("{combined} = {operator} {left}, {right} {end} : {one}").replace("  ", " "));
        builder.line(&format!("yield {combined} : {one}"));
    });
    builder.keep(&result, &to);
    true
}

/// A function and its identity.
fn function(builder: &mut Builder, element: Element) -> (String, String) {
    if element.is_float() {
        let gpu = builder.profile == Profile::Gpu;
        // A NaN loses against every number, unless it is propagated.
        let (nan, positive, negative) = match element {
            Element::F16 => ("0x7E00", "0x7C00", "0xFC00"),
            Element::BF16 => ("0x7FC0", "0x7F80", "0xFF80"),
            Element::F32 => ("0x7FC00000", "0x7F800000", "0xFF800000"),
            _ => ("0x7FF8000000000000", "0x7FF0000000000000", "0xFFF0000000000000"),
        };
        let (name, identity) = match builder.rng.u32(..6) {
            0 => ("maxf", nan),
            1 => ("minf", nan),
            2 => ("maxf propagate_nan", negative),
            3 => ("minf propagate_nan", positive),
            4 if !gpu => ("mulf", "1.0"),
            _ => ("addf", "0.0"),
        };
        return (name.to_string(), identity.to_string());
    }
    let (low, high) = signed_range(element);
    let (ones, sign) = (if element == Element::I1 { "true" } else { "-1" }, builder.pick(&["signed", "unsigned"]));
    let (smallest, largest) = if sign == "signed" { (low, high) } else { (0, -1) };
    let (smallest, largest) = match (element, sign) {
        // A signed truth value is 0 or -1.
        (Element::I1, "signed") => ("true".to_string(), "false".to_string()),
        (Element::I1, _) => ("false".to_string(), "true".to_string()),
        _ => (smallest.to_string(), decode_int(element, largest as u64).to_string()),
    };
    let (zero, one) = if element == Element::I1 { ("false", "true") } else { ("0", "1") };
    match builder.rng.u32(..7) {
        0 => ("muli".to_string(), one.to_string()),
        1 => ("andi".to_string(), ones.to_string()),
        2 => ("ori".to_string(), zero.to_string()),
        3 => ("xori".to_string(), zero.to_string()),
        4 => (format!("maxi {sign}"), smallest),
        5 => (format!("mini {sign}"), largest),
        _ => ("addi".to_string(), zero.to_string()),
    }
}

/// The largest or the smallest element and its index, the smaller index for equal elements.
fn add_extreme_with_index(
    builder: &mut Builder,
    op: Mnemonic,
    order: &str,
    dim: usize,
    [name, ty]: [&str; 2],
    tile: &Tile,
    to: &Tile,
) {
    let (index, indices) = (tile.of(Element::I32), want(builder, &tile.of(Element::I32)));
    let (low, high) = signed_range(tile.element);
    let (predicate, identity) = if builder.rng.bool() { ("greater_than", low) } else { ("less_than", high) };
    let (best, place) = (builder.name(), builder.name());
    let (one, number, element) = (Tile::scalar(tile.element), Tile::scalar(Element::I32), tile.element);
    builder.line(&format!(
        "{best}, {place} = {} {name}, {indices} dim = {dim} {order}identities = [{identity} : {element}, 2147483647 : i32] \
         : {ty}, {index} -> {to}, {}",
        op.row().name,
        to.of(Element::I32)
    ));
    builder.fold(&format!("%a: {one}, %b: {one}, %i: {number}, %j: {number}"), |builder| {
        builder.line(&format!("%better = cmpi {predicate} %a, %b, signed : {one} -> tile<i1>"));
        builder.line(&format!("%equal = cmpi equal %a, %b, signed : {one} -> tile<i1>"));
        builder.line(&format!("%earlier = cmpi less_than %i, %j, signed : {number} -> tile<i1>"));
        builder.line("%first = andi %equal, %earlier : tile<i1>");
        builder.line("%is = ori %better, %first : tile<i1>");
        builder.line(&format!("%value = select %is, %a, %b : tile<i1>, {one}"));
        builder.line(&format!("%at = select %is, %i, %j : tile<i1>, {number}"));
        builder.line(&format!("yield %value, %at : {one}, {number}"));
    });
    builder.keep(&best, to);
    builder.keep(&place, &to.of(Element::I32));
}
