//! Traced values: lookup by name, and formatting.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_analysis::ir::Value;
use tile_analysis::source::Spans;
use tile_analysis::suggest;
use tile_engine::Shown;
use tile_launch::find::EntryLaunches;

/// A traced value.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Traced {
    /// Its name, with `%`, and with `#` and its index in a pack.
    pub name: String,
    /// The range of its definition, in bytes of the program's text.
    pub range: Range<u32>,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the enclosing loops, outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// Its type.
    pub ty: String,
    /// Its elements.
    pub shown: Shown,
}

impl Traced {
    /// Formats as one line, without a line break. `place` is the location of the definition, such as `a.tile:12`.
    pub fn line(&self, place: &str) -> String {
        let Traced { name, block: [x, y, z], ty, shown, .. } = self;
        let iterations = match &self.iterations[..] {
            [] => String::new(),
            [one] => format!(", iteration {one}"),
            several => format!(", iteration {}", several.iter().map(u64::to_string).collect::<Vec<_>>().join("/")),
        };
        format!("{name} at {place} in block ({x}, {y}, {z}){iterations}: {ty} {shown}")
    }
}

/// The names of an entry's values in the program's text.
pub struct Names<'a> {
    spans: &'a Spans,
    /// The text from the start of the entry.
    text: &'a str,
}

impl<'a> Names<'a> {
    /// The names in an entry that begins at offset `start`.
    pub fn new(spans: &'a Spans, text: &'a str, start: u32) -> Names<'a> {
        Names { spans, text: text.get(start as usize..).unwrap_or_default() }
    }

    /// The name of a value, with `%`, and with `#` and its index in a pack.
    pub fn name(&self, value: Value) -> String {
        let (base, shared) = self.base(value.0 as usize);
        if shared { format!("{base}#{}", self.spans.ranks[value.0 as usize]) } else { base.to_string() }
    }

    /// The name at the definition, and whether several values share it.
    fn base(&self, index: usize) -> (&'a str, bool) {
        let definitions = &self.spans.definitions;
        let Some(range) = definitions.get(index) else { return ("", false) };
        let text = self.text.get(range.start as usize..range.end as usize).unwrap_or_default();
        let name = text.split([':', ' ']).next().unwrap_or_default();
        let near = [index.wrapping_sub(1), index + 1];
        (name, near.iter().any(|&other| definitions.get(other) == Some(range)))
    }

    /// All values with a name, in any region. `%a` means all values of a pack, `%a#1` only one.
    pub fn values(&self, name: &str) -> Vec<Value> {
        let name = with_sign(name);
        let all = 0..self.spans.definitions.len();
        let matches = |&index: &usize| self.base(index).0 == name || self.name(Value(index as u32)) == name;
        all.filter(matches).map(|index| Value(index as u32)).collect()
    }

    /// Reports an unknown name, in words that follow the name of the entry.
    pub fn mistake(&self, names: &[String]) -> Option<String> {
        let unknown = names.iter().find(|name| self.values(name).is_empty())?;
        let mut known: Vec<&str> = (0..self.spans.definitions.len()).map(|index| self.base(index).0).collect();
        // Unnamed results have the range of their op, which does not begin with `%`.
        known = known.into_iter().filter_map(|name| name.strip_prefix('%')).collect();
        known.dedup();
        let unknown = with_sign(unknown);
        let close = suggest::closest(&unknown[1..], known.iter().copied());
        let hint = match known.len() {
            count if count > MAX_LISTED && close.is_none() => {
                let some: Vec<String> = known[..MAX_LISTED / 2].iter().map(|name| format!("`%{name}`")).collect();
                format!("it has {count} values, such as {}", some.join(", "))
            }
            _ => suggest::value(&unknown[1..], &known),
        };
        Some(format!("has no value `{unknown}`: {hint}"))
    }
}

/// The maximum number of values that are listed.
const MAX_LISTED: usize = 12;

/// Adds a missing `%` to a name.
fn with_sign(name: &str) -> String {
    format!("%{}", name.trim().trim_start_matches('%'))
}

/// Reports values or a tile block that do not exist in an entry and a launch with this grid.
pub fn mistake(
    entry: &EntryLaunches,
    text: &str,
    grid: [u32; 3],
    values: &[String],
    block: Option<[u32; 3]>,
) -> Option<String> {
    if let Some(mistake) = Names::new(&entry.spans, text, entry.start).mistake(values) {
        return Some(format!("`@{}` {mistake}", entry.entry.name));
    }
    missing_block(grid, block)
}

/// Reports a tile block that does not exist in a grid.
pub fn missing_block(grid: [u32; 3], block: Option<[u32; 3]>) -> Option<String> {
    let [x, y, z] = block.filter(|block| block.iter().zip(grid).any(|(at, extent)| *at >= extent))?;
    let [to_x, to_y, to_z] = grid.map(|extent| extent - 1);
    Some(format!("tile block ({x}, {y}, {z}) does not exist: the grid goes from (0, 0, 0) to ({to_x}, {to_y}, {to_z})"))
}
