//! The documentation of an op, made from its row.

use super::rule_words;
use crate::diagnostics::describe;
use std::fmt::Write;
use tile_dialect::form::{Form, Piece, Slot, TypeCount};
use tile_dialect::{Arity, AttrKind, AttrRow, Named, OpRow, Presence, RegionArgs};

/// The documentation of an op in Markdown: how it is written, what it does, its parts, an example.
pub fn markdown(row: &'static OpRow) -> String {
    let mut out = format!("```tile\n{}\n```\n\n{}\n", signature(row), row.doc);
    parts(&mut out, row);
    let rules = rule_words::rules(row);
    if !rules.is_empty() {
        let _ = writeln!(out, "\n{}", rules.join(" "));
    }
    let _ = writeln!(out, "\nFor example:\n\n```tile\n{}```\n\nSince {}.", row.example(), row.since);
    for spelling in row.spellings {
        let _ = writeln!(out, "Also written `{}`.", spelling.name);
    }
    out
}

/// How an op is written, on one line, for people: results, name and parts. What may be left out stands in brackets.
pub fn signature(row: &'static OpRow) -> String {
    let names: Vec<String> = row.results.iter().map(|result| format!("%{}", result.name)).collect();
    let results = if names.is_empty() { String::new() } else { format!("{} = ", names.join(", ")) };
    let form = Named { row, spelling: None }.form();
    format!("{results}{} {}", row.name, tidy(&pieces(row, form, &form.pieces))).trim_end().to_string()
}

fn pieces(row: &OpRow, form: &Form, list: &[Piece]) -> String {
    list.iter().map(|piece| one_piece(row, form, piece)).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

fn one_piece(row: &OpRow, form: &Form, piece: &Piece) -> String {
    let operand = |index: u8| &row.operands[index as usize];
    match piece {
        Piece::Operand(index) if operand(*index).arity == Arity::Variadic => format!("%{}, …", operand(*index).name),
        Piece::Operand(index) => format!("%{}", operand(*index).name),
        Piece::Mixed { operand: index, .. } => format!("%{}, …", operand(*index).name),
        Piece::Attr { index, optional } => {
            let text = attribute(&row.attrs[*index as usize]);
            if *optional { format!("[{text}]") } else { text }
        }
        Piece::Region(index) => match row.regions[*index as usize].args {
            RegionArgs::Listed => "(%x: type, …) { … }".to_string(),
            _ => "{ … }".to_string(),
        },
        Piece::Type(index) => types(row, form, *index),
        Piece::TypeArrow(before, after) => format!("[{} ->] {}", types(row, form, *before), types(row, form, *after)),
        Piece::Word(word) => word.to_string(),
        Piece::Punct { mark, .. } => mark.text().to_string(),
        Piece::Group(list) => format!("[{}]", pieces(row, form, list)),
        Piece::AnyOrder(list) => pieces(row, form, list),
        Piece::Argument(_) => "%i".to_string(),
        Piece::Bind { operand: index, .. } => format!("%carried = %{}, …", operand(*index).name),
        Piece::Signature(_) => "(%parameter: type, …)".to_string(),
        Piece::Dict(_) => String::new(),
    }
}

fn attribute(attr: &AttrRow) -> String {
    match attr.kind {
        AttrKind::Enum { wrapper: "", .. } => attr.name.to_string(),
        AttrKind::Enum { wrapper, .. } => format!("{wrapper}<…>"),
        AttrKind::Flag(word) => word.to_string(),
        AttrKind::SymbolName | AttrKind::SymbolRef => "@name".to_string(),
        AttrKind::Str => "\"…\"".to_string(),
        AttrKind::Dense => "<element: value>".to_string(),
        AttrKind::IntList | AttrKind::BoolList(_) | AttrKind::Identities => "[…]".to_string(),
        AttrKind::Hints => "<…>".to_string(),
        _ => attr.name.to_string(),
    }
}

/// `type(%a)`: whose type stands here.
fn types(row: &OpRow, form: &Form, index: u8) -> String {
    let piece = &form.types[index as usize];
    let names: Vec<&str> = piece
        .slots
        .iter()
        .map(|slot| match slot {
            Slot::Operand(index) => row.operands[*index as usize].name,
            Slot::Result(index) => row.results[*index as usize].name,
            Slot::Attr(index) => row.attrs[*index as usize].name,
        })
        .collect();
    let more = if piece.count == TypeCount::One { "" } else { ", …" };
    format!("type(%{}){more}", names.join(", %"))
}

/// Punctuation without the blanks in front of it.
fn tidy(text: &str) -> String {
    let text = text.replace(" ,", ",").replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]");
    text.replace(" [,", "[,").replace(" [%", "[%").replace("=[", "= [")
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

/// The keywords of an enum, the default first.
fn values(kind: AttrKind, presence: Presence) -> String {
    let AttrKind::Enum { of, only, .. } = kind else { return String::new() };
    let allowed = (0..of.values.len() as u8).filter(|value| only.is_empty() || only.contains(value));
    let words: Vec<String> = allowed.map(|value| format!("`{}`", of.keyword(value))).collect();
    match presence {
        Presence::Default(value) => format!(" ({}; default `{}`)", words.join(", "), of.keyword(value)),
        _ => format!(" ({})", words.join(", ")),
    }
}
