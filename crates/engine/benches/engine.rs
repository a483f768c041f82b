//! The speed of the CPU engine, on all cores.
//!
//! `cargo bench -p tile-engine --bench engine` runs these; `python3 crates/engine/benches/compare.py` compares the
//! times with NumPy's for the same computations. With `TILE_SANITIZE=1` in the environment all runs are sanitized.

mod kernels;

use divan::Bencher;
use kernels::kernels;
use std::path::Path;

fn main() {
    divan::main();
}

/// Measures the kernel of this name.
fn bench(bencher: Bencher, name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    let kernel = kernels(1).into_iter().find(|kernel| kernel.name == name).expect("a kernel");
    let mut launch = kernel.prepare(&folder, std::env::var_os("TILE_SANITIZE").is_some());
    bencher.bench_local(|| launch.run());
}

#[divan::bench]
fn gemm_1024(bencher: Bencher) {
    bench(bencher, "gemm_1024");
}

#[divan::bench]
fn gemm_1024_of_halves(bencher: Bencher) {
    bench(bencher, "gemm_1024_of_halves");
}

#[divan::bench]
fn gemm_1024_of_bytes(bencher: Bencher) {
    bench(bencher, "gemm_1024_of_bytes");
}

#[divan::bench]
fn vector_add_16m(bencher: Bencher) {
    bench(bencher, "vector_add_16m");
}

#[divan::bench]
fn vector_add_16m_by_128(bencher: Bencher) {
    bench(bencher, "vector_add_16m_by_128");
}

#[divan::bench]
fn vector_add_16m_by_1024(bencher: Bencher) {
    bench(bencher, "vector_add_16m_by_1024");
}

#[divan::bench]
fn attention_1024(bencher: Bencher) {
    bench(bencher, "attention_1024");
}

#[divan::bench]
fn transpose_2048(bencher: Bencher) {
    bench(bencher, "transpose_2048");
}

#[divan::bench]
fn saxpy_16m(bencher: Bencher) {
    bench(bencher, "saxpy_16m");
}

#[divan::bench]
fn saxpy_16m_in_two_dimensions(bencher: Bencher) {
    bench(bencher, "saxpy_16m_in_two_dimensions");
}

#[divan::bench]
fn softmax_4096(bencher: Bencher) {
    bench(bencher, "softmax_4096");
}

#[divan::bench]
fn layernorm_4096(bencher: Bencher) {
    bench(bencher, "layernorm_4096");
}

#[divan::bench]
fn layernorm_backward_64(bencher: Bencher) {
    bench(bencher, "layernorm_backward_64");
}

#[divan::bench]
fn histogram_1m(bencher: Bencher) {
    bench(bencher, "histogram_1m");
}

#[divan::bench]
fn tiny_blocks_10k(bencher: Bencher) {
    bench(bencher, "tiny_blocks_10k");
}
