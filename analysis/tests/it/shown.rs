//! Snapshots of what an editor shows of a program: the hover of each word, and the completions after it.
//!
//! `INSTA_UPDATE=always cargo test -p tile-analysis --test it shown` updates them; review the diff.

use std::fmt::Write;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::{completion, hover};

const PROGRAM: &str = "cuda_tile.module @m {
  global @table <f32: [1.0, 2.0]> : tile<2xf32>
  // Doubles a row.
  entry @twice(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %parts = make_partition_view %view : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %a, %read = load_view_tko weak %parts[%x] : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %b = addf %a, %a rounding<nearest_even> : tile<8xf32>
    %done = store_view_tko weak %b, %parts[%x] token=%read : tile<8xf32>, partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
";

/// Returns the distinct words of the program with their end offsets.
fn words() -> Vec<(&'static str, usize)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "%@_".contains(c);
    let mut found: Vec<(&str, usize)> = Vec::new();
    for word in PROGRAM.split(|c| !is_word(c)).filter(|word| !word.is_empty()) {
        let end = word.as_ptr().addr() - PROGRAM.as_ptr().addr() + word.len();
        if found.iter().all(|(known, _)| *known != word) {
            found.push((word, end));
        }
    }
    found
}

#[test]
fn hovers() {
    let db = Database::default();
    let file = File::new(&db, PROGRAM.into(), Options::default());
    let mut all = String::new();
    for (word, end) in words() {
        if let Some(shown) = hover::hover(&db, file, end as u32 - 1) {
            writeln!(all, "=== {word}\n{}\n", shown.text.trim_end()).expect("writing to a string succeeds");
        }
    }
    insta::assert_snapshot!(all);
}

/// The first completions after each word, with the text truncated there as while typing.
#[test]
fn completions() {
    let db = Database::default();
    let mut all = String::new();
    for (word, end) in words() {
        let file = File::new(&db, PROGRAM[..end].into(), Options::default());
        let offered = completion::completions(&db, file, end as u32);
        writeln!(all, "=== {word}").expect("writing to a string succeeds");
        for item in offered.items.iter().take(4) {
            let snippet = item.snippet.as_deref().unwrap_or(&item.label);
            writeln!(all, "{} | {} | {snippet}", item.label, item.detail).expect("writing to a string succeeds");
        }
    }
    insta::assert_snapshot!(all);
}
