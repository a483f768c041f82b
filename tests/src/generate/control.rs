//! Control flow: branches and loops with values, early ends, and constant or computed bounds.

use super::builder::{Builder, Profile};
use super::types::{Tile, shape};
use super::views::is_allowed;
use super::want::want;
use tile_dialect::{Element, Mnemonic, NUMBERS};

/// The ops of this module.
pub(super) const OPS: &[Mnemonic] = &[
    Mnemonic::If,
    Mnemonic::For,
    Mnemonic::Loop,
    Mnemonic::Break,
    Mnemonic::Continue,
    Mnemonic::Yield,
    Mnemonic::Return,
];

/// The maximum number of regions around an op.
const MAX_DEPTH: usize = 2;

/// Adds control flow. Returns whether it did.
pub(super) fn add(builder: &mut Builder, op: Mnemonic) -> bool {
    if builder.depth >= MAX_DEPTH {
        return false;
    }
    match op {
        Mnemonic::For | Mnemonic::Continue => for_loop(builder),
        Mnemonic::Loop | Mnemonic::Break => endless_loop(builder),
        Mnemonic::Return => early_return(builder),
        _ => branch(builder),
    }
    true
}

/// The types of up to two values that a region passes on.
fn carried(builder: &mut Builder) -> Vec<Tile> {
    let count = builder.pick(&[0, 1, 1, 2]);
    let elements: Vec<Element> = NUMBERS
        .iter()
        .copied()
        .filter(|&element| is_allowed(builder.profile, element) && element.bits() != 4)
        .collect();
    let one = |_| {
        if builder.chance(70) {
            let value = builder.any();
            if value.tile.element != Element::I4 {
                return value.tile;
            }
        }
        let element = builder.pick(&elements);
        Tile::new(element, &shape(&mut builder.rng))
    };
    (0..count).map(one).collect()
}

fn types(tiles: &[Tile]) -> String {
    tiles.iter().map(Tile::to_string).collect::<Vec<_>>().join(", ")
}

/// A line that passes values on.
fn pass(builder: &mut Builder, op: &str, tiles: &[Tile]) {
    let values: Vec<String> = tiles.iter().map(|tile| want(builder, tile)).collect();
    if values.is_empty() {
        builder.line(op);
    } else {
        builder.line(&format!("{op} {} : {}", values.join(", "), types(tiles)));
    }
}

fn statements(builder: &mut Builder, most: u32) {
    for _ in 0..builder.rng.u32(1..=most) {
        (builder.statement)(builder);
    }
}

/// Adds an op with a region around `body`, and keeps its results.
fn with_results(builder: &mut Builder, header: &str, tiles: &[Tile], regions: impl FnOnce(&mut Builder, &str)) {
    let names: Vec<String> = tiles.iter().map(|_| builder.name()).collect();
    let start = if names.is_empty() { header.to_string() } else { format!("{} = {header}", names.join(", ")) };
    builder.depth += 1;
    regions(builder, &start);
    builder.depth -= 1;
    names.iter().zip(tiles).for_each(|(name, tile)| builder.keep(name, tile));
}

fn branch(builder: &mut Builder) {
    let condition = want(builder, &Tile::scalar(Element::I1));
    let tiles = carried(builder);
    let arrow = if tiles.is_empty() { String::new() } else { format!(" -> ({})", types(&tiles)) };
    let has_else = !tiles.is_empty() || builder.rng.bool();
    with_results(builder, &format!("if {condition}{arrow}"), &tiles, |builder, header| {
        let body = |builder: &mut Builder| {
            statements(builder, 3);
            if !tiles.is_empty() {
                pass(builder, "yield", &tiles);
            }
        };
        builder.region(header, if has_else { " else {" } else { "" }, body);
        if has_else {
            builder.other_region(body);
        }
    });
}

/// A `for` loop of up to five iterations.
fn for_loop(builder: &mut Builder) {
    let scalar = Tile::scalar(builder.pick(&[Element::I32, Element::I32, Element::I64, Element::I16, Element::I8]));
    let is_unsigned = builder.chance(25);
    let first = if is_unsigned { builder.rng.i32(0..=5) } else { builder.rng.i32(-5..=5) };
    let (step, count) = (builder.rng.i32(1..=3), builder.rng.i32(0..=4));
    let low = builder.splat(&scalar, first);
    let high = if builder.chance(30) {
        // A bound that is not a constant: up to 3 more than the first.
        let (any, mask) = (want(builder, &scalar), builder.splat(&scalar, 3));
        let more = builder.op(&format!("andi {any}, {mask} : {scalar}"));
        builder.op(&format!("addi {more}, {low} : {scalar}"))
    } else {
        builder.splat(&scalar, first + step * count)
    };
    let step = builder.splat(&scalar, step);
    let tiles = carried(builder);
    let counter = builder.name();
    let names: Vec<String> = tiles.iter().map(|_| builder.name()).collect();
    let unsigned = if is_unsigned { "unsigned " } else { "" };
    let initial: Vec<String> =
        tiles.iter().zip(&names).map(|(tile, name)| format!("{name} = {}", want(builder, tile))).collect();
    let values = if tiles.is_empty() {
        String::new()
    } else {
        format!(" iter_values({}) -> ({})", initial.join(", "), types(&tiles))
    };
    let header = format!("for {unsigned}{counter} in ({low} to {high}, step {step}) : {scalar}{values}");
    with_results(builder, &header, &tiles, |builder, header| {
        builder.loops += 1;
        builder.region(header, "", |builder| {
            builder.keep(&counter, &scalar);
            names.iter().zip(&tiles).for_each(|(name, tile)| builder.keep(name, tile));
            statements(builder, 3);
            if builder.chance(20) {
                let condition = want(builder, &Tile::scalar(Element::I1));
                builder.region(&format!("if {condition}"), "", |builder| pass(builder, "continue", &tiles));
                statements(builder, 2);
            }
            pass(builder, "continue", &tiles);
        });
        builder.loops -= 1;
    });
}

/// A `loop` that ends after up to four iterations.
fn endless_loop(builder: &mut Builder) {
    let number = Tile::scalar(Element::I32);
    let (tiles, results) = (carried(builder), carried(builder));
    let (counter, names) = (builder.name(), tiles.iter().map(|_| builder.name()).collect::<Vec<_>>());
    let (zero, one) = (builder.splat(&number, 0), builder.splat(&number, 1));
    let most = builder.rng.u32(0..=4);
    let most = builder.splat(&number, most);
    let all: Vec<Tile> = [std::slice::from_ref(&number), tiles.as_slice()].concat();
    let mut initial = vec![format!("{counter} = {zero}")];
    initial.extend(tiles.iter().zip(&names).map(|(tile, name)| format!("{name} = {}", want(builder, tile))));
    let arrow = if results.is_empty() { String::new() } else { format!(" -> {}", types(&results)) };
    let header = format!("loop iter_values({}) : {}{arrow}", initial.join(", "), types(&all));
    with_results(builder, &header, &results, |builder, header| {
        builder.loops += 1;
        builder.region(header, "", |builder| {
            builder.keep(&counter, &number);
            names.iter().zip(&tiles).for_each(|(name, tile)| builder.keep(name, tile));
            statements(builder, 2);
            let is_over =
                builder.op(&format!("cmpi greater_than_or_equal {counter}, {most}, signed : {number} -> tile<i1>"));
            let is_over = if builder.chance(25) {
                let other = want(builder, &Tile::scalar(Element::I1));
                builder.op(&format!("ori {is_over}, {other} : tile<i1>"))
            } else {
                is_over
            };
            builder.region(&format!("if {is_over}"), "", |builder| pass(builder, "break", &results));
            statements(builder, 2);
            let next = builder.op(&format!("addi {counter}, {one} : {number}"));
            let mut values = vec![next];
            values.extend(tiles.iter().map(|tile| want(builder, tile)));
            builder.line(&format!("continue {} : {}", values.join(", "), types(&all)));
        });
        builder.loops -= 1;
    });
}

/// Ends some of the tile blocks.
fn early_return(builder: &mut Builder) {
    if builder.depth > 0 || builder.profile == Profile::Gpu && builder.chance(50) {
        return;
    }
    let condition = want(builder, &Tile::scalar(Element::I1));
    builder.region(&format!("if {condition}"), "", |builder| builder.line("return"));
}
