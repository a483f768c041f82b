//! Ops that compute each element from the same elements of their operands: every row of the table that the checker
//! accepts as one, with all element types and attributes.

use super::builder::{Builder, Profile};
use super::choices::{Choice, choices};
use super::output;
use super::preconditions;
use super::spelling::{Types, spell};
use super::types::{Tile, shape};
use super::want::want;
use tile_dialect::{AttrKind, Effect, Element, Mnemonic, OpRow, rounding};

/// Functions whose results the language leaves open within a tolerance.
const APPROXIMATED: &[Mnemonic] = &[
    Mnemonic::Atan2,
    Mnemonic::Cos,
    Mnemonic::Cosh,
    Mnemonic::Exp,
    Mnemonic::Exp2,
    Mnemonic::Fpowi,
    Mnemonic::Log,
    Mnemonic::Log2,
    Mnemonic::Pow,
    Mnemonic::Rsqrt,
    Mnemonic::Sin,
    Mnemonic::Sinh,
    Mnemonic::Tan,
    Mnemonic::Tanh,
];

/// Whether an op can be generated: its behavior is defined for all operands, or for those of [`preconditions`].
pub(super) fn is_supported(row: &OpRow) -> bool {
    row.effect == Effect::Pure || preconditions::HANDLED.contains(&row.op)
}

/// Adds an op of this row with random types and attributes. Returns whether it did.
pub(super) fn add(builder: &mut Builder, row: &'static OpRow) -> bool {
    let all = choices(row);
    for _ in 0..8 {
        let choice = builder.pick(all);
        if fits(builder, &choice) && try_add(builder, row, &choice) {
            return true;
        }
    }
    false
}

fn fits(builder: &mut Builder, choice: &Choice) -> bool {
    let mut elements = choice.operands.iter().chain([&choice.result]);
    match builder.profile {
        Profile::Cpu => true,
        Profile::Gpu => choice.on_gpu,
        Profile::Integers => elements.all(|element| element.is_int()),
    }
}

fn try_add(builder: &mut Builder, row: &'static OpRow, choice: &Choice) -> bool {
    let first = choice.operands[0];
    // An operand that already exists determines the shape.
    let existing = builder.find(|tile| tile.element == first);
    let shape = match existing.filter(|_| builder.chance(85)) {
        Some(value) => value.tile.shape,
        None => shape(&mut builder.rng),
    };
    let is_odd = shape.iter().product::<u32>() % 2 == 1;
    if is_odd && choice.operands.iter().chain([&choice.result]).any(|element| element.bits() == 4) {
        return false;
    }
    let tiles: Vec<Tile> = choice.operands.iter().map(|&element| Tile::new(element, &shape)).collect();
    let result = Tile::new(choice.result, &shape);
    let attr = |name: &str| row.attr_named(name).and_then(|(index, _)| choice.attrs[index]);
    let operands = if row.op == Mnemonic::Ftoi && attr("saturating").is_none() {
        let is_signed = attr("signedness") == Some(tile_dialect::signedness::SIGNED);
        preconditions::convertible(builder, &tiles[0], result.element, is_signed).map(|value| vec![value])
    } else {
        let values: Vec<String> = tiles.iter().map(|tile| want(builder, tile)).collect();
        preconditions::operands(builder, row, &choice.attrs, &tiles, choice.result, values)
    };
    let Some(mut operands) = operands else { return false };
    if builder.profile == Profile::Gpu && row.op == Mnemonic::Bitcast {
        operands[0] = without_nan(builder, &operands[0], &tiles[0]);
    }
    let [types, results] =
        [&tiles[..], std::slice::from_ref(&result)].map(|all| all.iter().map(Tile::to_string).collect::<Vec<_>>());
    let types = Types { operands: &types, results: &results };
    let Some(op) = spell(row, &operands, &types, &choice.attrs) else { return false };
    if builder.profile == Profile::Gpu
        && let Some(tolerance) = tolerance(row, choice)
    {
        let name = builder.op(&op);
        output::store_open(builder, &name, &result, tolerance);
    } else {
        builder.define(&result, &op);
    }
    true
}

/// The tolerance of a result that the language leaves open.
fn tolerance(row: &OpRow, choice: &Choice) -> Option<&'static str> {
    let is_approximate = row.attrs.iter().zip(&choice.attrs).any(|(attr, value)| {
        let is_rounding = matches!(attr.kind, AttrKind::Enum { wrapper: "rounding", .. });
        is_rounding && matches!(value, Some(rounding::APPROX | rounding::FULL))
    });
    let is_open = is_approximate || APPROXIMATED.contains(&row.op);
    is_open.then_some(match choice.result {
        Element::F64 => "rtol=1e-12 atol=1e-300",
        Element::F32 => "rtol=1e-3 atol=1e-6",
        Element::BF16 => "rtol=2e-2 atol=1e-3",
        _ => "rtol=3e-3 atol=1e-3",
    })
}

/// Replaces NaNs, whose bits the language leaves open, by 1.
pub(super) fn without_nan(builder: &mut Builder, value: &str, tile: &Tile) -> String {
    let is_arithmetic = matches!(tile.element, Element::F16 | Element::BF16 | Element::F32 | Element::F64);
    if !is_arithmetic {
        return value.to_string();
    }
    let truth = tile.of(Element::I1);
    let is_number = builder.op(&format!("cmpf equal ordered {value}, {value} : {tile} -> {truth}"));
    let one = builder.splat(tile, "1.0");
    builder.op(&format!("select {is_number}, {value}, {one} : {truth}, {tile}"))
}
