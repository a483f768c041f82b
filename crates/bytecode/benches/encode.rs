//! Benchmark of encoding a checked program, a generated module.

mod programs;

use divan::{AllocProfiler, Bencher, counter::BytesCount};
use programs::generated;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::program::Program;
use tile_bytecode::encode;
use tile_dialect::Version;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn bench(bencher: Bencher, text: &str, with_debug: bool) {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let module = Program::of(&db, file).module();
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        let debug = with_debug.then(|| debug_info(&db, file, "program.tile"));
        encode(divan::black_box(&module), debug.as_ref(), Version::NEWEST).expect("the program can be encoded")
    });
}

#[divan::bench(args = [false, true])]
fn generated_8k_lines(bencher: Bencher, with_debug: bool) {
    bench(bencher, &generated(1_000), with_debug);
}
