//! Pure ops that no op with an effect led to: equal ones in another place, repeated and unused ones, and the rest.

use crate::align::{Used, by_score};
use crate::matching::{Half, Matching};
use crate::report::Harmless;
use rustc_hash::FxHashMap;
use tile_analysis::ir::OpId;
use tile_dialect::Effect;

/// Pairs the remaining pure ops.
pub(crate) fn pair(matching: &mut Matching) {
    let (a, b) = (alone(&matching.a, &matching.b), alone(&matching.b, &matching.a));
    let score = |x: usize, y: usize| similarity(matching, a[x], b[y]);
    let pairs = by_score(score, &mut Used::none(a.len(), b.len()));
    for (x, y) in pairs {
        // An earlier pair may have made these ops equal to others.
        if matching.a.is_alone(a[x], &matching.b) && matching.b.is_alone(b[y], &matching.a) {
            matching.pair(a[x], b[y], 0);
        }
    }
    matching.renumber();
    equal(matching);
}

/// Aligns ops of equal classes, in order.
fn equal(matching: &mut Matching) {
    let mut known: FxHashMap<u32, Vec<OpId>> = FxHashMap::default();
    for op in matching.b.side.all_ops().filter(|&op| matching.b.is_open(op)) {
        known.entry(matching.b.class(op)).or_default().push(op);
    }
    known.values_mut().for_each(|ops| ops.reverse());
    for op in matching.a.side.all_ops() {
        if matching.a.is_open(op)
            && let Some(other) = known.get_mut(&matching.a.class(op)).and_then(Vec::pop)
        {
            matching.a.partner[op.0 as usize] = Some(other);
            matching.b.partner[other.0 as usize] = Some(op);
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
