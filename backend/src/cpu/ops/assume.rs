//! `assume`: the promise is checked.

use crate::cpu::kernel::{Kernel, Outcome, hand_on};
use crate::cpu::site::{Site, Tiled};
use crate::cpu::tile::Tile;
use crate::cpu::value::Value;
use crate::findings::{at_element, broken_assumption as broken, coordinates};
use crate::number::decode_int;
use tile_analysis::ir::{Attr, Predicate};

/// A value that is checked and handed on.
pub(super) fn plan(site: &Site<'_>) -> Outcome<Kernel> {
    let Attr::Predicate(predicate) = site.attr("predicate") else {
        return Ok(hand_on(|_| 0));
    };
    let predicate = predicate.clone();
    let tile = Tiled::of(site.operand_type("value"));
    Ok(Box::new(move |_, inputs, results| {
        match &inputs[0] {
            Value::Tile(value) => check(&predicate, value, &tile)?,
            Value::View(view) => check_base(&predicate, view.base)?,
            Value::Token => {}
        }
        results.push(std::mem::replace(&mut inputs[0], Value::Token));
        Ok(())
    }))
}

fn check(predicate: &Predicate, value: &Tile, tile: &Tiled) -> Outcome<()> {
    match predicate {
        Predicate::Bounded(low, high) => bounded(*low, *high, value, tile),
        Predicate::DivBy { divisor, every_along: None } => divisible(*divisor, value, tile),
        Predicate::DivBy { divisor, every_along: Some((every, along)) } => {
            groups(*divisor, *every, *along, value, tile)
        }
        Predicate::SameElements(sizes) => same_elements(sizes, value, tile),
    }
}

fn check_base(predicate: &Predicate, base: u64) -> Outcome<()> {
    match predicate {
        Predicate::DivBy { divisor, .. } if !divides(*divisor, base) => Err(broken::base(*divisor, base)),
        _ => Ok(()),
    }
}

/// Divisors are powers of two, so reading a number as signed or unsigned makes no difference.
fn divides(divisor: u64, bits: u64) -> bool {
    bits.checked_rem(divisor).is_none_or(|rest| rest == 0)
}

fn number(tile: &Tiled, bits: u64) -> i64 {
    decode_int(tile.element, bits)
}

fn bounded(low: Option<i64>, high: Option<i64>, value: &Tile, tile: &Tiled) -> Outcome<()> {
    for index in 0..value.stored() {
        let number = number(tile, value.bits(index));
        if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
            return Err(broken::bounds(number, low, high, &at_element(index, &tile.shape)));
        }
    }
    Ok(())
}

fn divisible(divisor: u64, value: &Tile, tile: &Tiled) -> Outcome<()> {
    match (0..value.stored()).find(|&index| !divides(divisor, value.bits(index))) {
        None => Ok(()),
        Some(index) => Err(broken::divisor(divisor, shown(tile, value.bits(index)), &at_element(index, &tile.shape))),
    }
}

/// A number, or an address.
fn shown(tile: &Tiled, bits: u64) -> String {
    if tile.pointee.is_some() { format!("{bits:#x}") } else { number(tile, bits).to_string() }
}

/// The first element of each group is divisible and the others count up by one element.
fn groups(divisor: u64, every: i64, along: i64, value: &Tile, tile: &Tiled) -> Outcome<()> {
    let unit = tile.pointee.map_or(1, |element| element.bytes() as u64);
    let along = along as usize;
    let stride: usize = tile.extents()[along + 1..].iter().product();
    let mask = u64::MAX >> (64 - tile.element.bits());
    for index in 0..tile.count {
        let place = coordinates(index, &tile.shape)[along];
        let inside = if every > 0 { place % every } else { 0 };
        let first = value.bits(index - inside as usize * stride);
        let expected = first.wrapping_add(inside as u64 * unit) & mask;
        let bits = value.bits(index);
        if inside == 0 && !divides(divisor, bits) {
            return Err(broken::divisor(divisor, shown(tile, bits), &at_element(index, &tile.shape)));
        }
        if bits != expected {
            let (found, expected) = (shown(tile, bits), shown(tile, expected));
            return Err(broken::count(found, expected, every, along, &at_element(index, &tile.shape)));
        }
    }
    Ok(())
}

fn same_elements(sizes: &[i64], value: &Tile, tile: &Tiled) -> Outcome<()> {
    if value.stored() == 1 {
        return Ok(());
    }
    for index in 0..tile.count {
        let place = coordinates(index, &tile.shape);
        let starts = place.iter().zip(sizes).map(|(place, size)| place - if *size > 0 { place % size } else { 0 });
        let first = starts.zip(&tile.shape).fold(0, |position, (start, extent)| position * extent + start);
        if value.bits(index) != value.bits(first as usize) {
            let (found, expected) = (shown(tile, value.bits(index)), shown(tile, value.bits(first as usize)));
            return Err(broken::group(found, expected, sizes, &at_element(index, &tile.shape)));
        }
    }
    Ok(())
}
