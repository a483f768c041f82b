//! The ranges of a body's parts in the text of its item. Separate from the IR, so that an edit that only moves text
//! does not change the IR.

use crate::ir::{OpId, Value};
use std::ops::Range;

/// The places of a body's ops and values, in bytes from the start of its item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// The item's name, with `@`.
    pub name: Range<u32>,
    /// For each op the range of its name; for a terminator that the text leaves out, that of the closing brace.
    pub op_names: Vec<Range<u32>>,
    /// For each op its whole statement, regions included.
    pub statements: Vec<Range<u32>>,
    /// For each value the range of the name that defines it. The values of `%a:2` share one.
    pub definitions: Vec<Range<u32>>,
    /// For each value its rank among those that share its definition.
    pub ranks: Vec<u32>,
    /// Every use of a value, in the order of the text.
    pub uses: Vec<(Range<u32>, Value)>,
    /// Operands whose names stand for no value there, each name once.
    pub undeclared: Vec<Range<u32>>,
    /// Whether a name is defined twice.
    pub has_redefinition: bool,
}

impl Spans {
    /// Makes room for this many ops, about as many values, and this many uses.
    pub(crate) fn reserve(&mut self, ops: usize, uses: usize) {
        self.op_names.reserve(ops);
        self.statements.reserve(ops);
        self.definitions.reserve(ops);
        self.ranks.reserve(ops);
        self.uses.reserve(uses);
    }

    /// Gives back the memory that was taken for growing.
    pub(crate) fn shrink(&mut self) {
        let Spans { name: _, op_names, statements, definitions, ranks, uses, undeclared, has_redefinition: _ } = self;
        op_names.shrink_to_fit();
        statements.shrink_to_fit();
        definitions.shrink_to_fit();
        ranks.shrink_to_fit();
        uses.shrink_to_fit();
        undeclared.shrink_to_fit();
    }

    /// The value that is used or defined at an offset.
    pub fn value_at(&self, offset: u32) -> Option<(Range<u32>, Value)> {
        let touches = |range: &Range<u32>| range.start <= offset && offset <= range.end;
        let used = self.uses.iter().find(|(range, _)| touches(range)).cloned();
        used.or_else(|| {
            let index = self.definitions.iter().position(touches)?;
            Some((self.definitions[index].clone(), Value(index as u32)))
        })
    }

    /// Where a value is defined.
    pub fn definition(&self, value: Value) -> Range<u32> {
        self.definitions[value.0 as usize].clone()
    }

    /// The op whose name is at an offset.
    pub fn op_at(&self, offset: u32) -> Option<OpId> {
        let found = self.op_names.iter().position(|range| range.start <= offset && offset <= range.end)?;
        Some(OpId(found as u32))
    }
}
