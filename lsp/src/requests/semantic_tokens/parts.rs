//! The words of a large file, painted on several threads: each takes a part that starts with an entry.

use super::delta::{Behind, Painted, Recorder};
use super::encode::{Encoder, Json};
use super::paint::paint;
use crate::text::Text;
use crate::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use tile_analysis::db::{self, Database, File};

/// A text of fewer bytes is not worth a second thread.
const LARGE: usize = 64 << 10;

/// How many parts there are for each thread: one that is held up takes fewer.
const PARTS_EACH: usize = 4;

/// A part: its tokens as JSON and as what is remembered of them. The first token waits, since it is counted from the last
/// one before.
struct Part {
    first: Option<[u32; 5]>,
    rest: Json,
    behind: Behind,
    last: (u32, u32),
}

/// The whole answer, in pieces, and what is remembered of it.
pub(super) fn full(db: &Database, file: File, text: &Text, id: u64, with_plain: bool) -> (Vec<Vec<u8>>, Painted) {
    let ranges = ranges(db, file);
    let threads = if ranges.len() > 1 { threads::count() } else { 1 };
    in_ranges(db, file, text, id, with_plain, &ranges, threads)
}

fn in_ranges(
    db: &Database,
    file: File,
    text: &Text,
    id: u64,
    with_plain: bool,
    ranges: &[Range<u32>],
    threads: usize,
) -> (Vec<Vec<u8>>, Painted) {
    let next = AtomicUsize::new(0);
    let work = |db: &Database| {
        let mut parts = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = ranges.get(number) else { return parts };
            parts.push((number, part(db, file, text, range, with_plain)));
        }
    };
    let mut parts: Vec<(usize, Part)> = std::thread::scope(|scope| {
        let spawn = |_| {
            let (db, work) = (db.clone(), &work);
            std::thread::Builder::new().stack_size(threads::STACK).spawn_scoped(scope, move || work(&db))
        };
        // Where there are no more threads, those that are there do more.
        let others: Vec<_> = (1..threads).map(spawn).filter_map(Result::ok).collect();
        let mut parts = work(db);
        for other in others {
            // It was cancelled as this thread would have been.
            parts.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        parts
    });
    parts.sort_unstable_by_key(|(number, _)| *number);
    join(id, parts.into_iter().map(|(_, part)| part))
}

/// Cuts a file at entries into parts of about the same size.
fn ranges(db: &Database, file: File) -> Vec<Range<u32>> {
    let length = file.text(db).len();
    let count = if length < LARGE { 1 } else { threads::count() * PARTS_EACH };
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
    let mut part = Part { first: None, rest: Json::tokens(range.len()), behind: Behind::default(), last: (0, 0) };
    paint(db, file, range.clone(), with_plain, encoder, |token| {
        let [lines, columns, ..] = token;
        part.last = if lines == 0 { (part.last.0, part.last.1 + columns) } else { (part.last.0 + lines, columns) };
        match part.first {
            None => part.first = Some(token),
            Some(_) => {
                part.rest.token(token);
                part.behind.token(token);
            }
        }
    });
    part
}

fn join(id: u64, parts: impl Iterator<Item = Part>) -> (Vec<Vec<u8>>, Painted) {
    let (mut pieces, mut seam) = (Vec::new(), Json::full(id));
    let mut recorder = Recorder::new(id);
    let mut last = (0, 0);
    for part in parts {
        let Some([line, column, length, kind, modifiers]) = part.first else { continue };
        let from = if line == last.0 { last.1 } else { 0 };
        let first = [line - last.0, column - from, length, kind, modifiers];
        seam.token(first);
        recorder.token(first);
        recorder.follow(part.behind);
        pieces.extend([seam.into_bytes(), part.rest.into_bytes()]);
        seam = Json::tokens(0);
        last = part.last;
    }
    pieces.push(seam.finish());
    (pieces, recorder.finish())
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
        let all = 0..text.rope.len_bytes() as u32;
        let joined = |(pieces, painted): (Vec<Vec<u8>>, Painted)| (pieces.concat(), painted);
        let whole = joined(in_ranges(&db, file, &text, 1, true, std::slice::from_ref(&all), 1));
        let items = &db::layout(&db, file).items;
        for step in [1, 7, 300] {
            let cuts: Vec<u32> = items.iter().step_by(step).map(|(start, _)| *start).collect();
            let starts = std::iter::once(0).chain(cuts.iter().copied());
            let ends = cuts.iter().copied().chain([text.rope.len_bytes() as u32]);
            let ranges: Vec<Range<u32>> = starts.zip(ends).map(|(start, end)| start..end).collect();
            let parts = joined(in_ranges(&db, file, &text, 1, true, &ranges, 3));
            assert!(parts == whole, "every {step}");
        }
        assert!(joined(full(&db, file, &text, 1, true)) == whole);
    }
}
