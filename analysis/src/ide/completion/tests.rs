use super::super::fixture::{cursor, cursor_in_preview, cursor_on, entry, file, filled};
use super::*;
use tile_dialect::Gpu;

fn labels(program: &str) -> Vec<String> {
    let (db, file, offset) = cursor(program);
    completions(&db, file, offset).items.into_iter().map(|item| item.label).collect()
}

#[track_caller]
fn has(program: &str, expected: &[&str], unexpected: &[&str]) {
    let found = labels(program);
    for label in expected {
        assert!(found.iter().any(|found| found == label), "no {label} in {found:?}");
    }
    for label in unexpected {
        assert!(found.iter().all(|found| found != label), "{label} in {found:?}");
    }
}

#[test]
fn features_that_the_gpu_lacks_are_marked() {
    let detail = |gpu, program: &str, label: &str| {
        let (db, file, offset) = cursor_on(gpu, program);
        let item = completions(&db, file, offset).items.into_iter().find(|item| item.label == label);
        item.map(|item| item.detail).expect("it is offered")
    };
    let program = entry("    %a = iota : tile<8x$0");
    assert!(
        detail(Gpu::Sm90, &program, "f4E2M1FN").starts_with("needs sm_100 or later; target is sm_90. A 4-bit float")
    );
    assert!(detail(Gpu::Sm100, &program, "f4E2M1FN").starts_with("A 4-bit float"));
    let op = "multimem_store_view_tko";
    assert!(
        detail(Gpu::Sm120, &entry("    %a = $0"), op).starts_with("needs sm_100, sm_103 or sm_107; target is sm_120. ")
    );
}

#[test]
fn ops_are_offered_where_a_statement_starts() {
    has(&entry("    $0"), &["iota", "print_tko", "return"], &["tile", "cuda_tile.module", "entry"]);
    has(&entry("    %a = ad$0"), &["addi", "addf"], &["signed"]);
    has("cuda_tile.module @m { $0 }", &["entry", "global"], &["cuda_tile.module", "addf"]);
    has("$0", &["cuda_tile.module", "entry"], &["addf"]);
    has("cuda_tile.module @m {\n}\n$0", &["cuda_tile.module"], &["addf"]);
}

#[test]
fn only_ops_with_results_are_offered_after_a_name() {
    let expected = ["muli", "mulf", "mulhii", "load_view_tko", "for", "if"];
    has(&entry("    %r = mul$0"), &expected, &["cuda_tile.module", "entry", "global", "return", "assert", "yield"]);
    // Also where the code around it cannot be parsed.
    has("cuda_tile.module @m {\n  entry @k( {\n    %r = mul$0\n", &["muli"], &["cuda_tile.module"]);
}

#[test]
fn terminators_match_the_enclosing_op() {
    let ends = |body: &str, expected: &[&str], unexpected: &[&str]| has(&entry(body), expected, unexpected);
    let truth = "    %c = constant <i1: true> : tile<i1>\n";
    ends("    loop {\n      $0\n    }", &["break", "continue", "return"], &["yield"]);
    ends(
        "    %z = constant <i32: 0> : tile<i32>\n    for %i in (%z to %z, step %z) : tile<i32> {\n      $0\n    }",
        &["continue"],
        &["break", "return"],
    );
    ends(&format!("{truth}    if %c {{\n      $0\n    }}"), &["yield", "return"], &["break"]);
    ends(&format!("{truth}    loop {{\n      if %c {{\n        $0\n      }}\n    }}"), &["break", "yield"], &[]);
    ends("    $0", &["return"], &["yield", "break", "continue"]);
}

#[test]
fn values_are_the_visible_ones_nearest_first() {
    let program = entry(
        "    %a = iota : tile<8xi32>\n    %z = constant <i32: 0> : tile<i32>\n    %r = for %i in (%z to %z, step %z) : \
         tile<i32> iter_values(%acc = %z) -> (tile<i32>) {\n      %in = addi %i, %i : tile<i32>\n      %x = addi %$0\n      \
         continue %in : tile<i32>\n    }\n    %late = iota : tile<8xi32>",
    );
    assert_eq!(labels(&program), ["%in", "%acc", "%i", "%z", "%a"]);
    has(&program.replace("$0", "").replace("%late = iota", "%late = negi %$0"), &["%r", "%a"], &["%in", "%i", "%acc"]);
}

#[test]
fn the_values_of_a_pack_have_numbers() {
    has(&entry("    %b:3 = get_tile_block_id : tile<i32>\n    %c = addi %$0"), &["%b#0", "%b#2"], &["%b"]);
}

#[test]
fn numbers_follow_a_pack_and_aliases_are_offered_elsewhere() {
    assert_eq!(labels(&entry("    %b:3 = get_tile_block_id : tile<i32>\n    %c = addi %b#$0")), ["#0", "#1", "#2"]);
    let text = "#h = <sm_90 = {latency = 3}>\ncuda_tile.module @m {\n  entry @k() {\n    %a = iota #$0\n  }\n}\n";
    has(text, &[], &["iota", "%a"]);
}

#[test]
fn keywords_are_those_of_the_op() {
    let add = entry("    %c = addf %p, %p $0");
    has(&add, &["rounding", "flush_to_zero"], &["nearest_even", "addf"]);
    has(&add.replace("$0", "rounding<$0"), &["nearest_even", "zero"], &["flush_to_zero", "nearest_int_to_zero"]);
    has(&entry("    %c, %t = load_ptr_tko $0"), &["weak", "relaxed"], &["addf"]);
}

#[test]
fn values_of_named_enums_follow_their_name() {
    has(&entry("    %a = alloca num_elem = 4, alignment = 4 : tile<ptr<f32, <$0"), &["multicast", "unicast"], &["f32"]);
    let view = "    %v = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<$0";
    has(&entry(view), &["none", "multicast"], &["f32", "tile"]);
    let store = entry("    %t = multimem_reduce_view_tko relaxed sys %p, %p[%p] $0");
    has(&store, &["token", "inbounds", "reduction"], &["umax", "add"]);
    let kind = "attributes {reduction = #cuda_tile.multimem_reduction_kind<$0";
    has(&store.replace("$0", kind), &["umax", "add"], &["inbounds"]);
}

#[test]
fn parameters_take_their_attributes() {
    let heads = ["%x: tile<i32> {$0", "%x: tile<i32>,\n    %y: tile<i32> {$0", "%x: tile<i32> {a.b = 1 : i32, cuda$0"];
    for head in heads {
        let found = labels(&format!("cuda_tile.module @m {{\n  entry @k({head}}}) {{\n    return\n  }}\n}}\n"));
        assert_eq!(found, ["cuda_tile.div_by"], "{head}");
    }
    // Bodies are not dictionaries.
    has(
        "cuda_tile.module @m {\n  entry @k(%x: tile<i32> {a.b = 1 : i32}) {\n    $0\n  }\n}\n",
        &["addf"],
        &["cuda_tile.div_by"],
    );
}

const LIBRARY: &str = "cuda_tile.module @m {\n  preview$func extern @scale<[N: index]>(\n    %x: tile<[N]xf32> \
                       {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}\n  ) -> tile<[N]xf32>\n";

#[test]
fn the_preview_is_offered_where_it_is_allowed() {
    let cases: [(&str, &[&str], &[&str]); 8] = [
        ("  $0\n}\n", &["preview$func", "preview$extern_impl", "entry"], &["preview$call"]),
        ("  entry @k() {\n    $0\n  }\n}\n", &["preview$call"], &["preview$func"]),
        ("  entry @k() {\n    preview$call @$0\n  }\n}\n", &["@scale"], &["@k"]),
        ("  preview$extern_impl @i implements @$0\n}\n", &["@scale"], &["@i"]),
        ("  preview$func extern @g(%x: tile<f32> {$0})\n}\n", &["cuda_tile.preview$access"], &["addf"]),
        (
            "  preview$func extern @g(%x: tile<f32> {cuda_tile.preview$access = #cuda_tile<preview$access<$0>>})\n}\n",
            &["in", "out", "inout"],
            &["warp"],
        ),
        (
            "  preview$func extern @g<[N: $0\n}\n",
            &["index", "!cuda_tile<preview$Datatype>", "!cuda_tile<preview$shape>"],
            &["tile", "none"],
        ),
        ("  preview$extern_impl @i implements @scale(%x: $0\n}\n", &["preview$fragment"], &["index"]),
    ];
    for (rest, expected, unexpected) in cases {
        let program = format!("{LIBRARY}{rest}");
        let (db, file, offset) = cursor_in_preview(&program);
        let found: Vec<String> = completions(&db, file, offset).items.into_iter().map(|item| item.label).collect();
        for label in expected {
            assert!(found.iter().any(|found| found == label), "{rest}: no {label} in {found:?}");
            let is_preview = label.contains("preview$") || *label == "@scale" || *label == "inout";
            assert!(!is_preview || !labels(&program).iter().any(|found| found == label), "{rest}: {label} without it");
        }
        for label in unexpected {
            assert!(found.iter().all(|found| found != label), "{rest}: {label} in {found:?}");
        }
    }
}

#[test]
fn the_items_of_the_preview_are_offered_as_valid_text() {
    let program = "cuda_tile.module @m {\n  $0\n}\n";
    let (db, module, offset) = cursor_in_preview(program);
    for op in ["preview$func", "preview$extern_impl"] {
        let items = completions(&db, module, offset).items;
        let item = items.into_iter().find(|item| item.label == op).expect("it is offered");
        let text = program.replace("$0", &filled(&item.snippet.expect("a snippet")));
        let (db, file, _) = cursor_in_preview(&format!("{text}$0"));
        let found = &db::file_outline(&db, file).diagnostics;
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn values_are_offered_where_the_form_has_operands() {
    let values = |body: &str, any: bool| {
        let found = labels(&entry(&format!("{SCOPE}{body}")));
        assert_eq!(found.iter().any(|label| label.starts_with('%')), any, "{body}: {found:?}");
    };
    for body in ["%x = addf $0", "%x = addf %f, $0", "%x = cmpi less_than $0", "%x = assume div_by<16>, $0"] {
        values(&format!("    {body}"), true);
    }
    let not_yet =
        ["%x = cmpi $0", "%x, %y = load_ptr_tko $0", "%x = assume $0", "%x = addf %f, %f $0", "%x = constant <$0"];
    for body in not_yet {
        values(&format!("    {body}"), false);
    }
    for head in ["($0", "(%n: tile<i32>) $0", "() optimization_hints=<$0", "() optimization_hints=<sm_90 = {$0"] {
        let found = labels(&format!("cuda_tile.module @m {{\n  entry @k{head}\n    return\n  }}\n}}\n"));
        assert!(found.iter().all(|label| !label.starts_with('%')), "{head}: {found:?}");
    }
    has("cuda_tile.module @m {\n  entry @k($0\n  }\n}\n", &[], &["optimization_hints"]);
}

#[test]
fn the_value_of_a_constant_begins_with_its_element() {
    has(&entry("    %a = constant <$0"), &["i32", "f32"], &["tile", "addf"]);
    assert_eq!(labels(&entry("    %a = constant <i32: $0")).len(), 0);
}

#[test]
fn types_are_offered_only_in_types_that_can_contain_them() {
    has(&entry("    %a = iota : tile<8x$0"), &["f32", "ptr"], &["tile", "token", "tensor_view"]);
    has(&entry("    %a = iota : tile<ptr<$0"), &["f32"], &["ptr", "tile"]);
    has(&entry("    %a = iota : partition_view<tile=(8), $0"), &["tensor_view"], &["f32", "tile", "token"]);
    has(&entry("    %a = iota : partition_view<tile=(8), tensor_view<$0"), &["f32"], &["tile", "tensor_view"]);
}

#[test]
fn types_follow_colons_and_are_offered_inside_types() {
    has(&entry("    %a = iota : $0"), &["tile", "token", "partition_view"], &["addf"]);
    has(&entry("    %a = iota : tile<$0"), &["f32", "ptr"], &["addf"]);
    has("!t = tile<8xi32>\ncuda_tile.module @m {\n  entry @k() {\n    %a = iota : !$0\n  }\n}\n", &["!t"], &["tile"]);
}

#[test]
fn parameters_of_entries_are_scalars() {
    let head = |params: &str| {
        format!(
            "!s = !cuda_tile.tile<i32>\n!t = !cuda_tile.tile<8xi32>\ncuda_tile.module @m {{\n  entry @k({params}) {{\n    return\n  }}\n}}\n"
        )
    };
    for params in
        ["%x: $0", "%x: ti$0", "%x: tile<i32>,\n    %y: $0", "%x: tile<i32> {cuda_tile.div_by = 16 : i32}, %y: $0"]
    {
        assert_eq!(labels(&head(params)), ["tile", "!s"], "{params}");
        let written = snippet(&head(params), "tile");
        let text = head(&params.replace("ti$0", "$0")).replace("$0", &written);
        let (db, file) = file(&text);
        assert_eq!(db::diagnostics(&db, file), [], "{text}");
    }
    has(&head("%x: tile<$0"), &["f32", "ptr"], &["token"]);
}

#[test]
fn globals_follow_their_sign() {
    let program = "cuda_tile.module @m {\n  global @g <f32: [1.0]> : tile<1xf32>\n  entry @k() {\n    %g = get_global @$0\n  }\n}\n";
    assert_eq!(labels(program), ["@g"]);
}

#[test]
fn nothing_is_offered_in_comments_and_strings() {
    assert_eq!(labels(&entry("    // add$0")).len(), 0);
    assert_eq!(labels(&entry("    %t = print_tko \"he$0")).len(), 0);
}

#[test]
fn the_word_with_its_sign_is_replaced() {
    let (db, file, offset) = cursor(&entry("    %a = addi %abc$0"));
    let replaced = completions(&db, file, offset).replaced;
    assert_eq!(offset - replaced.start, 4);
}

fn snippet(program: &str, label: &str) -> String {
    let (db, file, offset) = cursor(program);
    let items = completions(&db, file, offset).items;
    let found = items.into_iter().find(|item| item.label == label).expect("it is offered");
    filled(&found.snippet.unwrap_or(found.label))
}

const SCOPE: &str = "    %f = constant <f32: 1.0> : tile<8x8xf32>\n    %i = constant <i32: 1> : tile<8x8xi32>\n    \
                     %n = constant <i32: 1> : tile<i32>\n    %t = make_token : token\n";

#[test]
fn an_op_comes_with_operands_that_fit_and_their_types() {
    let program = entry(&format!("{SCOPE}    $0"));
    assert_eq!(snippet(&program, "addf"), "%result = addf %f, %f : tile<8x8xf32>");
    assert_eq!(snippet(&program, "muli"), "%result = muli %n, %n : tile<i32>");
    assert_eq!(
        snippet(&program, "load_ptr_tko"),
        "%result, %result_token = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token"
    );
    assert_eq!(snippet(&program, "for"), "for %i_0 in (%n to %n, step %n) : tile<i32> {\n\t\n}");
    assert_eq!(snippet(&program.replace("$0", "%a = ad$0"), "addf"), "addf %f, %f : tile<8x8xf32>");
    assert_eq!(snippet(&program, "print_tko"), "print_tko \"hello\\n\" -> token");
}

#[test]
fn every_snippet_can_be_parsed() {
    let program = entry(&format!("{SCOPE}    $0"));
    let (db, module, offset) = cursor(&program);
    for item in completions(&db, module, offset).items {
        let written = filled(item.snippet.as_deref().unwrap_or(&item.label));
        if ["module", "entry", "global"].iter().any(|outside| item.label.ends_with(outside)) {
            continue;
        }
        let text = program.replace("$0", &written);
        let (db, file) = file(&text);
        let item_of = db::layout(&db, file).items[0].1;
        let errors = &db::syntax(&db, item_of).errors;
        assert!(errors.is_empty(), "{written}: {errors:?}");
    }
}

#[test]
fn ops_with_available_operands_come_first() {
    let order = |body: &str, first: &str, second: &str| {
        let all = labels(&entry(body));
        let position = |label: &str| all.iter().position(|found| found == label).expect("it is offered");
        assert!(position(first) < position(second), "{first} {second}: {all:?}");
    };
    order("    %i = constant <i32: 1> : tile<i32>\n    %r = mul$0", "muli", "mulf");
    order("    %f = constant <f32: 1.0> : tile<f32>\n    %r = mul$0", "mulf", "muli");
    // Ops without operands always come first; the rest is sorted alphabetically.
    order("    $0", "iota", "addi");
    order("    $0", "addf", "addi");
}

#[test]
fn inferred_types_come_first() {
    let program = entry(&format!("{SCOPE}    %x = addi %i, %i : $0\n    %y = iota : tile<8xi32>"));
    assert_eq!(labels(&program)[..1], ["tile<8x8xi32>"]);
    let program = entry(&format!("{SCOPE}    %x, %y = load_ptr_tko weak %p : tile<ptr<f32>> -> $0"));
    assert_eq!(labels(&program)[..1], ["tile<f32>, token"]);
}

#[test]
fn words_already_written_are_not_offered_again() {
    let load = entry(&format!("{SCOPE}    %x, %y = load_ptr_tko weak %p $0"));
    has(&load, &["token", "optimization_hints", "device"], &["weak"]);
    has(&load.replace("$0", "token = %t $0"), &["optimization_hints"], &["token"]);
    assert_eq!(snippet(&load, "token"), "token = %t");
    has(&load.replace("$0", "optimization_hints = <$0"), &["sm_90", "default"], &["latency"]);
    has(&load.replace("$0", "optimization_hints = <sm_90 = {$0"), &["latency"], &["sm_90", "occupancy"]);
    has(&entry("    %a = assume $0"), &["div_by", "bounded"], &[]);
}

#[test]
fn features_that_the_version_lacks_are_not_offered() {
    let (db, _, offset) = cursor(&entry("    $0"));
    let old = crate::context::Options { version: tile_dialect::Version::V13_1, ..Default::default() };
    let file = db::File::new(&db, entry("    ").into(), old);
    let labels: Vec<String> = completions(&db, file, offset).items.into_iter().map(|item| item.label).collect();
    assert!(labels.iter().any(|label| label == "print") && labels.iter().all(|label| label != "alloca"), "{labels:?}");
}
