//! Which values stand in the text before the place where a debugger has stopped, for editors that show beside each line what they
//! hold there. What they hold, the debugger says when it is asked for their names.

use super::completion::values::visible;
use crate::db::{self, File};
use std::collections::HashSet;
use std::ops::Range;

/// A name of a value that holds something to look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineValue {
    /// Where it stands, in bytes of the file.
    pub range: Range<u32>,
    /// The name as it is written, with its `%`.
    pub name: String,
}

/// The names of tiles in a range of a file that can be seen from the line of `stopped`, in the order of the text. A name that a
/// line repeats is told once. What that line computes is not there yet.
pub fn inline_values(db: &dyn salsa::Database, file: File, range: &Range<u32>, stopped: u32) -> Vec<InlineValue> {
    let items = &db::layout(db, file).items;
    let holds = |base: u32, item: db::Item| (base..=base + item.text(db).len() as u32).contains(&stopped);
    let Some(&(base, item)) = items.iter().find(|&&(base, item)| holds(base, item)) else { return Vec::new() };
    let (text, spans) = (item.text(db), &db::lowered(db, item, file).spans);
    // Tokens and views hold nothing that a line could show.
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
    once_a_line(found, |at| text[..(at - base) as usize].matches('\n').count())
}

/// Leaves out what a line says a second time.
fn once_a_line(mut found: Vec<InlineValue>, line: impl Fn(u32) -> usize) -> Vec<InlineValue> {
    let mut seen = HashSet::new();
    found.retain(|value| seen.insert((line(value.range.start), value.name.clone())));
    found
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{entry, file};
    use super::*;

    #[test]
    fn tiles_are_named_where_they_stand_once_a_line() {
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
        // What the loop has computed is gone behind it, and what the line computes is not there yet.
        assert_eq!(shown(all.start..at("%e =") + 4, "%e ="), ["%a", "%b", "%a", "%a", "%b", "%a", "%d", "%b"]);
        assert_eq!(shown(all.start..at("%c =") + 16, "%c ="), ["%a", "%b", "%a", "%i", "%a", "%b", "%i", "%a"]);
        assert_eq!(shown(at("%b =")..at("%b =") + 2, "%c ="), ["%b"]);
        // Somewhere else nothing has stopped.
        assert!(inline_values(&db, file, &(0..text.len() as u32), text.len() as u32).is_empty());
    }
}
