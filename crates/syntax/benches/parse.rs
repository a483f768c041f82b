//! Benchmarks of lexing, splitting and parsing: `cargo bench -p tile-syntax`.
//!
//! The input is `canon_10k.mlir` in the folder named by `TILE_BENCH_INPUTS`. If that file is missing, a program with
//! the same kinds of lines is generated.

use divan::counter::BytesCount;
use tile_syntax::{PieceKind, lex, parse_item, parse_outline, split};

fn main() {
    divan::main();
}

fn input() -> String {
    let folder = std::env::var("TILE_BENCH_INPUTS").unwrap_or("../../../shared/bench".to_string());
    std::fs::read_to_string(format!("{folder}/canon_10k.mlir")).unwrap_or_else(|_| generated_input())
}

fn generated_input() -> String {
    let entry = |number: usize| {
        let lines = "    %a = constant <f32: 1.000000e+00> : tile<64x64xf32>\n    \
            %v = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>\n    \
            %b = addf %a, %a rounding<zero> flush_to_zero : tile<64x64xf32>\n    \
            %c = cmpf less_than ordered %a, %b : tile<64x64xf32> -> tile<64x64xi1>\n    \
            %t, %k = load_ptr_tko weak %q token=%t0 : tile<64xptr<f32>> -> tile<64xf32>, token\n";
        format!("  entry @k{number}(%p: tile<ptr<f32>>, %n: tile<i32>) {{\n{}  }}\n", lines.repeat(4))
    };
    format!("cuda_tile.module @m {{\n{}}}\n", (0..450).map(entry).collect::<String>())
}

#[divan::bench]
fn lexing(bencher: divan::Bencher) {
    let text = input();
    bencher.counter(BytesCount::of_str(&text)).bench(|| lex(&text));
}

#[divan::bench]
fn splitting(bencher: divan::Bencher) {
    let text = input();
    bencher.counter(BytesCount::of_str(&text)).bench(|| split(&text));
}

/// The cost of opening a file: splitting it, then parsing its outline and every item.
#[divan::bench]
fn parsing(bencher: divan::Bencher) {
    let text = input();
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse_file(&text));
}

fn parse_file(text: &str) -> usize {
    let pieces = split(text);
    let items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item);
    let nodes: usize = items.map(|piece| parse_item(&text[piece.range.clone()]).len()).sum();
    nodes + parse_outline(text, &pieces).len()
}
