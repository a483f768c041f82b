//! Pure ops that no op with an effect led to: equal ones in another place, repeated and unused ones, and the rest.

use crate::align::{Used, by_any_key, by_score};
use crate::half::Half;
use crate::matching::Matching;
use crate::report::Harmless;
use rustc_hash::FxHashSet;
use tile_analysis::ir::OpId;
use tile_dialect::Effect;

/// Pairs the remaining pure ops. Ops that have no equal in the other body come first, because they show which of
/// several equal ops changed.
pub(crate) fn pair(matching: &mut Matching) {
    let is_new = |half: &Half, other: &Half| {
        let known: FxHashSet<u32> = other.side.all_ops().map(|op| other.class(op)).collect();
        alone(half, other).into_iter().filter(|&op| !known.contains(&half.class(op))).collect()
    };
    similar(matching, is_new(&matching.a, &matching.b), is_new(&matching.b, &matching.a));
    similar(matching, alone(&matching.a, &matching.b), alone(&matching.b, &matching.a));
    while equal(matching) {}
}

/// Pairs similar ops, the last ones first: they lead to the ops that compute their operands.
fn similar(matching: &mut Matching, a: Vec<OpId>, b: Vec<OpId>) {
    let score = |x: usize, y: usize| similarity(matching, a[x], b[y]);
    let pairs = by_score(score, &mut Used::none(a.len(), b.len()));
    for (x, y) in pairs.into_iter().rev() {
        // An earlier pair may have made these ops equal to others.
        if matching.a.is_alone(a[x], &matching.b) && matching.b.is_alone(b[y], &matching.a) {
            matching.pair(a[x], b[y], 0);
        }
    }
    matching.renumber();
}

/// Aligns ops of equal classes, in order. Returns whether there were any with ops inside, which may be equal to others.
fn equal(matching: &mut Matching) -> bool {
    let (a, b) = (open(&matching.a), open(&matching.b));
    let has_regions = |half: &Half, op: OpId| !half.side.op(op).regions.is_empty();
    let mut again = false;
    for (op, other) in by_class(matching, &a, &b) {
        again |= has_regions(&matching.a, op);
        align(matching, op, other);
    }
    again
}

fn open(half: &Half) -> Vec<OpId> {
    half.side.all_ops().filter(|&op| half.is_open(op)).collect()
}

/// The pairs of ops of equal classes.
fn by_class(matching: &Matching, a: &[OpId], b: &[OpId]) -> Vec<(OpId, OpId)> {
    let classes = |half: &Half, ops: &[OpId]| ops.iter().map(|&op| half.class(op)).collect::<Vec<_>>();
    let (of_a, of_b) = (classes(&matching.a, a), classes(&matching.b, b));
    let pairs = by_any_key(&of_a, &of_b);
    pairs.into_iter().map(|(x, y)| (a[x], b[y])).collect()
}

/// Aligns two equal ops and what their regions contain.
fn align(matching: &mut Matching, a: OpId, b: OpId) {
    matching.a.partner[a.0 as usize] = Some(b);
    matching.b.partner[b.0 as usize] = Some(a);
    let (body_a, body_b) = (matching.a.side.body, matching.b.side.body);
    for (x, y) in body_a.regions_of(body_a.op(a)).zip(body_b.regions_of(body_b.op(b))) {
        let (ops_a, ops_b) = (&body_a.region(x).ops, &body_b.region(y).ops);
        let ends = ops_a.last().zip(ops_b.last()).map(|(x, y)| (*x, *y));
        for (x, y) in by_class(matching, ops_a, ops_b).into_iter().filter(|pair| Some(*pair) != ends) {
            align(matching, x, y);
        }
        if let Some((x, y)) = ends {
            align(matching, x, y);
        }
    }
}

fn alone(half: &Half, other: &Half) -> Vec<OpId> {
    half.side.all_ops().filter(|&op| half.is_open(op) && half.is_alone(op, other)).collect()
}

/// How much two pure ops have in common; 0 if that is too little.
fn similarity(matching: &Matching, a: OpId, b: OpId) -> u32 {
    let (half_a, half_b) = (&matching.a, &matching.b);
    let (op_a, op_b) = (half_a.side.op(a), half_b.side.op(b));
    if op_a.op != op_b.op || half_a.side.live[a.0 as usize] != half_b.side.live[b.0 as usize] {
        return 0;
    }
    let (of_a, of_b) = (half_a.side.body.operands(op_a), half_b.side.body.operands(op_b));
    let class = |half: &Half, value: u32| half.classes.values[value as usize];
    let shared = of_a.iter().zip(of_b).filter(|(x, y)| class(half_a, x.0) == class(half_b, y.0)).count() as u32;
    let (sign_a, sign_b) = (half_a.signatures[a.0 as usize], half_b.signatures[b.0 as usize]);
    if shared == 0 && (!of_a.is_empty() || sign_a.types != sign_b.types) {
        return 0;
    }
    1 + 2 * shared + u32::from(sign_a.attrs == sign_b.attrs) + u32::from(sign_a.types == sign_b.types)
}

/// Why an op that only one body has does not change the meaning; `None` if it does.
pub(crate) fn harmless(half: &Half, other: &Half, op: OpId) -> Option<Harmless> {
    if !half.side.is_pure(op) {
        return None;
    }
    if !half.side.live[op.0 as usize] && half.side.op(op).op.row().effect != Effect::None {
        return Some(Harmless::Unused);
    }
    let is_equal = |id: OpId| other.class(id) == half.class(op);
    other.side.all_ops().any(is_equal).then_some(Harmless::Repeated)
}
