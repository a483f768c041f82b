//! An op has the same meaning in custom and in generic form.

use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{Database, File, diagnostics};
use tile_analysis::ir::Module;
use tile_analysis::program::Program;

/// Statements in custom form and in generic form. `%i` is an `i32`, `%t` an `i1`, `%f` a 2x4 tile of `f32`, `%p` a
/// partition view of `f32`. The types in generic form are aliases.
const PAIRS: &[(&str, &str)] = &[
    (
        "%r = addf %f, %f rounding<zero> flush_to_zero : tile<2x4xf32>",
        r#"%r = "cuda_tile.addf"(%f, %f) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!F, !F) -> !F"#,
    ),
    (
        "%r = addf %f, %f : tile<2x4xf32>",
        r##"%r = "cuda_tile.addf"(%f, %f) {rounding_mode = #cuda_tile.rounding<nearest_even>} : (!F, !F) -> !F"##,
    ),
    (
        "%r = divi %i, %i unsigned : tile<i32>",
        r#"%r = "cuda_tile.divi"(%i, %i) <{signedness = #cuda_tile.signedness<unsigned>}> : (!I, !I) -> !I"#,
    ),
    (
        "%r = permute %f [1, 0] : tile<2x4xf32> -> tile<4x2xf32>",
        r#"%r = "cuda_tile.permute"(%f) <{permutation = array<i32: 1, 0>}> : (!F) -> !cuda_tile.tile<4x2xf32>"#,
    ),
    (
        "%r, %k = load_view_tko relaxed device %p[%i] : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token",
        r#"%r, %k = "cuda_tile.load_view_tko"(%p, %i) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!P, !I) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)"#,
    ),
    (
        "%r = reduce %f dim=1 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32>
    (%x: tile<f32>, %y: tile<f32>) {
      %s = addf %x, %y : tile<f32>
      yield %s : tile<f32>
    }",
        r#"%r = "cuda_tile.reduce"(%f) <{dim = 1 : i32, identities = [0.0 : f32]}> ({
    ^bb0(%x: !S, %y: !S):
      %s = "cuda_tile.addf"(%x, %y) : (!S, !S) -> !S
      "cuda_tile.yield"(%s) : (!S) -> ()
    }) : (!F) -> !cuda_tile.tile<2xf32>"#,
    ),
    (
        "%r = for %n in (%i to %i, step %i) : tile<i32> iter_values(%c = %i) -> (tile<i32>) {
      continue %c : tile<i32>
    }",
        r#"%r = "cuda_tile.for"(%i, %i, %i, %i) ({
    ^bb0(%n: !I, %c: !I):
      "cuda_tile.continue"(%c) : (!I) -> ()
    }) : (!I, !I, !I, !I) -> !I"#,
    ),
    (
        "%r = if %t -> (tile<i32>) {
      yield %i : tile<i32>
    } else {
      yield %i : tile<i32>
    }",
        r#"%r = "cuda_tile.if"(%t) ({
      "cuda_tile.yield"(%i) : (!I) -> ()
    }, {
      "cuda_tile.yield"(%i) : (!I) -> ()
    }) : (!cuda_tile.tile<i1>) -> !I"#,
    ),
];

fn lowered(statement: &str) -> Module {
    let text = format!(
        "!I = !cuda_tile.tile<i32>
!S = !cuda_tile.tile<f32>
!F = !cuda_tile.tile<2x4xf32>
!P = !cuda_tile.partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
cuda_tile.module @m {{
  entry @k(%i: tile<i32>, %t: tile<i1>, %q: tile<ptr<f32>>) {{
    %f = constant <f32: 1.0> : tile<2x4xf32>
    %v = make_tensor_view %q, shape = [%i], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %p = make_partition_view %v : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
    {statement}
  }}
}}
"
    );
    let db = Database::default();
    let file = File::new(&db, Arc::from(text.as_str()), Options::default());
    let found = diagnostics(&db, file);
    assert!(found.is_empty(), "{found:?} in\n{text}");
    Program::of(&db, file).module()
}

#[test]
fn both_forms_mean_the_same() {
    for (custom, generic) in PAIRS {
        assert_eq!(lowered(custom), lowered(generic), "{custom}");
    }
}

/// This rule cannot be broken in custom form.
#[test]
fn carried_values_have_the_types_of_the_results() {
    let loops = |result: &str| {
        let text = format!(
            "cuda_tile.module @m {{
  entry @k(%i: tile<i32>) {{
    %r = \"cuda_tile.for\"(%i, %i, %i, %i) ({{
    ^bb0(%n: !cuda_tile.tile<i32>, %c: !cuda_tile.tile<i32>):
      \"cuda_tile.continue\"(%c) : (!cuda_tile.tile<i32>) -> ()
    }}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> {result}
  }}
}}
"
        );
        let db = Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), Options::default());
        diagnostics(&db, file).into_iter().map(|found| found.page.code).collect::<Vec<_>>()
    };
    assert_eq!(loops("!cuda_tile.tile<i32>"), [""; 0]);
    assert_eq!(loops("!cuda_tile.tile<i64>"), ["E0303"]);
    assert_eq!(loops("i32"), ["E0303"]);
}

#[test]
fn an_entry_has_a_name_parameters_and_hints_in_both_forms() {
    let lowered = |entry: &str| {
        let text = format!("!P = !cuda_tile.tile<ptr<f32>>\ncuda_tile.module @m {{\n{entry}\n}}\n");
        let db = Database::default();
        let file = File::new(&db, Arc::from(text.as_str()), Options::default());
        let found = diagnostics(&db, file);
        assert!(found.is_empty(), "{found:?} in\n{text}");
        Program::of(&db, file).module()
    };
    let custom = "entry @k(%p: !P) optimization_hints=<sm_90 = {occupancy = 2}> {\n return\n}";
    let generic = "\"cuda_tile.entry\"() <{sym_name = \"k\", function_type = (!P) -> (), \
        optimization_hints = #cuda_tile.optimization_hints<sm_90 = {occupancy = 2}>}> ({\n^bb0(%p: !P):\n \"cuda_tile.return\"() : () -> ()\n}) : () -> ()";
    assert_eq!(lowered(custom), lowered(generic));
}
