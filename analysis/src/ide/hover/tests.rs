use super::super::fixture::{cursor, entry};
use super::*;

fn text(program: &str) -> String {
    let (db, file, offset) = cursor(program);
    hover(&db, file, offset).map_or("nothing".to_string(), |hover| hover.text)
}

#[track_caller]
fn check(program: &str, parts: &[&str]) {
    let text = text(program);
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn a_value_shows_its_type_its_size_and_its_definition() {
    check(
        &entry("    %a = iota : tile<128xi32>\n    %b = addi $0%a, %a : tile<128xi32>"),
        &["%a: tile<128xi32>", "A tile of 128 i32: 512 bytes.", "Result of `iota`", "%a = iota : tile<128xi32>"],
    );
}

#[test]
fn one_of_a_pack_is_named_with_its_number() {
    let pack = entry("    %a:3 = get_tile_block_id : tile<i32>\n    %b = addi %a#$01, %a#0 : tile<i32>");
    check(&pack, &["%a#1: tile<i32>", "Result `%blockId_y` of `get_tile_block_id`"]);
    check(
        &pack.replace("$0", "").replace("%a:3", "%$0a:3"),
        &["%a#0: tile<i32>\n%a#1: tile<i32>\n%a#2", "Each: A scalar i32"],
    );
}

#[test]
fn a_constant_shows_its_value() {
    let program = entry(
        "    %a = constant <f32: 1.5> : tile<1x1xf32>\n    %b = broadcast %a : tile<1x1xf32> -> tile<4x4xf32>\n    \
         %c = constant <i8: [1, -2]> : tile<2xi8>\n    %d = constant <i1: true> : tile<i1>",
    );
    check(&program.replace("%b =", "%$0b ="), &["Always `1.5`."]);
    check(&program.replace("%c =", "%$0c ="), &["Always `[1, -2]`."]);
    check(&program.replace("%d =", "%$0d ="), &["Always `true`."]);
}

#[test]
fn the_bits_of_a_float_are_explained() {
    let constant = entry("    %a = constant <f32: [0x$07FC00000, 0x3F800000]> : tile<2xf32>");
    check(&constant, &["The bits of `NaN` as f32."]);
    check(&constant.replace("$0", "").replace("0x3F8", "0x3$0F8"), &["The bits of `1.0` as f32."]);
    let reduction = "    %a = constant <f32: 1.0> : tile<4xf32>\n    \
                     %m = reduce %a dim = 0 identities = [0x$0FF800000 : f32] : tile<4xf32> -> tile<f32> (%x, %y) {";
    check(&entry(reduction), &["The bits of `-inf` as f32."]);
    assert!(!text(&entry("    %a = constant <i32: 0x$0FF> : tile<i32>")).contains("bits"));
}

#[test]
fn open_sizes_of_a_view_are_named() {
    let program = entry(
        "    %a:3 = get_tile_block_id : tile<i32>\n    %w = constant <i32: 48> : tile<i32>\n    \
         %t = make_tensor_view %p, shape = [%a#1, 64, %w], strides = [%a#0, %w, 1] : tile<i32> -> tensor_view<?x64x?xf32, strides=[?,?,1]>\n    \
         %v$0 = make_partition_view %t : partition_view<tile=(1x16x32), tensor_view<?x64x?xf32, strides=[?,?,1]>>",
    );
    check(&program, &["index space: %a#1 × 4 × 2", "(offset x·%a#0 + 768·y + 32·z)"]);
    // The type alone does not tell.
    let ty = program.replace("$0", "").replacen(": partition_view", ": partition$0_view", 1);
    check(&ty, &["index space: ⌈extent 0/1⌉ × 4 × ⌈extent 2/32⌉", "x·stride 0"]);
}

#[test]
fn parameters_and_block_arguments_are_described() {
    let program = entry(
        "    %z = constant <i32: 0> : tile<i32>\n    for %i in (%z to %z, step %z) : tile<i32> iter_values(%acc = %z) -> \
         (tile<i32>) {\n      %n = addi %i, %acc : tile<i32>\n      continue %n : tile<i32>\n    }",
    );
    check(&program.replace("addi %i", "addi %$0i"), &["%i: tile<i32>", "Loop counter of this `for`."]);
    check(&program.replace(", %acc :", ", %$0acc :"), &["%acc: tile<i32>", "Loop-carried value of this `for`."]);
    check(&program.replace("(%p:", "(%$0p:"), &["%p: tile<ptr<f32>>", "A pointer to f32", "Parameter 1 of `@k`."]);
}

#[test]
fn an_undeclared_value_has_no_hover() {
    assert_eq!(text(&entry("    %b = negf %$0nope : tile<f32>")), "nothing");
}

#[test]
fn an_op_name_shows_the_documentation_of_its_row() {
    check(&entry("    %a = io$0ta : tile<8xi32>"), &["```tile\n%result = iota", "Since 13.1."]);
    check("cuda_tile.mod$0ule @m {\n}", &["module", "Since 13.1."]);
}

#[test]
fn a_type_is_described() {
    check(&entry("    %a = iota : ti$0le<8xi32>"), &["```tile\ntile<8xi32>\n```", "A tile of 8 i32: 32 bytes."]);
    check(
        &entry("    %a = iota : tile<8xi$032>"),
        &["A tile of 8 i32", "**`i32`** · element type", "A 32-bit integer."],
    );
    let alias = "!t = tile<8xi32>\ncuda_tile.module @m {\n  entry @k() {\n    %a = iota : $0!t\n  }\n}\n";
    check(alias, &["```tile\ntile<8xi32>\n```"]);
}

#[test]
fn gpu_requirements_are_shown() {
    let program = entry("    %a = constant <f4E2M1FN: 1.0> : tile<8xf4E2M1FN>\n    %b = absf %c : tile<8xf32>");
    check(&program.replace("constant", "con$0stant"), &["`f4E2M1FN` needs sm_100 or later."]);
    check(
        &program.replace("tile<8xf4", "ti$0le<8xf4"),
        &["A tile of 8 f4E2M1FN: 4 bytes. `f4E2M1FN` needs sm_100 or later."],
    );
    check(
        &program.replace("8xf4E2", "8xf4$0E2"),
        &["**`f4E2M1FN`** · element type", "`f4E2M1FN` needs sm_100 or later."],
    );
    assert!(!text(&program.replace("absf", "ab$0sf")).contains("needs"));
    check(&entry("    %x = multi$0mem_store_view_tko"), &["It needs sm_100, sm_103 or sm_107."]);
}

#[test]
fn enum_keywords_are_described() {
    let program = entry(
        "    %a = constant <f32: 1.0> : tile<f32>\n    %b = addf %a, %a rounding<nearest_even> : tile<f32>\n    \
         %c, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token",
    );
    check(&program.replace("nearest_even", "nearest$0_even"), &["**`nearest_even`** · rounding mode", "ties go to"]);
    check(&program.replace("rounding", "round$0ing"), &["`rounding_mode` of `addf`", "- `zero`: Towards zero."]);
    check(&program.replace("weak", "we$0ak"), &["**`weak`** · memory ordering", "An ordinary access", "Since 13.1."]);
}

#[test]
fn pointer_attributes_and_reductions_are_described() {
    let types = entry("    %a = alloca num_elem = 4, alignment = 4 : tile<ptr<f32, <multicast>>>");
    let parts =
        ["A pointer to f32 in multicast memory: 8 bytes.", "**`multicast`** · pointer attribute", "Since 13.5."];
    check(&types.replace("multicast", "multi$0cast"), &parts);
    let view = entry(
        "    %v = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1], #cuda_tile.ptr_$0attr<none>>",
    );
    check(&view, &["Device memory viewed as a tensor", "**`ptr_attr`**"]);
    let reduce = "    %t = multimem_reduce_view_tko relaxed sys %v, %x[%i] attributes {reduction = \
                  #cuda_tile.multimem_reduction_kind<umax>} : VIEW, tile<8xf32>, tile<i32> -> token";
    let reduce =
        entry(&reduce.replace(
            "VIEW",
            "partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>",
        ));
    check(&reduce.replace("umax", "um$0ax"), &["**`umax`** · reduction", "`reduction` of `multimem_reduce_view_tko`"]);
    check(
        &reduce.replace("multimem_reduce", "multimem_$0reduce"),
        &["Combines a tile with every replica", "Since 13.5."],
    );
}

#[test]
fn a_global_has_its_type_and_an_entry_its_parameters() {
    let program = "cuda_tile.module @m {\n  global @g <f32: [1.0, 2.0]> : tile<2xf32>\n  entry @k(%a: tile<i32>, %b: \
                   tile<f32>) {\n    %g = get_global @g : tile<ptr<f32>>\n  }\n}\n";
    check(
        &program.replace("get_global @g", "get_global @$0g"),
        &["global @g : tile<2xf32>", "A tile of 2 f32: 8 bytes."],
    );
    check(&program.replace("@k(", "@$0k("), &["entry @k(\n  %a: tile<i32>,\n  %b: tile<f32>\n)"]);
}

#[test]
fn no_hover_between_words() {
    assert_eq!(text(&entry("    %a =  $0  iota : tile<8xi32>")), "nothing");
    assert_eq!(text("$0"), "nothing");
}

#[test]
fn a_broken_line_affects_only_itself() {
    check(
        &entry("    %a = iota : tile<8xi32>\n    %x = addi %a, : \n    %b = addi %$0a, %a : tile<8xi32>"),
        &["%a: tile<8xi32>"],
    );
}

#[test]
fn a_value_shows_its_range_and_assumptions() {
    let program = entry(
        "    %z = constant <i32: 0> : tile<i32>\n    %n = constant <i32: 64> : tile<i32>\n    %s = constant <i32: 16> : tile<i32>\n    \
         for %i in (%z to %n, step %s) : tile<i32> {\n      %j = muli %i, %s : tile<i32>\n    }\n    \
         %q = assume div_by<16>, %p : tile<ptr<f32>>\n    %b, %c, %d = get_tile_block_id : tile<i32>",
    );
    check(
        &program.replace("muli %i", "muli %$0i"),
        &["It is between 0 and 48.", "Loop counter of this `for`: 4 iterations.", "Used once."],
    );
    check(&program.replace("%j =", "%$0j ="), &["It is between 0 and 768.", "Unused."]);
    check(&program.replace("%q =", "%$0q ="), &["Assumed to be aligned to 16 bytes."]);
    check(&program.replace("%b,", "%$0b,"), &["It is at least 0."]);
}

#[test]
fn a_view_shows_the_layout_of_its_tiles() {
    let program = entry(
        "    %t = make_tensor_view %p, shape = [64, 96], strides = [96, 1] : tensor_view<64x96xf32, strides=[96,1]>\n    \
         %v = make_partition_view %t : partition_view<tile=(32x16), tensor_view<64x96xf32, strides=[96,1]>>",
    );
    let parts = [
        "tile: `tile<32x16xf32>`, 2 KiB",
        "index space: 2 × 6",
        "tile `[x, y]` starts at element `[32·x, 16·y]` (offset 3072·x + 16·y)",
    ];
    check(&program.replace("%v =", "%$0v ="), &parts);
    check(&program.replace("part$0ition", "partition").replace(": partition", ": part$0ition"), &parts);
}

#[test]
fn an_op_shows_its_cost_and_an_entry_the_cost_per_block() {
    let program = entry(
        "    %a = constant <f16: 1.0> : tile<64x32xf16>\n    %b = constant <f16: 1.0> : tile<32x64xf16>\n    \
         %c = constant <f32: 0.0> : tile<64x64xf32>\n    %d = mmaf %a, %b, %c : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>\n    \
         %e, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token",
    );
    check(&program.replace("mmaf", "mm$0af"), &["Cost: 262.1 thousand operations."]);
    check(&program.replace("%d =", "%$0d ="), &["Type inferred: `acc` and `result` have the same type."]);
    check(&program.replace("load_ptr", "load$0_ptr"), &["Cost: reads 4 bytes."]);
    check(&program.replace("@k", "@$0k"), &["Per tile block: 262.1 thousand operations, reads 4 bytes"]);
}

#[test]
fn keywords_hints_predicates_and_codes_are_described() {
    let program = entry(
        "    %t = make_token : token\n    %a, %u = load_ptr_tko weak %p token = %t optimization_hints = <sm_90 = {latency = 3}> : \
         tile<ptr<f32>> -> tile<f32>, token // tile: allow(L0003)\n    %q = assume div_by<16>, %p : tile<ptr<f32>>",
    );
    check(&program.replace("token = %t", "to$0ken = %t"), &["`token` of `load_ptr_tko`"]);
    check(
        &program.replace("latency", "lat$0ency"),
        &["**`latency`** · optimization hint", "from 1 to 10", "Since 13.1."],
    );
    check(&program.replace("sm_90", "sm$0_90"), &["**`sm_90`** · architecture"]);
    check(&program.replace("div_by", "div$0_by"), &["**`div_by`**"]);
    check(&program.replace("L0003", "L0$0003"), &["**L0003** · ", "For example:"]);
    check(&program.replace("allow", "al$0low"), &["**`allow`** · lint comment"]);
}

#[test]
fn words_of_types_have_their_pages() {
    let program = entry(
        "    %t = make_tensor_view %p, shape = [64, 96], strides = [96, 1] : tensor_view<64x96xf32, strides=[96,1]>\n    \
         %v = make_partition_view %t : partition_view<tile=(16x32), padding_value = zero, tensor_view<64x96xf32, \
         strides=[96,1]>, dim_map=[1, 0]>\n    %k = make_token : token",
    );
    check(
        &program.replace(": partition_view", ": partition$0_view"),
        &["Adjacent tiles of 16 × 32", "**`partition_view`** · type"],
    );
    check(&program.replace(": tensor_view", ": tensor$0_view"), &["**`tensor_view`** · type", "Since 13.1."]);
    check(&program.replace("padding_value", "padding$0_value"), &["**`padding_value`** · set of keywords"]);
    check(
        &program.replace("= zero", "= ze$0ro"),
        &["**`zero`** · padding value", "padding_value = zero", "Since 13.1."],
    );
    check(&program.replace("dim_map", "dim$0_map"), &["**`dim_map`** · view parameter", "Since 13.1."]);
    check(&program.replace("<tile=", "<ti$0le="), &["**`tile sizes`** · concept"]);
    check(&program.replace(", strides=[96,1]>\n", ", stri$0des=[96,1]>\n"), &["**`strides`** · view parameter"]);
    check(&program.replace(": token", ": tok$0en"), &["A value without data", "**`token`** · type"]);
    check(&program.replace("%p, shape", "%p, sha$0pe"), &["`dynamicShape` of `make_tensor_view`"]);
    check(
        &program.replace("strides = [", "stri$0des = ["),
        &["`dynamicStrides` of `make_tensor_view`", "**`strides`** · view parameter"],
    );
}

#[test]
fn attributes_of_ops_have_their_pages() {
    let program = entry(
        "    %a = constant <f32: 1.0> : tile<4xf32>\n    %b = mulf %a, %a flush_to_zero : tile<4xf32>\n    \
         %s = reduce %a dim = 0 identities = [0.0 : f32] : tile<4xf32> -> tile<f32>\n    \
         (%x: tile<f32>, %y: tile<f32>) {\n      %z = addf %x, %y : tile<f32>\n      yield %z : tile<f32>\n    }\n    \
         %o, %t = atomic_rmw_tko relaxed device %p, addf, %c : tile<ptr<f32>>, tile<f32> -> tile<f32>, token",
    );
    check(&program.replace("flush_to_zero", "flush$0_to_zero"), &["**`flush_to_zero`** · attribute", "Subnormal"]);
    check(&program.replace("dim =", "d$0im ="), &["`dim` of `reduce`", "**`dim`** · attribute"]);
    check(&program.replace("identities", "ident$0ities"), &["**`identities`** · attribute"]);
    check(&program.replace("device", "dev$0ice"), &["**`device`** · memory scope", "Since 13.1."]);
    check(&program.replace(", addf,", ", ad$0df,"), &["**`addf`** · atomic mode"]);
    check(&program.replace("<f32: 1.0>", "<f$032: 1.0>"), &["**`f32`** · element type"]);
}

const PREVIEW: &str = "\
cuda_tile.module @m {
  preview$func extern @f<[N: index]>(
    %x: tile<[N]xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) -> tile<[N]xf32>
  preview$extern_impl @f_impl<[N: index]> implements @f<[N]>(
    %x: preview$fragment<1xf32, local, mem_layout = <(1):(1)>, fragmap = <(N / 32, 32, 1):(32, 1, 0)>>
        {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) synchronization = #cuda_tile<preview$synchronization<warp>>
  entry @k(%p: tile<ptr<f32>> {cuda_tile.div_by = #cuda_tile.div_by<16>}) {
    %a = constant <f32: 1.0> : tile<32xf32>
    %b = preview$call @f<[32]>(%a) : (!cuda_tile.tile<32xf32>) -> !cuda_tile.tile<32xf32>
    return
  }
}
";

#[test]
fn functions_and_their_attributes_are_described() {
    let cases = [
        ("preview$call @", "f<[32", "```tile\npreview$func extern @f<[N: index]>(%x: tile<[N]xf32>"),
        ("implements @", "f<[N", "Declares a function of a tile library"),
        ("extern_impl @", "f_impl", "```tile\npreview$extern_impl @f_impl<[N: index]> implements @f<[N]>"),
        ("preview$access<", "inout", "**`inout`** · access"),
        ("{cuda_tile.", "preview$access", "**`preview$access`**"),
        ("preview$synchronization<", "warp", "**`warp`** · synchronization"),
        ("1xf32, ", "local", "**`local`** · memory space"),
        ("(1):(1)>, ", "fragmap", "**`fragment`**"),
        ("{cuda_tile.", "div_by", "**`div_by`**"),
    ];
    for (before, word, expected) in cases {
        let at = PREVIEW.find(&format!("{before}{word}")).expect("the word is there") + before.len();
        let (start, end) = PREVIEW.split_at(at + 1);
        let (db, file, offset) = crate::ide::fixture::cursor_in_preview(&format!("{start}$0{end}"));
        let shown = hover(&db, file, offset).map_or("nothing".to_string(), |hover| hover.text);
        assert!(shown.contains(expected), "{word}: no {expected:?} in:\n{shown}");
    }
}
