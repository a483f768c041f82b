//! References to parameters in launch directives: to those of the entry below, or else of the entries that `forward`
//! lines name.

use super::directive::{SIGN, words};
use super::forward;
use super::semantic_tokens::kind::Kind;
use crate::db::{self, File};
use crate::ir::{Body, Value};
use crate::lines::comment_lines_above;
use std::ops::Range;

/// A reference to a parameter in a directive.
pub(super) struct Mention {
    /// The range of the name, in bytes of the file.
    pub(super) range: Range<u32>,
    /// The index of the parameter's item in the file's layout.
    pub(super) item: usize,
    /// The parameter.
    pub(super) value: Value,
}

/// The parameter reference in a directive at an offset.
pub(super) fn mention_at(db: &dyn salsa::Database, file: File, offset: u32) -> Option<Mention> {
    let text = file.text(db);
    let line = line_of(text, offset);
    if !text.get(line)?.trim_start().starts_with(SIGN) {
        return None;
    }
    let items = &db::layout(db, file).items;
    let item = items.partition_point(|(start, _)| *start <= offset);
    let &(start, _) = items.get(item)?;
    let (range, name) = parameters(text, start).find(|(range, _)| range.start <= offset && offset <= range.end)?;
    let mut entries = std::iter::once(item).chain(forward::targets(db, file, item));
    entries.find_map(|item| {
        let body = &db::lowered(db, items[item].1, file).body;
        Some(Mention { range: range.clone(), item, value: param(body, name)? })
    })
}

/// The parameter of an entry with this name.
pub(super) fn param(entry: &Body, name: &str) -> Option<Value> {
    let index = entry.params.iter().position(|param| **param == *name)?;
    entry.regions.first()?.args.get(index).copied()
}

/// The references to a parameter in the directives above an item.
pub(super) fn mentions<'t>(text: &'t str, item: u32, name: &'t str) -> impl Iterator<Item = Range<u32>> + 't {
    parameters(text, item).filter(move |(_, found)| *found == name).map(|(range, _)| range)
}

/// All parameter references in the directives above an item: the range, and the name without `%`.
fn parameters(text: &str, item: u32) -> impl Iterator<Item = (Range<u32>, &str)> {
    let block = comment_lines_above(text, item as usize);
    let mut at = block.start;
    let mut found = Vec::new();
    for line in text[block].split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let directive = line.trim();
        if directive.starts_with(SIGN) {
            words(directive, |range, kind| {
                if kind == Kind::Parameter {
                    let range = range.start as usize + start..range.end as usize + start;
                    found.push((range.start as u32..range.end as u32, &text[range.start + 1..range.end]));
                }
            });
        }
    }
    found.into_iter()
}

/// The line of an offset.
fn line_of(text: &str, offset: u32) -> Range<usize> {
    let offset = (offset as usize).min(text.len());
    let start = text.as_bytes()[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = text.as_bytes()[offset..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| offset + at);
    start..end
}
