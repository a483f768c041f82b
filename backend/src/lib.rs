//! The shared backend: what runs programs, for the commands, the server and the tests alike.
//!
//! Invariants:
//! - knows no LSP type and no editor;
//! - whatever runs a kernel runs in a worker process ([`worker`]), which can be killed;
//! - the CPU engine ([`cpu`]) is the reference: it follows the language exactly and stops at what is undefined.

pub mod bytecode;
pub mod cpu;
pub mod cuda;
pub mod debug;
pub mod findings;
mod halves;
pub mod launch;
pub mod reduce;
pub mod reports;
pub mod shell;
mod shortest;
pub mod size;
mod tar;
pub mod worker;

pub use tile_analysis::number;

use tile_analysis::diagnostic::Page;
use tile_analysis::ide::doc::Topic;

/// The pages of everything that checking and running can tell.
pub fn all_pages() -> impl Iterator<Item = &'static Page> + Clone {
    tile_analysis::diagnostics::PAGES.iter().copied().chain(pages())
}

/// Everything that has a page of documentation: the language, and what launches add to it.
pub fn topics() -> Vec<Topic> {
    tile_analysis::ide::doc::language().into_iter().chain(launch::words::topics()).collect()
}

/// The pages of everything that the backend reports.
pub fn pages() -> impl Iterator<Item = &'static Page> + Clone {
    let own = [&launch::find::PAGE, &bytecode::PAGE];
    own.into_iter().chain(cuda::notes::PAGES).chain(findings::PAGES.iter().copied())
}
