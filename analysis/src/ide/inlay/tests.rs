use super::super::fixture::{entry, file};
use super::*;

/// Compares the lines of the body that have hints, with the hints in `⟨…⟩`.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let text = entry(body);
    let (db, file) = file(&text);
    let all = inlays(&db, file, &(0..text.len() as u32), InlayOptions::default());
    let mut shown = text.clone();
    for inlay in all.iter().rev() {
        shown.insert_str(inlay.at as usize, &format!("⟨{}⟩", inlay.label));
    }
    let lines: Vec<&str> = shown.lines().map(str::trim).filter(|line| line.contains('⟨')).collect();
    assert_eq!(lines, expected);
}

#[test]
fn types_that_are_not_written() {
    check("    %a = iota : tile<8xi32>\n    %b = addi %a, %a : tile<8xi32>", &[]);
    check("    %a = iota : tile<8xi32>\n    %b = addi %a, %a", &["%b⟨: tile<8xi32>⟩ = addi %a, %a"]);
    check(
        "    %z = constant <i32: 0> : tile<i32>\n    %r = loop iter_values(%acc = %z) : tile<i32> -> tile<i32> {\n      break %acc : tile<i32>\n    }",
        &["%r = loop iter_values(%acc⟨: tile<i32>⟩ = %z) : tile<i32> -> tile<i32> {"],
    );
}

#[test]
fn index_spaces_of_views() {
    check(
        "    %n = get_global @nothing : tile<ptr<i32>>\n    %m, %o, %q = get_num_tile_blocks : tile<i32>\n    %c = constant <i32: 100> : tile<i32>\n    \
         %t = make_tensor_view %p, shape = [%m, %c, 64], strides = [%m, 64, 1] : tile<i32> -> tensor_view<?x?x64xf32, strides=[?,64,1]>\n    \
         %v = make_partition_view %t : partition_view<tile=(8x16x16), tensor_view<?x?x64xf32, strides=[?,64,1]>>",
        &[
            "%v = make_partition_view %t : partition_view<tile=(8x16x16), tensor_view<?x?x64xf32, strides=[?,64,1]>>⟨⌈%m/8⌉ × 7 × 4 tiles⟩",
        ],
    );
}

#[test]
fn trip_counts_of_loops() {
    let head = "    %z = constant <i32: 0> : tile<i32>\n    %n = constant <i32: 10> : tile<i32>\n    %s = constant <i32: 4> : tile<i32>\n    \
                %x, %y, %w = get_tile_block_id : tile<i32>\n";
    let body = "      %j = muli %i, %s : tile<i32>\n    }";
    check(
        &format!("{head}    for %i in (%z to %n, step %s) : tile<i32> {{\n{body}"),
        &["for %i in (%z to %n, step %s) : tile<i32>⟨3 iterations⟩ {"],
    );
    check(
        &format!("{head}    for %i in (%x to %n, step %s) : tile<i32> {{\n{body}"),
        &["for %i in (%x to %n, step %s) : tile<i32>⟨at most 3 iterations⟩ {"],
    );
    check(&format!("{head}    for %i in (%z to %x, step %s) : tile<i32> {{\n{body}"), &[]);
}

#[test]
fn operands_that_are_not_obvious() {
    let head = "    %a = constant <i1: true> : tile<i1>\n    %b = constant <f32: 1.0> : tile<f32>\n";
    check(
        &format!(
            "{head}    %v, %t = load_ptr_tko weak %p, %a, %b : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token"
        ),
        &[
            "%v, %t = load_ptr_tko weak %p, ⟨mask:⟩%a, ⟨padding:⟩%b : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token",
        ],
    );
    check(
        &format!(
            "{head}    %mask = constant <i1: true> : tile<i1>\n    %s = select %mask, %b, %b : tile<i1>, tile<f32>\n    \
                  %v, %t = load_ptr_tko weak %p, %mask : tile<ptr<f32>>, tile<i1> -> tile<f32>, token"
        ),
        &["%s = select %mask, ⟨if true:⟩%b, ⟨if false:⟩%b : tile<i1>, tile<f32>"],
    );
}

#[test]
fn only_requested_kinds_in_the_visible_range() {
    let text = entry("    %a = iota : tile<8xi32>\n    %b = addi %a, %a");
    let (db, file) = file(&text);
    let none = InlayOptions { types: false, ..InlayOptions::default() };
    assert!(inlays(&db, file, &(0..text.len() as u32), none).is_empty());
    assert!(inlays(&db, file, &(0..10), InlayOptions::default()).is_empty());
}
