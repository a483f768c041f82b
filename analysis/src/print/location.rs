//! Printing locations: as aliases after the ops, with the definitions of the aliases after the module.

use super::quote::string;
use super::writer::Writer;
use crate::debug_info::{DebugAttr, DebugId, DebugInfo, Locations, Position};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Names for the debug attributes of a module.
pub(super) struct Aliases<'a> {
    info: &'a DebugInfo,
    names: Vec<Option<String>>,
}

/// The locations of a body, with the aliases of their attributes.
pub(super) type Located<'a> = (&'a Aliases<'a>, &'a Locations);

impl<'a> Aliases<'a> {
    /// Assigns aliases to the attributes that the module's locations need.
    pub(super) fn of(info: &'a DebugInfo) -> Aliases<'a> {
        let mut needed = vec![false; info.attrs.len()];
        let stated = info.entries.iter().flat_map(|entry| entry.ops.iter().copied().chain([entry.entry]));
        stated.flatten().for_each(|id| need(&mut needed, id));
        // Attributes refer only to attributes before them.
        for index in (0..info.attrs.len()).rev().filter(|&index| index > 0) {
            if needed[index] {
                parts(&info.attrs[index]).for_each(|id| need(&mut needed, id));
            }
        }
        let mut counts = FxHashMap::<&str, usize>::default();
        let names = info.attrs.iter().zip(&needed).map(|(attr, &needed)| {
            let stem = stem(attr).filter(|_| needed)?;
            let count = counts.entry(stem).or_default();
            *count += 1;
            Some(if *count == 1 { format!("#{stem}") } else { format!("#{stem}{}", *count - 1) })
        });
        Aliases { info, names: names.collect() }
    }

    /// Writes ` loc(#loc3)`.
    pub(super) fn push_location(&self, out: &mut Writer, location: DebugId) {
        out.push(" loc(");
        self.push_name(out, location);
        out.push(")");
    }

    fn push_name(&self, out: &mut Writer, id: DebugId) {
        let name = self.names.get(id.0 as usize).and_then(Option::as_deref);
        out.push(name.unwrap_or("unknown"));
    }

    /// Writes the definitions `#loc3 = loc(…)`, one on each line.
    pub(super) fn push_table(&self, out: &mut Writer) {
        for (attr, name) in self.info.attrs.iter().zip(&self.names) {
            if let Some(name) = name {
                out.push(name);
                out.push(" = ");
                self.push_attr(out, attr);
                out.end_line();
            }
        }
    }

    fn push_attr(&self, out: &mut Writer, attr: &DebugAttr) {
        match attr {
            DebugAttr::Unknown => out.push("loc(unknown)"),
            DebugAttr::Position(position) => self::position(out, position),
            DebugAttr::Scoped { position, scope } => {
                out.push("#cuda_tile.di_loc<");
                self::position(out, position);
                out.push(" in ");
                self.push_name(out, *scope);
                out.push(">");
            }
            DebugAttr::CallSite { callee, caller } => {
                out.push("loc(callsite(");
                self.push_name(out, *callee);
                out.push(" at ");
                self.push_name(out, *caller);
                out.push("))");
            }
            DebugAttr::Named { name, child } => {
                out.push("loc(");
                string(out, name);
                out.push("(");
                self.push_name(out, *child);
                out.push("))");
            }
            DebugAttr::Fused(parts) => {
                out.push("loc(fused[");
                out.list(parts, |out, &part| self.push_name(out, part));
                out.push("])");
            }
            DebugAttr::File { name, directory } => {
                out.push("#cuda_tile.di_file<");
                string(out, name);
                out.push(" in ");
                string(out, directory);
                out.push(">");
            }
            DebugAttr::CompileUnit { file } => {
                out.push("#cuda_tile.di_compile_unit<file = ");
                self.push_name(out, *file);
                out.push(">");
            }
            DebugAttr::Subprogram { file, line, name, linkage_name, unit, scope_line, declaration } => {
                out.push("#cuda_tile.di_subprogram<file = ");
                self.push_name(out, *file);
                let _ = write!(out, ", line = {line}, name = ");
                string(out, name);
                out.push(", linkageName = ");
                string(out, linkage_name);
                out.push(", compileUnit = ");
                self.push_name(out, *unit);
                let _ = write!(out, ", scopeLine = {scope_line}");
                out.push(if *declaration { ", flags = declaration>" } else { ">" });
            }
            DebugAttr::LexicalBlock { scope, file, line, column } => {
                out.push("#cuda_tile.di_lexical_block<scope = ");
                self.push_name(out, *scope);
                out.push(", file = ");
                self.push_name(out, *file);
                let _ = write!(out, ", line = {line}, column = {column}>");
            }
        }
    }
}

fn need(needed: &mut [bool], id: DebugId) {
    if let Some(needed) = needed.get_mut(id.0 as usize) {
        *needed = true;
    }
}

/// The attributes that an attribute refers to.
fn parts(attr: &DebugAttr) -> impl Iterator<Item = DebugId> {
    let (few, many): ([Option<DebugId>; 2], &[DebugId]) = match attr {
        DebugAttr::Unknown | DebugAttr::Position(_) | DebugAttr::File { .. } => ([None, None], &[]),
        DebugAttr::Scoped { scope: id, .. }
        | DebugAttr::Named { child: id, .. }
        | DebugAttr::CompileUnit { file: id } => ([Some(*id), None], &[]),
        DebugAttr::CallSite { callee: a, caller: b }
        | DebugAttr::Subprogram { file: a, unit: b, .. }
        | DebugAttr::LexicalBlock { scope: a, file: b, .. } => ([Some(*a), Some(*b)], &[]),
        DebugAttr::Fused(parts) => ([None, None], parts),
    };
    few.into_iter().flatten().chain(many.iter().copied())
}

/// The alias of an attribute, without its number. An unknown location does not need one.
fn stem(attr: &DebugAttr) -> Option<&'static str> {
    match attr {
        DebugAttr::Unknown => None,
        DebugAttr::File { .. } => Some("di_file"),
        DebugAttr::CompileUnit { .. } => Some("di_compile_unit"),
        DebugAttr::Subprogram { .. } => Some("di_subprogram"),
        DebugAttr::LexicalBlock { .. } => Some("di_lexical_block"),
        _ => Some("loc"),
    }
}

/// Writes `loc("file":1:2)`.
fn position(out: &mut Writer, position: &Position) {
    out.push("loc(");
    string(out, &position.file);
    let _ = write!(out, ":{}:{})", position.line, position.column);
}
