use super::super::fixture::{cursor, entry};
use super::*;

fn labels(program: &str) -> Vec<String> {
    let (db, file, offset) = cursor(program);
    completions(&db, file, offset).items.into_iter().map(|item| item.label).collect()
}

#[track_caller]
fn has(program: &str, wanted: &[&str], unwanted: &[&str]) {
    let found = labels(program);
    for label in wanted {
        assert!(found.iter().any(|found| found == label), "no {label} in {found:?}");
    }
    for label in unwanted {
        assert!(found.iter().all(|found| found != label), "{label} in {found:?}");
    }
}

#[test]
fn ops_stand_where_a_statement_starts() {
    has(&entry("    $0"), &["iota", "print_tko", "cuda_tile.module"], &["tile"]);
    has(&entry("    %a = ad$0"), &["addi", "addf"], &["signed"]);
    has("cuda_tile.module @m { $0 }", &["entry", "global"], &[]);
}

#[test]
fn values_are_those_that_can_be_seen_the_nearest_first() {
    let program = entry(
        "    %a = iota : tile<8xi32>\n    %z = constant <i32: 0> : tile<i32>\n    %r = for %i in (%z to %z, step %z) : \
         tile<i32> iter_values(%acc = %z) -> (tile<i32>) {\n      %in = addi %i, %i : tile<i32>\n      %x = addi %$0\n      \
         continue %in : tile<i32>\n    }\n    %late = iota : tile<8xi32>",
    );
    assert_eq!(labels(&program), ["%in", "%acc", "%i", "%z", "%a", "%p"]);
    has(&program.replace("$0", "").replace("%late = iota", "%late = negi %$0"), &["%r", "%a"], &["%in", "%i", "%acc"]);
}

#[test]
fn the_values_of_a_pack_have_numbers() {
    has(&entry("    %b:3 = get_tile_block_id : tile<i32>\n    %c = addi %$0"), &["%b#0", "%b#2"], &["%b"]);
}

#[test]
fn keywords_are_those_of_the_op() {
    let add = entry("    %c = addf %p, %p $0");
    has(&add, &["rounding", "flush_to_zero"], &["nearest_even", "addf"]);
    has(&add.replace("$0", "rounding<$0"), &["nearest_even", "zero"], &["flush_to_zero", "nearest_int_to_zero"]);
    has(&entry("    %c, %t = load_ptr_tko $0"), &["weak", "relaxed"], &["addf"]);
}

#[test]
fn types_stand_behind_colons_and_inside_types() {
    has(&entry("    %a = iota : $0"), &["tile", "token", "partition_view"], &["addf"]);
    has(&entry("    %a = iota : tile<$0"), &["f32", "ptr"], &["addf"]);
    has("!t = tile<8xi32>\ncuda_tile.module @m {\n  entry @k() {\n    %a = iota : !$0\n  }\n}\n", &["!t"], &["tile"]);
}

#[test]
fn globals_stand_behind_their_sign() {
    let program = "cuda_tile.module @m {\n  global @g <f32: [1.0]> : tile<1xf32>\n  entry @k() {\n    %g = get_global @$0\n  }\n}\n";
    assert_eq!(labels(program), ["@g"]);
}

#[test]
fn nothing_in_comments_and_strings() {
    assert_eq!(labels(&entry("    // add$0")).len(), 0);
    assert_eq!(labels(&entry("    %t = print_tko \"he$0")).len(), 0);
}

#[test]
fn the_word_with_its_sign_is_replaced() {
    let (db, file, offset) = cursor(&entry("    %a = addi %abc$0"));
    let replaced = completions(&db, file, offset).replaced;
    assert_eq!(offset - replaced.start, 4);
}
