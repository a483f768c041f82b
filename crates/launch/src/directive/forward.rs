//! The `forward` line: the kernel that the gradients of a launch differentiate.

use super::super::cursor::{Cursor, Parsed, quote};
use super::grid::{extents, write_grid};
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};

/// The kernel that gradients differentiate. It gets the arguments of the launch with the names of its parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Forward {
    /// The name of its entry, without `@`.
    pub entry: String,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// The range of that name, with `@`.
    pub range: Range<usize>,
}

/// The line without `//@`.
impl fmt::Display for Forward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = self.entry.chars().all(|c| c.is_ascii_alphanumeric() || "_$.-".contains(c));
        let name = if is_plain { self.entry.clone() } else { quote(&self.entry) };
        write!(f, "forward @{name}")?;
        write_grid(f, self.grid)
    }
}

/// Parses `forward @name` and an optional grid.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Parsed<Forward> {
    const HELP: &str = "write `forward @name grid=(8, 1, 1)`";
    cursor.word();
    let (entry, range) = cursor.symbol().map_err(|error| error.help(HELP))?;
    let mut grid = [1, 1, 1];
    if cursor.eat_word("grid") {
        cursor.expect("=")?;
        grid = extents(cursor)?;
    }
    if !cursor.at_end() {
        return Err(cursor.expected("`grid=` or nothing").help(HELP));
    }
    Ok(Forward { entry, grid, range })
}
