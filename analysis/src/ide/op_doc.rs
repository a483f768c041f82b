//! The documentation of ops, generated from their rows.

use super::signature::Label;
use super::{gpu_words, rule_words};
use crate::diagnostics::describe;
use std::fmt::Write;
use tile_dialect::{Arity, AttrKind, Named, OpRow, Presence};

/// Returns the documentation of an op in Markdown: syntax, description, parts, an example.
pub fn markdown(row: &'static OpRow) -> String {
    let mut out = format!("```tile\n{}\n```\n\n{}\n", signature(row), row.doc);
    parts(&mut out, row);
    let rules = rule_words::rules(row);
    if !rules.is_empty() {
        let _ = writeln!(out, "\n{}", rules.join(" "));
    }
    let needs = gpu_words::of_op(row);
    if !needs.is_empty() {
        let _ = writeln!(out, "\n{}", needs.join(" "));
    }
    let _ = writeln!(out, "\nFor example:\n\n```tile\n{}```\n\nSince {}.", row.example(), row.since);
    for spelling in row.spellings {
        let _ = writeln!(out, "Also written `{}`.", spelling.name);
    }
    out
}

/// Returns the syntax of an op on one line: results, name and parts, with optional parts in brackets.
pub fn signature(row: &'static OpRow) -> String {
    Label::of(Named { row, spelling: None }).text
}

fn parts(out: &mut String, row: &OpRow) {
    if row.operands.is_empty() && row.attrs.is_empty() && row.results.is_empty() {
        return;
    }
    out.push('\n');
    for operand in row.operands {
        let count = match operand.arity {
            Arity::One => "",
            Arity::Optional => "optional, ",
            Arity::Variadic => "any number, each ",
        };
        let _ = writeln!(out, "- `%{}`: {count}{}. {}", operand.name, describe(operand.class), operand.doc);
    }
    for attr in row.attrs.iter().filter(|attr| !matches!(attr.kind, AttrKind::Type | AttrKind::DictList)) {
        let _ = writeln!(out, "- `{}`{}: {}", attr.name, values(attr.kind, attr.presence), attr.doc);
    }
    for result in row.results {
        let count = if result.arity == Arity::Variadic { "any number, each " } else { "" };
        let _ = writeln!(out, "- result `%{}`: {count}{}.", result.name, describe(result.class));
    }
}

/// The keywords of an enum, and its default.
fn values(kind: AttrKind, presence: Presence) -> String {
    let AttrKind::Enum { of, only, .. } = kind else { return String::new() };
    let allowed = (0..of.values.len() as u8).filter(|value| only.is_empty() || only.contains(value));
    let words: Vec<String> = allowed.map(|value| format!("`{}`", of.keyword(value))).collect();
    match presence {
        Presence::Default(value) => format!(" ({}; default `{}`)", words.join(", "), of.keyword(value)),
        _ => format!(" ({})", words.join(", ")),
    }
}
