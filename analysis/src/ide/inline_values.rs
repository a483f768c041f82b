//! Inline values for debugging: the names whose values an editor shows next to the source while the debugger is
//! stopped. The debug adapter evaluates the names.

use super::completion::values::visible;
use crate::db::{self, File};
use std::collections::HashSet;
use std::ops::Range;

/// An occurrence of a value's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineValue {
    /// The range of the name, in bytes of the file.
    pub range: Range<u32>,
    /// The name as it is written, with its `%`.
    pub name: String,
}

/// The names of tiles in a range of a file that are visible at the line of `stopped`, in source order. Each name is
/// listed once per line. The results of the stopped line are omitted, because they are not computed yet.
pub fn inline_values(db: &dyn salsa::Database, file: File, range: &Range<u32>, stopped: u32) -> Vec<InlineValue> {
    let items = &db::layout(db, file).items;
    let holds = |base: u32, item: db::Item| (base..=base + item.text(db).len() as u32).contains(&stopped);
    let Some(&(base, item)) = items.iter().find(|&&(base, item)| holds(base, item)) else { return Vec::new() };
    let (text, spans) = (item.text(db), &db::lowered(db, item, file).spans);
    // Tokens and views have no contents to show.
    let visible = visible(db, file, stopped).into_iter().filter(|value| value.ty.as_tile().is_some());
    let visible: HashSet<String> = visible.map(|value| value.name).collect();
    let mut found = Vec::new();
    for place in spans.definitions.iter().chain(spans.uses.iter().map(|(place, _)| place)) {
        let name = text.get(place.start as usize..place.end as usize).filter(|name| visible.contains(*name));
        let (Some(name), place) = (name, place.start + base..place.end + base) else { continue };
        if range.start <= place.start && place.end <= range.end {
            found.push(InlineValue { range: place, name: name.to_string() });
        }
    }
    found.sort_by_key(|value| value.range.start);
    once_per_line(found, |at| text[..(at - base) as usize].matches('\n').count())
}

/// Removes names repeated on the same line.
fn once_per_line(mut found: Vec<InlineValue>, line: impl Fn(u32) -> usize) -> Vec<InlineValue> {
    let mut seen = HashSet::new();
    found.retain(|value| seen.insert((line(value.range.start), value.name.clone())));
    found
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{entry, file};
    use super::*;

    #[test]
    fn visible_tiles_are_listed_once_per_line() {
        let text = entry(
            "    %a = constant <i32: 3> : tile<i32>\n    %b = addi %a, %a : tile<i32>\n    \
             for %i in (%a to %b, step %a) : tile<i32> {\n      %c = addi %i, %a : tile<i32>\n    }\n    \
             %t = make_token : token\n    %d = addi %b, %b : tile<i32>\n    %e = addi %d, %d : tile<i32>",
        );
        let (db, file) = file(&text);
        let at = |name: &str| text.find(name).expect("it is there") as u32;
        let shown = |range: Range<u32>, stopped: &str| -> Vec<String> {
            inline_values(&db, file, &range, at(stopped)).into_iter().map(|value| value.name).collect()
        };
        let all = at("%a =")..text.len() as u32;
        // Values of the loop body are out of scope after the loop, and the results of the stopped line are not computed
        // yet.
        assert_eq!(shown(all.start..at("%e =") + 4, "%e ="), ["%a", "%b", "%a", "%a", "%b", "%a", "%d", "%b"]);
        assert_eq!(shown(all.start..at("%c =") + 16, "%c ="), ["%a", "%b", "%a", "%i", "%a", "%b", "%i", "%a"]);
        assert_eq!(shown(at("%b =")..at("%b =") + 2, "%c ="), ["%b"]);
        // Outside of an entry, there is nothing to show.
        assert!(inline_values(&db, file, &(0..text.len() as u32), text.len() as u32).is_empty());
    }
}
