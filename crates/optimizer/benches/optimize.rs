//! Speed of the passes on long generated entries: the time must grow like the number of ops.

use divan::Bencher;
use std::fmt::Write;
use tile_opt::{Pass, Settings, optimize};

fn main() {
    divan::main();
}

/// The numbers of ops.
const OPS: [usize; 2] = [1_000, 4_000];

fn bench(bencher: Bencher, body: &str) {
    let text = format!(
        "cuda_tile.module @m {{\n  entry @k(%a: tile<i32>, %b: tile<i32>) {{\n    \
         %zero = constant <i32: 0> : tile<i32>\n    %one = constant <i32: 1> : tile<i32>\n{body}  }}\n}}\n"
    );
    let optimized = || optimize(&text, &Pass::ALL, &Settings::default(), &mut |_| {}).expect("it is valid").text;
    assert_ne!(optimized(), text);
    bencher.bench(optimized);
}

fn lines(count: usize, write: impl Fn(&mut String, usize)) -> String {
    let mut text = String::new();
    (0..count).for_each(|number| write(&mut text, number));
    text
}

/// The name of the value before a number, or the first one.
fn before(number: usize, first: &str) -> String {
    number.checked_sub(1).map_or_else(|| first.to_string(), |last| format!("%v{last}"))
}

/// Sums of constants, each of the one before.
#[divan::bench(args = OPS)]
fn folded(bencher: Bencher, count: usize) {
    let sums = lines(count, |text, number| {
        let _ = writeln!(text, "    %v{number} = addi {}, %one : tile<i32>", before(number, "%zero"));
    });
    bench(bencher, &format!("{sums}    print_tko \"%i\", %v{} : tile<i32> -> token\n", count - 1));
}

/// A loop with products that do not depend on it, each of the one before.
#[divan::bench(args = OPS)]
fn invariant(bencher: Bencher, count: usize) {
    let products = lines(count, |text, number| {
        let _ = writeln!(text, "      %v{number} = muli {}, %b : tile<i32>", before(number, "%a"));
    });
    let last = count - 1;
    let body = format!("{products}      print_tko \"%i\", %v{last} : tile<i32> -> token\n");
    bench(bencher, &in_loop(&body));
}

/// A loop with constants, each of which is used once.
#[divan::bench(args = OPS)]
fn constants(bencher: Bencher, count: usize) {
    let body = lines(count, |text, number| {
        let _ = writeln!(text, "      %c{number} = constant <i32: {}> : tile<i32>", number + 3);
        let _ = writeln!(text, "      %v{number} = muli %c{number}, %i : tile<i32>");
        let _ = writeln!(text, "      print_tko \"%i\", %v{number} : tile<i32> -> token");
    });
    bench(bencher, &in_loop(&body));
}

fn in_loop(body: &str) -> String {
    format!("    for %i in (%zero to %a, step %one) : tile<i32> {{\n{body}    }}\n")
}
