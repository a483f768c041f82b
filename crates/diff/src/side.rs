//! A body with what the comparison needs to know about it.

use tile_analysis::ir::{Body, Def, Op, OpId, RegionId, Value};
use tile_analysis::types::TypeKind;
use tile_dialect::{Effect, Flow};

/// One of the two bodies.
pub(crate) struct Side<'a> {
    pub(crate) body: &'a Body,
    /// The definition of each value.
    pub(crate) defs: Vec<Option<Def>>,
    /// The region that contains each op.
    pub(crate) region_of: Vec<RegionId>,
    /// The op that contains each region; `None` for the body of the entry.
    pub(crate) owner: Vec<Option<OpId>>,
    /// Whether each op, with the ops of its regions, has no effect. A terminator has one: it ends its region.
    pub(crate) pure: Vec<bool>,
    /// Whether the result of each op can affect an op with an effect.
    pub(crate) live: Vec<bool>,
}

impl<'a> Side<'a> {
    pub(crate) fn new(body: &'a Body) -> Side<'a> {
        let mut side = Side {
            body,
            defs: vec![None; body.values.len()],
            region_of: vec![RegionId(0); body.ops.len()],
            owner: vec![None; body.regions.len()],
            pure: vec![false; body.ops.len()],
            live: vec![false; body.ops.len()],
        };
        for (index, region) in body.regions.iter().enumerate() {
            let id = RegionId(index as u32);
            for (rank, value) in region.args.iter().enumerate() {
                side.defs[value.0 as usize] = Some(Def::Argument(id, rank));
            }
            region.ops.iter().for_each(|op| side.region_of[op.0 as usize] = id);
        }
        for (id, op) in ops(body) {
            body.results(op).enumerate().for_each(|(rank, value)| {
                side.defs[value.0 as usize] = Some(Def::Result(id, rank));
            });
            body.regions_of(op).for_each(|region| side.owner[region.0 as usize] = Some(id));
        }
        side.find_pure();
        side.find_live();
        side
    }

    /// Nested ops follow their op, so that a backward pass sees them first.
    fn find_pure(&mut self) {
        for (id, op) in ops(self.body).collect::<Vec<_>>().into_iter().rev() {
            let row = op.op.row();
            let nested = || self.body.regions_of(op).flat_map(|region| &self.body.region(region).ops);
            self.pure[id.0 as usize] = row.flow == Flow::Next
                && match row.effect {
                    Effect::Pure | Effect::None => true,
                    Effect::Memory => false,
                    Effect::Regions => nested().all(|&op| {
                        let is_end = self.body.op(op).op.row().flow == Flow::Terminator;
                        let leaves = is_end && self.leaves_further(op, id);
                        !leaves && (is_end || self.pure[op.0 as usize])
                    }),
                };
        }
    }

    /// Whether a terminator in a region of an op ends a loop further out.
    fn leaves_further(&self, terminator: OpId, of: OpId) -> bool {
        use tile_dialect::Mnemonic::{Break, Continue, For, Loop, Return};
        let jumps = matches!(self.body.op(terminator).op, Break | Continue | Return);
        jumps && !matches!(self.body.op(of).op, For | Loop)
    }

    fn find_live(&mut self) {
        let body = self.body;
        let is_root = |id: OpId, op: &Op| {
            let is_pure = self.pure[id.0 as usize] && op.op.row().effect != Effect::None;
            let is_inner = op.op.row().flow == Flow::Terminator && self.owner_of(id).is_some_and(|op| self.is_pure(op));
            !is_pure && !is_inner
        };
        let mut open: Vec<OpId> = ops(body).filter(|(id, op)| is_root(*id, op)).map(|(id, _)| id).collect();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.live[id.0 as usize], true) {
                continue;
            }
            let op = body.op(id);
            open.extend(body.operands(op).iter().filter_map(|&value| self.defining(value)));
            let ends = body.regions_of(op).filter_map(|region| body.region(region).ops.last().copied());
            open.extend(ends);
            open.extend(self.owner_of(id));
        }
    }

    pub(crate) fn op(&self, id: OpId) -> &'a Op {
        self.body.op(id)
    }

    /// The op that a value is a result of.
    pub(crate) fn defining(&self, value: Value) -> Option<OpId> {
        match self.def(value)? {
            Def::Result(op, _) => Some(op),
            Def::Argument(..) => None,
        }
    }

    pub(crate) fn def(&self, value: Value) -> Option<Def> {
        self.defs.get(value.0 as usize).copied().flatten()
    }

    /// The op whose region contains an op.
    pub(crate) fn owner_of(&self, op: OpId) -> Option<OpId> {
        self.owner[self.region_of[op.0 as usize].0 as usize]
    }

    pub(crate) fn is_pure(&self, op: OpId) -> bool {
        self.pure[op.0 as usize]
    }

    /// Whether an op may be computed in any region: it has no effect and its behavior is always defined.
    pub(crate) fn is_movable(&self, op: OpId) -> bool {
        self.is_pure(op) && self.op(op).op.row().effect != Effect::None
    }

    pub(crate) fn is_token(&self, value: Value) -> bool {
        matches!(self.body.ty(value).kind(), TypeKind::Token)
    }

    /// The ops with effects that a region contains directly, including its terminator.
    pub(crate) fn effects(&self, region: RegionId) -> Vec<OpId> {
        self.body.region(region).ops.iter().copied().filter(|&op| !self.is_pure(op)).collect()
    }

    /// The ops that a region contains, including nested ones, in the order of the text.
    pub(crate) fn all_ops(&self) -> impl Iterator<Item = OpId> + use<> {
        (0..self.body.ops.len() as u32).map(OpId)
    }

    /// The number of ops in an op, including itself.
    pub(crate) fn size(&self, op: OpId) -> usize {
        let regions = self.body.regions_of(self.op(op));
        1 + regions.flat_map(|region| &self.body.region(region).ops).map(|&op| self.size(op)).sum::<usize>()
    }
}

fn ops(body: &Body) -> impl Iterator<Item = (OpId, &Op)> {
    (0..).map(OpId).zip(&body.ops)
}
