//! Checks that reading any text terminates, does not panic, loses nothing and reports valid ranges.
//!
//! The texts resemble programs in the middle of an edit: the examples, and those of the diagnostics' pages, with words
//! and lines removed, duplicated, swapped and mixed. They are the same in every run. If `TILE_FUZZ` is set to a number,
//! that many random texts are tested instead.

use super::trees::{assert_in_text, assert_lossless};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::diagnostics::PAGES;
use tile_analysis::program::Program;
use tile_syntax::{PieceKind, lex, parse_item, parse_outline, split};

/// Reading one of the texts takes milliseconds, so anything that takes this long is a hang, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The programs that the texts are derived from.
static PROGRAMS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the examples").flatten().map(|file| file.path()).collect();
    paths.sort();
    let examples = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "tile"));
    let examples = examples.map(|path| std::fs::read_to_string(path).expect("an example is text"));
    let pages = PAGES.iter().flat_map(|page| [page.wrong, page.right].map(str::to_string));
    examples.chain(pages).collect()
});

/// Every word of the programs once, and some words that occur in none of them.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let odd =
        ["{-#", "#-}", "\"", "\"\\", "//", "%", "@", "^", "é", "𝄞", "\0", "\u{feff}", "\r", "99999999999999999999"];
    let more =
        ["0x", "0xFFFFFFFFFFFFFFFFFF", "1.0e999", "-", "%a#1", "%a:4", "?x", "8x", "x8", "tile<", "ptr<", "()", "<>"];
    let mut words: Vec<String> = odd.into_iter().chain(more).map(str::to_string).collect();
    for text in PROGRAMS.iter() {
        let tokens = lex(text);
        words.extend((0..tokens.len()).map(|index| tokens.text(index, text).to_string()));
    }
    words.sort();
    words.dedup();
    words
});

/// Checks all properties for a text.
fn check(text: &str) {
    let began = Instant::now();
    assert_lossless(text, &lex(text));
    let pieces = split(text);
    let mut at = 0;
    for piece in &pieces {
        assert_eq!(piece.range.start, at, "the pieces are contiguous: {pieces:?}");
        assert!(text.is_char_boundary(piece.range.end), "{pieces:?}");
        at = piece.range.end;
    }
    assert_eq!(at, text.len(), "the pieces reach the end");
    let outline = parse_outline(text, &pieces);
    assert_in_text(text, &outline);
    let mut is_invalid = !outline.errors.is_empty();
    for piece in pieces.iter().filter(|piece| piece.kind == PieceKind::Item) {
        let item = &text[piece.range.clone()];
        let tree = parse_item(item);
        assert_lossless(item, &tree.tokens);
        assert_in_text(item, &tree);
        is_invalid |= !tree.errors.is_empty();
    }
    for upstream_tests in [false, true] {
        let db = Database::default();
        let file = File::new(&db, Arc::from(text), Options { upstream_tests, ..Options::default() });
        let found = db::diagnostics(&db, file);
        found.iter().for_each(|found| assert_points_into(text, found));
        let has_error = found.iter().any(|found| found.severity == Severity::Error);
        assert!(has_error || !is_invalid, "no syntax error is reported in\n{text}");
        Program::of(&db, file).module();
    }
    assert!(began.elapsed() < TIMEOUT, "reading it took {:?}", began.elapsed());
}

fn assert_points_into(text: &str, found: &Diagnostic) {
    let labels = found.labels.iter().map(|label| &label.range);
    let edits = found.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.range);
    for range in std::iter::once(&found.range).chain(labels).chain(edits) {
        let is_inside = text.get(range.start as usize..range.end as usize).is_some();
        assert!(is_inside, "{range:?} of {} bytes: {found:?}", text.len());
    }
}

/// A random change of a text. Its indices are taken modulo the number of words, lines or bytes.
#[derive(Clone, Copy, Debug)]
enum Edit {
    RemoveWord(usize),
    DoubleWord(usize),
    SwapWords(usize, usize),
    InsertWord(usize, usize),
    RemoveLine(usize),
    DoubleLine(usize),
    SwapLines(usize, usize),
    JoinLines(usize),
    InsertCharacter(usize, char),
    CutAfter(usize),
    CutBefore(usize),
}

/// Returns the range of the word at an index, modulo the number of words.
fn word(text: &str, index: usize) -> std::ops::Range<usize> {
    let tokens = lex(text);
    if tokens.is_empty() {
        return 0..0;
    }
    let index = index % tokens.len();
    tokens.start(index) as usize..tokens.end(index) as usize
}

fn boundary(text: &str, at: usize) -> usize {
    let at = at % (text.len() + 1);
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn swapped(text: &str, a: std::ops::Range<usize>, b: std::ops::Range<usize>) -> String {
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end > b.start {
        return text.to_string();
    }
    [&text[..a.start], &text[b.clone()], &text[a.end..b.start], &text[a], &text[b.end..]].concat()
}

fn with_lines(text: &str, change: impl FnOnce(&mut Vec<&str>)) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if !lines.is_empty() {
        change(&mut lines);
    }
    lines.concat()
}

impl Edit {
    fn apply(self, text: &str) -> String {
        match self {
            Edit::RemoveWord(at) => {
                let place = word(text, at);
                [&text[..place.start], &text[place.end..]].concat()
            }
            Edit::DoubleWord(at) => {
                let place = word(text, at);
                [&text[..place.end], " ", &text[place.start..]].concat()
            }
            Edit::SwapWords(a, b) => swapped(text, word(text, a), word(text, b)),
            Edit::InsertWord(at, which) => {
                let place = word(text, at);
                let new = &WORDS[which % WORDS.len()];
                [&text[..place.start], new, " ", &text[place.start..]].concat()
            }
            Edit::RemoveLine(at) => with_lines(text, |lines| _ = lines.remove(at % lines.len())),
            Edit::DoubleLine(at) => with_lines(text, |lines| lines.insert(at % lines.len(), lines[at % lines.len()])),
            Edit::SwapLines(a, b) => with_lines(text, |lines| {
                let count = lines.len();
                lines.swap(a % count, b % count);
            }),
            Edit::JoinLines(at) => with_lines(text, |lines| {
                let index = at % lines.len();
                lines[index] = lines[index].trim_end_matches('\n');
            }),
            Edit::InsertCharacter(at, new) => {
                let at = boundary(text, at);
                format!("{}{new}{}", &text[..at], &text[at..])
            }
            Edit::CutAfter(at) => text[..boundary(text, at)].to_string(),
            Edit::CutBefore(at) => text[boundary(text, at)..].to_string(),
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = || any::<usize>();
    prop_oneof![
        4 => at().prop_map(Edit::RemoveWord),
        2 => at().prop_map(Edit::DoubleWord),
        2 => (at(), at()).prop_map(|(a, b)| Edit::SwapWords(a, b)),
        4 => (at(), at()).prop_map(|(at, which)| Edit::InsertWord(at, which)),
        2 => at().prop_map(Edit::RemoveLine),
        2 => at().prop_map(Edit::DoubleLine),
        1 => (at(), at()).prop_map(|(a, b)| Edit::SwapLines(a, b)),
        2 => at().prop_map(Edit::JoinLines),
        2 => (at(), any::<char>()).prop_map(|(at, new)| Edit::InsertCharacter(at, new)),
        1 => at().prop_map(Edit::CutAfter),
        1 => at().prop_map(Edit::CutBefore),
    ]
}

/// A program with a few edits.
fn damaged() -> impl Strategy<Value = String> {
    let program = any::<usize>().prop_map(|which| PROGRAMS[which % PROGRAMS.len()].clone());
    (program, prop::collection::vec(edit(), 1..8))
        .prop_map(|(text, edits)| edits.iter().fold(text, |text, edit| edit.apply(&text)))
}

/// Words of all programs in random order, often inside an entry.
fn soup() -> impl Strategy<Value = String> {
    let word = (any::<usize>(), prop_oneof![4 => Just(" "), 1 => Just(""), 1 => Just("\n")]);
    let word = word.prop_map(|(which, blank)| format!("{}{blank}", WORDS[which % WORDS.len()]));
    (prop::collection::vec(word, 0..120), 0..3).prop_map(|(words, place)| match place {
        0 => words.concat(),
        1 => format!("entry @k(%a: tile<i32>, %p: tile<ptr<f32>>) {{\n{}\n}}\n", words.concat()),
        _ => format!("cuda_tile.module @m {{\nentry @k() {{\n}}\n{}", words.concat()),
    })
}

/// Random characters, and random bytes converted to text lossily.
fn noise() -> impl Strategy<Value = String> {
    let bytes =
        prop::collection::vec(any::<u8>(), 0..200).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let ascii =
        prop::collection::vec(0x20u8..0x7f, 0..200).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![prop::collection::vec(any::<char>(), 0..100).prop_map(String::from_iter), bytes, ascii]
}

/// Checks `cases` random texts.
fn run(cases: u32, texts: impl Strategy<Value = String>) {
    let fuzz = std::env::var("TILE_FUZZ").ok().and_then(|count| count.parse().ok());
    let config = Config { cases: fuzz.unwrap_or(cases), failure_persistence: None, ..Config::default() };
    let mut runner = match fuzz {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let outcome = runner.run(&texts, |text| {
        check(&text);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn damaged_programs() {
    run(400, damaged());
}

#[test]
fn soups_of_words() {
    run(400, soup());
}

#[test]
fn noise_of_characters() {
    run(400, noise());
}

/// Texts that fuzzing found.
#[test]
fn texts_that_failed_before() {
    check("<{{entry {{{\u{fffd}\n}");
}

#[test]
fn the_programs_themselves() {
    PROGRAMS.iter().for_each(|text| check(text));
    PROGRAMS.iter().for_each(|text| check(&text.replace('\n', "\r\n")));
}

/// The number of times a text is read at least, and at most, until its shortest time counts.
const ROUNDS: (usize, usize) = (3, 20);

/// Checks that time grows roughly linearly with the text: four times the text may take at most ten times as long.
#[test]
fn time_grows_with_the_text() {
    let statement =
        "    %x = addi %a, %a : tile<i32>\n    %y = addi %nope, : tile<i32>\n    print_tko \"%d\", %a : tile<i32>\n";
    let entries: String =
        (0..40).map(|index| format!("entry @k{index}(%a: tile<i32>) {{\n{}}}\n", statement.repeat(20))).collect();
    for text in [format!("entry @k(%a: tile<i32>) {{\n{}}}\n", statement.repeat(800)), entries] {
        let longer = text.repeat(4).replace("entry @k(", "entry @l(");
        let read = |text: &str| {
            let began = Instant::now();
            check(text);
            began.elapsed()
        };
        // The shortest times depend least on what else the machine does.
        let (mut once, mut four_times) = (Duration::MAX, Duration::MAX);
        for round in 1..=ROUNDS.1 {
            (once, four_times) = (once.min(read(&text)), four_times.min(read(&longer)));
            if round >= ROUNDS.0 && four_times < once * 10 {
                break;
            }
        }
        assert!(four_times < once * 10, "{once:?}, but {four_times:?} for a text four times as long");
    }
}
