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
    /// The name, with `@`.
    pub name: Range<usize>,
    /// The whole line.
    pub range: Range<usize>,
}

impl Forward {
    pub(super) fn forget_ranges(&mut self) {
        (self.name, self.range) = (0..0, 0..0);
    }
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

/// Parses `forward @name` and an optional grid. `range` is the whole line.
pub(super) fn parse(cursor: &mut Cursor<'_>, range: Range<usize>) -> Parsed<Forward> {
    const HELP: &str = "write `forward @name grid=(8, 1, 1)`";
    cursor.word();
    let (entry, name) = cursor.symbol().map_err(|error| error.help(HELP))?;
    let mut grid = [1, 1, 1];
    if cursor.eat_word("grid") {
        cursor.expect("=")?;
        grid = extents(cursor)?;
    }
    if !cursor.at_end() {
        return Err(cursor.expected("`grid=` or nothing").help(HELP));
    }
    Ok(Forward { entry, grid, name, range })
}
