//! Which values stand in the text before the place where a debugger has stopped, for editors that show beside each line what they
//! hold there. What they hold, the debugger says when it is asked for their names.

use crate::db::{self, File};
use crate::ir::Value;
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

/// The names of tiles in a range of a file, within the entry in which `stopped` lies, in the order of the text. A name that a
/// line repeats is told once.
pub fn inline_values(db: &dyn salsa::Database, file: File, range: &Range<u32>, stopped: u32) -> Vec<InlineValue> {
    let items = &db::layout(db, file).items;
    let holds = |base: u32, item: db::Item| (base..=base + item.text(db).len() as u32).contains(&stopped);
    let Some(&(base, item)) = items.iter().find(|&&(base, item)| holds(base, item)) else { return Vec::new() };
    let (text, lowered) = (item.text(db), db::lowered(db, item, file));
    let spans = &lowered.spans;
    let definitions = spans.definitions.iter().enumerate().map(|(index, place)| (place.clone(), Value(index as u32)));
    let uses = spans.uses.iter().map(|(place, value)| (place.clone(), *value));
    let mut found = Vec::new();
    for (place, value) in definitions.chain(uses) {
        let name = text.get(place.start as usize..place.end as usize).filter(|name| name.starts_with('%'));
        // Tokens and views hold nothing that a line could show.
        let Some(name) = name.filter(|_| lowered.body.ty(value).as_tile().is_some()) else { continue };
        let place = place.start + base..place.end + base;
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
             for %i in (%a to %b, step %a) : tile<i32> {\n    }\n    %t = make_token : token",
        );
        let (db, file) = file(&text);
        let stopped = text.find("%b =").expect("it is there") as u32;
        let told = |range: Range<u32>| -> Vec<String> {
            inline_values(&db, file, &range, stopped).into_iter().map(|value| value.name).collect()
        };
        let all = told(text.find("%a =").expect("it is there") as u32..text.len() as u32);
        assert_eq!(all, ["%a", "%b", "%a", "%i", "%a", "%b"]);
        assert_eq!(told(stopped..stopped + 2), ["%b"]);
        assert_eq!(told(0..1), [""; 0]);
        // Somewhere else nothing has stopped.
        assert!(inline_values(&db, file, &(0..text.len() as u32), text.len() as u32).is_empty());
    }
}
