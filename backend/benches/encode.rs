//! How fast programs are encoded, once they are checked: a generated module, and the inputs beside the workspace where
//! they are present.

use divan::{Bencher, counter::BytesCount};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::debug_info::debug_info;
use tile_backend::bytecode::encode;
use tile_dialect::Version;

fn main() {
    divan::main();
}

/// A module of small entries.
fn generated(entries: usize) -> String {
    let mut text = String::from("cuda_tile.module @generated {\n");
    for entry in 0..entries {
        let _ = write!(
            text,
            "  entry @kernel_{entry}(%a: tile<ptr<f32>>, %n: tile<i32>) {{\n    \
             %x, %y, %z = get_tile_block_id : tile<i32>\n    \
             %view = make_tensor_view %a, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>\n    \
             %part = make_partition_view %view : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>\n    \
             %tile, %token = load_view_tko weak %part[%x, %y] : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token\n    \
             %one = constant <f32: {entry}.0> : tile<64x64xf32>\n    \
             %sum = addf %tile, %one : tile<64x64xf32>\n    return\n  }}\n"
        );
    }
    text.push_str("}\n");
    text
}

/// A file beside the workspace; nothing where it is absent.
fn input(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/bench").join(name);
    std::fs::read_to_string(path).ok()
}

fn bench(bencher: Bencher, text: Option<String>, with_debug: bool) {
    let Some(text) = text else { return eprintln!("skipped: the input is not there") };
    let db = Database::default();
    let file = File::new(&db, Arc::from(text.as_str()), Options::default());
    let module = db::module(&db, file);
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
