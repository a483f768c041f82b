//! Printing on a GPU as on the CPU.
//!
//! Compiled unchanged, a program prints something else on a GPU than on the CPU engine, for four reasons. A run therefore
//! rewrites each printing op ([`rewrite`]):
//!
//! - The driver's `printf` reads operands as C does: `%i` of an `i64` prints half of it, `%` without a letter prints
//!   itself. The compiled format has the conversions that the CPU engine prints with
//!   ([`tile_analysis::print_format::fitted`]).
//! - It writes `-nan` where a NaN has its sign bit set. The sign is cleared before ([`nan`]).
//! - The compiler makes several `printf` calls of one op, one for each piece of text, each scalar and each row of a tile. Calls
//!   of tile blocks that run at the same time alternate. So each op prints while it holds a lock ([`lock`]).
//! - Tile blocks print in any order. So each op first prints its number and that of its tile block ([`marks`]); the
//!   text is cut there, and the pieces are reported in the order of the grid.
//!
//! This costs a few `printf` calls more for each print, and tile blocks wait while another one prints; `docs/gpu.md` has
//! measurements. Programs that print nothing are compiled as they are.

mod copy;
mod lock;
pub mod marks;
mod nan;

use copy::Copy;
use lock::{Lock, Printing};
use std::sync::Arc;
use tile_analysis::ir::{Module, OpId};
use tile_dialect::{Mnemonic, Version};

/// Rewrites the printing ops of an entry for a launch with this grid, compiled as bytecode of this version. Returns the op
/// that each op of the new body stems from; nothing where the entry prints nothing and stays as it is.
pub fn rewrite(module: &mut Module, entry: &str, grid: [u32; 3], version: Version) -> Option<Vec<OpId>> {
    let index = module.entries.iter().position(|body| *body.name == *entry)?;
    let old = module.entries[index].clone();
    if old.ops.iter().all(|op| op.op != Mnemonic::PrintTko) {
        return None;
    }
    let mut copy = Copy::new(&old);
    let block = lock::block_number(&mut copy, grid);
    // Prints have no tokens before 13.2. A lone tile block needs no lock.
    let lock = (version >= Version::V13_2 && grid != [1; 3]).then(|| Lock::new(&mut copy, &mut module.globals));
    let (body, origins) = copy.finish(&Printing { block, lock });
    module.entries[index] = Arc::new(body);
    Some(origins)
}

#[cfg(test)]
mod tests;
