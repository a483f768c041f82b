//! Benchmarks of decoding bytecode and printing the result: a generated module, and the inputs next to the workspace if
//! they are present.

mod programs;

use divan::{AllocProfiler, Bencher, counter::BytesCount};
use programs::{generated, input};
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::print;
use tile_analysis::program::Program;
use tile_backend::bytecode::{decode, encode};
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

fn read(bencher: Bencher, text: Option<String>, with_debug: bool) {
    let Some(text) = text else { return eprintln!("skipped: the input is missing") };
    let bytes = bytecode(&text, with_debug);
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| decode(divan::black_box(&bytes)));
}

#[divan::bench(args = [false, true])]
fn generated_8k_lines(bencher: Bencher, with_debug: bool) {
    read(bencher, Some(generated(1_000)), with_debug);
}

#[divan::bench(args = [false, true])]
fn canon_10k(bencher: Bencher, with_debug: bool) {
    read(bencher, input("canon_10k.mlir"), with_debug);
}

#[divan::bench(args = [false, true])]
fn src_10k(bencher: Bencher, with_debug: bool) {
    read(bencher, input("src_10k.mlir"), with_debug);
}

/// Printing, counted in bytes of text.
#[divan::bench(args = [false, true])]
fn print_8k_lines(bencher: Bencher, with_debug: bool) {
    let decoded = decode(&bytecode(&generated(1_000), with_debug)).expect("the bytecode is valid");
    let print = || print::module(divan::black_box(&decoded.module), decoded.debug.as_ref(), print::Options::default());
    bencher.counter(BytesCount::of_str(&print())).bench_local(print);
}
