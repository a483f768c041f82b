//! P0204: repeated load.

use super::entry::{Entry, is_weak, varies_in};
use crate::access::{Access, Base, Direction, Mask};
use crate::volume::Volume;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::diagnostics::accesses::REPEATED_LOAD;

/// Reports loads of tiles that have been loaded before.
pub(super) fn repeated(entry: &Entry<'_>) -> Vec<Diagnostic> {
    let loads: Vec<&Access> = entry.accesses.iter().filter(|access| is_constant(entry, access)).collect();
    let earlier = |number: usize| loads[..number].iter().find(|other| loads_same(other, loads[number]));
    let found = loads.iter().enumerate().filter_map(|(number, load)| match earlier(number) {
        Some(first) => {
            let found = Diagnostic::new(&REPEATED_LOAD, entry.name(load.op), "this tile has been loaded before");
            Some(found.label(entry.name(first.op), "the same elements are loaded here"))
        }
        None => invariant(entry, load),
    });
    found.collect()
}

/// Reports a load of the same elements in every iteration of the innermost loop around it, unless no launch runs it.
fn invariant(entry: &Entry<'_>, load: &Access) -> Option<Diagnostic> {
    let around = load.loops.last()?;
    let is_of_loop = |symbol| varies_in(symbol, entry.names.body, around.op);
    let mask = match &load.mask {
        Mask::Known(mask) => Some(mask),
        _ => None,
    };
    let conditions = load.conditions.iter().filter_map(|condition| condition.value.as_ref());
    let all = load.coordinates.iter().flatten().chain(&load.shape).chain(&load.strides).chain(mask).chain(conditions);
    let mut all = all.chain(&load.offset_bits);
    if all.any(|poly| poly.mentions(&is_of_loop)) {
        return None;
    }
    let is_repeated = |volume: Option<Volume>| volume.is_none_or(|volume| volume.executions.count > 0);
    if !entry.launches.is_empty() && !entry.volumes(load).any(|(_, volume)| is_repeated(volume)) {
        return None;
    }
    let found = Diagnostic::new(&REPEATED_LOAD, entry.name(load.op), "every iteration loads the same tile");
    Some(found.label(entry.name(around.op), "in this loop").note("load it before the loop"))
}

/// Whether this is a load of known elements of memory that the entry does not write.
fn is_constant(entry: &Entry<'_>, load: &Access) -> bool {
    let may_write = |other: &Access| {
        other.direction != Direction::Read && may_alias(entry, other.base.as_ref(), load.base.as_ref())
    };
    load.direction == Direction::Read
        && load.coordinates.is_some()
        && !matches!(load.mask, Mask::Unknown(_))
        && load.conditions.iter().all(|condition| condition.value.is_some())
        && matches!(load.base, Some(Base::Param(_) | Base::Global(_)))
        && !entry.accesses.iter().any(may_write)
        && is_weak(entry.names.body, load.op)
}

/// Whether two objects can be the same memory. Buffers of different parameters are taken to be different, unless a
/// launch passes the same one.
fn may_alias(entry: &Entry<'_>, one: Option<&Base>, other: Option<&Base>) -> bool {
    match (one, other) {
        (Some(Base::Scratch(_)), _) => false,
        (Some(Base::Param(one)), Some(Base::Param(other))) => one == other || entry.passes_same_buffer(*one, *other),
        (Some(Base::Param(_) | Base::Global(_)), Some(_)) => one == other,
        _ => true,
    }
}

/// Whether a load follows another one of the same elements whose tile is available there.
fn loads_same(first: &Access, load: &Access) -> bool {
    let is_prefix = first.loops.len() <= load.loops.len() && load.loops.starts_with(&first.loops);
    let same = |access: &Access| {
        let Access { base, element, tile, coordinates, offset_bits, shape, strides, mask, .. } = access.clone();
        (base, element, tile, coordinates, (offset_bits, shape, strides, mask))
    };
    is_prefix && load.conditions.starts_with(&first.conditions) && same(first) == same(load)
}
