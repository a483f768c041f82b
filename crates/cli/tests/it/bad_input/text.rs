//! Very long, deeply nested and malformed texts, which must not overflow the stack, panic or hang.

use crate::harness::Folder;

const MANY: usize = 100_000;

/// Asserts that checking a text neither crashes nor hangs. Returns the status.
#[track_caller]
fn survives(case: &str, text: &str) -> i32 {
    let folder = Folder::of(text);
    let output = folder.tile(&["check", "--output-format=concise", "a.tile"]);
    assert!(
        matches!(output.status, Some(0 | 1)) && output.err.is_empty(),
        "{case}: {:?} {}",
        output.status,
        output.err
    );
    let is_known = |line: &str| line.starts_with("a.tile:") || line.starts_with("… and ");
    assert!(output.out.lines().all(is_known), "{case}");
    output.status.unwrap_or(2)
}

/// Asserts that a text is not a valid program.
#[track_caller]
fn is_refused(case: &str, text: &str) {
    assert_eq!(survives(case, text), 1, "{case}");
}

/// Contexts for brackets.
const CONTEXTS: [(&str, &str, &str); 5] = [
    ("a file", "", "\n"),
    ("a statement", "entry @k() {\n  %x = addi ", " : tile<i32>\n}\n"),
    ("a parameter", "entry @k(%x: ", ") {\n}\n"),
    ("a dictionary", "entry @k() {\n  \"cuda_tile.x\"() {a = ", "} : () -> ()\n}\n"),
    ("a module", "cuda_tile.module @m attributes {a = ", "} {\n}\n"),
];

#[test]
fn entries_of_one_name_are_refused() {
    is_refused("repeated entries", &"entry @a() {\n}\n".repeat(5_000));
}

#[test]
fn aliases_can_form_long_chains() {
    let up = |number: usize| format!("!a{} = !a{number}\n", number + 1);
    let chain: String = (0..5_000).map(up).collect();
    assert_eq!(survives("a chain of aliases", &format!("!a0 = !cuda_tile.tile<i32>\n{chain}")), 0);
    let down: String = (0..5_000).rev().map(up).collect();
    assert_eq!(survives("a chain from below", &format!("{down}!a0 = !cuda_tile.tile<i32>\n")), 1);
}

#[test]
fn many_errors_are_shown_in_full() {
    let lines = "    %x = addi %y, %z : tile<i3>\n".repeat(1_000);
    let folder = Folder::of(&format!("cuda_tile.module @m {{\n  entry @k() {{\n{lines}  }}\n}}\n"));
    let output = folder.tile(&["check", "a.tile"]);
    assert_eq!(output.status, Some(1));
    assert!(output.out.contains("\u{2502}     %x = addi"), "the lines are shown");
}

#[test]
fn an_error_on_a_very_long_line_has_a_short_excerpt() {
    let line = "%x = addi %y, %z : tile<i32> ".repeat(2_000);
    let folder = Folder::of(&format!("cuda_tile.module @m {{\n  entry @k() {{\n{line}\n  }}\n}}\n"));
    let output = folder.tile(&["check", "a.tile"]);
    assert_eq!(output.status, Some(1));
    assert!(output.out.len() < 1 << 20, "the output is too long: {}", output.out.len());
}

fn check_deep_brackets(open: &str, close: &str) {
    for (context, before, after) in CONTEXTS {
        let (opened, closed) = (open.repeat(MANY), close.repeat(MANY));
        // Skipped text, such as the dictionary of an unknown op, has no depth limit.
        survives(&format!("{open}{close} in {context}"), &format!("{before}{opened}{closed}{after}"));
        is_refused(&format!("{open} in {context}"), &format!("{before}{opened}{after}"));
    }
}

#[test]
fn parentheses_can_be_deep() {
    check_deep_brackets("(", ")");
}

#[test]
fn braces_can_be_deep() {
    check_deep_brackets("{", "}");
}

#[test]
fn square_brackets_can_be_deep() {
    check_deep_brackets("[", "]");
}

#[test]
fn angle_brackets_can_be_deep() {
    check_deep_brackets("<", ">");
}

#[test]
fn regions_can_be_deep() {
    let nested =
        |open: &str, close: &str| format!("entry @k(%c: tile<i1>) {{\n{}{}}}\n", open.repeat(MANY), close.repeat(MANY));
    is_refused("loops", &nested("loop {\n", "}\n"));
    is_refused("ifs", &nested("if %c {\n", "}\n"));
    is_refused("generic form", &nested("\"cuda_tile.loop\"() ({\n", "}) : () -> ()\n"));
    is_refused("modules", &format!("{}{}", "cuda_tile.module @m {\n".repeat(MANY), "}\n".repeat(MANY)));
}

#[test]
fn types_can_be_deep() {
    let nested = |open: &str| format!("entry @k(%x: {}{}) {{\n}}\n", open.repeat(MANY), ">".repeat(MANY));
    for open in ["tile<", "ptr<", "tile<ptr<", "partition_view<tile=(4), ", "!cuda_tile.tile<"] {
        is_refused(open, &nested(open));
    }
    let aliases: String = (0..2_000).map(|index| format!("!a{index} = tile<!a{}>\n", index + 1)).collect();
    is_refused("aliases", &aliases);
}

#[test]
fn formulas_can_be_deep() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(MANY), close.repeat(MANY));
    for (open, close) in [("(", ")"), ("-", ""), ("abs(", ")"), ("%p[", "]")] {
        let formula = deep(open, close);
        let text = format!(
            "//@ launch\n//@   %p = f32[2] zeros\n//@ expect %p == {formula}\nentry @k(%p: tile<ptr<f32>>) {{\n}}\n"
        );
        let output = Folder::of(&text).tile(&["test", "a.tile"]);
        assert_eq!(output.status, Some(1), "{open}: {}", output.err);
    }
    let lists = format!("//@ launch\n//@   %p = f32[2] {}\nentry @k(%p: tile<ptr<f32>>) {{\n}}\n", deep("[", "]"));
    assert_eq!(Folder::of(&lists).tile(&["test", "a.tile"]).status, Some(1));
}

#[test]
fn words_can_be_long() {
    let long = "x".repeat(1_000_000);
    is_refused("a value", &format!("entry @k() {{\n  %a = addi %{long}, %{long} : tile<i32>\n}}\n"));
    is_refused("an op", &format!("entry @k() {{\n  {long} %a\n}}\n"));
    is_refused("a type", &format!("entry @k(%a: {long}) {{\n}}\n"));
    is_refused("a shape", &format!("entry @k(%a: tile<{}f32>) {{\n}}\n", "8x".repeat(MANY)));
    is_refused(
        "a number",
        &format!("entry @k() {{\n  %a = constant <i32: {}> : tile<i32>\n}}\n", "9".repeat(1_000_000)),
    );
    is_refused("a string", &format!("entry @k() {{\n  print_tko \"{long}\n}}\n"));
    let comment = format!("// {long}\nentry @k() {{\n}}\n");
    let summary = "1 file checked, no errors or warnings; --fix applies 1 hint\n";
    Folder::of(&comment).tile(&["check", "a.tile"]).is(0, summary, "");
}

#[test]
fn one_error_in_a_long_line_is_shown() {
    let line: String = (0..5_000).map(|index| format!("%a{index} = addi %x, %x : tile<i32> ")).collect();
    let text = format!("entry @k(%x: tile<i32>) {{\n{line} %b = addi %x, %nope : tile<i32>\n}}\n");
    let output = Folder::of(&text).tile(&["run", "a.tile"]);
    assert_eq!((output.status, output.out.as_str()), (Some(1), ""));
    assert_eq!(output.err.matches("error[E0101]: unknown value `%nope`").count(), 1, "{}", output.err.len());
}

#[test]
fn characters_outside_the_language_are_reported() {
    for text in ["%", "^", "@", "!", "#", "\"", "\u{b}\u{1}", "é", "🙂", "\u{202e}", "\u{ff0b}", "'", ";", "\\"] {
        is_refused(text, text);
        is_refused(text, &format!("entry @k() {{\n  {text}\n}}\n"));
    }
    is_refused("percent signs", &format!("entry @k() {{\n{}\n}}\n", "%\n".repeat(5_000)));
    is_refused("quotes", &"\"".repeat(MANY + 1));
    is_refused("colons", &format!("entry @k() {{\n  %x = addi {} : tile<i32>\n}}\n", ":".repeat(MANY)));
}
