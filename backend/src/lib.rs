//! The shared backend: runs programs on the CPU engine or a GPU, for the commands, the server and the tests; and bytecode.
//!
//! Invariants:
//! - knows no LSP type and no editor;
//! - whatever runs a kernel runs in a worker process ([`worker`]), which can be killed;
//! - the CPU engine ([`tile_engine`]) is the reference: it follows the language exactly and stops at what is undefined.

pub mod bytecode;
pub mod cuda;
pub mod debug;
pub mod reduce;
pub mod reports;
pub mod shell;
mod tar;
pub mod worker;

use tile_analysis::diagnostic::Page;
use tile_analysis::ide::doc::Topic;

/// The pages of everything that checking and running can tell.
pub fn all_pages() -> impl Iterator<Item = &'static Page> + Clone {
    tile_analysis::diagnostics::PAGES.iter().copied().chain(pages())
}

/// Everything that has a page of documentation: the language, and what launches add to it.
pub fn topics() -> Vec<Topic> {
    tile_analysis::ide::doc::language().into_iter().chain(tile_launch::words::topics()).collect()
}

/// The pages of everything that the backend reports.
pub fn pages() -> impl Iterator<Item = &'static Page> + Clone {
    let own = [&tile_launch::find::PAGE, &bytecode::PAGE];
    own.into_iter().chain(cuda::notes::PAGES).chain(findings().iter().copied())
}

/// The pages of what the CPU engine reports.
pub fn findings() -> &'static [&'static Page] {
    tile_engine::findings::PAGES
}
