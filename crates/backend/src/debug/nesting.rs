//! The nesting of ops, and the values that are in scope at each.

use tile_analysis::ir::{Body, OpId, RegionId, Value};

/// The nesting of a body's ops: for each op, the ops that enclose it.
pub struct Nesting {
    /// The region of each op, and the op's index in it.
    places: Vec<(RegionId, usize)>,
    /// The op that each region belongs to; `None` for the body's outermost region.
    owners: Vec<Option<OpId>>,
}

impl Nesting {
    /// Computes the nesting of a body.
    pub fn of(body: &Body) -> Nesting {
        let mut nesting =
            Nesting { places: vec![(RegionId(0), 0); body.ops.len()], owners: vec![None; body.regions.len()] };
        for (number, region) in (0..).map(RegionId).zip(&body.regions) {
            for (place, &id) in region.ops.iter().enumerate() {
                nesting.places[id.0 as usize] = (number, place);
                for inner in body.regions_of(body.op(id)) {
                    nesting.owners[inner.0 as usize] = Some(id);
                }
            }
        }
        nesting
    }

    /// The ops that enclose an op, innermost first.
    pub fn around(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        let owner = |op: &OpId| self.owners[self.places[op.0 as usize].0.0 as usize];
        std::iter::successors(owner(&op), owner)
    }

    /// The number of ops that enclose an op.
    pub fn depth(&self, op: OpId) -> usize {
        self.around(op).count()
    }

    /// The values in scope at an op, in order of definition.
    pub fn visible(&self, body: &Body, op: OpId) -> Vec<Value> {
        let mut visible = Vec::new();
        for inside in std::iter::once(op).chain(self.around(op)) {
            let (region, place) = self.places[inside.0 as usize];
            let region = body.region(region);
            visible.extend_from_slice(&region.args);
            visible.extend(region.ops[..place].iter().flat_map(|&before| body.results(body.op(before))));
        }
        visible.sort_unstable();
        visible
    }
}
