//! The keywords that the op at an offset takes.

use super::{Completion, CompletionKind, Place};
use crate::db::{self, File};
use tile_dialect::{AttrKind, EnumRow, OpRow};
use tile_syntax::{NodeKind, Tree};

/// Keywords of the op whose statement the place belongs to.
pub(super) fn keywords(db: &dyn salsa::Database, file: File, place: &Place) -> Vec<Completion> {
    let Some(row) = op_before(db, file, place.replaced.start) else { return Vec::new() };
    let before = place.before.trim_end();
    let wrapped = row.attrs.iter().find_map(|attr| match attr.kind {
        AttrKind::Enum { of, wrapper, only } if !wrapper.is_empty() => {
            before.strip_suffix('<').is_some_and(|rest| rest.ends_with(wrapper)).then(|| values(of, only))
        }
        _ => None,
    });
    wrapped.unwrap_or_else(|| bare(row))
}

/// What can stand without brackets: flags, keywords of enums that have none around them, and the words in front of
/// those that have.
fn bare(row: &OpRow) -> Vec<Completion> {
    let items = row.attrs.iter().flat_map(|attr| match attr.kind {
        AttrKind::Enum { of, wrapper: "", only } => values(of, only),
        AttrKind::Enum { wrapper, .. } => vec![Completion::new(wrapper, CompletionKind::Keyword, attr.doc)],
        AttrKind::Flag(word) => vec![Completion::new(word, CompletionKind::Keyword, attr.doc)],
        _ => Vec::new(),
    });
    items.collect()
}

fn values(of: &EnumRow, only: &[u8]) -> Vec<Completion> {
    let allowed = of.values.iter().enumerate().filter(|(index, _)| only.is_empty() || only.contains(&(*index as u8)));
    allowed.map(|(_, value)| Completion::new(value.name, CompletionKind::Keyword, value.doc)).collect()
}

/// The op whose statement the last word before an offset belongs to.
fn op_before(db: &dyn salsa::Database, file: File, offset: u32) -> Option<&'static OpRow> {
    let items = &db::layout(db, file).items;
    let index = items.partition_point(|(start, _)| *start < offset);
    let inside = index.checked_sub(1).map(|index| items[index]);
    let inside = inside.filter(|(start, item)| offset - start <= item.text(db).len() as u32);
    match inside {
        Some((start, item)) => op_in(db::syntax(db, item), offset - start),
        None => op_in(&db::file_outline(db, file).tree, offset),
    }
}

fn op_in(tree: &Tree, offset: u32) -> Option<&'static OpRow> {
    let tokens = &tree.tokens;
    let last = (tokens.at(offset.saturating_sub(1)) + 1).min(tokens.len());
    let last = (0..last).rev().find(|&token| tokens.end(token) <= offset)?;
    let op = tree.path_to(last).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    tile_dialect::ops().get(tree.slot(op) as usize).copied()
}
