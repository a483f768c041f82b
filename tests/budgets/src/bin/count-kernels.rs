//! Runs the kernels of the engine's benches once, in small, and marks each run for `tests/budgets/count.c`.
//!
//! Usage: `count-kernels FOLDER [--sanitize]`, with the folder of the benches.

#[path = "../../../../crates/engine/benches/kernels/mod.rs"]
mod kernels;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The divisor of the kernels' sizes.
const SHRINK: usize = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let folder = Path::new(&arguments[1]);
    for kernel in kernels::kernels(SHRINK) {
        let mut launch = kernel.prepare(folder, arguments.len() > 2);
        mark("");
        launch.run();
        mark(kernel.name);
    }
}

/// Records the costs since the last mark.
fn mark(name: &str) {
    let folder = PathBuf::from(std::env::var_os("TILE_MARKS").expect("a folder of pipes"));
    fs::write(folder.join("requests"), format!("{name}\n")).expect("a pipe");
    File::open(folder.join("answers")).and_then(|mut pipe| pipe.read_exact(&mut [0])).expect("a pipe");
}
