//! Shared code of the fuzz targets. Each target in `fuzz_targets/` states the properties that it checks;
//! `docs/testing.md` describes how to run them.
//!
//! Modules: [`limits`] bounds time and memory, [`mutate`] changes inputs, [`seeds`] creates the first ones, [`program`]
//! reads and checks programs, [`trees`] checks syntax trees, [`session`] splits inputs into a program and the messages
//! about it; [`lsp`], [`dap`] and [`worker`] run sessions with a server.

pub mod dap;
pub mod limits;
pub mod lsp;
pub mod mutate;
pub mod program;
pub mod seeds;
pub mod session;
#[path = "../../analysis/tests/it/trees.rs"]
pub mod trees;
pub mod worker;

use std::path::Path;

/// Prepares a target. As `worker`, the program serves as the worker process of a debugged run; as `seeds FOLDER`, it
/// writes the seeds of the target. Neither returns.
pub fn start(seeds: fn() -> Vec<Vec<u8>>) {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("worker") => {
            let served = tile_backend::worker::serve_standard();
            std::process::exit(i32::from(served.is_err()));
        }
        Some("seeds") => {
            let folder = arguments.next().expect("the folder to write the seeds to");
            seeds::write(Path::new(&folder), &seeds()).expect("the folder is writable");
            std::process::exit(0);
        }
        _ => {}
    }
}
