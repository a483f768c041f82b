use super::super::fixture::{cursor, cursor_in_preview, entry};
use super::*;

/// The form at the cursor with the active part in `⟦…⟧`.
fn shown(text: &str) -> Option<String> {
    let (db, file, offset) = cursor(text);
    let found = signature(&db, file, offset)?;
    let mut label = found.label.clone();
    if let Some(active) = found.active {
        let range = found.parts[active].range.clone();
        label.insert(range.end, '⟧');
        label.insert(range.start, '⟦');
    }
    Some(label)
}

#[track_caller]
fn check(line: &str, expected: &str) {
    // Before another statement, and at the end of the file.
    let program = entry(&format!("    {line}\n    %next = iota : tile<8xi32>"));
    assert_eq!(shown(&program).as_deref(), Some(expected), "{line}");
    let end = format!("cuda_tile.module @m {{\n  entry @k(%p: tile<ptr<f32>>) {{\n    {line}");
    assert_eq!(shown(&end).as_deref(), Some(expected), "{line} at the end");
}

const ADDF: [&str; 6] = [
    "%result = addf ⟦%lhs⟧, %rhs [rounding<…>] [flush_to_zero] : type(%result)",
    "%result = addf %lhs, ⟦%rhs⟧ [rounding<…>] [flush_to_zero] : type(%result)",
    "%result = addf %lhs, %rhs ⟦[rounding<…>]⟧ [flush_to_zero] : type(%result)",
    "%result = addf %lhs, %rhs [rounding<…>] ⟦[flush_to_zero]⟧ : type(%result)",
    "%result = addf %lhs, %rhs [rounding<…>] [flush_to_zero] : ⟦type(%result)⟧",
    "%result = addf %lhs, %rhs [rounding<…>] [flush_to_zero] : type(%result)",
];

#[test]
fn the_next_part_of_an_incomplete_line() {
    check("%x = addf $0", ADDF[0]);
    check("%x = addf %p$0", ADDF[0]);
    check("%x = addf %p,$0", ADDF[1]);
    check("%x = addf %p, $0", ADDF[1]);
    check("%x = addf %p, %p $0", ADDF[2]);
    check("%x = addf %p, %p rounding<$0", ADDF[2]);
    check("%x = addf %p, %p rounding<zero> $0", ADDF[3]);
    check("%x = addf %p, %p : $0", ADDF[4]);
}

#[test]
fn the_part_at_the_cursor_of_a_complete_line() {
    check("%x = addf %p$0, %p : tile<f32>", ADDF[0]);
    check("%x = addf %p, $0%p rounding<zero> : tile<f32>", ADDF[1]);
    check("%x = addf %p, %p : tile<$0f32>", ADDF[4]);
}

#[test]
fn lists_continue_after_a_comma() {
    let program = entry("    %t = join_tokens %a, $0");
    assert!(shown(&program).is_some_and(|shown| shown.contains("⟦%tokens, …⟧")), "{:?}", shown(&program));
}

#[test]
fn loops_have_parts_too() {
    let at =
        |line: &str| shown(&entry(&format!("    %z = constant <i32: 0> : tile<i32>\n    {line}"))).unwrap_or_default();
    assert!(at("for %i in ($0").contains("⟦%lowerBound⟧"), "{}", at("for %i in ($0"));
    assert!(at("for %i in (%z to $0").contains("⟦%upperBound⟧"), "{}", at("for %i in (%z to $0"));
    assert!(at("for %i in (%z to %z, step $0").contains("⟦%step⟧"), "{}", at("for %i in (%z to %z, step $0"));
}

#[test]
fn an_old_name_has_its_own_form() {
    let program = entry("    print $0");
    assert!(shown(&program).is_some_and(|shown| shown.starts_with("%result_token = print ")), "{:?}", shown(&program));
}

#[test]
fn nothing_where_no_op_is_being_written() {
    for line in ["$0", "%x = $0", "%x = ad$0df %p", "// addf $0", "%x = addf %p, %p : tile<f32> // $0", "%x = nope $0"]
    {
        assert_eq!(shown(&entry(&format!("    {line}"))), None, "{line}");
    }
    assert_eq!(shown(&entry("    %x = addf %p, %p : tile<f32>\n    $0")), None);
    assert_eq!(shown(&entry("    if %c {\n      $0\n    }")), None);
    assert_eq!(shown("$0"), None);
}

#[test]
fn a_statement_can_continue_on_the_next_line() {
    check("%x = addf %p,\n      $0", ADDF[1]);
    check("%x = addf %p, %p :\n      $0", ADDF[4]);
}

#[test]
fn every_part_of_every_op_is_documented() {
    for row in tile_dialect::ops() {
        let named = Named { row, spelling: None };
        let label = Label::of(named);
        assert!(
            !label.text.contains("  ") && !label.text.contains("[ ") && !label.text.contains(" ]"),
            "{}",
            label.text
        );
        for (range, part) in &label.parts {
            assert!(!label.text[range.clone()].is_empty());
            assert!(!doc(row, named, *part).is_empty(), "{}: {part:?}", row.name);
        }
    }
    assert_eq!(ADDF[5], Label::of(tile_dialect::lookup("addf").expect("it is an op")).text);
}

#[test]
fn a_call_shows_the_declaration_of_its_function() {
    let program = "cuda_tile.module @m {\n  preview$func extern @f(%x: tile<f32>)\n  entry @k(%x: tile<f32>) {\n    \
                   preview$call @f(%x$0)\n    return\n  }\n}\n";
    let doc = |program: &str| {
        let (db, file, offset) = cursor_in_preview(program);
        signature(&db, file, offset).expect("a signature").doc
    };
    assert!(doc(program).starts_with("```tile\npreview$func extern @f(%x: tile<f32>"), "{}", doc(program));
    let other = doc(&program.replace("call @f", "call @g"));
    assert!(other.starts_with("Calls a function"), "{other}");
}
