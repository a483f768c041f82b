//! Functions without a body, in the format of NVIDIA's printer.

use super::attr::{attr_literal, named};
use super::prefixed::prefixed;
use super::quote::symbol;
use super::writer::Writer;
use crate::ir::Attr;
use crate::preview::{self, Function};
use crate::types::{Type, TypeKind};
use std::fmt::Write;
use tile_dialect::AttrName;

/// The text of a function, on a separate line.
pub(super) fn function(function: &Function, depth: usize) -> String {
    let mut out = Writer::new(depth);
    out.indent();
    out.push(function.op.row().name);
    out.push(if function.is_declaration() { " extern " } else { " " });
    symbol(&mut out, function.name());
    symbolic(&mut out, function, AttrName::ConstParams, preview::const_parameters);
    if !function.is_declaration() {
        out.push(" implements ");
        symbol(&mut out, function.implements());
        symbolic(&mut out, function, AttrName::ConstArgs, preview::const_arguments);
        out.push(" ");
    }
    signature(&mut out, function);
    properties(&mut out, function);
    out.end_line();
    out.finish()
}

fn symbolic(out: &mut Writer, function: &Function, name: AttrName, write: fn(&[preview::PreviewValue]) -> String) {
    if let Attr::Symbolic(values) = function.attr(name) {
        out.push(&write(values));
    }
}

/// Writes `(%arg0: T {…}) -> T`. NVIDIA's printer writes a blank after a declaration.
fn signature(out: &mut Writer, function: &Function) {
    out.push("(");
    out.list(function.params.iter().enumerate(), |out, (index, param)| {
        let _ = match &*param.name {
            "" => write!(out, "%arg{index}: {}", param.ty),
            name => write!(out, "%{name}: {}", param.ty),
        };
        if !param.attrs.is_empty() {
            out.push(" ");
            named(out, &param.attrs);
        }
    });
    out.push(")");
    match &function.results[..] {
        [] => {}
        [one] => _ = write!(out, " -> {}", Bare(*one)),
        several => {
            out.push(" -> (");
            out.list(several, |out, ty| _ = write!(out, "{}", Bare(*ty)));
            out.push(")");
        }
    }
    out.push(if function.is_declaration() { " " } else { "" });
}

/// A type without its prefix where the prefix is optional.
struct Bare(Type);

impl std::fmt::Display for Bare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.kind() {
            TypeKind::Foreign(_) => f.write_str(&prefixed(self.0)),
            _ => write!(f, "{}", self.0),
        }
    }
}

/// The properties after the signature of an implementation: those with keywords, then the rest in a dictionary.
fn properties(out: &mut Writer, function: &Function) {
    for name in [AttrName::Synchronization, AttrName::Arch] {
        if let Attr::Value(value) = function.attr(name) {
            let _ = write!(out, " {} = {}", name.text(), attr_literal(value));
        }
    }
    if let Attr::Value(value) = function.attr(AttrName::Scratch)
        && let Some(value) = value.as_preview()
    {
        let _ = write!(out, " scratch {{{}}}", preview::inside(value));
    }
    let rest = [AttrName::Config, AttrName::FrontendABI, AttrName::ProviderScore, AttrName::ResAttrs];
    let rest = rest.into_iter().filter_map(|name| {
        Some(match function.attr(name) {
            Attr::Value(value) => format!("{} = {}", name.text(), attr_literal(value)),
            Attr::Int(value) => format!("{} = {value} : i64", name.text()),
            _ => return None,
        })
    });
    let rest: Vec<String> = rest.collect();
    if !rest.is_empty() {
        let _ = write!(out, " {{{}}}", rest.join(", "));
    }
}
