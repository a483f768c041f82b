//! Grids of launches.

use super::super::cursor::{Cursor, Parsed};
use std::fmt;

/// The largest extent of a grid.
pub const MAX_GRID: u32 = (1 << 24) - 1;

/// `8` or `(8)`, `(8, 4)`, `(8, 4, 2)`; omitted extents are 1.
pub(super) fn extents(cursor: &mut Cursor<'_>) -> Parsed<[u32; 3]> {
    let mut grid = [1; 3];
    if !cursor.eat("(") {
        grid[0] = extent(cursor)?;
        return Ok(grid);
    }
    for slot in &mut grid {
        *slot = extent(cursor)?;
        if !cursor.eat(",") {
            break;
        }
    }
    if cursor.peek() == Some(')') {
        cursor.expect(")")?;
        return Ok(grid);
    }
    Err(cursor.expected("`)`").help("a grid has up to three extents: `grid=(8, 4, 2)`"))
}

fn extent(cursor: &mut Cursor<'_>) -> Parsed<u32> {
    Ok(cursor.whole("an extent of the grid", 1, MAX_GRID.into())? as u32)
}

/// Writes ` grid=(8, 1, 1)`, or nothing for a single block.
pub(super) fn write_grid(f: &mut fmt::Formatter<'_>, [x, y, z]: [u32; 3]) -> fmt::Result {
    if [x, y, z] == [1, 1, 1] { Ok(()) } else { write!(f, " grid=({x}, {y}, {z})") }
}
