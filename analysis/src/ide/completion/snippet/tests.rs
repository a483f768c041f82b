//! The operands with which ops are completed.

use super::super::completions;
use crate::ide::fixture::{cursor, entry, filled};

/// An op as it is completed at the cursor, and whether it has placeholders because no values fit.
fn completed(program: &str, op: &str) -> (String, bool) {
    let (db, file, offset) = cursor(program);
    let item = completions(&db, file, offset).items.into_iter().find(|item| item.label == op).expect("it is offered");
    assert_eq!(item.detail.contains("no visible operands fit. "), item.needs_values, "{}", item.detail);
    (filled(&item.snippet.expect("a snippet")), item.needs_values)
}

/// Asserts how ops are completed at the cursor, `$0`, of the body of an entry.
#[track_caller]
fn are(body: &str, expected: &[(&str, &str)]) {
    for (op, text) in expected {
        assert_eq!(completed(&entry(body), op), ((*text).to_string(), false));
    }
}

const VIEWS: &str = "    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %flat = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %flat_tiles = make_partition_view %flat : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
    %grid = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %grid_tiles = make_partition_view %grid : partition_view<tile=(4x8), tensor_view<8x8xf32, strides=[8,1]>>
";

#[test]
fn indices_are_those_of_the_tile_block_in_order() {
    are(
        &format!("{VIEWS}    $0"),
        &[(
            "load_view_tko",
            "%tile, %result_token = load_view_tko weak %grid_tiles[%bx, %by] : partition_view<tile=(4x8), \
             tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x8xf32>, token",
        )],
    );
}

#[test]
fn a_tile_is_stored_to_a_view_of_such_tiles() {
    are(
        &format!("{VIEWS}    %x = constant <f32: 1.0> : tile<16xf32>\n    $0"),
        &[(
            "store_view_tko",
            "store_view_tko weak %x, %flat_tiles[%bx] : tile<16xf32>, partition_view<tile=(16), \
             tensor_view<64xf32, strides=[1]>>, tile<i32> -> token",
        )],
    );
}

#[test]
fn views_have_the_rank_of_their_operands() {
    let parameter = "    %n = constant <i32: 64> : tile<i32>\n";
    are(
        &format!("{parameter}    $0"),
        &[(
            "make_tensor_view",
            "%result = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>",
        )],
    );
    let flat = VIEWS.lines().take(2).collect::<Vec<_>>().join("\n");
    are(
        &format!("{flat}\n    $0"),
        &[(
            "make_partition_view",
            "%result = make_partition_view %flat : partition_view<tile=(128), tensor_view<64xf32, strides=[1]>>",
        )],
    );
}

#[test]
fn operands_fit_together() {
    are(
        "    %a = constant <f16: 1.0> : tile<16x32xf16>\n    %b = constant <f16: 1.0> : tile<32x8xf16>\n    \
         %sum = constant <f32: 0.0> : tile<16x8xf32>\n    %at = constant <i32: 0> : tile<i32>\n    $0",
        &[
            ("mmaf", "%result = mmaf %a, %b, %sum : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>"),
            ("extract", "%result = extract %sum[%at, %at] : tile<16x8xf32> -> tile<1x1xf32>"),
            ("permute", "%result = permute %sum [1, 0] : tile<16x8xf32> -> tile<8x16xf32>"),
        ],
    );
    are(
        "    %x = constant <f32: 1.0> : tile<f32>\n    $0",
        &[
            ("store_ptr_tko", "store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token"),
            (
                "atomic_rmw_tko",
                "%result, %result_token = atomic_rmw_tko relaxed tl_blk %p, addf, %x : tile<ptr<f32>>, tile<f32> -> \
                 tile<f32>, token",
            ),
        ],
    );
}

#[test]
fn operands_of_the_same_type_are_different_values() {
    let values = "    %a = constant <f32: 1.0> : tile<f32>\n    %b = constant <f32: 2.0> : tile<f32>\n";
    are(&format!("{values}    $0"), &[("subf", "%result = subf %a, %b : tile<f32>")]);
}

#[test]
fn terminators_pass_on_what_the_enclosing_op_needs() {
    let z = "    %z = constant <i32: 0> : tile<i32>\n    %c = constant <i1: true> : tile<i1>\n";
    let carried = "iter_values(%sum = %z, %flag = %c) -> (tile<i32>, tile<i1>)";
    are(
        &format!(
            "{z}    %r:2 = for %i in (%z to %z, step %z) : tile<i32> {carried} {{\n      %more = addi %sum, %i : \
             tile<i32>\n      $0\n    }}"
        ),
        &[("continue", "continue %more, %flag : tile<i32>, tile<i1>")],
    );
    are(
        &format!("{z}    %r = loop iter_values(%x = %z) : tile<i32> -> tile<i1> {{\n      $0\n    }}"),
        &[("break", "break %c : tile<i1>"), ("continue", "continue %x : tile<i32>")],
    );
    are(&format!("{z}    %r = if %c -> (tile<i32>) {{\n      $0\n    }}"), &[("yield", "yield %z : tile<i32>")]);
    are("    $0", &[("return", "return")]);
}

#[test]
fn every_dimension_has_a_result() {
    let grid = "tensor_view<8x8xf32, strides=[8,1]>";
    are(
        &format!("{VIEWS}    $0"),
        &[("get_tensor_shape", &format!("%result:2 = get_tensor_shape %grid : {grid} -> tile<i32>"))],
    );
}

#[test]
fn further_results_are_named() {
    let more = |statement: &str, op: &str| {
        let program = entry(&format!("{VIEWS}    {statement}"));
        let (db, file, offset) = cursor(&program);
        let item = completions(&db, file, offset).items.into_iter().find(|item| item.label == op).expect("an item");
        item.insertion.map(|(at, names)| (program[..at as usize].lines().last().unwrap_or_default().to_string(), names))
    };
    let names = |before: &str, names: &str| Some((before.to_string(), names.to_string()));
    assert_eq!(more("%a = lo$0", "load_view_tko"), names("    %a", ", %result_token"));
    assert_eq!(more("%a = $0", "get_tensor_shape"), names("    %a", ":2"));
    assert_eq!(more("%a = $0", "addi"), None);
    assert_eq!(more("%a, %b = $0", "load_view_tko"), None);
    assert_eq!(more("%a:2 = $0", "get_tensor_shape"), None);
}

#[test]
fn the_function_of_a_reduction_is_valid() {
    are(
        "    %x = constant <i32: 0> : tile<8xi32>\n    $0",
        &[(
            "reduce",
            "%result = reduce %x dim = 0 identities = [0 : i32] : tile<8xi32> -> tile<i32> (%element: tile<i32>, \
             %accumulator: tile<i32>) {\n\t\n\tyield %accumulator : tile<i32>\n}",
        )],
    );
    let inside = entry(
        "    %x = constant <i32: 0> : tile<8xi32>\n    %s = reduce %x dim=0 identities=[0 : i32] : tile<8xi32> -> \
         tile<i32> (%element: tile<i32>, %sum: tile<i32>) {\n      $0\n    }",
    );
    assert_eq!(completed(&inside, "yield").0, "yield %sum : tile<i32>");
    let (db, file, offset) = cursor(&inside);
    assert!(completions(&db, file, offset).items.iter().all(|item| item.label != "load_ptr_tko"));
}

#[test]
fn globals_are_named() {
    let program = entry("    $0").replace("  entry", "  global @table <f32: [1.0, 2.0]> : tile<2xf32>\n  entry");
    assert_eq!(completed(&program, "get_global").0, "%result = get_global @table : tile<ptr<f32>>");
}

#[test]
fn far_values_are_found() {
    // More types than most programs have.
    let shape = |n: usize| format!("{}{}x", "1x".repeat(n / 10), 1 << (n % 10));
    let types: String = (0..40).map(|n| format!("    %x{n} = constant <f32: 1.0> : tile<{}f32>\n", shape(n))).collect();
    are(
        &format!("    %x = constant <f32: 1.0> : tile<f32>\n{types}    $0"),
        &[("store_ptr_tko", "store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token")],
    );
}

#[test]
fn names_are_new() {
    are(
        "    $0\n    %result = make_token : token",
        &[("iota", "%result_0 = iota : tile<128xi32>"), ("make_token", "%result_0 = make_token : token")],
    );
}

#[test]
fn placeholders_stand_for_operands_that_no_value_fits() {
    let is = |body: &str, op: &str, text: &str| assert_eq!(completed(&entry(body), op), (text.to_string(), true));
    is("    $0", "mulf", "%result = mulf %lhs, %rhs : tile<f32>");
    let mma = "%result = mmaf %a, %a, %a : tile<16x32xf32>, tile<16x32xf32>, tile<16x32xf32>";
    is("    %a = constant <f32: 0.0> : tile<16x32xf32>\n    $0", "mmaf", mma);
    let load = "load_view_tko weak %view[%index] : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>";
    let (found, needs_values) = completed(&entry("    $0"), "load_view_tko");
    assert!(found.contains(load) && needs_values, "{found}");
}
