//! Properties of ops that passes depend on.

use crate::entry::Entry;
use tile_analysis::ir::{Attr, Body, Op};
use tile_dialect::{AttrName, Effect, Mnemonic as M, ordering, signedness};

/// Whether an op computes its results from its operands alone: it has no side effects, and equal operands give equal
/// results. Its behavior can be undefined for some operands.
pub(crate) fn is_pure(op: &Op) -> bool {
    let row = op.op.row();
    matches!(row.effect, Effect::Pure | Effect::None)
        && !row.is_terminator()
        && row.regions.is_empty()
        && !op.results.is_empty()
}

/// The value of an enum attribute; 0 if it is absent.
pub(crate) fn choice(body: &Body, op: &Op, name: AttrName) -> u8 {
    attr(body, op, name).and_then(Attr::as_enum).unwrap_or(0)
}

/// Whether a flag is present.
pub(crate) fn flag(body: &Body, op: &Op, name: AttrName) -> bool {
    attr(body, op, name).is_some_and(Attr::is_flag)
}

/// Whether the signedness of an op is `signed`.
pub(crate) fn is_signed(body: &Body, op: &Op) -> bool {
    choice(body, op, AttrName::Signedness) == signedness::SIGNED
}

/// An attribute, if the op has it.
pub(crate) fn attr<'b>(body: &'b Body, op: &Op, name: AttrName) -> Option<&'b Attr> {
    op.op.row().attr(name).map(|(index, _)| body.attr(op, index))
}

/// Whether a pure op is defined for all operands, so that it may run where the program does not run it. A result that
/// is unspecified (a shift that is too far, `ftoi` out of range, an address that overflows) does no harm where nothing
/// uses it.
pub(crate) fn is_speculatable(entry: &Entry<'_>, op: &Op) -> bool {
    let body = entry.body();
    let promises_no_overflow = choice(body, op, AttrName::Overflow) != 0;
    if !is_pure(op) || promises_no_overflow {
        return false;
    }
    match op.op {
        M::Divi | M::Remi => divides_by_safe_constant(entry, op),
        _ if op.op.row().effect != Effect::Pure => false,
        // The scales must not be negative.
        M::MmafScaled => false,
        // The slice must be inside of the tile.
        M::Extract | M::Insert => false,
        _ => true,
    }
}

/// Whether a division has a constant divisor that is neither 0 nor -1.
fn divides_by_safe_constant(entry: &Entry<'_>, op: &Op) -> bool {
    let Some(divisor) = entry.body().operands(op).get(1).and_then(|&divisor| entry.constant(divisor)) else {
        return false;
    };
    let minus_one = u64::MAX >> (64 - divisor.element.bits());
    divisor.bits.iter().all(|&bits| bits != 0 && bits != minus_one)
}

/// Whether an op is a weak load, which has no effect besides its results.
pub(crate) fn is_weak_load(body: &Body, op: &Op) -> bool {
    matches!(op.op, M::LoadPtrTko | M::LoadViewTko)
        && choice(body, op, AttrName::MemoryOrderingSemantics) == ordering::WEAK
}
