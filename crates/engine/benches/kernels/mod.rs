//! The kernels of `engine.rs`, which measures their time, and of `tests/budgets`, which counts their instructions.

use std::path::Path;
use std::sync::Arc;
use tile_analysis::context::Options as CheckOptions;
use tile_analysis::db::{Database, File};
use tile_analysis::ir::Module;
use tile_analysis::number::encode;
use tile_analysis::program::Program;
use tile_dialect::Element;
use tile_engine::{Argument, Memory, Options, run};

/// A launch of an entry.
pub(crate) struct Kernel {
    /// The name of the benchmark.
    pub(crate) name: &'static str,
    /// The file, relative to `crates/engine/benches`.
    pub(crate) file: &'static str,
    /// The entry.
    pub(crate) entry: &'static str,
    /// The grid.
    pub(crate) grid: [u32; 3],
    /// The arguments.
    pub(crate) inputs: Vec<Input>,
}

/// The argument for a parameter.
pub(crate) enum Input {
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
    /// A scalar.
    Float(f32),
    /// A scalar.
    Int(i32),
}

use Input::{Bins, Bytes, Float, Floats, Halves, Int, Scales};

/// Returns all kernels. With `shrink` greater than 1, they do less: sides of matrices and numbers of tokens are divided
/// by it, and lengths of vectors by `4 * shrink * shrink`.
pub(crate) fn kernels(shrink: usize) -> Vec<Kernel> {
    let side = |full: usize| full / shrink;
    let elements = |full: usize| if shrink == 1 { full } else { full / (4 * shrink * shrink) };
    let int = |value: usize| Int(value as i32);
    let kernel = |name, file, entry, [x, y, z]: [usize; 3], inputs| {
        let grid = [x as u32, y as u32, z as u32];
        Kernel { name, file, entry, grid, inputs }
    };
    let n = elements(1 << 24);
    let square = side(1024);
    let cells = square * square;
    let vectors = || vec![Floats(n), Floats(n), Floats(n), int(n)];
    let (tokens, wide, narrow) = (side(1024), side(4096), side(2048));
    vec![
        kernel(
            "gemm_1024",
            "../../../examples/gemm_square.tile",
            "gemm_square_tile_64x64",
            [square / 64, square / 64, 1],
            vec![Floats(cells), Floats(cells), Floats(cells), int(square)],
        ),
        // `f16` factors, which the views transpose, and `f32` sums.
        kernel(
            "gemm_1024_of_halves",
            "../../../examples/gemm_dynamic.tile",
            "gemm_kloop",
            [square / 128, square / 128, 1],
            [Halves(cells), Halves(cells), Floats(cells)].into_iter().chain((0..6).map(|_| int(square))).collect(),
        ),
        // `i8` factors in tiles of 32x32, scaled and converted to `f16`.
        kernel(
            "gemm_1024_of_bytes",
            "../../../examples/gemm_int8.tile",
            "gemm_int8",
            [square / 32, square / 32, 1],
            [Bytes(cells), Bytes(cells), Scales(square), Scales(square), Halves(cells)]
                .into_iter()
                .chain((0..3).map(|_| int(square)))
                .collect(),
        ),
        kernel("vector_add_16m", "kernels/vectors.tile", "add", [n / 16384, 1, 1], vectors()),
        // Through pointers, in tiles so small that the overhead of an op outweighs its work.
        kernel("vector_add_16m_by_128", "../../../examples/vector_add.tile", "vector_add", [n / 128, 1, 1], vectors()),
        // Through pointers with a mask, in tiles of a typical size.
        kernel("vector_add_16m_by_1024", "kernels/masked.tile", "add", [n / 1024, 1, 1], vectors()),
        // Four heads of 1024 tokens.
        kernel(
            "attention_1024",
            "../../../examples/fused_attention.tile",
            "attention",
            [tokens / 16, 4, 1],
            [Halves(4 * tokens * 32), Halves(4 * tokens * 32), Halves(4 * tokens * 32), Floats(4 * tokens * 32)]
                .into_iter()
                .chain([Int(4), int(tokens)])
                .collect(),
        ),
        // Tiles of 32x32 through pointers.
        kernel(
            "transpose_2048",
            "../../../examples/transpose.tile",
            "transpose_tile",
            [narrow / 32, narrow / 32, 1],
            vec![Floats(narrow * narrow), Floats(narrow * narrow), int(narrow), int(narrow)],
        ),
        kernel(
            "saxpy_16m",
            "kernels/vectors.tile",
            "saxpy",
            [n / 16384, 1, 1],
            vec![Floats(n), Floats(n), Float(2.5), int(n)],
        ),
        // In tiles of 128x256, whose rows are far apart.
        kernel(
            "saxpy_16m_in_two_dimensions",
            "../../../examples/saxpy.tile",
            "saxpy",
            [wide / 128, wide / 256, 1],
            vec![Floats(wide * wide), Floats(wide * wide), Float(2.5), int(wide), int(wide)],
        ),
        kernel("softmax_4096", "kernels/rows.tile", "softmax", [n / 4096, 1, 1], vec![Floats(n), Floats(n)]),
        kernel(
            "layernorm_4096",
            "kernels/rows.tile",
            "layernorm",
            [n / 4096, 1, 1],
            vec![Floats(n), Floats(4096), Floats(4096), Floats(n)],
        ),
        // Rows of 64, 8 a block. All blocks add to the same gradients.
        kernel(
            "layernorm_backward_64",
            "../../../examples/layernorm_backward.tile",
            "layernorm_backward",
            [n / 512, 1, 1],
            [n, n, 64, n / 64, n / 64, n, 64, 64].map(Floats).into_iter().chain([int(n / 64), Int(64)]).collect(),
        ),
        // 16 bins, with atomic additions.
        kernel(
            "histogram_1m",
            "../../../examples/histogram.tile",
            "histogram",
            [n / 1024, 1, 1],
            vec![Bins(n / 16), Bins(16), int(n / 16)],
        ),
        kernel(
            "tiny_blocks_10k",
            "kernels/tiny.tile",
            "tiny",
            [elements(10_000), 1, 1],
            vec![Floats(elements(10_000))],
        ),
    ]
}

/// A kernel whose program is parsed and whose arguments are in memory.
pub(crate) struct Prepared {
    module: Module,
    entry: &'static str,
    arguments: Vec<Argument>,
    memory: Memory,
    options: Options,
}

impl Kernel {
    /// Parses the program and allocates the arguments.
    pub(crate) fn prepare(&self, folder: &Path, sanitize: bool) -> Prepared {
        let text = std::fs::read_to_string(folder.join(self.file)).expect("a program");
        let db = Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), CheckOptions::default());
        let module = Program::of(&db, file).module();
        let mut memory = Memory::new();
        let arguments = self.inputs.iter().map(|input| argument(input, &mut memory)).collect();
        let options = Options { grid: self.grid, sanitize, ..Options::default() };
        Prepared { module, entry: self.entry, arguments, memory, options }
    }
}

impl Prepared {
    /// Runs the launch.
    pub(crate) fn run(&mut self) {
        let entry = self.module.entries.iter().find(|body| *body.name == *self.entry).expect("an entry");
        let mut printed = Vec::new();
        run(&self.module, entry, &self.arguments, &mut self.memory, &self.options, &mut printed).expect("no finding");
    }
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
