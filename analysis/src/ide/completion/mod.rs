//! Completion.

mod around;
mod context;
mod defaults;
mod fit;
mod item;
mod operands;
mod preview;
mod site;
mod snippet;
mod type_list;
pub(in crate::ide) mod values;
mod words;
mod writer;

pub use item::{Completion, CompletionKind};

use super::op_doc;
use crate::db::{self, File};
use context::{CompletionContext, Expected, is_name};
use std::ops::Range;

/// The completions at an offset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completions {
    /// The range that a completion replaces, in bytes of the file.
    pub replaced: Range<u32>,
    /// The completions, likeliest first.
    pub items: Vec<Completion>,
}

/// Completes the word at an offset.
pub fn completions(db: &dyn salsa::Database, file: File, offset: u32) -> Completions {
    let ctx = CompletionContext::new(file.text(db), offset);
    let items = match ctx.expected() {
        Expected::Nothing => Vec::new(),
        Expected::Value => fit::values(db, file, &ctx, offset),
        Expected::Global => globals(db, file),
        Expected::Function => preview::functions(db, file),
        Expected::ParameterAttr => preview::parameter_attributes(&file.options(db)),
        Expected::PreviewValue(of) => preview::values(of, &file.options(db)),
        Expected::Alias => type_list::aliases(db, file),
        Expected::AttrAlias => attr_aliases(db, file),
        Expected::Rank => ranks(db, file, &ctx, offset),
        Expected::Op => snippet::ops(db, file, &ctx, offset),
        Expected::Type => type_list::types(db, file, &ctx),
        Expected::Element => type_list::elements(db, file).collect(),
        Expected::EnumValue(of) => words::values(of, &[], file.options(db).version),
        Expected::Keyword => keywords(db, file, &ctx, offset),
    };
    Completions { replaced: ctx.replaced.clone(), items }
}

/// The rest of an op: values if an operand comes next, and the op's keywords.
fn keywords(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let mut items = if ctx.is_empty() { fit::next_values(db, file, ctx, offset) } else { Vec::new() };
    items.extend(words::keywords(db, file, ctx, offset));
    items
}

/// The documentation of an op, for the selected completion.
pub fn documentation(op: &str) -> Option<String> {
    tile_dialect::lookup(op).map(|named| op_doc::markdown(named.row))
}

fn globals(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    let globals = db::file_outline(db, file).globals.iter();
    let items = globals
        .map(|(global, _)| Completion::new(format!("@{}", global.name), CompletionKind::Global, global.ty.to_string()));
    items.collect()
}

fn attr_aliases(db: &dyn salsa::Database, file: File) -> Vec<Completion> {
    let aliases = db::context(db, file).attr_aliases.iter();
    let mut items: Vec<Completion> = aliases
        .map(|(name, alias)| Completion::new(format!("#{name}"), CompletionKind::Keyword, &*alias.text))
        .collect();
    items.sort_by(|a, b| a.label.cmp(&b.label));
    items
}

/// The numbers of the values that share the name before `#`.
fn ranks(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let start = ctx.before.trim_end_matches(is_name).len();
    let name = ctx.before[..start].ends_with('%').then(|| &ctx.before[start - 1..]);
    let seen = values::visible(db, file, offset);
    let items = seen.into_iter().filter_map(|value| {
        let (pack, rank) = value.name.split_once('#')?;
        let label = format!("#{rank}");
        (Some(pack) == name).then(|| Completion::new(label, CompletionKind::Value, value.ty.to_string()))
    });
    items.collect()
}

#[cfg(test)]
mod tests;
