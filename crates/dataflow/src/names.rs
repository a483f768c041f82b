//! The names of values in the text of an entry.

use crate::access::Base;
use crate::symbolic::{Names, Symbol};
use std::borrow::Cow;
use tile_analysis::ir::{Body, OpId, Value};
use tile_analysis::source::Spans;
use tile_dialect::Mnemonic;

/// The names of values and coordinates. Without text, such as for bytecode, values have numbers.
#[derive(Clone, Copy, Debug)]
pub struct SourceNames<'a> {
    /// The entry.
    pub body: &'a Body,
    /// The source ranges of the entry.
    pub spans: &'a Spans,
    /// The text of the entry's item.
    pub text: &'a str,
}

/// The names of block coordinates that the entry does not name itself.
const BLOCK: [&str; 3] = ["block.x", "block.y", "block.z"];
const GRID: [&str; 3] = ["grid.x", "grid.y", "grid.z"];

impl<'a> SourceNames<'a> {
    /// The name of a value, with its number if several share a definition.
    pub fn value(&self, value: Value) -> Cow<'a, str> {
        let index = value.0 as usize;
        let range = self.spans.definitions.get(index).cloned().unwrap_or_default();
        let Some(name) = self.text.get(range.start as usize..range.end as usize).filter(|name| name.starts_with('%'))
        else {
            return format!("%{index}").into();
        };
        let name = name.split([':', ' ']).next().unwrap_or(name);
        let shares = |other: Option<&std::ops::Range<u32>>| other == Some(&range);
        let is_shared = shares(self.spans.definitions.get(index + 1))
            || (index > 0 && shares(self.spans.definitions.get(index - 1)));
        if is_shared { format!("{name}#{}", self.spans.ranks[index]).into() } else { name.into() }
    }

    /// The name of an object in memory.
    pub fn memory(&self, base: Option<&Base>) -> Cow<'a, str> {
        match base {
            Some(Base::Param(value) | Base::Computed(value)) => self.value(*value),
            Some(Base::Global(name)) => format!("@{name}").into(),
            Some(Base::Scratch(op)) => {
                let value = self.body.results(self.body.op(*op)).next();
                value.map_or("scratch memory".into(), |value| self.value(value))
            }
            None => "unknown memory".into(),
        }
    }

    /// The result of the first op with this mnemonic, for a dimension of the grid.
    fn of_grid(&self, op: Mnemonic, dim: u8, otherwise: [&'static str; 3]) -> Cow<'a, str> {
        let found = self.body.ops.iter().find(|found| found.op == op);
        let result = found.and_then(|op| self.body.results(op).nth(dim.into()));
        result.map_or_else(|| otherwise[usize::from(dim)].into(), |value| self.value(value))
    }

    /// The first argument of the body of a loop: the induction variable of a `for`, a carried value of a `loop`.
    fn first_argument(&self, id: OpId) -> Option<Cow<'a, str>> {
        let region = self.body.regions_of(self.body.op(id)).next()?;
        self.body.region(region).args.first().map(|&argument| self.value(argument))
    }

    fn is_pointer(&self, value: Value) -> bool {
        self.body.ty(value).as_tile().is_some_and(|tile| tile.pointee().is_some())
    }
}

impl Names for SourceNames<'_> {
    fn name(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Block(dim) => self.of_grid(Mnemonic::GetTileBlockId, dim, BLOCK).into(),
            Symbol::Grid(dim) => self.of_grid(Mnemonic::GetNumTileBlocks, dim, GRID).into(),
            Symbol::Induction(id) => self.first_argument(id).unwrap_or("iteration".into()).into(),
            Symbol::Iteration(id) => match self.first_argument(id) {
                Some(argument) => format!("iteration({argument})"),
                None => "iteration".to_string(),
            },
            Symbol::Lane(dim, _) => format!("e{dim}"),
            Symbol::Unknown(value) if self.is_pointer(value) => format!("offset({})", self.value(value)),
            Symbol::Param(value) | Symbol::Unknown(value) | Symbol::Carried(value) => self.value(value).into(),
        }
    }
}
