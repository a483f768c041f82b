//! What a lost token costs: its own statement, and nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_tests::examples;

/// What an editor can show of a program: every entry, and every value with its type and the line of its definition.
struct Shown {
    entries: Vec<String>,
    values: BTreeMap<(String, String), (String, usize)>,
}

fn shown(text: &str) -> Shown {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    db::diagnostics(&db, file);
    let (mut entries, mut values) = (Vec::new(), BTreeMap::new());
    for &(start, item) in &db::layout(&db, file).items {
        let lowered = db::lowered(&db, item, file);
        entries.push(lowered.body.name.to_string());
        for (index, place) in lowered.spans.definitions.iter().enumerate() {
            let place = place.start as usize + start as usize..place.end as usize + start as usize;
            let name = text[place.clone()].to_string();
            if name.starts_with('%') {
                let ty = lowered.body.values[index].to_string();
                let key = (entries[entries.len() - 1].clone(), format!("{name}#{}", lowered.spans.ranks[index]));
                values.insert(key, (ty, text[..place.start].matches('\n').count()));
            }
        }
    }
    Shown { entries, values }
}

/// The lines of the statement that the byte belongs to: a statement may go on over several lines.
fn statement_lines(text: &str, at: usize) -> std::ops::Range<usize> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let line = |offset: usize| text[..offset].matches('\n').count();
    let mut lines = line(at)..line(at) + 1;
    for &(start, item) in &db::layout(&db, file).items {
        let lowered = db::lowered(&db, item, file);
        let places =
            lowered.spans.statements.iter().map(|place| (place.start + start) as usize..(place.end + start) as usize);
        let around = places.filter(|place| place.contains(&at)).min_by_key(|place| place.len());
        if let Some(around) = around {
            // The header of an op with regions ends where its first region opens.
            let header = text[around.clone()].find("{\n").map_or(around.end, |brace| around.start + brace);
            lines = line(around.start).min(lines.start)..(line(header.max(at)) + 1).max(lines.end);
        }
    }
    lines
}

#[test]
fn a_lost_token_leaves_the_other_lines_typed() {
    let mut lost = Vec::new();
    for (name, text) in examples() {
        let whole = shown(&text);
        let tokens = tile_syntax::lex(&text);
        for token in 0..tokens.len() {
            let (start, end) = (tokens.start(token) as usize, tokens.end(token) as usize);
            let without = format!("{}{}", &text[..start], &text[end..]);
            let left = shown(&without);
            let own = statement_lines(&text, start);
            let word = &text[start..end];
            let line = text[..start].matches('\n').count() + 1;
            if left.entries.len() < whole.entries.len() {
                lost.push(format!("{name}:{line}: without `{word}` an entry is lost"));
            }
            let entry_renamed = left.entries != whole.entries;
            for ((entry, value), (ty, at)) in &whole.values {
                if own.contains(at) {
                    continue;
                }
                let same = |(key, now): (&(String, String), &(String, usize))| {
                    key.1 == *value && (entry_renamed || key.0 == *entry) && now.0 == *ty
                };
                if !left.values.iter().any(same) {
                    lost.push(format!("{name}:{line}: without `{word}` the value {value} of line {} is lost", at + 1));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} losses, the first of them:\n{}", lost.len(), lost[..lost.len().min(40)].join("\n"));
}

#[test]
fn no_cut_of_an_example_makes_the_front_end_panic() {
    for (_, text) in examples() {
        for end in (0..text.len()).step_by(7).filter(|&end| text.is_char_boundary(end)) {
            shown(&text[..end]);
            shown(&text[end..]);
        }
    }
}
