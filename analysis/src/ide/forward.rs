//! The `forward` lines of launch directives, which name the kernel that gradients differentiate. Its parameters get the
//! arguments of the launch with the same names.

use super::directive::{SIGN, words};
use super::semantic_tokens::kind::Kind;
use crate::db::{self, File};
use crate::lines::comment_lines_above;
use crate::read::attr;
use std::ops::Range;

/// The name of an entry in a `forward` line.
pub(super) struct ForwardName {
    /// The range of the name with its `@`, in bytes of the file.
    pub(super) range: Range<u32>,
    /// The name without `@` and quotes.
    pub(super) name: Box<str>,
}

/// The name in a `forward` line at an offset.
pub(super) fn name_at(text: &str, offset: u32) -> Option<ForwardName> {
    let at = (offset as usize).min(text.len());
    let start = text.as_bytes()[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |found| found + 1);
    let end = text.as_bytes()[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |found| at + found);
    names(text, start..end).into_iter().find(|found| found.range.start <= offset && offset <= found.range.end)
}

/// The names in the `forward` lines of a part of a text that consists of whole lines.
pub(super) fn names(text: &str, within: Range<usize>) -> Vec<ForwardName> {
    let (mut found, mut at) = (Vec::new(), within.start);
    let Some(lines) = text.get(within).filter(|lines| lines.contains("forward")) else { return found };
    for line in lines.split_inclusive('\n') {
        let start = (at + (line.len() - line.trim_start().len())) as u32;
        at += line.len();
        let directive = line.trim();
        if directive.starts_with(SIGN) {
            words(directive, |range, kind| {
                if kind == Kind::Entry {
                    let name = attr::symbol(&directive[range.start as usize..range.end as usize]);
                    found.push(ForwardName { range: range.start + start..range.end + start, name });
                }
            });
        }
    }
    found
}

/// The indices of the items that the `forward` lines above an item name. The item is given by its index in the file's
/// layout.
pub(super) fn targets(db: &dyn salsa::Database, file: File, item: usize) -> Vec<usize> {
    let (text, items) = (file.text(db), &db::layout(db, file).items);
    let names = names(text, comment_lines_above(text, items[item].0 as usize));
    let index = |name: &str| items.iter().position(|&(_, item)| *db::lowered(db, item, file).body.name == *name);
    names.iter().filter_map(|found| index(&found.name)).collect()
}

/// The indices of the items whose launches share their arguments with those of an item: the item itself, those that its
/// `forward` lines name, those whose lines name it, and so on.
pub(super) fn sharing(db: &dyn salsa::Database, file: File, item: usize) -> Vec<usize> {
    let mut found = vec![item];
    if !file.text(db).contains("forward") {
        return found;
    }
    let count = db::layout(db, file).items.len();
    let edges = (0..count).flat_map(|from| targets(db, file, from).into_iter().map(move |to| (from, to)));
    let edges: Vec<(usize, usize)> = edges.collect();
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        for &(from, to) in &edges {
            let other = if from == at { to } else { from };
            if (from == at || to == at) && !found.contains(&other) {
                found.push(other);
            }
        }
    }
    found
}
