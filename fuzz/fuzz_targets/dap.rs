//! Sessions of the debug adapter: each request has one answer, a run that continues stops or ends, and no worker
//! crashes.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use tile_fuzz::{dap, limits, mutate, seeds};

fuzz_target!(init: tile_fuzz::start(|| seeds::sessions(&dap::MESSAGES)), |bytes: &[u8]| {
    limits::unlimited_text(bytes, dap::run_session);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::session(data, size, max_size, seed, &dap::MESSAGES)
});
