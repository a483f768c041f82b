//! The program `tile`.
//!
//! Invariant: calls `crates/commands/`. The level of optimization of this crate is also that of the link, so the
//! commands, which are optimized for size, are another crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    tile_commands::main()
}
