//! Broken text: the parser does not hang or crash, and recovers quickly.

use fastrand::Rng;
use std::time::{Duration, Instant};

use tree_sitter::{InputEdit, Point};

fn whole_corpus() -> Vec<String> {
    crate::corpus::all().into_iter().map(|case| case.input).collect()
}

/// Parsing one of the texts takes about a second at most, so anything that takes this long is a hang, even on a busy
/// machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Parses any text within the time limit.
fn parse_in_time(text: &[u8]) {
    let start = Instant::now();
    let tree = crate::parse(text);
    assert!(tree.root_node().end_byte() <= text.len());
    let spent = start.elapsed();
    assert!(spent < TIMEOUT, "{} bytes took {spent:?}: {}…", text.len(), text[..text.len().min(60)].escape_ascii());
}

#[test]
fn parsing_truncated_text_terminates() {
    let mut random = Rng::with_seed(0x9e37_79b9_7f4a_7c15);
    for text in whole_corpus() {
        for _ in 0..24 {
            parse_in_time(&text.as_bytes()[..random.usize(..text.len() + 1)]);
        }
    }
}

#[test]
fn parsing_mutated_text_terminates() {
    let mut random = Rng::with_seed(0x2545_f491_4f6c_dd1d);
    let alphabet = b"%#!@^\"{}()[]<>=:,-./x0a \n\\\0\xff";
    for text in whole_corpus() {
        for _ in 0..40 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.usize(..4) {
                let at = random.usize(..bytes.len().max(1));
                match random.usize(..3) {
                    0 if !bytes.is_empty() => {
                        bytes.remove(at);
                    }
                    1 if !bytes.is_empty() => bytes[at] = alphabet[random.usize(..alphabet.len())],
                    _ => bytes.insert(at, alphabet[random.usize(..alphabet.len())]),
                }
            }
            parse_in_time(&bytes);
        }
    }
}

#[test]
fn parsing_repetitive_text_terminates() {
    let many = 20_000;
    for text in [
        "(".repeat(many),
        "x(".repeat(many),
        "loop {\n".repeat(many),
        "{".repeat(many),
        "[".repeat(many),
        "<".repeat(many),
        "f %a : tile<".repeat(many),
        "\"a\"({".repeat(many),
        "}".repeat(many),
        "%a,\n".repeat(many),
        "%a, ".repeat(many),
        "f %a\n".repeat(many),
        "f %a\nsigned ".repeat(many),
        "\"".repeat(many),
        "\"\\".repeat(many),
        "//@\n".repeat(many),
        format!("f %a{}", "\n// c".repeat(many)),
        format!("f %a\nsigned{}: i32", " ".repeat(many)),
        format!("%a = f {} : i32", "%a, ".repeat(many)),
        format!("%{} = f : i32", "a".repeat(many)),
        "{-#".repeat(many),
        "#a = #b\n".repeat(many),
        "^bb0:\n".repeat(many),
        "4x".repeat(many),
        "\0".repeat(many),
        "é→\u{1f600}".repeat(many),
    ] {
        parse_in_time(text.as_bytes());
    }
}

/// Edits a valid text and reparses it, as an editor does: the tree must be the same as that of the new text alone.
///
/// Only trees without errors are compared. While tree-sitter recovers from an error, the scanner does not know the
/// context of a token, and a reparse keeps such tokens.
#[test]
fn edits_reparse_as_from_scratch() {
    let mut random = Rng::with_seed(5);
    let snippets =
        ["", "\n", " ", "%x = ", "addf", "signed", "{", "}", ":", "(", ")", "<", ">", "=", ",", "// c\n", "else"];
    let point = |text: &str, at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        Point { row: text[..at].matches('\n').count(), column: at - line }
    };
    let boundary = |text: &str, at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).expect("0 is one");
    let mut parser = crate::parser();
    let mut compared = 0;
    for text in whole_corpus() {
        let original = crate::parse(&text);
        if original.root_node().has_error() {
            continue;
        }
        for _ in 0..40 {
            let start = boundary(&text, random.usize(..=text.len()));
            let old_end = boundary(&text, (start + random.usize(..6)).min(text.len()));
            let snippet = snippets[random.usize(..snippets.len())];
            let new = format!("{}{snippet}{}", &text[..start], &text[old_end..]);
            let fresh = crate::parse(&new);
            if fresh.root_node().has_error() {
                continue;
            }
            let mut tree = original.clone();
            tree.edit(&InputEdit {
                start_byte: start,
                old_end_byte: old_end,
                new_end_byte: start + snippet.len(),
                start_position: point(&text, start),
                old_end_position: point(&text, old_end),
                new_end_position: point(&new, start + snippet.len()),
            });
            tree = parser.parse(&new, Some(&tree)).expect("no limit is set");
            assert_eq!(tree.root_node().to_sexp(), fresh.root_node().to_sexp(), "{text}\nbecame\n{new}");
            compared += 1;
        }
    }
    assert!(compared > 500, "only {compared} edits without errors");
}

const OPS: &[&str] = &[
    "%c1 = constant <i32: 1> : tile<i32>",
    "%x, %y, %z = get_tile_block_id : tile<i32>",
    "%s = muli %x, %c1 overflow<no_signed_wrap> : tile<i32>",
    "%v, %t = load_ptr_tko weak %p, %m token = %k : tile<8xptr<f32>>, tile<8xi1> -> tile<8xf32>, token",
    "store_ptr_tko weak %p, %v : tile<8xptr<f32>>, tile<8xf32> -> token",
    "%w = assume div_by<16>, %p : tile<ptr<f32>>",
    "%q = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
    "%d = cmpi less_than %x, %s, signed : tile<i32> -> tile<i1>",
];

/// Truncates each op at each word or punctuation mark. The ops around it must still be found.
#[test]
fn a_truncated_line_affects_only_itself() {
    let (mut lost, mut cuts) = (0, 0);
    for (broken, op) in OPS.iter().enumerate() {
        for (end, _) in op.char_indices().skip(1).filter(|(_, character)| !character.is_alphanumeric()) {
            let lines: Vec<&str> =
                OPS.iter().enumerate().map(|(at, op)| if at == broken { &op[..end] } else { op }).collect();
            let text = format!("module @m {{\n  entry @e() {{\n    {}\n    return\n  }}\n}}\n", lines.join("\n    "));
            let tree = crate::parse(&text);
            let names = crate::op_names(&tree, &text);
            cuts += 1;
            let others = OPS.iter().enumerate().filter(|(at, _)| *at != broken).map(|(_, op)| *op);
            for op in others.chain(["return", "entry", "module"]) {
                let name = op.split(' ').find(|word| !word.starts_with('%') && *word != "=").expect("a name");
                if !names.contains(&name) {
                    lost += 1;
                    println!("{name} lost to `{}`", &op[..end.min(op.len())]);
                }
            }
        }
    }
    assert!(cuts > 100);
    assert!(lost * 20 <= cuts, "{lost} other ops lost in {cuts} cuts");
}

/// Removes one word or punctuation mark at a time. The ops on the other lines must still be found.
#[test]
fn a_missing_token_affects_only_its_line() {
    let text = format!("module @m {{\n  entry @e() {{\n    {}\n    return\n  }}\n}}\n", OPS.join("\n    "));
    let total = OPS.len() + 3;
    assert_eq!(crate::op_names(&crate::parse(&text), &text).len(), total);
    let body = text.find("%c1").expect("the first op")..text.rfind("return").expect("the last op");
    let mut start = body.start;
    let (mut lost, mut tokens) = (0, 0);
    while start < body.end {
        let rest = &text[start..];
        let word = rest.find(|character: char| !character.is_alphanumeric() && !"%_".contains(character)).unwrap_or(0);
        let end = start + word.max(1);
        if !rest.starts_with([' ', '\n']) {
            let without = format!("{}{}", &text[..start], &text[end..]);
            let left = crate::op_names(&crate::parse(&without), &without).len();
            tokens += 1;
            // The op itself may be lost.
            lost += (total - 1).saturating_sub(left);
        }
        start = end;
    }
    assert!(tokens > 100);
    assert!(lost * 20 <= tokens, "{lost} other ops lost in {tokens} tokens");
}
