//! Test programs with `$0` as the cursor.

use crate::context::Options;
use crate::db::{Database, File};
use std::ops::Range;
use tile_dialect::Gpu;

/// Loads a program and returns it with the offset of the cursor.
pub(super) fn cursor(text: &str) -> (Database, File, u32) {
    let offset = text.find("$0").expect("a cursor");
    let (db, file) = file(&text.replacen("$0", "", 1));
    (db, file, offset as u32)
}

/// Like [`cursor`], checked for a GPU.
pub(super) fn cursor_on(gpu: Gpu, text: &str) -> (Database, File, u32) {
    let (mut db, file, offset) = cursor(text);
    file.set_options(&mut db, Options { gpu: Some(gpu), ..Options::default() });
    (db, file, offset)
}

/// Like [`cursor`], with the SIMT preview enabled.
pub(super) fn cursor_in_preview(text: &str) -> (Database, File, u32) {
    let (mut db, file, offset) = cursor(text);
    file.set_options(&mut db, Options { preview: true, ..Options::default() });
    (db, file, offset)
}

/// Loads a program without a cursor.
pub(super) fn file(text: &str) -> (Database, File) {
    let db = Database::default();
    let file = File::new(&db, text.into(), Options::default());
    (db, file)
}

/// The text with each range in `[…]`, without the cursor.
pub(super) fn marked(text: &str, ranges: impl IntoIterator<Item = Range<u32>>) -> String {
    let mut out = text.replacen("$0", "", 1);
    let mut ranges: Vec<_> = ranges.into_iter().collect();
    ranges.sort_by_key(|range| range.start);
    for range in ranges.into_iter().rev() {
        out.insert(range.end as usize, ']');
        out.insert(range.start as usize, '[');
    }
    out
}

/// A module with one entry that has this body.
pub(super) fn entry(body: &str) -> String {
    format!("cuda_tile.module @m {{\n  entry @k(%p: tile<ptr<f32>>) {{\n{body}\n    return\n  }}\n}}\n")
}

/// Expands a snippet with its default texts.
pub(super) fn filled(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if out.ends_with('\\') {
            out.pop();
            out.push('$');
            continue;
        }
        let Some(inner) = rest.strip_prefix('{') else {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            continue;
        };
        let end = inner.match_indices('}').find(|(at, _)| !inner[..*at].ends_with('\\')).expect("it is closed").0;
        let default = inner[..end].trim_start_matches(|c: char| c.is_ascii_digit());
        let default = match default.strip_prefix('|') {
            Some(choices) => choices.split([',', '|']).next().unwrap_or(""),
            None => default.trim_start_matches(':'),
        };
        out.push_str(&default.replace("\\\\", "\\").replace("\\}", "}").replace("\\$", "$"));
        rest = &inner[end + 1..];
    }
    out + rest
}
