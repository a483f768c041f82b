//! Cache of decoded types.

use super::tables::Table;
use tile_analysis::types::Type;

/// The types of a file, read on demand.
pub(super) struct Types<'a> {
    pub(super) table: Table<'a>,
    pub(super) known: Vec<Option<Type>>,
}

impl<'a> Types<'a> {
    pub(super) fn new(table: Table<'a>) -> Types<'a> {
        Types { known: vec![None; table.len()], table }
    }
}
