//! Where values are defined and used.

use super::{Body, Op, OpId, RegionId, Value};

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// An op: the value is the result with this index.
    Result(OpId, usize),
    /// A region: the value is the argument with this index; those of region 0 are the parameters of the entry.
    Argument(RegionId, usize),
}

impl Body {
    /// What defines a value. `None` for a name that is used and not declared.
    pub fn def(&self, value: Value) -> Option<Def> {
        // Ops are in the order of their results.
        let op = self.ops.partition_point(|op| op.results.end <= value.0);
        let result = self.ops.get(op).filter(|op| op.results.contains(&value.0));
        if let Some(found) = result {
            return Some(Def::Result(OpId(op as u32), (value.0 - found.results.start) as usize));
        }
        let index = |region: &super::Region| region.args.iter().position(|&arg| arg == value);
        let mut regions = (0..).map(RegionId).zip(&self.regions);
        regions.find_map(|(id, region)| Some(Def::Argument(id, index(region)?)))
    }

    /// The op of which a value is a result.
    pub fn defining_op(&self, value: Value) -> Option<OpId> {
        match self.def(value)? {
            Def::Result(op, _) => Some(op),
            Def::Argument(..) => None,
        }
    }

    /// The ops that read a value, each with the index of the operand; an op that reads it twice comes twice.
    pub fn uses(&self, value: Value) -> impl Iterator<Item = (OpId, usize)> + '_ {
        let of_op = move |(id, op): (OpId, &Op)| {
            let operands = self.operands(op).iter().enumerate();
            operands.filter(move |(_, operand)| **operand == value).map(move |(index, _)| (id, index))
        };
        (0..).map(OpId).zip(&self.ops).flat_map(of_op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{Database, File};
    use crate::program::Program;

    /// Loops, branches and reductions, nested.
    const PROGRAM: &str = include_str!("../../../examples/fused_attention.tile");

    fn bodies(text: &str) -> Vec<std::sync::Arc<Body>> {
        let db = Database::default();
        let file = File::new(&db, text.into(), Default::default());
        Program::of(&db, file).module().entries
    }

    #[test]
    fn every_value_has_its_definition() {
        for body in bodies(PROGRAM) {
            for value in (0..body.values.len() as u32).map(Value) {
                match body.def(value) {
                    Some(Def::Result(op, index)) => assert_eq!(body.results(body.op(op)).nth(index), Some(value)),
                    Some(Def::Argument(region, index)) => assert_eq!(body.region(region).args[index], value),
                    None => panic!("{value:?} has no definition"),
                }
            }
        }
    }

    #[test]
    fn uses_are_all_operands() {
        for body in bodies(PROGRAM) {
            let uses = (0..body.values.len() as u32).map(|value| body.uses(Value(value)).count()).sum::<usize>();
            assert_eq!(uses, body.ops.iter().map(|op| body.operands(op).len()).sum::<usize>());
        }
        let text = "cuda_tile.module @m { entry @k(%a: tile<i32>) { %b = addi %a, %a : tile<i32> } }";
        let bodies = bodies(text);
        assert_eq!(bodies[0].uses(Value(0)).collect::<Vec<_>>(), [(OpId(0), 0), (OpId(0), 1)]);
        assert_eq!(bodies[0].def(Value(0)), Some(Def::Argument(RegionId(0), 0)));
    }
}
