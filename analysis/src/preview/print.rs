//! The text of the preview's attributes: the long form, `#cuda_tile<preview$expr_mul<A, B>>`, and the short form in
//! types, layouts and lists of constant arguments, `N*2`.

use super::expr::is_expr;
use crate::print::prefixed::prefixed;
use crate::print::quote::string_literal;
use crate::types::Layout;
use crate::types::{Field, PreviewValue};
use std::fmt::{self, Write};
use tile_dialect::{FieldKind, PREVIEW_PREFIX, PreviewAttr, WILDCARD};

/// A name, in quotes if it is not a word.
pub(super) struct MaybeQuoted<'a>(pub(super) &'a str);

impl fmt::Display for MaybeQuoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.0.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        let is_word = first && self.0.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte));
        if is_word || self.0 == WILDCARD {
            f.write_str(self.0)
        } else {
            f.write_str(&string_literal(self.0.as_bytes()))
        }
    }
}

/// The precedence of an operator, and its sign.
fn operator(attr: PreviewAttr) -> Option<(u8, &'static str)> {
    Some(match attr {
        PreviewAttr::Add => (1, "+"),
        PreviewAttr::Sub => (1, "-"),
        PreviewAttr::Mul => (2, "*"),
        PreviewAttr::FloorDiv => (2, "/"),
        PreviewAttr::CeilDiv => (2, "/+"),
        _ => return None,
    })
}

/// The precedence of the unary minus, above that of any binary operator.
const SIGN: u8 = 3;

/// An expression in short form without blanks around operators, as in extents and constant arguments.
pub(super) fn compact(value: &PreviewValue) -> String {
    short_text(value, "")
}

fn short_text(value: &PreviewValue, blank: &str) -> String {
    let mut out = String::new();
    short(&mut out, value, blank, 0);
    out
}

/// Writes an expression, in parentheses if its precedence is less than `min_precedence`.
fn short(out: &mut String, value: &PreviewValue, blank: &str, min_precedence: u8) {
    let parts: Vec<&PreviewValue> = value.children().collect();
    match (operator(value.attr), &parts[..]) {
        (Some((binds, sign)), [first, second]) => {
            let in_parentheses = binds < min_precedence;
            out.push_str(if in_parentheses { "(" } else { "" });
            short(out, first, blank, binds);
            let _ = write!(out, "{blank}{sign}{blank}");
            short(out, second, blank, binds + 1);
            out.push_str(if in_parentheses { ")" } else { "" });
        }
        _ => match value.attr {
            PreviewAttr::Neg => {
                out.push('-');
                parts.first().into_iter().for_each(|inner| negated(out, inner, blank));
            }
            PreviewAttr::Int => {
                let _ = write!(out, "{}", value.as_int().unwrap_or(0));
            }
            PreviewAttr::Tuple => {
                out.push('(');
                for (index, inner) in value.list(0).iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    short(out, inner, blank, 0);
                }
                out.push_str(if value.list(0).len() == 1 { ",)" } else { ")" });
            }
            PreviewAttr::Var | PreviewAttr::Builtin => {
                let _ = write!(out, "{}", MaybeQuoted(value.text().unwrap_or("")));
            }
            PreviewAttr::ConstStr => out.push_str(&string_literal(value.text().unwrap_or("").as_bytes())),
            PreviewAttr::ConcreteType => value.ty().into_iter().for_each(|ty| out.push_str(&prefixed(ty))),
            _ => out.push_str(&long(value)),
        },
    }
}

/// Writes the operand of a unary minus, in parentheses if it starts with another one.
fn negated(out: &mut String, value: &PreviewValue, blank: &str) {
    let in_parentheses = value.attr == PreviewAttr::Neg;
    out.push_str(if in_parentheses { "(" } else { "" });
    short(out, value, blank, if in_parentheses { 0 } else { SIGN });
    out.push_str(if in_parentheses { ")" } else { "" });
}

/// Whether an expression has a short form in every context.
fn is_short(value: &PreviewValue) -> bool {
    is_expr(value.attr) && value.attr != PreviewAttr::Div && value.children().all(is_short)
}

/// The long form of an attribute: `#cuda_tile<preview$access<in>>`.
pub fn long(value: &PreviewValue) -> String {
    format!("#cuda_tile<{PREVIEW_PREFIX}{}<{}>>", value.attr.row().name, inside(value))
}

/// The text between the angle brackets of an attribute.
pub(crate) fn inside(value: &PreviewValue) -> String {
    if let Some(layout) = Layout::of(value) {
        return layout.to_string();
    }
    fields(value)
}

fn fields(value: &PreviewValue) -> String {
    let mut out = String::new();
    for (index, (field, row)) in value.fields.iter().zip(value.attr.row().fields).enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        if !row.label.is_empty() {
            let _ = write!(out, "{} = ", row.label);
        }
        let _ = match (field, row.kind) {
            (Field::Int(value), _) => write!(out, "{value}"),
            (Field::Text(text), _) => write!(out, "{}", string_literal(text.as_bytes())),
            (Field::Keyword(value), FieldKind::Keyword(of)) => write!(out, "{}", of.keyword(*value)),
            (Field::Keyword(value), _) => write!(out, "{value}"),
            (Field::Type(ty), _) => write!(out, "{}", prefixed(*ty)),
            (Field::One(value), _) => write!(out, "{}", long(value)),
            (Field::List(values), FieldKind::Tuple) => {
                let tuple = PreviewValue { attr: PreviewAttr::Tuple, fields: [Field::List(values.clone())].into() };
                write!(out, "{}", long(&tuple))
            }
            (Field::List(values), _) => {
                write!(out, "[{}]", values.iter().map(long).collect::<Vec<_>>().join(", "))
            }
        };
    }
    out
}

/// Formats as `(2, 3):(1, 2)`, or with both sides in long form if one has no short form.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.shapes.iter().chain(&self.strides).all(is_short) {
            return f.write_str(&fields(&self.to_value()));
        }
        let side =
            |values: &[PreviewValue]| values.iter().map(|value| short_text(value, " ")).collect::<Vec<_>>().join(", ");
        write!(f, "({}):({})", side(&self.shapes), side(&self.strides))
    }
}

/// Formats as `<[N: index, T: !cuda_tile<preview$Datatype>]>`; `?` is an unused parameter.
pub fn const_parameters(parameters: &[PreviewValue]) -> String {
    let parameters = parameters.iter().map(|parameter| match (parameter.text(), parameter.ty()) {
        (Some(WILDCARD), _) | (_, None) => WILDCARD.to_string(),
        (name, Some(ty)) => format!("{}: {}", MaybeQuoted(name.unwrap_or("")), prefixed(ty)),
    });
    format!("<[{}]>", parameters.collect::<Vec<_>>().join(", "))
}

/// Formats as `<[32, f32, "lower", (4, 8)]>`.
pub fn const_arguments(values: &[PreviewValue]) -> String {
    format!("<[{}]>", call_arguments(values).join(", "))
}

/// The constant arguments of a call, each in short form.
pub fn call_arguments(values: &[PreviewValue]) -> Vec<String> {
    values.iter().map(compact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(attr: PreviewAttr, parts: &[PreviewValue]) -> PreviewValue {
        let fields = parts.iter().map(|part| Field::One(Box::new(part.clone())));
        PreviewValue { attr, fields: fields.collect() }
    }

    /// The expected texts are those of NVIDIA's disassembler.
    #[test]
    fn signs_and_tuples_are_written_as_nvidias_printer_does() {
        let (three, minus_three) = (PreviewValue::int(3), PreviewValue::int(-3));
        let neg = |inner: &PreviewValue| value(PreviewAttr::Neg, std::slice::from_ref(inner));
        let tuple = PreviewValue { attr: PreviewAttr::Tuple, fields: [Field::List([three.clone()].into())].into() };
        let cases = [
            (neg(&three), "-3"),
            (neg(&minus_three), "--3"),
            (neg(&neg(&three)), "-(-3)"),
            (neg(&value(PreviewAttr::Mul, &[three.clone(), minus_three.clone()])), "-(3*-3)"),
            (value(PreviewAttr::Mul, &[three.clone(), neg(&three)]), "3*-3"),
            (value(PreviewAttr::Sub, &[three.clone(), minus_three]), "3--3"),
            (
                value(PreviewAttr::CeilDiv, &[three.clone(), value(PreviewAttr::FloorDiv, &[three.clone(), three])]),
                "3/+(3/3)",
            ),
            (tuple, "(3,)"),
        ];
        for (value, expected) in cases {
            assert_eq!(compact(&value), expected);
        }
    }
}
