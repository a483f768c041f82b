//! Uses of aliases above their definitions.

use super::Outline;
use super::late_aliases::moved;
use crate::diagnostic::{Diagnostic, MAX_IN_FILE};
use crate::diagnostics as d;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::ops::Range;
use tile_syntax::{Node, NodeKind, lex};

impl Outline {
    /// The first use of each alias above its definition, other than in an alias.
    pub(crate) fn early_uses(&self, text: &str) -> Vec<Diagnostic> {
        ['!', '#'].into_iter().flat_map(|sigil| self.early_uses_of(sigil, text)).collect()
    }

    fn early_uses_of(&self, sigil: char, text: &str) -> Vec<Diagnostic> {
        let late = self.late_aliases.iter().filter(|(name, _)| name.starts_with(sigil));
        let mut late: FxHashMap<&str, &Range<u32>> = late.map(|(name, place)| (&**name, place)).collect();
        let Some(last) = late.values().map(|place| place.start as usize).max() else { return Vec::new() };
        let aliases: Vec<Node> = self.tree.children_of(Node::ROOT, NodeKind::Alias).collect();
        let alias_at = |at| aliases.binary_search_by(|&alias| around(&self.tree.range(alias), at)).ok();
        let mut found = Vec::new();
        for (at, _) in text[..last].match_indices(sigil) {
            let name = name_at(text, at);
            let Some(definition) = late.get(name).filter(|definition| at < definition.start as usize) else { continue };
            if self.may_come_later(text, at, name) || alias_at(at as u32).is_some() || !is_use(text, at, name) {
                continue;
            }
            let place = at as u32..(at + name.len()) as u32;
            let fix = alias_at(definition.start).map(|alias| moved(&self.tree, text, aliases[alias]));
            let fix = fix.unwrap_or_default();
            found.push(d::early_use(place, name, Range::clone(definition), fix));
            late.remove(name);
            if found.len() == MAX_IN_FILE {
                break;
            }
        }
        found
    }

    /// Whether the alias at this position is the location of an op, as in `loc(#l)`.
    fn may_come_later(&self, text: &str, at: usize, name: &str) -> bool {
        let before = text[..at].trim_end().strip_suffix('(');
        let before = before.and_then(|before| before.trim_end().strip_suffix("loc"));
        let is_alone = before.is_some_and(|before| !before.trim_end().ends_with(['=', ',', '[', '(', '{', '<']))
            && text[at + name.len()..].trim_start().starts_with(')');
        is_alone && !self.context.attr_aliases.contains_key(&name[1..])
    }
}

/// The name that starts at a place, with its sigil.
fn name_at(text: &str, at: usize) -> &str {
    let rest = &text[at + 1..];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let name = &text[at..at + 1 + length];
    // An arrow after a name is not a part of it.
    if rest[length..].starts_with('>') { name.strip_suffix('-').unwrap_or(name) } else { name }
}

/// Where a range lies, seen from a place.
fn around(range: &Range<u32>, place: u32) -> Ordering {
    match place {
        _ if range.end <= place => Ordering::Less,
        _ if range.start > place => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

/// Whether a name is a token, and not in a comment or a string. No token spans lines.
fn is_use(text: &str, at: usize, name: &str) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let tokens = lex(line);
    let token = tokens.at((at - start) as u32);
    token < tokens.len() && tokens.start(token) as usize == at - start && tokens.text(token, line) == name
}
