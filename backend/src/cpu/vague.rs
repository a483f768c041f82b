//! Which values may have elements that are unspecified: told from the program, for runs that do not watch over elements.

use super::site::Site;
use tile_analysis::ir::{Body, Module, OpId, RegionId, Value};
use tile_dialect::{Class, Mnemonic};

/// Whether each value may, if the program promises anything about values; nobody else wants to know.
pub(crate) fn values(module: &Module, body: &Body) -> Vec<bool> {
    let mut vague = vec![false; body.values.len()];
    if body.ops.iter().all(|op| op.op != Mnemonic::Assume) {
        return vague;
    }
    let ids = || (0..body.ops.len() as u32).map(OpId);
    let first = ids().filter(|&id| makes_some(module, body, id)).flat_map(|id| body.results(body.op(id)));
    first.for_each(|value| vague[value.0 as usize] = true);
    // What a loop hands on reaches ops that stand before.
    while vague.contains(&true) && ids().fold(false, |changed, id| spread(body, id, &mut vague) | changed) {}
    vague
}

/// Whether an op has unspecified elements of its own: it leaves some out, and nothing is said about them.
fn makes_some(module: &Module, body: &Body, id: OpId) -> bool {
    let op = body.op(id);
    let site = Site { module, body, op, id, sanitize: false, unseen: false };
    let row = op.op.row();
    if row.attr("memory_ordering_semantics").is_none() || row.results.iter().all(|result| result.class != Class::Tile) {
        return false;
    }
    let through_view = row.operands.iter().any(|operand| operand.class == Class::TileView);
    if through_view {
        return site.operand_type("view").as_tile_view().is_some_and(|view| view.padding.is_none());
    }
    let has = |name: &str| row.operand(name).is_some() && site.optional(name).is_some();
    has("mask") && !has("paddingValue") && !has("cmp")
}

/// Hands on what may be vague: from the operands of an op to its results, and through its regions. Whether that is news.
fn spread(body: &Body, id: OpId, vague: &mut [bool]) -> bool {
    let op = body.op(id);
    let mut sources = body.operands(op).to_vec();
    body.regions_of(op).for_each(|region| leaving(body, region, &mut sources));
    if !sources.iter().any(|value| vague[value.0 as usize]) {
        return false;
    }
    let arguments = body.regions_of(op).flat_map(|region| body.region(region).args.iter().copied());
    let news = |value: Value| !std::mem::replace(&mut vague[value.0 as usize], true);
    body.results(op).chain(arguments).map(news).fold(false, |any, new| any | new)
}

/// What the ends of a region and of those inside it hand on; some of them leave more than their own.
fn leaving(body: &Body, region: RegionId, values: &mut Vec<Value>) {
    for op in body.region(region).ops.iter().map(|&id| body.op(id)) {
        if op.op.row().is_terminator() {
            values.extend(body.operands(op));
        }
        body.regions_of(op).for_each(|inner| leaving(body, inner, values));
    }
}
