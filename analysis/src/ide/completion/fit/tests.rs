//! The values that are offered as operands.

use super::super::completions;
use crate::ide::fixture::{cursor, entry};

const SCOPE: &str = "    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %f = constant <f32: 1.0> : tile<8x8xf32>
    %g = constant <f32: 1.0> : tile<8xf32>
    %i = constant <i32: 1> : tile<8x8xi32>
    %n = constant <i64: 1> : tile<i64>
    %h = constant <f16: 1.0> : tile<16x32xf16>
    %k = constant <f16: 1.0> : tile<32x8xf16>
    %acc = constant <f32: 1.0> : tile<16x8xf32>
    %t = make_token : token
    %view = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %tiles = make_partition_view %view : partition_view<tile=(8x8), tensor_view<8x8xf32, strides=[8,1]>>
";

/// Asserts which values are offered at the cursor of a statement.
#[track_caller]
fn are(statement: &str, expected: &[&str]) {
    let (db, file, offset) = cursor(&entry(&format!("{SCOPE}    {statement}")));
    let found = completions(&db, file, offset).items.into_iter().map(|item| item.label);
    assert_eq!(found.collect::<Vec<String>>(), expected, "{statement}");
}

#[test]
fn the_class_of_the_operand_decides() {
    are("%x = addf %$0", &["%acc", "%k", "%h", "%g", "%f"]);
    are("%x = addi %$0", &["%n", "%i", "%bz", "%by", "%bx"]);
    are("%x, %y = load_ptr_tko weak %$0", &["%p"]);
    are("%x, %y = load_ptr_tko weak %p token = %$0", &["%t"]);
    are("%x = make_partition_view %$0", &["%view"]);
    are("%x = andi %a, %$0", &["%n", "%i", "%bz", "%by", "%bx"]);
}

#[test]
fn the_other_operands_decide() {
    are("%x = addi %i, %$0", &["%i"]);
    are("%x = addi %$0, %n", &["%n"]);
    // Keywords can follow too.
    are("%x = addi %i, $0", &["%i", "overflow"]);
    are("store_view_tko weak %f, %$0", &["%tiles"]);
    are("store_view_tko weak %$0, %tiles[%bx, %by]", &["%f"]);
    are("%x = select %c, %g, %$0", &["%g"]);
}

#[test]
fn the_last_operand_makes_the_statement_valid() {
    are("%x = mmaf %h, %k, %$0", &["%acc"]);
    are("%x = cat %h, %$0", &["%k", "%h"]);
}

#[test]
fn indices_are_scalars_and_those_of_the_tile_block_come_first() {
    are("%x, %y = load_view_tko weak %tiles[%$0", &["%bx", "%n", "%bz", "%by"]);
    are("%x, %y = load_view_tko weak %tiles[%bx, %$0", &["%by", "%bz", "%bx"]);
    are("%x, %y = load_view_tko weak %tiles[%bx, %by, %$0", &[]);
}

#[test]
fn terminators_take_the_values_that_they_pass_on() {
    let head = "%r:2 = loop iter_values(%a = %n, %b = %g) : tile<i64>, tile<8xf32> -> tile<8xf32>, tile<i64> {\n      ";
    are(&format!("{head}continue %$0\n    }}"), &["%a", "%n"]);
    are(&format!("{head}continue %a, %$0\n    }}"), &["%b", "%g"]);
    are(&format!("{head}break %$0\n    }}"), &["%b", "%g"]);
    are("return %$0", &[]);
}
