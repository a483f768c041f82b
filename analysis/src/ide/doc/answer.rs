//! Answers to `tile doc TERM`.

use super::{Topic, find, near, versions};
use std::fmt::Write;

/// The term with the version tables appended to its page.
const VERSIONS: &str = "versions";

/// Returns the page for a query, in Markdown. If several topics share the name, returns a list of them; if one of them
/// is an op, returns its page followed by a list of the others.
///
/// # Errors
///
/// If no topic has the name, an error message with similar names.
pub fn answer(topics: &[Topic], query: &str) -> Result<String, String> {
    let found = find(topics, query);
    let op = found.iter().find(|topic| matches!(topic, Topic::Op(_)));
    match (&found[..], op) {
        ([], _) => Err(unknown(topics, query)),
        ([Topic::Term(term)], _) if term.name == VERSIONS => Ok(format!("{}\n{}", found[0].page(), versions())),
        ([topic], _) => Ok(topic.page()),
        (_, Some(op)) => {
            let others: Vec<Topic> = found.iter().copied().filter(|topic| !matches!(topic, Topic::Op(_))).collect();
            Ok(format!("{}\n`{query}` also has these meanings:\n\n{}", op.page(), choices(&others)))
        }
        _ => {
            let near = near(topics, query);
            let near = if near.is_empty() { String::new() } else { format!("\nSimilar terms: {}.\n", quoted(&near)) };
            Ok(format!("`{query}` has {} meanings:\n\n{}{near}", found.len(), choices(&found)))
        }
    }
}

/// Lists topics by group, in Markdown, one on each line.
pub fn list(topics: &[Topic]) -> String {
    let (mut out, mut group) = (String::new(), String::new());
    for topic in topics {
        let own = topic.group();
        if own != group {
            let blank = if group.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{blank}## {own}\n");
            group = own;
        }
        let _ = writeln!(out, "- `{}`: {}", topic.name(), topic.summary());
    }
    out
}

fn unknown(topics: &[Topic], query: &str) -> String {
    let near = near(topics, query);
    let shown = query.escape_debug();
    match &near[..] {
        [] => format!("unknown term `{shown}`; `tile doc` lists all terms"),
        [one] => format!("unknown term `{shown}`; did you mean `{}`?", one.name()),
        _ => format!("unknown term `{shown}`; similar terms: {}", quoted(&near)),
    }
}

/// Lists topics with the command that shows each.
fn choices(topics: &[Topic]) -> String {
    topics.iter().fold(String::new(), |mut out, topic| {
        let _ = writeln!(out, "- `tile doc {}`: {}", topic.key(), topic.summary());
        out
    })
}

fn quoted(topics: &[Topic]) -> String {
    topics.iter().map(|topic| format!("`{}`", topic.name())).collect::<Vec<_>>().join(", ")
}
