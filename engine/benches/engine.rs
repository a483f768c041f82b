//! The speed of the CPU engine, on all cores.
//!
//! `cargo bench -p tile-engine --bench engine` runs these; `python3 engine/benches/compare.py` compares the times with
//! NumPy's for the same computations. With `TILE_SANITIZE=1` in the environment all runs are sanitized.

use divan::Bencher;
use std::path::Path;
use std::sync::Arc;
use tile_analysis::context::Options as CheckOptions;
use tile_analysis::db::{Database, File};
use tile_analysis::number::encode;
use tile_analysis::program::Program;
use tile_dialect::Element;
use tile_engine::{Argument, Memory, Options, run};

fn main() {
    divan::main();
}

/// The argument for a parameter.
enum Input {
    /// A buffer with this many `f32`, spread over -1 to 1.
    Floats(usize),
    /// A buffer with this many `f16`, spread over -1 to 1.
    Halves(usize),
    /// A buffer with this many `f32` of 1/128.
    Scales(usize),
    /// A buffer with this many `i8` from -127 to 127.
    Bytes(usize),
    /// A buffer with this many `i32` from 0 to 15.
    Bins(usize),
    Float(f32),
    Int(i32),
}

use Input::{Bins, Bytes, Float, Floats, Halves, Int, Scales};

/// Runs an entry of a file, whose name is relative to this folder.
fn bench(bencher: Bencher, file: &str, entry: &str, grid: [u32; 3], inputs: &[Input]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches").join(file);
    let text = std::fs::read_to_string(path).expect("a program");
    let db = Database::default();
    let file = File::new(&db, Arc::from(text.as_str()), CheckOptions::default());
    let module = Program::of(&db, file).module();
    let entry = module.entries.iter().find(|body| *body.name == *entry).expect("an entry");
    let mut memory = Memory::new();
    let arguments: Vec<Argument> = inputs.iter().map(|input| argument(input, &mut memory)).collect();
    let sanitize = std::env::var_os("TILE_SANITIZE").is_some();
    let options = Options { grid, sanitize, ..Options::default() };
    bencher.bench_local(|| {
        let mut printed = Vec::new();
        run(&module, entry, &arguments, &mut memory, &options, &mut printed).expect("no finding")
    });
}

fn argument(input: &Input, memory: &mut Memory) -> Argument {
    let float = |index: usize| (index * 7919 % 65536) as f32 / 32768.0 - 1.0;
    match *input {
        Floats(count) => {
            let bytes: Vec<u8> = (0..count).flat_map(|index| float(index).to_le_bytes()).collect();
            Argument::Pointer(memory.allocate("%buffer", Element::F32, bytes))
        }
        Halves(count) => {
            let half = |index| encode(Element::F16, float(index).into()) as u16;
            let bytes: Vec<u8> = (0..count).flat_map(|index| half(index).to_le_bytes()).collect();
            Argument::Pointer(memory.allocate("%buffer", Element::F16, bytes))
        }
        Scales(count) => {
            Argument::Pointer(memory.allocate("%buffer", Element::F32, (1f32 / 128.0).to_le_bytes().repeat(count)))
        }
        Bytes(count) => {
            let bytes: Vec<u8> =
                (0..count).map(|index| (index * 7919 % 255) as u8).map(|byte| byte.wrapping_sub(127)).collect();
            Argument::Pointer(memory.allocate("%buffer", Element::I8, bytes))
        }
        Bins(count) => {
            let bytes: Vec<u8> = (0..count).flat_map(|index| (index as i32 * 7919 % 16).to_le_bytes()).collect();
            Argument::Pointer(memory.allocate("%buffer", Element::I32, bytes))
        }
        Float(value) => Argument::Scalar(value.to_bits().into()),
        Int(value) => Argument::Scalar(u64::from(value as u32)),
    }
}

const N: usize = 1 << 24;

#[divan::bench]
fn gemm_1024(bencher: Bencher) {
    let matrix = || Floats(1024 * 1024);
    let inputs = [matrix(), matrix(), matrix(), Int(1024)];
    bench(bencher, "../../examples/gemm_square.tile", "gemm_square_tile_64x64", [16, 16, 1], &inputs);
}

/// `f16` factors, which the views transpose, and `f32` sums.
#[divan::bench]
fn gemm_1024_of_halves(bencher: Bencher) {
    let size = || Int(1024);
    let inputs = [Halves(N / 16), Halves(N / 16), Floats(N / 16), size(), size(), size(), size(), size(), size()];
    bench(bencher, "../../examples/gemm_dynamic.tile", "gemm_kloop", [8, 8, 1], &inputs);
}

/// `i8` factors in tiles of 32x32, scaled and converted to `f16`.
#[divan::bench]
fn gemm_1024_of_bytes(bencher: Bencher) {
    let (matrix, scales) = (|| Bytes(N / 16), || Scales(1024));
    let inputs = [matrix(), matrix(), scales(), scales(), Halves(N / 16), Int(1024), Int(1024), Int(1024)];
    bench(bencher, "../../examples/gemm_int8.tile", "gemm_int8", [32, 32, 1], &inputs);
}

#[divan::bench]
fn vector_add_16m(bencher: Bencher) {
    let inputs = [Floats(N), Floats(N), Floats(N), Int(N as i32)];
    bench(bencher, "kernels/vectors.tile", "add", [N as u32 / 16384, 1, 1], &inputs);
}

/// Through pointers, in tiles so small that the overhead of an op outweighs its work.
#[divan::bench]
fn vector_add_16m_by_128(bencher: Bencher) {
    let inputs = [Floats(N), Floats(N), Floats(N), Int(N as i32)];
    bench(bencher, "../../examples/vector_add.tile", "vector_add", [N as u32 / 128, 1, 1], &inputs);
}

/// Through pointers with a mask, in tiles of a typical size.
#[divan::bench]
fn vector_add_16m_by_1024(bencher: Bencher) {
    let inputs = [Floats(N), Floats(N), Floats(N), Int(N as i32)];
    bench(bencher, "kernels/masked.tile", "add", [N as u32 / 1024, 1, 1], &inputs);
}

/// Four heads of 1024 tokens.
#[divan::bench]
fn attention_1024(bencher: Bencher) {
    let matrix = || Halves(4 * 1024 * 32);
    let inputs = [matrix(), matrix(), matrix(), Floats(4 * 1024 * 32), Int(4), Int(1024)];
    bench(bencher, "../../examples/fused_attention.tile", "attention", [64, 4, 1], &inputs);
}

/// Tiles of 32x32 through pointers.
#[divan::bench]
fn transpose_2048(bencher: Bencher) {
    let inputs = [Floats(1 << 22), Floats(1 << 22), Int(2048), Int(2048)];
    bench(bencher, "../../examples/transpose.tile", "transpose_tile", [64, 64, 1], &inputs);
}

#[divan::bench]
fn saxpy_16m(bencher: Bencher) {
    let inputs = [Floats(N), Floats(N), Float(2.5), Int(N as i32)];
    bench(bencher, "kernels/vectors.tile", "saxpy", [N as u32 / 16384, 1, 1], &inputs);
}

/// In tiles of 128x256, whose rows are far apart.
#[divan::bench]
fn saxpy_16m_in_two_dimensions(bencher: Bencher) {
    let inputs = [Floats(N), Floats(N), Float(2.5), Int(4096), Int(4096)];
    bench(bencher, "../../examples/saxpy.tile", "saxpy", [32, 16, 1], &inputs);
}

#[divan::bench]
fn softmax_4096(bencher: Bencher) {
    bench(bencher, "kernels/rows.tile", "softmax", [4096, 1, 1], &[Floats(N), Floats(N)]);
}

#[divan::bench]
fn layernorm_4096(bencher: Bencher) {
    let inputs = [Floats(N), Floats(4096), Floats(4096), Floats(N)];
    bench(bencher, "kernels/rows.tile", "layernorm", [4096, 1, 1], &inputs);
}

/// Rows of 64, 8 a block. All blocks add to the same gradients.
#[divan::bench]
fn layernorm_backward_64(bencher: Bencher) {
    let (matrix, row, column) = (|| Floats(N), || Floats(64), || Floats(N / 64));
    let (m, n) = (Int(N as i32 / 64), Int(64));
    let inputs = [matrix(), matrix(), row(), column(), column(), matrix(), row(), row(), m, n];
    bench(bencher, "../../examples/layernorm_backward.tile", "layernorm_backward", [N as u32 / 512, 1, 1], &inputs);
}

/// 16 bins, with atomic additions.
#[divan::bench]
fn histogram_1m(bencher: Bencher) {
    let inputs = [Bins(N / 16), Bins(16), Int(N as i32 / 16)];
    bench(bencher, "../../examples/histogram.tile", "histogram", [N as u32 / 1024, 1, 1], &inputs);
}

#[divan::bench]
fn tiny_blocks_10k(bencher: Bencher) {
    bench(bencher, "kernels/tiny.tile", "tiny", [10_000, 1, 1], &[Floats(10_000)]);
}
