//! The text of attributes, in custom form and as properties of generic form.

use super::literal;
use super::prefixed::Prefixed;
use super::quote::{string, symbol, word};
use super::writer::Writer;
use crate::ir::{Attr, AttrValue, Dense, HintValue, Hints, NamedAttrs, Predicate};
use crate::preview;
use crate::types::Type;
use std::fmt::Write;
use tile_dialect::{AttrKind, AttrRow, Element};

/// Writes an attribute in custom form. `ty` is the type of a constant.
pub(super) fn custom(out: &mut Writer, row: &AttrRow, value: &Attr, ty: Option<Type>) {
    match (row.kind, value) {
        (AttrKind::Enum { of, wrapper: "", .. }, Attr::Enum(value)) => out.push(of.keyword(*value)),
        (AttrKind::Enum { of, wrapper, .. }, Attr::Enum(value)) => {
            let _ = write!(out, "{wrapper}<{}>", of.keyword(*value));
        }
        (AttrKind::Flag(word), Attr::Flag) => out.push(word),
        (AttrKind::Dense, Attr::Dense(dense)) => {
            let _ = write!(out, "<{}: ", dense.element);
            elements(out, dense, ty);
            out.push(">");
        }
        (AttrKind::ConstArgs, Attr::Symbolic(values)) => out.push(&preview::const_arguments(values)),
        (AttrKind::ConstParams, Attr::Symbolic(values)) => out.push(&preview::const_parameters(values)),
        (_, Attr::IntList(list)) => bracketed(out, list, |out, value| _ = write!(out, "{value}")),
        (_, Attr::BoolList(list)) => bracketed(out, list, |out, value| _ = write!(out, "{value}")),
        _ => plain(out, value),
    }
}

/// Writes an attribute as a property of generic form.
pub(super) fn generic(out: &mut Writer, row: &AttrRow, value: &Attr, ty: Option<Type>) {
    out.push(row.name);
    if matches!(value, Attr::Flag) {
        return;
    }
    out.push(" = ");
    match (row.kind, value) {
        (AttrKind::Enum { of, .. }, Attr::Enum(value)) if of.numbered => _ = write!(out, "{value} : i32"),
        (AttrKind::Enum { of, .. }, Attr::Enum(value)) => out.push(&of.literal(*value)),
        (AttrKind::Int(bits), Attr::Int(value)) => _ = write!(out, "{value} : i{bits}"),
        (AttrKind::Dense, Attr::Dense(dense)) => {
            out.push("dense<");
            elements(out, dense, ty);
            out.push(">");
            if let Some(ty) = ty {
                let _ = write!(out, " : {}", Prefixed(ty));
            }
        }
        (_, Attr::IntList(list)) => array(out, "i32", list),
        (_, Attr::BoolList(list)) => array(out, "i1", list),
        (_, Attr::Hints(_)) => {
            out.push("#cuda_tile.optimization_hints");
            plain(out, value);
        }
        (_, Attr::Predicate(_)) => {
            out.push("#cuda_tile.");
            plain(out, value);
        }
        _ => plain(out, value),
    }
}

/// Writes `{a = 1 : i32, b}`.
pub(super) fn named(out: &mut Writer, attrs: &NamedAttrs) {
    out.push("{");
    out.list(attrs.iter(), |out, (name, value)| {
        word(out, name);
        if *value != AttrValue::Unit {
            out.push(" = ");
            self::value(out, value);
        }
    });
    out.push("}");
}

pub(super) fn value(out: &mut Writer, value: &AttrValue) {
    match value {
        AttrValue::Unit => out.push("unit"),
        AttrValue::Bool(value) => _ = write!(out, "{value}"),
        AttrValue::Number(Element::I1, bits) => _ = write!(out, "{}", bits & 1 == 1),
        AttrValue::Number(element, bits) => {
            literal::number(out, *element, *bits);
            let _ = write!(out, " : {element}");
        }
        AttrValue::Str(bytes) => string(out, bytes),
        AttrValue::Type(ty) => _ = write!(out, "{}", Prefixed(*ty)),
        AttrValue::Array(list) => bracketed(out, list, item),
        AttrValue::Dict(attrs) => named(out, attrs),
        AttrValue::Predicate(predicate) => {
            out.push("#cuda_tile.");
            self::predicate(out, predicate);
        }
        AttrValue::Hints(hints) => {
            out.push("#cuda_tile.optimization_hints");
            self::hints(out, hints);
        }
        AttrValue::Preview(value) => out.push(&preview::long(value)),
        AttrValue::Other(text) => out.push(text),
    }
}

/// Writes an item of a list, omitting the default types of numbers.
fn item(out: &mut Writer, value: &AttrValue) {
    match value {
        AttrValue::Number(element @ (Element::I64 | Element::F64), bits) => literal::number(out, *element, *bits),
        _ => self::value(out, value),
    }
}

/// Writes an attribute that is the same in both forms.
fn plain(out: &mut Writer, value: &Attr) {
    match value {
        Attr::Int(value) => _ = write!(out, "{value}"),
        Attr::Bool(value) => _ = write!(out, "{value}"),
        Attr::Str(bytes) => string(out, bytes),
        Attr::Symbol(name) => symbol(out, name),
        Attr::Identities(list) => bracketed(out, list, |out, &(element, bits)| {
            literal::number(out, element, bits);
            let _ = write!(out, " : {element}");
        }),
        Attr::Hints(hints) => self::hints(out, hints),
        Attr::Predicate(predicate) => self::predicate(out, predicate),
        Attr::Symbolic(values) => bracketed(out, values, |out, value| out.push(&preview::long(value))),
        Attr::Value(value) => self::value(out, value),
        Attr::Absent | Attr::Enum(_) | Attr::Flag | Attr::Dense(_) | Attr::IntList(_) | Attr::BoolList(_) => {}
    }
}

fn elements(out: &mut Writer, dense: &Dense, ty: Option<Type>) {
    let shape = ty.and_then(Type::as_tile).map_or(&[][..], |tile| &tile.shape);
    literal::dense(out, dense, shape);
}

fn bracketed<T>(out: &mut Writer, list: &[T], write: impl FnMut(&mut Writer, &T)) {
    out.push("[");
    out.list(list, write);
    out.push("]");
}

/// Writes `array<i32: 1, 0>`.
fn array<T: std::fmt::Display>(out: &mut Writer, element: &str, list: &[T]) {
    let _ = write!(out, "array<{element}");
    if !list.is_empty() {
        out.push(": ");
    }
    out.list(list, |out, value| _ = write!(out, "{value}"));
    out.push(">");
}

/// Writes the number of operands in each operand group: `operandSegmentSizes = array<i32: 1, 0, 1>`.
pub(super) fn segment_sizes(out: &mut Writer, sizes: &[usize]) {
    out.push("operandSegmentSizes = ");
    array(out, "i32", sizes);
}

pub(super) fn hints(out: &mut Writer, hints: &Hints) {
    out.push("<");
    out.list(&hints.by_architecture, |out, (architecture, values)| {
        word(out, architecture);
        out.push(" = {");
        out.list(values, |out, (name, value)| {
            word(out, name);
            out.push(" = ");
            hint(out, value);
        });
        out.push("}");
    });
    out.push(">");
}

fn hint(out: &mut Writer, value: &HintValue) {
    match value {
        HintValue::Int(value) => _ = write!(out, "{value}"),
        HintValue::Bool(value) => _ = write!(out, "{value}"),
        HintValue::Str(bytes) => string(out, bytes),
        HintValue::Other(text) => out.push(text),
    }
}

/// The text of a hint's value.
pub fn hint_literal(value: &HintValue) -> String {
    let mut out = Writer::new(0);
    hint(&mut out, value);
    out.finish()
}

pub(super) fn predicate(out: &mut Writer, predicate: &Predicate) {
    let bound = |bound: Option<i64>| bound.map_or("?".to_string(), |bound| bound.to_string());
    let _ = match predicate {
        Predicate::DivBy { divisor, every_along: None } => write!(out, "div_by<{divisor}>"),
        Predicate::DivBy { divisor, every_along: Some((every, along)) } => {
            write!(out, "div_by<{divisor}, every {every} along {along}>")
        }
        Predicate::Bounded(low, high) => write!(out, "bounded<{}, {}>", bound(*low), bound(*high)),
        Predicate::SameElements(sizes) => {
            out.push("same_elements<");
            bracketed(out, sizes, |out, size| _ = write!(out, "{size}"));
            out.push(">");
            Ok(())
        }
    };
}

/// The text of an attribute of an op in custom form. `ty` is the type of a constant. Empty if it is absent.
pub fn op_attr_literal(row: &AttrRow, value: &Attr, ty: Option<Type>) -> String {
    let mut out = Writer::new(0);
    custom(&mut out, row, value, ty);
    out.finish()
}

/// The text of an attribute without a row.
pub fn attr_literal(value: &AttrValue) -> String {
    let mut out = Writer::new(0);
    self::value(&mut out, value);
    out.finish()
}
