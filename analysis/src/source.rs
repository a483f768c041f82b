//! Source ranges of the parts of a body. They are separate from the IR so that an edit that only moves text leaves the
//! IR unchanged.

use crate::ir::{OpId, Value};
use std::ops::Range;

/// The source ranges of a body's ops and values, in bytes from the start of its item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// The item's name, including the `@`.
    pub name: Range<u32>,
    /// The name of each op; for a terminator that the text omits, the closing brace.
    pub op_names: Vec<Range<u32>>,
    /// The statement of each op, including its regions.
    pub statements: Vec<Range<u32>>,
    /// The name that defines each value. The values of `%a:2` share one.
    pub definitions: Vec<Range<u32>>,
    /// The index of each value among those that share its definition.
    pub ranks: Vec<u32>,
    /// Every use of a value, in source order.
    pub uses: Vec<(Range<u32>, Value)>,
    /// Operands whose names are not declared at that point, each name once.
    pub undeclared: Vec<Range<u32>>,
    /// Whether a name is defined twice.
    pub has_redefinition: bool,
}

impl Spans {
    /// Reserves space for this many ops, about as many values, and this many uses.
    pub(crate) fn reserve(&mut self, ops: usize, uses: usize) {
        self.op_names.reserve(ops);
        self.statements.reserve(ops);
        self.definitions.reserve(ops);
        self.ranks.reserve(ops);
        self.uses.reserve(uses);
    }

    /// Releases spare capacity.
    pub(crate) fn shrink(&mut self) {
        let Spans { name: _, op_names, statements, definitions, ranks, uses, undeclared, has_redefinition: _ } = self;
        op_names.shrink_to_fit();
        statements.shrink_to_fit();
        definitions.shrink_to_fit();
        ranks.shrink_to_fit();
        uses.shrink_to_fit();
        undeclared.shrink_to_fit();
    }

    /// Returns the value that is used or defined at an offset.
    pub fn value_at(&self, offset: u32) -> Option<(Range<u32>, Value)> {
        let touches = |range: &Range<u32>| range.start <= offset && offset <= range.end;
        let used = self.uses.iter().find(|(range, _)| touches(range)).cloned();
        used.or_else(|| {
            let index = self.definitions.iter().position(touches)?;
            Some((self.definitions[index].clone(), Value(index as u32)))
        })
    }

    /// Returns the range of a value's definition.
    pub fn definition(&self, value: Value) -> Range<u32> {
        self.definitions[value.0 as usize].clone()
    }

    /// Returns the op whose name is at an offset.
    pub fn op_at(&self, offset: u32) -> Option<OpId> {
        let found = self.op_names.iter().position(|range| range.start <= offset && offset <= range.end)?;
        Some(OpId(found as u32))
    }
}
