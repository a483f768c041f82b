//! Pages in Markdown.

use super::super::op_doc;
use super::facts;
use super::topic::Topic;
use std::fmt::Write;

impl Topic {
    /// The whole page, in Markdown.
    pub fn page(&self) -> String {
        match self {
            Topic::Op(row) => op_doc::markdown(row),
            _ => full_page(self),
        }
    }

    /// The short form, for hovers: definition, syntax and version.
    pub fn brief(&self) -> String {
        match self {
            Topic::Op(row) => op_doc::markdown(row),
            _ => brief(self),
        }
    }
}

fn brief(topic: &Topic) -> String {
    let mut out = head(topic);
    let syntax = syntax(topic);
    if !syntax.is_empty() {
        let _ = writeln!(out, "\n```tile\n{syntax}\n```");
    }
    out + &since(topic)
}

/// The whole page of a topic other than an op: the short form plus rules, an example and references.
fn full_page(topic: &Topic) -> String {
    let mut out = head(topic);
    let syntax = syntax(topic);
    if !syntax.is_empty() {
        let _ = writeln!(out, "\n```tile\n{syntax}\n```");
    }
    if let Topic::Enum(of) = topic {
        let _ = write!(out, "\n{}", facts::values(of));
    }
    let rules = rules(topic);
    if !rules.is_empty() {
        let _ = writeln!(out, "\n- {}", rules.join("\n- "));
    }
    let example = topic.example();
    if !example.trim().is_empty() {
        let _ = writeln!(out, "\nFor example:\n\n```tile\n{example}```");
    }
    out.push_str(&since(topic));
    let see: Vec<String> = topic.see().iter().map(|name| format!("`{name}`")).collect();
    if !see.is_empty() {
        let _ = writeln!(out, "\nSee also: {}.", see.join(", "));
    }
    out
}

fn head(topic: &Topic) -> String {
    format!("**`{}`** · {}\n\n{}\n", topic.name(), topic.kind(), topic.doc())
}

fn since(topic: &Topic) -> String {
    topic.since().map_or(String::new(), |since| format!("\nSince {since}.\n"))
}

fn syntax(topic: &Topic) -> String {
    let own = topic.notes().map_or(String::new(), |notes| notes.syntax_of(topic.name()));
    match topic {
        Topic::Value(of, value) if own.is_empty() => facts::wrapped(of, *value).unwrap_or_default(),
        _ => own,
    }
}

/// The rules of a topic: facts from the tables, then rules from the notes.
fn rules(topic: &Topic) -> Vec<String> {
    let mut rules = match topic {
        Topic::Element(row) => facts::element(row),
        Topic::Enum(of) => vec![facts::enum_ops(of)],
        Topic::Value(of, value) => {
            let row = of.values.get(usize::from(*value));
            vec![facts::value_ops(of, *value), row.map_or(String::new(), facts::value_needs)]
        }
        Topic::Architecture(row) => vec![facts::architecture_lacks(row)],
        Topic::Attribute(keyword) => vec![facts::attribute_ops(keyword)],
        Topic::Hint(row) => vec![facts::hint_ops(row)],
        _ => Vec::new(),
    };
    rules.retain(|rule| !rule.is_empty());
    rules.extend(topic.notes().map_or(&[][..], |notes| notes.rules).iter().map(|rule| rule.to_string()));
    rules
}
