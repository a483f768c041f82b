//! Damaged texts: the formatter does not panic, loses nothing, and is idempotent.

use crate::support;
use fastrand::Rng;

use support::{cases, checked, has_errors};
use tile_syntax::lex;

/// The positions to damage: at most 120 of `count`, or all of them if `TILE_FUZZ` is set.
fn places(count: usize, random: &mut Rng) -> Vec<usize> {
    if std::env::var_os("TILE_FUZZ").is_some() || count <= 120 {
        return (0..count).collect();
    }
    (0..120).map(|_| random.usize(..count)).collect()
}

#[test]
fn truncated_text() {
    let mut random = Rng::with_seed(1);
    for (path, text) in cases() {
        for end in places(text.len(), &mut random).into_iter().filter(|&end| text.is_char_boundary(end)) {
            checked(&format!("{} up to {end}", path.display()), &text[..end]);
        }
    }
}

#[test]
fn missing_token() {
    let mut random = Rng::with_seed(2);
    for (path, text) in cases() {
        let tokens = lex(&text);
        for token in places(tokens.len(), &mut random) {
            let (start, end) = (tokens.start(token) as usize, tokens.end(token) as usize);
            checked(
                &format!("{} without token {token}", path.display()),
                &format!("{}{}", &text[..start], &text[end..]),
            );
        }
    }
}

#[test]
fn doubled_token() {
    let mut random = Rng::with_seed(3);
    for (path, text) in cases() {
        let tokens = lex(&text);
        for token in places(tokens.len(), &mut random) {
            let (start, end) = (tokens.start(token) as usize, tokens.end(token) as usize);
            let doubled = format!("{} {}", &text[..end], &text[start..]);
            checked(&format!("{} with token {token} twice", path.display()), &doubled);
        }
    }
}

#[test]
fn missing_line_break() {
    let mut random = Rng::with_seed(4);
    for (path, text) in cases() {
        let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        for index in places(breaks.len(), &mut random) {
            let at = breaks[index];
            checked(
                &format!("{} without line break {index}", path.display()),
                &format!("{} {}", &text[..at], &text[at + 1..]),
            );
        }
    }
}

#[test]
fn result_does_not_depend_on_original_spacing() {
    const BLANKS: [&str; 4] = [" ", "  ", "\t", " \t "];
    let mut random = Rng::with_seed(5);
    for (path, text) in cases() {
        // Verbatim ranges and MLIR's metadata keep their spacing.
        if has_errors(&text) || text.contains("fmt:") || text.contains("{-#") {
            continue;
        }
        let expected = checked(&path.display().to_string(), &text);
        for _ in 0..8 {
            // Replace existing spaces by others; keep line breaks and comments.
            let tokens = lex(&text);
            let (mut other, mut done) = (String::new(), 0);
            for token in 1..tokens.len() {
                let (from, to) = (tokens.end(token - 1) as usize, tokens.start(token) as usize);
                if from < to && text[from..to].chars().all(|c| c == ' ' || c == '\t') {
                    other += &text[done..from];
                    other += BLANKS[random.usize(..BLANKS.len())];
                    done = to;
                }
            }
            other += &text[done..];
            assert_eq!(checked("with other blanks", &other), expected, "{}", path.display());
        }
    }
}

/// On a line of its own, an entry would end the one around it.
#[test]
fn an_entry_in_a_region_keeps_its_line() {
    let text = "entry @a() {\n loop { loop { entry @b() {\n } } }\n}\n";
    assert_eq!(checked("an entry in a loop", text), text);
}

#[test]
fn deep_nesting() {
    let (open, close) = (10_000, 10_000);
    let nested = |left: &str, right: &str| format!("{}{}", left.repeat(open), right.repeat(close));
    for (name, text) in [
        ("loops", format!("entry @a() {{\n{}\n}}\n", nested("loop {\n", "}\n"))),
        ("lists", format!("entry @a() {{\n%0 = constant <i32: {}> : tile<i32>\n}}\n", nested("[1, ", "]"))),
        ("types", format!("entry @a(%a: {}) {{\n}}\n", nested("tile<", ">"))),
        ("generic", format!("entry @a() {{\n{}\n}}\n", nested("\"a.b\"() ({\n", "}) : () -> ()\n"))),
        ("modules", nested("module {\n", "}\n")),
        ("braces", nested("{", "}")),
        ("unknown", nested("foo (", ")")),
    ] {
        checked(name, &text);
    }
}
