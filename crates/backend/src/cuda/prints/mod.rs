//! Rewrites printing ops, so that a GPU prints the same text as the CPU engine.
//!
//! Compiled unchanged, a program would print different text on a GPU, for four reasons. A run therefore rewrites each
//! printing op ([`rewrite`]):
//!
//! - The driver's `printf` reads operands as C does: `%i` of an `i64` prints half of it, and `%` without a letter
//!   prints itself. The compiled format has the conversions that the CPU engine uses
//!   ([`tile_analysis::print_format::fitted`]).
//! - It prints `-nan` for a NaN with a set sign bit. The program clears the sign first ([`nan`]).
//! - The compiler splits an op into several `printf` calls: one for each piece of text, each scalar and each row of a
//!   tile. Calls of concurrent tile blocks interleave. Therefore each op prints while it holds a lock ([`lock`]).
//! - Tile blocks print in any order. Therefore each op first prints its number and the indices of its tile block
//!   ([`marks`]); the text is split at these marks and reported in the order of the grid.
//!
//! This costs a few more `printf` calls for each print, and tile blocks wait while another one prints; `docs/gpu.md`
//! has measurements. Programs that do not print are compiled unchanged.

mod copy;
mod lock;
pub mod marks;
mod nan;

use copy::Copy;
use lock::{Lock, Printing};
use std::sync::Arc;
use tile_analysis::ir::{Module, OpId};
use tile_dialect::{Mnemonic, Version};

/// Rewrites the printing ops of an entry for a launch with this grid and bytecode of this version. Returns the old op
/// that each op of the new body originates from, or `None` if the entry does not print and is unchanged.
pub fn rewrite(module: &mut Module, entry: &str, grid: [u32; 3], version: Version) -> Option<Vec<OpId>> {
    let index = module.entries.iter().position(|body| *body.name == *entry)?;
    let old = module.entries[index].clone();
    if old.ops.iter().all(|op| op.op != Mnemonic::PrintTko) {
        return None;
    }
    let mut copy = Copy::new(&old);
    let block = lock::block_number(&mut copy, grid);
    // Prints have no tokens before 13.2. A single tile block needs no lock.
    let lock = (version >= Version::V13_2 && grid != [1; 3]).then(|| Lock::new(&mut copy, &mut module.globals));
    let (body, origins) = copy.finish(&Printing { block, lock });
    module.entries[index] = Arc::new(body);
    Some(origins)
}

#[cfg(test)]
mod tests;
