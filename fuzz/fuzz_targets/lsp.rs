//! Sessions of the language server: each request has one answer, and the final diagnostics are those of a new server.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use tile_fuzz::{limits, lsp, mutate, seeds};

fuzz_target!(init: tile_fuzz::start(|| seeds::sessions(&lsp::MESSAGES)), |bytes: &[u8]| {
    limits::unlimited_text(bytes, lsp::run_session);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::session(data, size, max_size, seed, &lsp::MESSAGES)
});
