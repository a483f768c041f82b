//! The worker protocol: a worker answers each job once, and its messages can be read. Any other bytes are an error, or
//! messages that are the same after writing and reading them.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use tile_fuzz::{limits, mutate, seeds, worker};

/// The first byte of inputs that are raw bytes; the others are sessions.
const RAW: u8 = 0;

fn all_seeds() -> Vec<Vec<u8>> {
    let raw = worker::raw_seeds().into_iter().map(|bytes| [vec![RAW], bytes].concat());
    seeds::sessions(&worker::MESSAGES).into_iter().chain(raw).collect()
}

fuzz_target!(init: tile_fuzz::start(all_seeds), |bytes: &[u8]| {
    match bytes.split_first() {
        Some((&RAW, bytes)) => limits::limited(bytes, worker::read_messages),
        _ => limits::unlimited_text(bytes, worker::run_session),
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match data[..size].first() {
        Some(&RAW) => 1 + fuzzer_mutate(&mut data[1..], size - 1, max_size.saturating_sub(1)),
        _ => mutate::session(data, size, max_size, seed, &worker::MESSAGES),
    }
});
