//! Benchmarks of decoding the bytecode of a generated module, and of printing the result.

mod programs;

use divan::{AllocProfiler, Bencher, counter::BytesCount};
use programs::generated;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::print;
use tile_analysis::program::Program;
use tile_bytecode::{decode, encode};
use tile_dialect::Version;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn bytecode(text: &str, with_debug: bool) -> Vec<u8> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let debug = with_debug.then(|| debug_info(&db, file, "program.tile"));
    encode(&Program::of(&db, file).module(), debug.as_ref(), Version::NEWEST).expect("the program can be encoded")
}

fn read(bencher: Bencher, text: &str, with_debug: bool) {
    let bytes = bytecode(text, with_debug);
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| decode(divan::black_box(&bytes)));
}

#[divan::bench(args = [false, true])]
fn generated_8k_lines(bencher: Bencher, with_debug: bool) {
    read(bencher, &generated(1_000), with_debug);
}

/// Printing, counted in bytes of text.
#[divan::bench(args = [false, true])]
fn print_8k_lines(bencher: Bencher, with_debug: bool) {
    let decoded = decode(&bytecode(&generated(1_000), with_debug)).expect("the bytecode is valid");
    let print = || print::module(divan::black_box(&decoded.module), decoded.debug.as_ref(), print::Options::default());
    bencher.counter(BytesCount::of_str(&print())).bench_local(print);
}
