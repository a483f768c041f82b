//! The type rules of the table, with names resolved to indices.

use std::sync::OnceLock;
use tile_dialect::{COUNT, OpRow, Rule};

/// An operand or a result of an op, by its index in the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RulePart {
    /// An operand, or a group of them.
    Operand(u8),
    /// A result, or a group of them.
    Result(u8),
}

/// A compiled [`tile_dialect::Rule`].
#[derive(Debug)]
pub(crate) enum Relation {
    SameType(Box<[RulePart]>),
    SameShape(Box<[RulePart]>),
    SameElement(Box<[RulePart]>),
    SameRank(Box<[RulePart]>),
    TruthOf(RulePart, RulePart),
    PointsTo(RulePart, RulePart),
    TileOfView(RulePart, RulePart),
    SameTypes(RulePart, RulePart),
}

/// The rules of a row.
pub(crate) fn of(row: &'static OpRow) -> &'static [Relation] {
    static RELATIONS: [OnceLock<Box<[Relation]>>; COUNT] = [const { OnceLock::new() }; COUNT];
    RELATIONS[row.op as usize].get_or_init(|| row.rules.iter().map(|rule| compile(row, rule)).collect())
}

/// The name of a part in the row.
pub(crate) fn name(row: &'static OpRow, part: RulePart) -> &'static str {
    match part {
        RulePart::Operand(index) => row.operands[index as usize].name,
        RulePart::Result(index) => row.results[index as usize].name,
    }
}

fn compile(row: &OpRow, rule: &Rule) -> Relation {
    let part = |name: &str| match row.operand_named(name) {
        Some((index, _)) => RulePart::Operand(index as u8),
        None => {
            RulePart::Result(row.result(name).expect("every rule names operands and results, as a test checks").0 as u8)
        }
    };
    let parts = |names: &[&str]| names.iter().map(|name| part(name)).collect();
    match *rule {
        Rule::SameType(names) => Relation::SameType(parts(names)),
        Rule::SameShape(names) => Relation::SameShape(parts(names)),
        Rule::SameElement(names) => Relation::SameElement(parts(names)),
        Rule::SameRank(names) => Relation::SameRank(parts(names)),
        Rule::TruthOf(a, b) => Relation::TruthOf(part(a), part(b)),
        Rule::PointsTo(a, b) => Relation::PointsTo(part(a), part(b)),
        Rule::TileOfView(a, b) => Relation::TileOfView(part(a), part(b)),
        Rule::SameTypes(a, b) => Relation::SameTypes(part(a), part(b)),
    }
}
