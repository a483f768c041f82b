//! The playground: the language and the CPU engine behind an interface of JSON texts, for a page in a browser.
//!
//! Invariants:
//! - works without files, processes, threads and clocks, except for the clock of the page;
//! - positions are in UTF-16 code units, as in JavaScript; all other crates use bytes;
//! - contains no `unsafe` code, except for the interface to WebAssembly (`wasm`).
//!
//! - [`Playground`]: answers requests; `request`: what can be requested;
//! - `document`, `offsets`: the text in the editor;
//! - `check`, `complete`, `explain`, `hover`, `paint`, `navigate`: editor features;
//! - `run`, `job`, `outcome`: runs; `pages`: pages about an entry; `decode`: bytecode.

mod answer;
mod check;
mod complete;
mod decode;
mod document;
mod explain;
mod hover;
mod job;
mod navigate;
mod offsets;
mod outcome;
mod pages;
mod paint;
mod request;
mod run;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use answer::Playground;
