//! What values are known to hold, for editors that show values beside the lines where they stand.

use super::hover::facts::known_of;
use crate::db::{self, File};
use crate::ir::Value;
use crate::types::Type;
use std::ops::Range;

/// A value that stands in the text, with what it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineValue {
    /// The name, in bytes of the file.
    pub range: Range<u32>,
    /// What it holds: `%n = 64`, `%i in 0 to 7`, `%m ≥ 1`.
    pub text: String,
}

/// The values in a range of a file of which integers are known, in the order of the text.
pub fn inline_values(db: &dyn salsa::Database, file: File, range: &Range<u32>) -> Vec<InlineValue> {
    let mut found = Vec::new();
    for &(base, item) in &db::layout(db, file).items {
        let text = item.text(db);
        if base > range.end || base + (text.len() as u32) < range.start {
            continue;
        }
        let lowered = db::lowered(db, item, file);
        let (spans, known) = (&lowered.spans, known_of(text, lowered));
        let definitions = spans.definitions.iter().enumerate();
        let definitions = definitions.map(|(index, place)| (place.clone(), Value(index as u32)));
        let uses = spans.uses.iter().map(|(place, value)| (place.clone(), *value));
        for (place, value) in definitions.chain(uses) {
            let name = text.get(place.start as usize..place.end as usize).filter(|name| name.starts_with('%'));
            let (Some(name), Some((low, high))) = (name, known.bounds(value)) else { continue };
            let place = place.start + base..place.end + base;
            if range.start <= place.start && place.end <= range.end {
                let held = held(lowered.body.ty(value), low, high);
                found.push(InlineValue { range: place, text: format!("{name} {held}") });
            }
        }
    }
    found.sort_by_key(|value| value.range.start);
    // Values that share a name share its place.
    found.dedup_by(|a, b| a.range == b.range);
    found
}

/// The integers from `low` to `high`, as far as a type does not say so itself.
fn held(ty: Type, low: i64, high: i64) -> String {
    let bits = ty.as_tile().and_then(|tile| tile.number()).map_or(64, |element| element.bits());
    let (lowest, highest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    match (low, high) {
        _ if low == high => format!("= {low}"),
        _ if low == lowest => format!("≤ {high}"),
        _ if high == highest => format!("≥ {low}"),
        _ => format!("in {low} to {high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{entry, file};
    use super::*;

    #[test]
    fn integers_that_are_known_are_shown_where_they_stand() {
        let text = entry(
            "    %a = constant <i32: 3> : tile<i32>\n    %b = addi %a, %a : tile<i32>\n    \
             for %i in (%a to %b, step %a) : tile<i32> {\n    }\n    %f = constant <f32: 1.0> : tile<f32>",
        );
        let (db, file) = file(&text);
        let told = |range: Range<u32>| -> Vec<String> {
            inline_values(&db, file, &range).into_iter().map(|value| value.text).collect()
        };
        let all = told(0..text.len() as u32);
        assert_eq!(all[..4], ["%a = 3", "%b = 6", "%a = 3", "%a = 3"]);
        assert!(all.iter().all(|text| !text.starts_with("%f") && !text.starts_with("%p")), "{all:?}");
        assert_eq!(held(Type::tile(&[], tile_dialect::Element::I8), 0, 127), "≥ 0");
        assert_eq!(held(Type::tile(&[], tile_dialect::Element::I8), -128, 5), "≤ 5");
        let at = text.find("%b =").expect("it is there") as u32;
        assert_eq!(told(at..at + 2), ["%b = 6"]);
        assert_eq!(told(0..1), [""; 0]);
    }
}
