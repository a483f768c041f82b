//! Fingerprints: hashes of ops with everything they depend on, by which the ops of two bodies find each other.

use crate::commutative::exchangeable;
use crate::side::Side;
use crate::signature::Signature;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use tile_analysis::ir::{OpId, RegionId, Value};
use tile_dialect::Mnemonic;

/// The fingerprints of a body.
pub(crate) struct Fingerprints {
    pub(crate) ops: Vec<u64>,
    pub(crate) values: Vec<u64>,
}

/// Whether fingerprints include the tokens that an op waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tokens {
    Included,
    Ignored,
}

impl Fingerprints {
    pub(crate) fn of(side: &Side, signatures: &[Signature], tokens: Tokens) -> Fingerprints {
        let (ops, values) = (vec![0; side.body.ops.len()], vec![0; side.body.values.len()]);
        let mut builder = Builder { side, signatures, tokens, depth: 0, found: Fingerprints { ops, values } };
        if let Some(entry) = side.body.regions.first() {
            entry.args.iter().enumerate().for_each(|(index, &arg)| builder.set(arg, hash(("parameter", index))));
            builder.region(RegionId(0));
        }
        builder.found
    }
}

struct Builder<'a> {
    side: &'a Side<'a>,
    signatures: &'a [Signature],
    tokens: Tokens,
    /// The number of enclosing regions.
    depth: usize,
    found: Fingerprints,
}

impl Builder<'_> {
    fn set(&mut self, value: Value, fingerprint: u64) {
        self.found.values[value.0 as usize] = fingerprint;
    }

    /// Returns the fingerprint of a region, which does not depend on the order of its ops with effects.
    fn region(&mut self, region: RegionId) -> u64 {
        let mut sum = 0u64;
        self.depth += 1;
        for &op in &self.side.body.region(region).ops {
            self.op(op);
            if !self.side.is_pure(op) {
                sum = sum.wrapping_add(self.found.ops[op.0 as usize]);
            }
        }
        self.depth -= 1;
        sum
    }

    fn op(&mut self, id: OpId) {
        let (side, op) = (self.side, self.side.op(id));
        let mut operands: Vec<u64> = Vec::new();
        for &operand in side.body.operands(op) {
            if self.tokens == Tokens::Included || !side.is_token(operand) {
                operands.push(self.found.values[operand.0 as usize]);
            }
        }
        let exchangeable = exchangeable(op.op, operands.len());
        operands[..exchangeable].sort_unstable();
        if self.passes_in_any_order(id) {
            operands.sort_unstable();
        }
        let mut fingerprint = hash((self.signatures[id.0 as usize], operands));
        for region in side.body.regions_of(op) {
            self.args(id, region, fingerprint);
        }
        for region in side.body.regions_of(op) {
            fingerprint = hash((fingerprint, self.region(region)));
        }
        self.found.ops[id.0 as usize] = fingerprint;
        for (rank, value) in side.body.results(op).enumerate() {
            let known = self.slot(id, rank).map_or_else(|| hash((fingerprint, rank)), |slot| hash((fingerprint, slot)));
            self.set(value, known);
        }
    }

    /// Whether the order of the operands can be changed together with that of other lists: carried and returned values.
    fn passes_in_any_order(&self, id: OpId) -> bool {
        let owner = || self.side.owner_of(id).map(|owner| self.side.op(owner).op);
        match self.side.op(id).op {
            Mnemonic::For | Mnemonic::Loop | Mnemonic::Continue | Mnemonic::Break => true,
            Mnemonic::Yield => owner() == Some(Mnemonic::If),
            _ => false,
        }
    }

    /// A result of a loop or branch is known by the values that are passed on to it, so that the order of the results
    /// does not matter.
    fn slot(&self, id: OpId, rank: usize) -> Option<Vec<u64>> {
        let (body, op) = (self.side.body, self.side.op(id));
        let init = match op.op {
            Mnemonic::For => Some(*body.group(op, 3).get(rank)?),
            Mnemonic::If => None,
            _ => return None,
        };
        let ends = body.regions_of(op).filter_map(|region| body.region(region).ops.last());
        let passed = ends.filter_map(|&end| body.operands(body.op(end)).get(rank).copied());
        Some(init.into_iter().chain(passed).map(|value| self.found.values[value.0 as usize]).collect())
    }

    /// A carried value is known by its initial value, so that the order of carried values does not matter.
    fn args(&mut self, id: OpId, region: RegionId, fingerprint: u64) {
        let (body, op) = (self.side.body, self.side.op(id));
        let args = &body.region(region).args;
        let inits = match op.op {
            Mnemonic::For => body.group(op, 3),
            Mnemonic::Loop => body.group(op, 0),
            _ => &[],
        };
        let others = args.len().saturating_sub(inits.len());
        for (index, &arg) in args.iter().enumerate() {
            let known = match index.checked_sub(others).and_then(|index| inits.get(index)) {
                Some(init) => hash(("carried", self.found.values[init.0 as usize])),
                // Loops are distinguished by their depth alone, because their bounds may differ.
                None if op.op == Mnemonic::For => hash(("index", self.depth)),
                None => hash((fingerprint, index)),
            };
            self.set(arg, known);
        }
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
