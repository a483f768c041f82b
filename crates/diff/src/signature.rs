//! Signatures: everything about an op except its operands and regions.

use crate::side::Side;
use rustc_hash::FxHashMap;
use tile_analysis::ir::{Attr, Hints, OpId};
use tile_dialect::AttrRow;

/// Names of globals in the first program, by those in the second one.
pub(crate) type Renames = FxHashMap<Box<str>, Box<str>>;

/// Numbers equal signatures of both bodies equally.
#[derive(Default)]
pub(crate) struct Signatures {
    known: FxHashMap<String, u32>,
}

/// The signature of an op.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Signature {
    /// The op and its attributes.
    pub(crate) attrs: u32,
    /// The types of its results.
    pub(crate) types: u32,
    /// The sizes of its operand groups and the number of its regions.
    pub(crate) shape: u32,
}

impl Signatures {
    /// The signature of each op of a body. Symbols are replaced by their names in the first program.
    pub(crate) fn of(&mut self, side: &Side, renames: &Renames) -> Vec<Signature> {
        side.all_ops().map(|id| self.of_op(side, id, renames)).collect()
    }

    fn of_op(&mut self, side: &Side, id: OpId, renames: &Renames) -> Signature {
        let (body, op) = (side.body, side.op(id));
        let row = op.op.row();
        let mut attrs = row.name.to_string();
        for (row, attr) in row.attrs.iter().zip(body.attrs_of(op)) {
            attrs.push_str(&format!(" {:?}", canonical(row, attr, renames)));
        }
        let types: Vec<_> = body.results(op).map(|value| body.ty(value)).collect();
        let groups: Vec<usize> = (0..row.operands.len()).map(|index| body.group(op, index).len()).collect();
        Signature {
            attrs: self.number(attrs),
            types: self.number(format!("{types:?}")),
            shape: self.number(format!("{groups:?} {}", op.regions.len())),
        }
    }

    fn number(&mut self, text: String) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(text).or_insert(next)
    }
}

/// An attribute in the form in which equal meanings are equal: hints are sorted, and a list in which all Booleans are
/// false is absent.
pub(crate) fn canonical(row: &AttrRow, attr: &Attr, renames: &Renames) -> Attr {
    match attr {
        Attr::Symbol(name) => Attr::Symbol(renames.get(name).unwrap_or(name).clone()),
        Attr::Hints(hints) if hints.by_architecture.iter().all(|(_, hints)| hints.is_empty()) => Attr::Absent,
        Attr::Hints(hints) => Attr::Hints(Box::new(sorted(hints))),
        Attr::BoolList(list) if list.iter().all(|&value| !value) => Attr::Absent,
        Attr::Absent => Attr::default_of(row),
        _ => attr.clone(),
    }
}

/// Hints in the order of their names.
pub(crate) fn sorted(hints: &Hints) -> Hints {
    let mut hints = hints.clone();
    hints.by_architecture.sort_by(|(a, _), (b, _)| a.cmp(b));
    hints.by_architecture.iter_mut().for_each(|(_, hints)| hints.sort_by(|(a, _), (b, _)| a.cmp(b)));
    hints
}
