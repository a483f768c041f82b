//! The pages of `tile doc` and `tile explain` as JSON, from which other programs build documentation.

use serde_json::{Value, json};
use tile_analysis::diagnostic::Page;
use tile_analysis::ide::doc::Topic;
use tile_launch::words::example_program;

/// An array with an object for each topic.
pub(super) fn topics(topics: &[Topic]) -> String {
    lines(topics.iter().map(topic))
}

/// An array with an object for each diagnostic.
pub(super) fn diagnostics(pages: &[&Page]) -> String {
    lines(pages.iter().map(|page| diagnostic(page)))
}

/// `program` is the example as a complete program; `since` is null for extensions of `tile`.
fn topic(topic: &Topic) -> Value {
    json!({
        "name": topic.name(),
        "kind": topic.kind(),
        "group": topic.group(),
        "also": topic.also(),
        "summary": topic.summary(),
        "since": topic.since().map(|since| since.to_string()),
        "page": topic.page(),
        "example": topic.example(),
        "program": example_program(topic),
        "see": topic.see(),
    })
}

fn diagnostic(page: &Page) -> Value {
    json!({
        "code": page.code,
        "name": page.name,
        "severity": page.severity.name(),
        "page": page.markdown(),
        "text": page.text,
        "fix": page.fix,
        "wrong": page.wrong,
        "right": page.right,
        "see": page.see,
    })
}

/// An array with an element on each line.
fn lines(values: impl Iterator<Item = Value>) -> String {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    format!("[\n{}\n]\n", values.join(",\n"))
}
