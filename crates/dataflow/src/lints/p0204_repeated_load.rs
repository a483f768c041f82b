//! P0204: repeated load.

use super::entry::{Entry, is_weak, varies_in};
use crate::access::{Access, Base, Direction, Mask};
use crate::symbolic::Poly;
use crate::volume::Volume;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::diagnostics::accesses::REPEATED_LOAD;
use tile_dialect::Element;

/// Reports loads of tiles that have been loaded before.
pub(super) fn repeated(entry: &Entry<'_>) -> Vec<Diagnostic> {
    let written = written(entry);
    let mut earlier: FxHashMap<Elements<'_>, Vec<&Access>> = FxHashMap::default();
    let mut found = Vec::new();
    for load in entry.accesses.iter().filter(|access| is_constant(entry, access, &written)) {
        let same = earlier.entry(Elements::of(load)).or_default();
        match same.iter().find(|first| is_available(first, load)) {
            Some(first) => {
                let repeated = Diagnostic::new(&REPEATED_LOAD, entry.name(load.op), "this tile has been loaded before");
                found.push(repeated.label(entry.name(first.op), "the same elements are loaded here"));
            }
            None => {
                found.extend(invariant(entry, load));
                same.push(load);
            }
        }
    }
    found
}

/// The elements that an access loads.
#[derive(PartialEq, Eq, Hash)]
struct Elements<'a> {
    base: Option<&'a Base>,
    element: Element,
    tile: &'a [i64],
    coordinates: Option<&'a [Poly]>,
    offset_bits: Option<&'a Poly>,
    shape: &'a [Poly],
    strides: &'a [Poly],
    mask: &'a Mask,
}

impl Elements<'_> {
    fn of(access: &Access) -> Elements<'_> {
        let Access { base, element, tile, coordinates, offset_bits, shape, strides, mask, .. } = access;
        let (base, offset_bits) = (base.as_ref(), offset_bits.as_ref());
        Elements {
            base,
            element: *element,
            tile,
            coordinates: coordinates.as_deref(),
            offset_bits,
            shape,
            strides,
            mask,
        }
    }
}

/// The objects that the entry writes.
fn written<'a>(entry: &Entry<'a>) -> FxHashSet<Option<&'a Base>> {
    let writes = entry.accesses.iter().filter(|access| access.direction != Direction::Read);
    writes.map(|access| access.base.as_ref()).collect()
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
fn is_constant(entry: &Entry<'_>, load: &Access, written: &FxHashSet<Option<&Base>>) -> bool {
    load.direction == Direction::Read
        && load.coordinates.is_some()
        && !matches!(load.mask, Mask::Unknown(_))
        && load.conditions.iter().all(|condition| condition.value.is_some())
        && matches!(load.base, Some(Base::Param(_) | Base::Global(_)))
        && !written.iter().any(|&base| may_alias(entry, base, load.base.as_ref()))
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

/// Whether the tile that a load of the same elements returns is available at a later load.
fn is_available(first: &Access, load: &Access) -> bool {
    load.loops.starts_with(&first.loops) && load.conditions.starts_with(&first.conditions)
}
