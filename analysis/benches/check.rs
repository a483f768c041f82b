//! The time of each step of a check, with allocation counts: `cargo bench -p tile-analysis`.
//!
//! The inputs are `canon_10k.mlir` and `src_10k.mlir` in the folder named by `TILE_BENCH_INPUTS`.

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher};
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::{Context, Options};
use tile_analysis::diagnostic::Applicability;
use tile_analysis::fixes::fix_all;
use tile_analysis::lower::{KnownTypes, lower_item};
use tile_analysis::outline::outline;
use tile_syntax::{PieceKind, Tree, parse_item, split};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

const INPUTS: [&str; 2] = ["canon_10k", "src_10k"];

fn main() {
    divan::main();
}

/// Reads an input. If it cannot be read, prints a note and returns `None`.
fn input(name: &str) -> Option<String> {
    let folder = std::env::var("TILE_BENCH_INPUTS").unwrap_or("../../shared/bench".to_string());
    let text = std::fs::read_to_string(format!("{folder}/{name}.mlir"));
    text.inspect_err(|error| eprintln!("skipped: {folder}/{name}.mlir: {error}")).ok()
}

/// Returns the items of a program and their context.
fn items(text: &str) -> (Vec<&str>, Context) {
    let pieces = split(text);
    let context = outline(text, &pieces, Options::default()).context;
    let items = pieces.into_iter().filter(|piece| piece.kind == PieceKind::Item);
    (items.map(|piece| &text[piece.range]).collect(), context)
}

#[divan::bench(args = INPUTS)]
fn parse(bencher: Bencher, name: &str) {
    let Some(text) = input(name) else { return };
    let (items, _) = items(&text);
    bencher.counter(BytesCount::of_str(&text)).bench(|| items.iter().map(|item| parse_item(item).len()).sum::<usize>());
}

/// From trees to IR.
#[divan::bench(args = INPUTS)]
fn lower(bencher: Bencher, name: &str) {
    lowering(bencher, name, false);
}

/// Like [`lower`], but each op is also verified when it is lowered. The difference is the cost of verification.
#[divan::bench(args = INPUTS)]
fn lower_and_verify(bencher: Bencher, name: &str) {
    lowering(bencher, name, true);
}

fn lowering(bencher: Bencher, name: &str, rules: bool) {
    let Some(text) = input(name) else { return };
    let (items, mut context) = items(&text);
    context.options.rules = rules;
    let trees: Vec<Tree> = items.iter().map(|item| parse_item(item)).collect();
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let mut known = KnownTypes::default();
        let lower = |(item, tree): (&&str, &Tree)| lower_item(item, tree, &context, &mut known).diagnostics.len();
        items.iter().zip(&trees).map(lower).sum::<usize>()
    });
}

/// Checks a program completely, using all cores.
#[divan::bench(args = INPUTS)]
fn check(bencher: Bencher, name: &str) {
    let Some(text) = input(name) else { return };
    let check = || batch::check(&text, Options::default(), |_| Keep::Nothing).diagnostics.len();
    bencher.counter(BytesCount::of_str(&text)).bench(check);
}

/// All fixes of lines with a missing comma and, revealed by the fix, a wrong type.
#[divan::bench(args = [1_000, 4_000])]
fn fix(bencher: Bencher, count: usize) {
    let lines: String = (0..count).map(|line| format!("    %r{line} = addi %x %x : tile<f32>\n")).collect();
    let text = format!("cuda_tile.module @m {{\n  entry @k(%x: tile<i32>) {{\n{lines}  }}\n}}\n");
    let check = |text: &str| batch::check(text, Options::default(), |_| Keep::Nothing).diagnostics;
    let found = check(&text);
    bencher.bench(|| fix_all(&text, &found, Applicability::Safe, check).map(|fixed| fixed.edits.len()));
}
