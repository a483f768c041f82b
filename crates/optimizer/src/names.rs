//! The names of values in the text.

use crate::entry::Entry;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_analysis::ir::Value;
use tile_analysis::suggest::unused;
use tile_syntax::Token;

impl<'t> Entry<'t> {
    /// The name of a value, with `%`; `None` for an unnamed result.
    pub(crate) fn name_of(&self, value: Value) -> Option<&'t str> {
        let name = self.slice(self.lowered.spans.definitions.get(value.0 as usize)?);
        name.starts_with('%').then_some(name)
    }

    /// The spelling of a use of a value: `%a`, or `%a#1` for one value of a pack.
    pub(crate) fn spelling(&self, value: Value) -> Option<String> {
        self.spelling_as(value, self.name_of(value)?)
    }

    /// The spelling of a use of a value if its definition had this name.
    pub(crate) fn spelling_as(&self, value: Value, name: &str) -> Option<String> {
        let rank = self.lowered.spans.ranks.get(value.0 as usize)?;
        let is_pack = self.is_pack[value.0 as usize];
        Some(if is_pack { format!("{name}#{rank}") } else { name.to_string() })
    }
}

/// New names for values that move to a scope in which their names are taken.
pub(crate) struct FreshNames<'t> {
    /// How many definitions have each name.
    definitions: FxHashMap<&'t str, usize>,
    taken: FxHashSet<String>,
}

impl<'t> FreshNames<'t> {
    pub(crate) fn new(entry: &Entry<'t>) -> FreshNames<'t> {
        let mut starts: Vec<_> = entry.lowered.spans.definitions.iter().map(|range| (range.start, range.end)).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut definitions = FxHashMap::default();
        for (start, end) in starts {
            *definitions.entry(entry.slice(&(start..end))).or_default() += 1;
        }
        let tokens = &entry.tree.tokens;
        let values = (0..tokens.len()).filter(|&token| tokens.kind(token) == Token::Value);
        let taken = values.map(|token| tokens.text(token, entry.text).trim_start_matches('%').to_string()).collect();
        FreshNames { definitions, taken }
    }

    /// A new name for a definition, with `%`; `None` if its name is unique in the entry.
    pub(crate) fn replacement(&mut self, name: &str) -> Option<String> {
        if self.definitions.get(name).is_none_or(|&count| count < 2) {
            return None;
        }
        let stem = name.trim_start_matches('%');
        // `%0_0` is not a valid name.
        let stem = if stem.starts_with(|c: char| c.is_ascii_digit()) { "value" } else { stem };
        let new = unused(stem, |name| self.taken.contains(name));
        self.taken.insert(new.clone());
        Some(format!("%{new}"))
    }
}
