//! Definitions and uses of values.

use super::{Body, Op, OpId, RegionId, Value};

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// Result `.1` of an op.
    Result(OpId, usize),
    /// Argument `.1` of a region; those of region 0 are the parameters of the entry.
    Argument(RegionId, usize),
}

impl Body {
    /// The number of a parameter of the entry; `None` for other values.
    pub fn param(&self, value: Value) -> Option<usize> {
        self.region(RegionId(0)).args.iter().position(|&param| param == value)
    }

    /// Returns the definition of a value; `None` for a name that is used but not declared.
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

    /// Returns the op that a value is a result of.
    pub fn defining_op(&self, value: Value) -> Option<OpId> {
        match self.def(value)? {
            Def::Result(op, _) => Some(op),
            Def::Argument(..) => None,
        }
    }

    /// Iterates over the ops that use a value, each with the index of the operand. An op that uses it twice is returned
    /// twice.
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

    /// A program with nested loops, branches and reductions.
    const PROGRAM: &str = include_str!("../../../examples/fused_attention.tile");

    fn bodies(text: &str) -> Vec<std::sync::Arc<Body>> {
        let db = Database::default();
        let file = File::new(&db, text.into(), Default::default());
        Program::of(&db, file).module().entries
    }

    #[test]
    fn every_value_has_a_definition() {
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
    fn every_operand_is_a_use() {
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
