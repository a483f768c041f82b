//! Error recovery: a missing token affects only its own statement.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_tests::examples;

/// Approximate maximum number of positions to try in an example, spread evenly. Trying all would take quadratic time.
const MAX_POSITIONS: usize = 200;

/// The entries of a program, and the values with their types and the lines of their definitions.
struct Summary {
    entries: Vec<String>,
    values: BTreeMap<(String, String), (String, usize)>,
}

fn summarize(text: &str) -> Summary {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    db::diagnostics(&db, file);
    let (mut entries, mut values) = (Vec::new(), BTreeMap::new());
    for &(start, item) in &db::layout(&db, file).items {
        let lowered = db::lowered(&db, item, file);
        entries.push(lowered.body.name.to_string());
        for (index, range) in lowered.spans.definitions.iter().enumerate() {
            let range = range.start as usize + start as usize..range.end as usize + start as usize;
            let name = text[range.clone()].to_string();
            if name.starts_with('%') {
                let ty = lowered.body.values[index].to_string();
                let key = (entries[entries.len() - 1].clone(), format!("{name}#{}", lowered.spans.ranks[index]));
                values.insert(key, (ty, text[..range.start].matches('\n').count()));
            }
        }
    }
    Summary { entries, values }
}

/// The ranges of the statements of a program.
fn statements(text: &str) -> Vec<Range<usize>> {
    let db = Database::default();
    let file = File::new(&db, Arc::from(text), Options::default());
    let mut found = Vec::new();
    for &(start, item) in &db::layout(&db, file).items {
        let ranges = &db::lowered(&db, item, file).spans.statements;
        found.extend(ranges.iter().map(|range| (range.start + start) as usize..(range.end + start) as usize));
    }
    found
}

/// The lines of the statement that contains an offset.
fn statement_lines(text: &str, statements: &[Range<usize>], at: usize) -> Range<usize> {
    let line = |offset: usize| text[..offset].matches('\n').count();
    let lines = line(at)..line(at) + 1;
    let around = statements.iter().filter(|range| range.contains(&at)).min_by_key(|range| range.len());
    let Some(around) = around else { return lines };
    // The header of an op with regions ends where its first region opens.
    let header = text[around.clone()].find("{\n").map_or(around.end, |brace| around.start + brace);
    line(around.start).min(lines.start)..(line(header.max(at)) + 1).max(lines.end)
}

#[test]
fn a_lost_token_leaves_the_other_lines_typed() {
    let mut lost = Vec::new();
    for (name, text) in examples() {
        let complete = summarize(&text);
        let statements = statements(&text);
        let tokens = tile_syntax::lex(&text);
        for token in (0..tokens.len()).step_by(1 + tokens.len() / MAX_POSITIONS) {
            let (start, end) = (tokens.start(token) as usize, tokens.end(token) as usize);
            let without = format!("{}{}", &text[..start], &text[end..]);
            let remaining = summarize(&without);
            let affected = statement_lines(&text, &statements, start);
            let word = &text[start..end];
            let line = text[..start].matches('\n').count() + 1;
            if remaining.entries.len() < complete.entries.len() {
                lost.push(format!("{name}:{line}: without `{word}` an entry is lost"));
            }
            let entry_renamed = remaining.entries != complete.entries;
            for (key, (ty, at)) in &complete.values {
                let value = &key.1;
                let same = |(key, found): (&(String, String), &(String, usize))| key.1 == *value && found.0 == *ty;
                let kept = remaining.values.get(key).is_some_and(|found| found.0 == *ty)
                    || entry_renamed && remaining.values.iter().any(same);
                if !kept && !affected.contains(at) {
                    lost.push(format!("{name}:{line}: without `{word}` the value {value} of line {} is lost", at + 1));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} losses, the first of them:\n{}", lost.len(), lost[..lost.len().min(40)].join("\n"));
}

#[test]
fn truncated_examples_do_not_panic() {
    for (_, text) in examples() {
        for end in (0..text.len()).step_by(7 + text.len() / MAX_POSITIONS).filter(|&end| text.is_char_boundary(end)) {
            summarize(&text[..end]);
            summarize(&text[end..]);
        }
    }
}
