//! The clock that measures runs, on systems with and without one.
//!
//! Invariants:
//! - depends on no other crate;
//! - is the only code that chooses between the clock of the system and that of a page: WebAssembly in a browser has no
//!   clock of its own, and `std::time::Instant::now` panics there.

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod page;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use page::Instant;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;
