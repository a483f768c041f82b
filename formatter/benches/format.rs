//! Formatting speed on a generated module, and on the files of `../shared/bench` if they are present.

use divan::{Bencher, counter::BytesCount};
use std::fmt::Write;
use std::path::Path;
use tile_fmt::{Options, format};

fn main() {
    divan::main();
}

/// A module of small entries, formatted as NVIDIA's printer does.
fn generated(entries: usize) -> String {
    let mut text = String::from("cuda_tile.module @generated {\n");
    for entry in 0..entries {
        let _ = write!(
            text,
            "  entry @kernel_{entry}(%a: tile<ptr<f32>>, %n: tile<i32>) {{\n    \
             %x, %y, %z = get_tile_block_id : tile<i32>\n    \
             %view = make_tensor_view %a, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>\n    \
             %part = make_partition_view %view : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>\n    \
             %tile, %token = load_view_tko weak %part[%x, %y] : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token // loaded\n    \
             %sum = addf %tile, %tile : tile<64x64xf32>\n    return\n  }}\n"
        );
    }
    text.push_str("}\n");
    text
}

/// Reads a file of `../shared/bench`, if it is present.
fn input(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/bench").join(name);
    std::fs::read_to_string(path).ok()
}

fn bench(bencher: Bencher, text: Option<String>) {
    let Some(text) = text else { return eprintln!("skipped: input not found") };
    let options = Options::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| format(divan::black_box(&text), &options));
}

#[divan::bench(args = [100, 10_000])]
fn entries(bencher: Bencher, count: usize) {
    bench(bencher, Some(generated(count)));
}

#[divan::bench(args = ["canon_10k.mlir", "src_10k.mlir"])]
fn files(bencher: Bencher, name: &str) {
    bench(bencher, input(name));
}
