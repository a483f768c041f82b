//! Runs `test/highlight/*.tile`, in the format of `tree-sitter test`.
//!
//! A comment with `^` marks and a capture name states the highlighting of the text above the marks; `<-` marks the
//! column where the comment starts, and `!` before the name negates it.

use std::fs;

use tree_sitter_highlight::{HighlightConfiguration, HighlightEvent, Highlighter};

/// The expected highlighting of a range of the line above a comment.
struct Claim<'text> {
    columns: std::ops::Range<usize>,
    capture: &'text str,
    negated: bool,
}

fn claim(line: &str) -> Option<Claim<'_>> {
    let start = line.len() - line.trim_start().len();
    let comment = line[start..].strip_prefix("//")?;
    let (columns, rest) = if let Some(rest) = comment.trim_start().strip_prefix("<-") {
        (start..start + 1, rest)
    } else {
        let first = start + 2 + comment.find('^')?;
        assert!(line[start + 2..first].trim().is_empty(), "a mark after other text: {line}");
        let rest = line[first..].trim_start_matches('^');
        (first..line.len() - rest.len(), rest)
    };
    let rest = rest.trim();
    let capture = rest.strip_prefix('!').unwrap_or(rest);
    Some(Claim { columns, capture, negated: capture.len() < rest.len() })
}

/// The capture that highlights each byte of a text.
fn colors(text: &str) -> Vec<Option<String>> {
    let mut configuration = HighlightConfiguration::new(
        crate::language(),
        "tile",
        tree_sitter_tile::HIGHLIGHTS_QUERY,
        "",
        tree_sitter_tile::LOCALS_QUERY,
    )
    .expect("the queries compile");
    let names: Vec<String> = configuration.names().iter().map(|&name| name.to_owned()).collect();
    configuration.configure(&names);

    let mut colors = vec![None; text.len()];
    let mut open = Vec::new();
    let mut highlighter = Highlighter::new();
    let events =
        highlighter.highlight(&configuration, text.as_bytes(), None, |_| None).expect("no cancellation is requested");
    for event in events {
        match event.expect("no cancellation is requested") {
            HighlightEvent::HighlightStart(highlight) => open.push(highlight.0),
            HighlightEvent::HighlightEnd => {
                open.pop();
            }
            HighlightEvent::Source { start, end } => {
                colors[start..end].fill(open.last().map(|&index| names[index].clone()));
            }
        }
    }
    colors
}

#[test]
fn highlights() {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in crate::files("test/highlight", "tile") {
        let text = fs::read_to_string(&path).expect("a highlight test");
        assert!(!crate::parse(&text).root_node().has_error(), "{} has a syntax error", path.display());
        let colors = colors(&text);
        let mut subject = 0;
        let mut offset = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if let Some(claim) = claim(line.trim_end()) {
                for column in claim.columns {
                    let found = colors[subject + column].as_deref();
                    if (found == Some(claim.capture)) == claim.negated {
                        failures.push(format!(
                            "{}:{}: column {}: expected {}{}, found {}",
                            path.display(),
                            number + 1,
                            column + 1,
                            if claim.negated { "not " } else { "" },
                            claim.capture,
                            found.unwrap_or("nothing"),
                        ));
                    }
                    count += 1;
                }
            } else {
                subject = offset;
            }
            offset += line.len();
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 100, "only {count} columns are checked");
}
