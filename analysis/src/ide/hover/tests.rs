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
fn a_value_has_a_type_in_code_and_in_words_and_an_origin() {
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
        &["%a#0: tile<i32>\n%a#1: tile<i32>\n%a#2", "Each: One i32"],
    );
}

#[test]
fn a_constant_shows_what_it_holds() {
    let program = entry(
        "    %a = constant <f32: 1.5> : tile<1x1xf32>\n    %b = broadcast %a : tile<1x1xf32> -> tile<4x4xf32>\n    \
         %c = constant <i8: [1, -2]> : tile<2xi8>\n    %d = constant <i1: true> : tile<i1>",
    );
    check(&program.replace("%b =", "%$0b ="), &["Always `1.5`."]);
    check(&program.replace("%c =", "%$0c ="), &["Always `[1, -2]`."]);
    check(&program.replace("%d =", "%$0d ="), &["Always `true`."]);
}

#[test]
fn parameters_and_block_arguments_say_what_they_are() {
    let program = entry(
        "    %z = constant <i32: 0> : tile<i32>\n    for %i in (%z to %z, step %z) : tile<i32> iter_values(%acc = %z) -> \
         (tile<i32>) {\n      %n = addi %i, %acc : tile<i32>\n      continue %n : tile<i32>\n    }",
    );
    check(&program.replace("addi %i", "addi %$0i"), &["%i: tile<i32>", "The counter of this `for`."]);
    check(&program.replace(", %acc :", ", %$0acc :"), &["%acc: tile<i32>", "Carried from one round"]);
    check(&program.replace("(%p:", "(%$0p:"), &["%p: tile<ptr<f32>>", "One pointer to f32", "Parameter 1 of `@k`."]);
}

#[test]
fn of_an_undeclared_value_there_is_nothing_to_say() {
    assert_eq!(text(&entry("    %b = negf %$0nope : tile<f32>")), "nothing");
}

#[test]
fn an_op_name_shows_the_documentation_of_its_row() {
    check(&entry("    %a = io$0ta : tile<8xi32>"), &["```tile\n%result = iota", "Since 13.1."]);
    check("cuda_tile.mod$0ule @m {\n}", &["module", "Since 13.1."]);
}

#[test]
fn a_type_is_put_in_words() {
    check(&entry("    %a = iota : ti$0le<8xi32>"), &["```tile\ntile<8xi32>\n```", "A tile of 8 i32: 32 bytes."]);
    check(&entry("    %a = iota : tile<8xi$032>"), &["A tile of 8 i32", "`i32`: A 32-bit integer."]);
    let alias = "!t = tile<8xi32>\ncuda_tile.module @m {\n  entry @k() {\n    %a = iota : $0!t\n  }\n}\n";
    check(alias, &["```tile\ntile<8xi32>\n```"]);
}

#[test]
fn keywords_of_enums_have_their_meaning() {
    let program = entry(
        "    %a = constant <f32: 1.0> : tile<f32>\n    %b = addf %a, %a rounding<nearest_even> : tile<f32>\n    \
         %c, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token",
    );
    check(&program.replace("nearest_even", "nearest$0_even"), &["**`nearest_even`** · rounding mode", "a tie goes to"]);
    check(&program.replace("rounding", "round$0ing"), &["`rounding_mode` of `addf`", "- `zero`: Towards zero."]);
    check(&program.replace("weak", "we$0ak"), &["**`weak`** · memory ordering", "Nothing else may touch"]);
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
fn nothing_between_words() {
    assert_eq!(text(&entry("    %a =  $0  iota : tile<8xi32>")), "nothing");
    assert_eq!(text("$0"), "nothing");
}

#[test]
fn a_broken_line_costs_only_itself() {
    check(
        &entry("    %a = iota : tile<8xi32>\n    %x = addi %a, : \n    %b = addi %$0a, %a : tile<8xi32>"),
        &["%a: tile<8xi32>"],
    );
}
