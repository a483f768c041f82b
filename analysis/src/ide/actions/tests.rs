use super::super::fixture::{cursor, entry};
use super::*;
use crate::diagnostic::Edit;

/// Applies the action whose title starts with `title`.
#[track_caller]
fn after(program: &str, title: &str) -> String {
    let (db, file, offset) = cursor(program);
    let all = actions(&db, file, offset..offset);
    let found = all.iter().find(|action| action.title.starts_with(title));
    let action = found.unwrap_or_else(|| panic!("no {title:?} in {:?}", titles(program)));
    let mut text = file.text(&db).to_string();
    let mut edits = action.edits.clone();
    Edit::sort(&mut edits);
    for edit in edits.into_iter().rev() {
        text.replace_range(edit.range.start as usize..edit.range.end as usize, &edit.content);
    }
    text
}

fn titles(program: &str) -> Vec<String> {
    let (db, file, offset) = cursor(program);
    actions(&db, file, offset..offset).into_iter().map(|action| action.title).collect()
}

#[track_caller]
fn check(body: &str, title: &str, expected: &str) {
    assert_eq!(after(&entry(body), title), entry(expected));
}

const STORE: &str = "    %one = constant <f32: 1.0> : tile<f32>\n    %t = store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token\n    \
                     %v, %u = load_$0ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token";

#[test]
fn an_access_is_ordered_after_the_previous_one() {
    check(STORE, "Order after", &STORE.replace("load_$0ptr_tko weak %p :", "load_ptr_tko weak %p token = %t :"));
    let unnamed = STORE.replace("%t = store", "store");
    let ordered = unnamed
        .replace("store_ptr", "%token = store_ptr")
        .replace("load_$0ptr_tko weak %p :", "load_ptr_tko weak %p token = %token :");
    check(&unnamed, "Order after", &ordered);
    // In a loop, the token can come from before the loop.
    let body = "    %t = make_token : token\n    loop {\n      %u = print_$0tko \"x\\n\" -> token\n      break\n    }";
    check(body, "Order after", &body.replace("print_$0tko \"x\\n\"", "print_tko \"x\\n\" token = %t"));
    assert!(
        !titles(&entry(&STORE.replace("weak %p :", "weak %p token = %t :")))
            .iter()
            .any(|title| title.starts_with("Order"))
    );
}

#[test]
fn a_value_is_printed_after_its_definition() {
    check(
        "    %$0a = iota : tile<8xi32> // numbers\n    %b = addi %a, %a : tile<8xi32>",
        "Print",
        "    %a = iota : tile<8xi32> // numbers\n    print_tko \"%%a = %d\\n\", %a : tile<8xi32> -> token\n    %b = addi %a, %a : tile<8xi32>",
    );
    let folded = "    %i = iota : tile<8xi32>\n    %s = reduce %i dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> \
                  (%x: tile<i32>, %y: tile<i32>) {\n      %z = addi %$0x, %y : tile<i32>\n      yield %z : tile<i32>\n    }";
    assert!(!titles(&entry(folded)).iter().any(|title| title.starts_with("Print")));
}

#[test]
fn numbers_become_names() {
    check(
        "    %$00 = constant <i32: 8> : tile<i32>\n    %1 = addi %0, %0 : tile<i32>",
        "Rename `%0`",
        "    %cst_8_i32 = constant <i32: 8> : tile<i32>\n    %1 = addi %cst_8_i32, %cst_8_i32 : tile<i32>",
    );
    check(
        "    %$00 = constant <i32: 8> : tile<i32>\n    %1:3 = get_tile_block_id : tile<i32>\n    %2 = addi %0, %1#2 : tile<i32>",
        "Rename all 3",
        "    %cst_8_i32 = constant <i32: 8> : tile<i32>\n    %blockId_x:3 = get_tile_block_id : tile<i32>\n    \
         %addi = addi %cst_8_i32, %blockId_x#2 : tile<i32>",
    );
}

#[test]
fn constants_move() {
    let body = "    %c = constant <i1: true> : tile<i1>\n    if %c {\n      %$0a = constant <i32: 8> : tile<i32>\n      %b = addi %a, %a : tile<i32>\n    }";
    check(
        body,
        "Move `%a`",
        "    %a = constant <i32: 8> : tile<i32>\n    %c = constant <i1: true> : tile<i1>\n    if %c {\n      %b = addi %a, %a : tile<i32>\n    }",
    );
    check(
        "    %a = constant <i32: 8> : tile<i32>\n    %$0b = constant <i32: 8> : tile<i32>\n    %c = addi %a, %b : tile<i32>",
        "Replace `%b` with the equal `%a`",
        "    %a = constant <i32: 8> : tile<i32>\n    %c = addi %a, %a : tile<i32>",
    );
    check(
        "    %c = constant <i1: true> : tile<i1>\n    if %c {\n      if %$0c {\n      }\n    }",
        "Copy the constant",
        "    %c = constant <i1: true> : tile<i1>\n    if %c {\n      %c_0 = constant <i1: true> : tile<i1>\n      if %c_0 {\n      }\n    }",
    );
}

#[test]
fn an_op_is_written_in_the_other_form_and_back() {
    let custom = "    %a = iota : tile<8xi32>\n    %b = ad$0di %a, %a overflow<no_signed_wrap> : tile<8xi32>";
    let generic = after(&entry(custom), "Convert to generic");
    assert!(generic.contains("%b = \"cuda_tile.addi\"(%a, %a)"), "{generic}");
    let back = after(&generic.replace("cuda_tile.addi", "cuda_$0tile.addi"), "Convert to custom");
    assert_eq!(back, entry(&custom.replace("$0", "")));
}

#[test]
fn the_prefix_is_toggled() {
    let body = "    %a = io$0ta : tile<8xi32>\n    %b = negi %a : tile<8xi32>";
    check(body, "Add the dialect prefix", "    %a = cuda_tile.iota : tile<8xi32>\n    %b = negi %a : tile<8xi32>");
    let all = after(&entry(&body.replace("$0", "")).replace("entry", "en$0try"), "Add the dialect prefix to all");
    assert!(
        all.contains("cuda_tile.iota") && all.contains("cuda_tile.negi") && all.contains("cuda_tile.entry"),
        "{all}"
    );
}

#[test]
fn a_type_is_extracted_everywhere() {
    let text = after(&entry("    %a = iota : ti$0le<8xi32>\n    %b = negi %a : tile<8xi32>"), "Extract type alias");
    let expected = entry("    %a = iota : !tile_8xi32\n    %b = negi %a : !tile_8xi32");
    assert_eq!(text, format!("!tile_8xi32 = !cuda_tile.tile<8xi32>\n{expected}"));
}

#[test]
fn unused_ops_are_removed() {
    let body = "    %a = iota : tile<8xi32> // gone too\n    %b = ne$0gi %a : tile<8xi32>";
    check(body, "Remove unused", "    %a = iota : tile<8xi32> // gone too");
    assert_eq!(after(&entry(body), "Remove all 2"), entry("").replace("{\n\n", "{\n"));
}

#[test]
fn a_file_is_wrapped_and_upgraded() {
    let text = after("entry @k(%x: tile<f32>) {\n  %a = p$0ow %x, %x : tile<f32>\n  return\n}\n", "Wrap the file");
    assert!(text.starts_with("cuda_tile.module @") && text.trim_end().ends_with('}'), "{text}");
    let text = after(
        &entry("    %x = constant <f32: 1.0> : tile<f32>\n    %a = p$0ow %x, %x : tile<f32>\n    print \"x\""),
        "Upgrade the file",
    );
    assert!(text.contains("fpowf %x, %x") && text.contains("print_tko \"x\" -> token"), "{text}");
}

const VIEW: &str = "tensor_view<?x?xf32, strides=[?,1]>";

#[test]
fn a_constant_is_inlined_into_the_type_of_a_view_and_of_all_views_made_of_it() {
    let rest = |view: &str| {
        format!(
            "    %v = make_partition_view %t : partition_view<tile=(8x8), {view}>\n    \
             %x, %u = load_view_tko weak %v[%i, %i] : partition_view<tile=(8x8), {view}>, tile<i32> -> tile<8x8xf32>, token"
        )
    };
    let constants = "    %i = constant <i32: 0> : tile<i32>\n    %m = constant <i32: 64> : tile<i32>\n";
    let make = |lists: &str, types: &str| format!("{constants}    %t = make_tensor_view %p, {lists} : {types}\n");
    let before = make("shape = [%m, $0%m], strides = [%m, 1]", &format!("tile<i32> -> {VIEW}")) + &rest(VIEW);
    let view = "tensor_view<?x64xf32, strides=[?,1]>";
    let after = make("shape = [%m, 64], strides = [%m, 1]", &format!("tile<i32> -> {view}")) + &rest(view);
    check(&before, "Inline `%m` as 64", &after);
    let before = before.replace("[%m, $0%m], strides = [%m", "[%m, 64], strides = [$0%m").replace("<?x?x", "<?x64x");
    let view = "tensor_view<?x64xf32, strides=[64,1]>";
    let after = make("shape = [%m, 64], strides = [64, 1]", &format!("tile<i32> -> {view}")) + &rest(view);
    check(&before, "Inline `%m` as 64", &after);
    // Inlining the last one removes its type and the constant too.
    let last = after.replace("[%m, 64]", "[$0%m, 64]");
    let view = "tensor_view<64x64xf32, strides=[64,1]>";
    let expected = make("shape = [64, 64], strides = [64, 1]", view) + &rest(view);
    check(&last, "Inline `%m` as 64", &expected.replace("    %m = constant <i32: 64> : tile<i32>\n", ""));
}

#[test]
fn a_constant_is_not_inlined_unless_all_types_can_be_found() {
    let offered = |program: &str| titles(&entry(program)).iter().any(|title| title.starts_with("Inline `%m` as"));
    let make = format!(
        "    %m = constant <i32: 64> : tile<i32>\n    %t = make_tensor_view %p, shape = [$0%m, %m], strides = [%m, 1] : \
         tile<i32> -> {VIEW}\n"
    );
    assert!(offered(&make));
    // A view carried by a loop, and a constant that is not an extent.
    let looped = format!(
        "{make}    %r = for %i in (%m to %m, step %m) : tile<i32> iter_values(%w = %t) -> ({VIEW}) {{\n      continue %w : {VIEW}\n    }}"
    );
    assert!(!offered(&looped));
    assert!(!offered("    %m = constant <i32: 64> : tile<i32>\n    %x = addi $0%m, %m : tile<i32>"));
    assert!(!offered(&make.replace("<i32: 64>", "<i32: 0>")));
}

#[test]
fn an_undefined_name_rules_out_only_its_own_statement() {
    let program = entry(
        "    %c = constant <i32: 1> : tile<i32>\n    %d = ad$0di %c, %c : tile<i32>\n    %u = addi %unknown, %c : tile<i32>",
    );
    assert_eq!(titles(&program), titles(&program.replace("%unknown", "%c"))[..3]);
    assert!(titles(&program.replace("ad$0di", "addi").replace("addi %unk", "ad$0di %unk")).is_empty());
}
