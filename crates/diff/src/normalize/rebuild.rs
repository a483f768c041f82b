//! The second body in the order of the first.
//!
//! Each region is filled in the order of its counterpart. An op without counterpart follows the op that it follows in
//! its own body, and an op that others need is computed before these. Pure ops whose counterpart is in another region
//! move there.

use super::order::{self, Order};
use crate::matching::Matching;
use crate::program::Comparison;
use crate::side::Side;
use crate::signature::{Renames, canonical, sorted};
use rustc_hash::{FxHashMap, FxHashSet};
use tile_analysis::build::BodyBuilder;
use tile_analysis::ir::{Attr, Body, Def, OpId, RegionId, Value};
use tile_dialect::Flow;

/// A rebuilt body.
pub(super) struct Rebuilt {
    pub(super) body: Body,
    /// For each value, the one of the second body and its counterpart in the first. A value that was computed before
    /// has no counterpart.
    pub(super) origins: Vec<(Value, Option<Value>)>,
}

/// Rebuilds the second body. `None` if that is not possible, because an op would be needed where it cannot be computed.
pub(super) fn rebuild(comparison: &Comparison) -> Option<Rebuilt> {
    let matching = &comparison.matching;
    let (body_a, body) = (matching.a.side.body, matching.b.side.body);
    let mut rebuild = Rebuild {
        matching,
        operands: (0..body.ops.len() as u32).map(|op| order::operands(matching, OpId(op))).collect(),
        builder: BodyBuilder::new(body.name.clone()),
        values: vec![None; body.values.len()],
        is_present: vec![false; body.ops.len()],
        is_repeated: vec![false; body.values.len()],
        scopes: vec![Scope::default()],
        origins: Vec::new(),
    };
    for (index, &value) in body.regions.first()?.args.iter().enumerate() {
        let like = comparison.params.iter().find(|pair| pair.1 == Some(index)).and_then(|pair| pair.0);
        let name = like.and_then(|index| body_a.params.get(index)).or(body.params.get(index))?;
        let new = rebuild.builder.add_param(name.clone(), body.ty(value));
        rebuild.define(value, new, like.map(|index| body_a.regions[0].args[index]));
    }
    rebuild.builder.set_param_attrs(body.param_attrs.clone());
    rebuild.region(BodyBuilder::ENTRY, BodyBuilder::ENTRY, Some(RegionId(0)))?;
    let mut rebuilt = rebuild.builder.finish();
    rebuilt.private = body.private;
    let same_hints = body_a.hints.as_deref().map(sorted) == body.hints.as_deref().map(sorted);
    rebuilt.hints = if same_hints { &body_a.hints } else { &body.hints }.clone();
    Some(Rebuilt { body: rebuilt, origins: rebuild.origins })
}

/// The definitions of an open region, by the ops and values of the second body.
#[derive(Default)]
struct Scope {
    values: Vec<Value>,
    ops: Vec<OpId>,
}

struct Rebuild<'m> {
    matching: &'m Matching<'m>,
    /// The operands of each op of the second body, by group.
    operands: Vec<Vec<Vec<Value>>>,
    builder: BodyBuilder,
    /// The visible new value for each value of the second body.
    values: Vec<Option<Value>>,
    /// Whether each op of the second body was computed and is visible.
    is_present: Vec<bool>,
    /// Whether a new value for each value of the second body exists, visible or not.
    is_repeated: Vec<bool>,
    scopes: Vec<Scope>,
    origins: Vec<(Value, Option<Value>)>,
}

/// A region that is being filled.
#[derive(Clone, Copy)]
struct Filled {
    /// The region of the second body.
    from: RegionId,
    /// The new region.
    to: RegionId,
}

impl Rebuild<'_> {
    fn side(&self) -> &Side<'_> {
        self.matching.b.side
    }

    /// Fills a region with the ops of a region of the second body, in the order of a region of the first.
    fn region(&mut self, from: RegionId, to: RegionId, like: Option<RegionId>) -> Option<()> {
        let filled = Filled { from, to };
        for op in plan(self.matching, from, like) {
            let is_own = self.side().region_of[op.0 as usize] == from;
            if self.is_present[op.0 as usize] || !is_own && !self.can_compute(op, from) {
                continue;
            }
            self.op(op, filled)?;
        }
        Some(())
    }

    /// Adds an op, after the ops that it needs.
    fn op(&mut self, id: OpId, at: Filled) -> Option<()> {
        if self.is_present[id.0 as usize] {
            return Some(());
        }
        for value in self.needed(id) {
            if self.values[value.0 as usize].is_none() {
                let definer = self.side().defining(value).filter(|&op| self.may_be_in(op, at.from))?;
                self.op(definer, at)?;
            }
        }
        let matching = self.matching;
        let (body, op) = (matching.b.side.body, matching.b.side.op(id));
        let partner = matching.b.partner[id.0 as usize];
        let order = Order::of(matching, id);
        let visible = |value: &Value| self.values[value.0 as usize];
        let groups: Vec<Vec<Value>> = self.operands[id.0 as usize]
            .iter()
            .map(|group| group.iter().map(visible).collect())
            .collect::<Option<_>>()?;
        let groups: Vec<&[Value]> = groups.iter().map(Vec::as_slice).collect();
        let args = |region: RegionId| order::apply(&body.region(region).args, order.args.as_ref());
        let regions: Vec<(RegionId, RegionId, Vec<Value>)> = body
            .regions_of(op)
            .map(|region| {
                let args = args(region);
                let types: Vec<_> = args.iter().map(|&arg| body.ty(arg)).collect();
                (region, self.builder.add_region(&types), args)
            })
            .collect();
        let results = order::apply(&body.results(op).collect::<Vec<_>>(), order.results.as_ref());
        let types: Vec<_> = results.iter().map(|&value| body.ty(value)).collect();
        let new_regions: Vec<RegionId> = regions.iter().map(|(_, new, _)| *new).collect();
        let attrs = self.attrs(id);
        let new = self.builder.push_op(at.to, op.op, &groups, attrs, &types, &new_regions);
        let first = self.builder.body().op(new).results.start;
        for (index, &value) in results.iter().enumerate() {
            let like = partner.and_then(|partner| {
                let like = order::result_like(matching, id, &order, index)?;
                matching.a.side.body.results(matching.a.side.op(partner)).nth(like)
            });
            self.define(value, Value(first + index as u32), like);
        }
        self.is_present[id.0 as usize] = true;
        self.scopes.last_mut()?.ops.push(id);
        let partner_regions: Vec<RegionId> =
            partner.map_or(Vec::new(), |op| matching.a.side.body.regions_of(matching.a.side.op(op)).collect());
        for (index, (from, to, args)) in regions.into_iter().enumerate() {
            let like = partner_regions.get(index).copied();
            self.scopes.push(Scope::default());
            for (rank, &arg) in args.iter().enumerate() {
                let counterpart = like.and_then(|like| {
                    let rank = order::arg_like(matching, id, &order, rank)?;
                    matching.a.side.body.region(like).args.get(rank).copied()
                });
                let new = self.builder.body().region(to).args[rank];
                self.define(arg, new, counterpart);
            }
            self.region(from, to, like)?;
            self.close();
        }
        Some(())
    }

    /// The attributes of an op, written as in its partner where they mean the same.
    fn attrs(&self, id: OpId) -> Vec<Attr> {
        let (a, b) = (&self.matching.a, &self.matching.b);
        let op = b.side.op(id);
        let mut attrs = b.side.body.attrs_of(op).to_vec();
        // The lengths of lists depend on the numbers of operands.
        let has_shape = |like: &OpId| a.signatures[like.0 as usize].shape == b.signatures[id.0 as usize].shape;
        let partner = b.partner[id.0 as usize].filter(has_shape).map(|like| a.side.op(like));
        if let Some(partner) = partner.filter(|partner| partner.op == op.op) {
            // Globals keep the names of the second program.
            let renames = Renames::default();
            for ((row, attr), like) in op.op.row().attrs.iter().zip(&mut attrs).zip(a.side.body.attrs_of(partner)) {
                if canonical(row, attr, &renames) == canonical(row, like, &renames) {
                    attr.clone_from(like);
                }
            }
        }
        attrs
    }

    fn define(&mut self, value: Value, new: Value, like: Option<Value>) {
        let is_first = !std::mem::replace(&mut self.is_repeated[value.0 as usize], true);
        self.values[value.0 as usize] = Some(new);
        if let Some(scope) = self.scopes.last_mut() {
            scope.values.push(value);
        }
        let index = new.0 as usize;
        if self.origins.len() <= index {
            self.origins.resize(index + 1, (value, None));
        }
        self.origins[index] = (value, like.filter(|_| is_first));
    }

    /// Ends a region: what it defines is not visible any more.
    fn close(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        scope.values.iter().for_each(|value| self.values[value.0 as usize] = None);
        scope.ops.iter().for_each(|op| self.is_present[op.0 as usize] = false);
    }

    fn may_be_in(&self, op: OpId, region: RegionId) -> bool {
        self.side().region_of[op.0 as usize] == region || self.side().is_movable(op)
    }

    /// Whether an op of another region, and all that it needs, can be computed in a region.
    fn can_compute(&self, op: OpId, region: RegionId) -> bool {
        let mut open = self.needed(op);
        let mut seen = FxHashSet::default();
        while let Some(value) = open.pop() {
            if self.values[value.0 as usize].is_some() || !seen.insert(value) {
                continue;
            }
            match self.side().defining(value).filter(|&definer| self.may_be_in(definer, region)) {
                Some(definer) => open.extend(self.needed(definer)),
                None => return false,
            }
        }
        true
    }

    /// The values that an op needs from outside: its operands, and what the ops of its regions use. A pure op that
    /// moves into one of these regions is not needed, but what it uses is.
    fn needed(&self, op: OpId) -> Vec<Value> {
        let side = self.side();
        let mut found: Vec<Value> = self.operands[op.0 as usize].concat();
        let mut seen: FxHashSet<Value> = found.iter().copied().collect();
        let inner = (op.0 + 1..op.0 + side.size(op) as u32).map(OpId).filter(|&inner| !self.moves_out_of(inner, op));
        let mut open: Vec<Value> = inner.flat_map(|inner| self.operands[inner.0 as usize].concat()).collect();
        while let Some(value) = open.pop() {
            let is_inner = match side.def(value) {
                Some(Def::Result(definer, _)) => is_inside(side, op, definer),
                Some(Def::Argument(region, _)) => {
                    side.owner[region.0 as usize].is_some_and(|owner| owner == op || is_inside(side, op, owner))
                }
                None => true,
            };
            if is_inner || !seen.insert(value) {
                continue;
            }
            match side.defining(value).filter(|&definer| self.moves_into(definer, op)) {
                Some(definer) => open.extend(self.operands[definer.0 as usize].iter().flatten()),
                None => found.push(value),
            }
        }
        found
    }

    /// Whether a pure op is inside of another op in the first body.
    fn moves_into(&self, moved: OpId, op: OpId) -> bool {
        self.side().is_movable(moved) && self.is_inside_in_a(moved, op) == Some(true)
    }

    /// Whether a pure op is not inside of another op in the first body.
    fn moves_out_of(&self, moved: OpId, op: OpId) -> bool {
        self.side().is_movable(moved) && self.is_inside_in_a(moved, op) == Some(false)
    }

    fn is_inside_in_a(&self, inner: OpId, op: OpId) -> Option<bool> {
        let partner = |op: OpId| self.matching.b.partner[op.0 as usize];
        Some(is_inside(self.matching.a.side, partner(op)?, partner(inner)?))
    }
}

fn is_inside(side: &Side, op: OpId, other: OpId) -> bool {
    other.0 > op.0 && (other.0 as usize) < op.0 as usize + side.size(op)
}

/// The ops for a region, in order.
fn plan(matching: &Matching, from: RegionId, like: Option<RegionId>) -> Vec<OpId> {
    let (side_a, side_b) = (matching.a.side, matching.b.side);
    let positions = like.map_or(&[][..], |like| &side_a.body.region(like).ops);
    let position: FxHashMap<OpId, usize> = positions.iter().enumerate().map(|(index, &op)| (op, index)).collect();
    let mut planned = Vec::new();
    let mut before = 0;
    for (rank, &op) in side_b.body.region(from).ops.iter().enumerate() {
        let partner = matching.b.partner[op.0 as usize];
        let own = partner.and_then(|op| position.get(&op).copied());
        let is_end = side_b.op(op).op.row().flow == Flow::Terminator;
        let moves = own.is_none() && partner.is_some() && like.is_some() && side_b.is_movable(op);
        if moves {
            continue;
        }
        before = own.unwrap_or(before);
        planned.push((if is_end { usize::MAX } else { before }, own.is_none(), rank, op));
    }
    for (index, &op) in positions.iter().enumerate() {
        let partner = matching.a.partner[op.0 as usize];
        let moved = partner.filter(|&op| side_b.region_of[op.0 as usize] != from && side_b.is_movable(op));
        planned.extend(moved.map(|op| (index, false, 0, op)));
    }
    planned.sort_by_key(|&(position, is_new, rank, _)| (position, is_new, rank));
    planned.into_iter().map(|(.., op)| op).collect()
}

#[cfg(test)]
mod tests {
    use crate::normalize::{Normalized, normalized};
    use crate::report::Verdict;
    use tile_analysis::batch::{self, Checked, Keep};
    use tile_analysis::context::Options;

    /// The length of chains in which each op uses the one before twice: 2 to the power of it paths lead to the first.
    const LENGTH: usize = 64;

    fn chain() -> String {
        (1..=LENGTH).map(|at| format!("%x{at} = addi %x{before}, %x{before} : tile<i32>\n", before = at - 1)).collect()
    }

    /// A loop that stores a value, with ops before it and in it.
    fn program(before: &str, inside: &str, stored: &str) -> String {
        format!(
            "cuda_tile.module @m {{
               entry @k(%p: tile<ptr<i32>>, %x0: tile<i32>) {{
                 %zero = constant <i32: 0> : tile<i32>
                 %one = constant <i32: 1> : tile<i32>
                 {before}
                 for %i in (%zero to %x0, step %one) : tile<i32> {{
                   {inside}
                   %t = store_ptr_tko weak %p, {stored} : tile<ptr<i32>>, tile<i32> -> token
                 }}
               }}
             }}"
        )
    }

    fn checked(text: &str) -> Checked {
        let checked = batch::check(text, Options::default(), |_| Keep::Everything);
        assert!(checked.diagnostics.is_empty(), "{:?}\n{text}", checked.diagnostics);
        checked
    }

    fn texts(a: &str, b: &str) -> Normalized {
        let found = normalized(&checked(a).program(a), &checked(b).program(b));
        let report = crate::compare(&checked(b).program(b), &checked(&found.b).program(&found.b));
        assert_eq!(report.verdict(), Verdict::Same, "{}", found.b);
        found
    }

    #[test]
    fn shared_values_can_move_out_of_a_loop_and_into_it() {
        let last = format!("%x{LENGTH}");
        let (outside, inside) = (program(&chain(), "", &last), program("", &chain(), &last));
        for (a, b) in [(&outside, &inside), (&inside, &outside)] {
            let Normalized { a, b } = texts(a, b);
            assert_eq!(a, b);
        }
    }

    /// The negation moves out of the loop, with a chain that the first program does not have.
    #[test]
    fn a_moved_op_can_need_shared_values() {
        let a = program("%y = negi %x0 : tile<i32>", "", "%y");
        let b = program("", &format!("{}%y = negi %x{LENGTH} : tile<i32>", chain()), "%y");
        let found = texts(&a, &b);
        let position = |text: &str| found.b.find(text).expect("the text contains both");
        assert!(position("negi") < position("for %i"), "{}", found.b);
    }

    #[test]
    fn producers_and_the_order_of_hints_are_not_part_of_the_meaning() {
        let program = |producer: &str, hints: &str| {
            format!(
                "cuda_tile.module @m attributes {{producer = \"{producer}\"}} {{
                   entry @k() optimization_hints = <{hints}> {{ return }}
                 }}"
            )
        };
        let (sm_90, sm_100) = ("sm_90 = {occupancy = 2}", "sm_100 = {num_cta_in_cga = 2, occupancy = 1}");
        let a = program("a", &format!("{sm_90}, {sm_100}"));
        let Normalized { a, b } = texts(&a, &program("b", &format!("{sm_100}, {sm_90}")));
        assert_eq!(a, b);
        assert!(a.contains("\"a\""), "{a}");
    }

    /// A load of a tile with the shape `tile` from a tensor with the shape and strides `sizes` and `strides`.
    fn load([tile, sizes, strides]: [&str; 3], access: &str) -> String {
        let shape = sizes.replace('x', ", ");
        let tensor = format!("tensor_view<{sizes}xi32, strides=[{strides}]>");
        let view = format!("partition_view<tile=({tile}), {tensor}>");
        format!(
            "cuda_tile.module @m {{
               entry @k(%p: tile<ptr<i32>>) {{
                 %zero = constant <i32: 0> : tile<i32>
                 %t = make_tensor_view %p, shape = [{shape}], strides = [{strides}] : {tensor}
                 %v = make_partition_view %t : {view}
                 %x, %u = load_view_tko weak %v{access} : {view}, tile<i32> -> tile<{tile}xi32>, token
                 print_tko \"%i\", %x : tile<{tile}xi32> -> token
               }}
             }}"
        )
    }

    #[test]
    fn a_list_is_written_as_in_the_first_program_only_if_it_fits() {
        let (line, square) = (["2", "4", "1"], ["2x2", "4x4", "4, 1"]);
        let first = load(line, "[%zero] inbounds = [false]");
        let Normalized { a, b } = texts(&first, &load(line, "[%zero]"));
        assert_eq!(a, b);
        let found = texts(&first, &load(square, "[%zero, %zero]"));
        assert!(!found.b.contains("inbounds"), "{}", found.b);
    }
}
