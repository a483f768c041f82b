//! The words of a large file, painted on several threads: each takes a part that starts with an entry.

use super::delta::{Painted, Recorder, sum};
use super::encode::{Encoder, Json};
use super::paint;
use crate::text::Text;
use crate::threads;
use std::ops::Range;
use tile_analysis::db::{self, Database, File};

/// A text of fewer bytes is not worth a second thread.
const LARGE: usize = 64 << 10;

/// A part: its tokens as JSON and as sums. The first token waits, since it is counted from the last one before.
struct Part {
    first: Option<[u32; 5]>,
    rest: Json,
    sums: Vec<u64>,
    last: (u32, u32),
}

/// The whole answer, and what is remembered of it.
pub(super) fn full(db: &Database, file: File, text: &Text, id: u64, with_plain: bool) -> (Vec<u8>, Painted) {
    in_ranges(db, file, text, id, with_plain, &ranges(db, file))
}

fn in_ranges(
    db: &Database,
    file: File,
    text: &Text,
    id: u64,
    with_plain: bool,
    ranges: &[Range<u32>],
) -> (Vec<u8>, Painted) {
    let work = |db: &Database, range: &Range<u32>| part(db, file, text, range, with_plain);
    let parts: Vec<Part> = std::thread::scope(|scope| {
        let others: Vec<_> = ranges[1..]
            .iter()
            .map(|range| {
                let db = db.clone();
                let work = move || work(&db, range);
                std::thread::Builder::new().stack_size(crate::STACK).spawn_scoped(scope, work)
            })
            .collect();
        let mut parts = vec![work(db, &ranges[0])];
        for (other, range) in others.into_iter().zip(&ranges[1..]) {
            parts.push(match other.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(part)) => part,
                // Cancelled like this thread would have been.
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // There are no more threads.
                Err(_) => work(db, range),
            });
        }
        parts
    });
    join(id, parts)
}

/// Cuts a file at entries into parts of about the same size.
fn ranges(db: &Database, file: File) -> Vec<Range<u32>> {
    let length = file.text(db).len();
    let threads = threads::count();
    let count = if length < LARGE { 1 } else { threads };
    let items = &db::layout(db, file).items;
    let mut cuts: Vec<u32> = (1..count)
        .filter_map(|part| {
            let wanted = (length / count * part) as u32;
            items.get(items.partition_point(|(start, _)| *start < wanted)).map(|(start, _)| *start)
        })
        .collect();
    cuts.dedup();
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    starts.zip(cuts.iter().copied().chain([length as u32])).map(|(start, end)| start..end).collect()
}

fn part(db: &Database, file: File, text: &Text, range: &Range<u32>, with_plain: bool) -> Part {
    let line = text.rope.byte_to_line(range.start as usize);
    let encoder = Encoder::from(file.text(db), text.encoding, text.rope.line_to_byte(line) as u32, line as u32);
    let mut part =
        Part { first: None, rest: Json::tokens(range.len()), sums: Vec::with_capacity(range.len() / 8), last: (0, 0) };
    paint(db, file, range.clone(), with_plain, encoder, |token| {
        let [lines, columns, ..] = token;
        part.last = if lines == 0 { (part.last.0, part.last.1 + columns) } else { (part.last.0 + lines, columns) };
        match part.first {
            None => part.first = Some(token),
            Some(_) => {
                part.rest.token(token);
                part.sums.push(sum(token));
            }
        }
    });
    part
}

fn join(id: u64, parts: Vec<Part>) -> (Vec<u8>, Painted) {
    let mut json = Json::full(id, parts.iter().map(|part| part.rest.len()).sum());
    let mut recorder = Recorder::new(id);
    let mut last = (0, 0);
    for part in parts {
        let Some([line, column, length, kind, modifiers]) = part.first else { continue };
        let from = if line == last.0 { last.1 } else { 0 };
        let first = [line - last.0, column - from, length, kind, modifiers];
        json.token(first);
        recorder.token(first);
        json.append(&part.rest);
        part.sums.into_iter().for_each(|sum| recorder.add(sum));
        last = part.last;
    }
    (json.finish(), recorder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Encoding;
    use tile_analysis::context::Options;

    #[test]
    fn parts_make_the_same_whole() {
        let entry = |n: usize| {
            format!("  // ä {n}\n  entry @k{n}(%p: tile<i32>) {{\n    %a = addi %p, %p : tile<i32> return }}")
        };
        let entries: Vec<String> = (0..900).map(entry).collect();
        // Entries that share a line with what stands before them, too.
        let text =
            format!("cuda_tile.module @m {{\n{}\n}}\n", entries.join("\n").replace("return }\n  // ä 7", "return }"));
        let db = Database::default();
        let file = File::new(&db, text.as_str().into(), Options::default());
        let text = Text::new(&text, Encoding::Utf16);
        let whole = in_ranges(&db, file, &text, 1, true, std::slice::from_ref(&(0..text.rope.len_bytes() as u32)));
        let items = &db::layout(&db, file).items;
        for step in [1, 7, 300] {
            let cuts: Vec<u32> = items.iter().step_by(step).map(|(start, _)| *start).collect();
            let starts = std::iter::once(0).chain(cuts.iter().copied());
            let ends = cuts.iter().copied().chain([text.rope.len_bytes() as u32]);
            let ranges: Vec<Range<u32>> = starts.zip(ends).map(|(start, end)| start..end).collect();
            let (json, painted) = in_ranges(&db, file, &text, 1, true, &ranges);
            assert!(json == whole.0 && painted == whole.1, "every {step}");
        }
        assert_eq!(full(&db, file, &text, 1, true), whole);
    }
}
