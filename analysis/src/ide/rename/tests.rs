use super::super::fixture::{cursor, entry};
use super::*;

fn renamed(text: &str, new: &str) -> Result<String, String> {
    let (db, file, offset) = cursor(text);
    let edits = rename(&db, file, offset, new)?;
    let mut text = file.text(&db).to_string();
    let mut before = u32::MAX;
    for edit in edits.iter().rev() {
        assert!(edit.range.end <= before, "edits do not overlap: {edits:?}");
        before = edit.range.start;
        text.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
    }
    Ok(text)
}

/// Renames, and compares with the text with every `old` replaced.
#[track_caller]
fn check(text: &str, old: &str, new: &str) {
    let expected = text.replacen("$0", "", 1).replace(old, new);
    assert_eq!(renamed(text, new), Ok(expected));
}

#[track_caller]
fn refused(text: &str, new: &str, reason: &str) {
    let message = renamed(text, new).expect_err("it is refused");
    assert!(message.contains(reason), "{message}");
}

#[test]
fn a_value() {
    let text = entry("    %a = iota : tile<8xi32>\n    %b = addi $0%a, %a : tile<8xi32>");
    check(&text, "%a", "%iota");
    // The sign is optional.
    assert_eq!(renamed(&text, "x"), renamed(&text, "%x"));
    check(&text, "%a", "%0");
}

#[test]
fn the_name_of_a_pack_from_one_of_its_uses() {
    let text = entry("    %a:3 = get_tile_block_id : tile<i32>\n    %b = addi %a#0, %$0a#1 : tile<i32>");
    let (db, file, offset) = cursor(&text);
    assert_eq!(prepare(&db, file, offset).map(|found| found.map(|found| found.name)), Ok(Some("%a".to_string())));
    check(&text, "%a", "%block");
}

#[test]
fn a_block_argument_and_a_carried_value() {
    let text = entry(
        "    %z = constant <i32: 0> : tile<i32>\n    %r = for %i in (%z to %z, step %z) : tile<i32> iter_values(%acc = %z) -> (tile<i32>) {\n      \
         %s = addi %i, %$0acc : tile<i32>\n      continue %s : tile<i32>\n    }",
    );
    check(&text, "%acc", "%total");
    refused(&text, "%i", "`%i` already names another value");
    refused(&text, "%z", "already names");
    refused(&text, "%s", "already names");
}

#[test]
fn a_name_that_is_used_only_elsewhere_is_free() {
    let text = "cuda_tile.module @m {\n  entry @a() {\n    %$0one = iota : tile<8xi32>\n  }\n  entry @b() {\n    %x = iota : tile<8xi32>\n  }\n}\n";
    check(text, "%one", "%x");
    // The inner name goes out of scope before the outer one is defined.
    let text = entry(
        "    %c = constant <i1: 1> : tile<i1>\n    if %c {\n      %in = iota : tile<8xi32>\n    }\n    %$0out = iota : tile<8xi32>",
    );
    check(&text, "%out", "%in");
    refused(&text.replace("$0", "").replace("%c =", "%$0c ="), "%in", "already names");
}

#[test]
fn a_parameter_with_its_directives() {
    let text = "cuda_tile.module @m {\n  //@ launch grid=(8, 1, 1)\n  //@   %a = f32[8] iota\n  //@   %ab = f32[8] zeros\n  \
                //@ expect %ab ~= 2 * %a[0:8] + sum(%a,\n  //@   axis=0)\n  entry @k(%a: tile<ptr<f32>>, %ab: tile<ptr<f32>>) {\n    \
                %q = ptr_to_int $0%a : tile<ptr<f32>> -> tile<i64>\n  }\n}\n";
    let expected = text.replace("$0", "").replace("%ab", "%AB").replace("%a", "%input").replace("%AB", "%ab");
    assert_eq!(renamed(text, "input"), Ok(expected.clone()));
    assert_eq!(renamed(&text.replace("$0", "").replace("* %a[", "* $0%a["), "input"), Ok(expected));
    refused(text, "%ab", "already names");
}

#[test]
fn symbols() {
    let text = "cuda_tile.module @m {\n  global @$0g <f32: [1.0]> : tile<1xf32>\n  entry @k() {\n    %g = get_global @g : \
                tile<ptr<f32>>\n  }\n}\n";
    check(text, "@g", "@table");
    assert!(renamed(text, "a table").is_ok_and(|text| text.contains("get_global @\"a table\" :")));
    refused(text, "@k", "an entry `@k` already");
    refused(&text.replace("$0", "").replace("@k", "@$0k"), "g", "a global `@g` already");
    check(&text.replace("$0", "").replace("@k", "@$0k"), "@k", "@kernel");
    refused(text, "@\"", "not a valid symbol name");
}

#[test]
fn aliases() {
    let text = "!t = tile<8xi32>\n!u = tile<8xi32>\ncuda_tile.module @m {\n  entry @k() {\n    %a = iota : $0!t\n    %b = negi %a : !t\n  }\n}\n";
    check(text, "!t", "!eight");
    refused(text, "!u", "an alias `!u` already");
    refused(text, "!a.b", "not a valid alias name");
    refused(text, "f32", "a built-in type");
}

#[test]
fn invalid_names_are_refused() {
    let text = entry("    %a = iota : tile<8xi32>\n    %b = negi %$0a : tile<8xi32>");
    for new in ["", "%", "a b", "4_x", "a%", "ä", "@a", "a#1", "%a:2", "\n"] {
        assert!(renamed(&text, new).is_err(), "{new:?}");
    }
    refused(&entry("    %b = negi %$0nope : tile<8xi32>"), "x", "not defined");
    refused(&entry("    %b = ne$0gi %p : tile<8xi32>"), "x", "no name to rename here");
    let (db, file, offset) = cursor(&entry("    %a = iota : ti$0le<8xi32>"));
    assert_eq!(prepare(&db, file, offset), Ok(None));
    let (db, file, offset) = cursor(&entry("    %a = iota : !cuda_$0tile.tile<8xi32>"));
    assert_eq!(prepare(&db, file, offset), Ok(None));
}

#[test]
fn the_same_name_changes_nothing() {
    let text = entry("    %$0a = iota : tile<8xi32>");
    assert_eq!(renamed(&text, "%a"), Ok(text.replace("$0", "")));
}

#[test]
fn a_broken_line_elsewhere_does_not_matter() {
    let text = entry("    %a = iota : tile<8xi32>\n    %x = addi %a,\n    %b = negi %$0a : tile<8xi32>");
    check(&text, "%a", "%good");
}

#[test]
fn in_generic_form() {
    let text = "\"cuda_tile.module\"() <{sym_name = \"m\"}> ({\n  \"cuda_tile.entry\"() <{sym_name = \"k\", function_type = () -> ()}> ({\n    \
                %a = \"cuda_tile.constant\"() <{value = dense<1> : tile<i32>}> : () -> tile<i32>\n    \
                %b = \"cuda_tile.negi\"($0%a) : (tile<i32>) -> tile<i32>\n    \"cuda_tile.return\"() : () -> ()\n  }) : () -> ()\n}) : () -> ()\n";
    check(text, "%a", "%one");
}

#[test]
fn the_names_that_a_launch_shares_with_its_forward_kernel() {
    let text = "cuda_tile.module @m {\n  entry @f(%x: tile<f32>, %n: tile<i32>) {\n    %q = addi %n, %n : tile<i32>\n  }\n  \
                //@ launch\n  //@   %x = 1\n  //@   %n = 1\n  //@ forward @f\n  //@ expect grad(%x, %n) ~= 1\n  \
                entry @k(%x: tile<f32>) {\n  }\n}\n";
    for place in ["@f(%x", "//@   %x", "@k(%x", "grad(%x"] {
        check(&text.replace(place, &place.replace('%', "%$0")), "%x", "%input");
    }
    refused(&text.replace("@k(%x", "@k(%$0x"), "%n", "`%n` already names another value");
    for place in ["entry @f", "forward @f"] {
        check(&text.replace(place, &place.replace('@', "@$0")), "@f", "@loss");
    }
    refused(&text.replace("forward @f", "forward @$0f"), "@k", "an entry `@k` already exists");
}
