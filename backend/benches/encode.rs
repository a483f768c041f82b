//! Benchmarks of encoding checked programs: a generated module, and the inputs next to the workspace if they are
//! present.

mod programs;

use divan::{AllocProfiler, Bencher, counter::BytesCount};
use programs::{generated, input};
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::debug_info::debug_info;
use tile_analysis::program::Program;
use tile_backend::bytecode::encode;
use tile_dialect::Version;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn bench(bencher: Bencher, text: Option<String>, with_debug: bool) {
    let Some(text) = text else { return eprintln!("skipped: the input is missing") };
    let db = Database::default();
    let file = File::new(&db, Arc::from(text.as_str()), Options::default());
    let module = Program::of(&db, file).module();
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let debug = with_debug.then(|| debug_info(&db, file, "program.tile"));
        encode(divan::black_box(&module), debug.as_ref(), Version::NEWEST)
    });
}

#[divan::bench(args = [false, true])]
fn generated_8k_lines(bencher: Bencher, with_debug: bool) {
    bench(bencher, Some(generated(1_000)), with_debug);
}

#[divan::bench(args = [false, true])]
fn canon_10k(bencher: Bencher, with_debug: bool) {
    bench(bencher, input("canon_10k.mlir"), with_debug);
}

#[divan::bench(args = [false, true])]
fn src_10k(bencher: Bencher, with_debug: bool) {
    bench(bencher, input("src_10k.mlir"), with_debug);
}
