//! The backend shared by the commands, the language server and the tests: running programs on the CPU engine or a GPU,
//! reading and writing bytecode, and hints about accesses in launches.
//!
//! Invariants:
//! - this crate does not depend on LSP types or on any editor;
//! - kernels run in a worker process ([`worker`]), which can be killed;
//! - the CPU engine ([`tile_engine`]) is the reference: it follows the language exactly and stops at undefined
//!   behavior.

pub mod cuda;
pub mod debug;
mod environment;
pub mod reduce;
pub mod reports;
pub mod shell;
pub mod statistics;
mod tar;
pub mod viewer;
pub mod worker;

pub use tile_bytecode as bytecode;
pub use tile_runner::{base64, hints};

use tile_analysis::diagnostic::Page;
use tile_analysis::ide::doc::Topic;

/// The pages of all diagnostics and findings.
pub fn all_pages() -> impl Iterator<Item = &'static Page> + Clone {
    tile_analysis::diagnostics::PAGES.iter().copied().chain(pages())
}

/// All documented topics: the language and launch directives.
pub fn topics() -> Vec<Topic> {
    tile_analysis::ide::doc::language().into_iter().chain(tile_launch::words::topics()).collect()
}

/// The pages of the backend's own diagnostics and findings.
pub fn pages() -> impl Iterator<Item = &'static Page> + Clone {
    let own = [&tile_launch::find::PAGE, &tile_bytecode::PAGE];
    own.into_iter().chain(cuda::notes::PAGES).chain(findings().iter().copied())
}

/// The pages of the CPU engine's findings.
pub fn findings() -> &'static [&'static Page] {
    tile_engine::findings::PAGES
}
