//! Loads the test cases, and checks the invariants that hold for every text.

use std::fs;
use std::path::{Path, PathBuf};
use tile_fmt::{Options, format};
use tile_syntax::{PieceKind, Token, lex, parse_item, parse_outline, split};

/// The files of `tests/cases` with their text, sorted by name.
pub(crate) fn cases() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths = Vec::new();
    collect(&folder, "tile", &mut paths);
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("the case is readable"))).collect()
}

/// Appends the files below a folder with this extension, and sorts them by name.
pub(crate) fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
}

/// Formats a text; checks that nothing is lost and that formatting is idempotent.
pub(crate) fn checked(name: &str, text: &str) -> String {
    let formatted = format(text, &Options::default());
    let again = format(&formatted, &Options::default());
    assert!(formatted == again, "{name}: formatting is not idempotent: {}", first_difference(&formatted, &again));
    let (before, after) = (words(text), words(&formatted));
    let (before, after) = (without_defaults(&before), without_defaults(&after));
    if before != after {
        let at = before.iter().zip(&after).take_while(|(left, right)| left == right).count();
        panic!("{name}: {:?} became {:?}", before.get(at), after.get(at));
    }
    formatted
}

/// Checks that a text without errors has none after formatting at any width, and that the result does not depend on the
/// original line breaks.
pub(crate) fn checked_widths(name: &str, text: &str) {
    if has_errors(text) {
        return;
    }
    let expected = format(text, &Options::default());
    for width in [0, 20, 40, 60, 80, 120, 1000] {
        let other = format(text, &Options { width });
        assert!(!has_errors(&other), "{name} has errors at width {width}");
        assert!(format(&other, &Options { width }) == other, "{name}: formatting is not idempotent at width {width}");
        assert!(format(&other, &Options::default()) == expected, "{name} depends on its line breaks at width {width}");
    }
}

pub(crate) fn has_errors(text: &str) -> bool {
    let pieces = split(text);
    let mut items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item);
    !parse_outline(text, &pieces).errors.is_empty()
        || items.any(|item| !parse_item(&text[item.range.clone()]).errors.is_empty())
}

fn first_difference(left: &str, right: &str) -> String {
    let at = left.lines().zip(right.lines()).take_while(|(left, right)| left == right).count();
    let show = |text: &str| text.lines().skip(at).take(3).collect::<Vec<_>>().join("\n");
    format!("line {}\n--- once\n{}\n--- twice\n{}", at + 1, show(left), show(right))
}

/// Attributes that state the default, which the formatter drops.
const DEFAULTS: [&[&str]; 6] = [
    &["overflow", "<", "none", ">"],
    &["rounding", "<", "nearest_even", ">"],
    &["rounding", "<", "full", ">"],
    &["rounding", "<", "nearest_int_to_zero", ">"],
    &["rounding", "<", "zero", ">"],
    &["public"],
];

/// The words without default attributes.
fn without_defaults(words: &[String]) -> Vec<&str> {
    let (mut rest, mut kept) = (words, Vec::new());
    while let Some(first) = rest.first() {
        let starts = |default: &&&[&str]| rest.len() >= default.len() && default.iter().zip(rest).all(|(a, b)| a == b);
        match DEFAULTS.iter().find(starts) {
            Some(default) => rest = &rest[default.len()..],
            None => {
                kept.push(first.as_str());
                rest = &rest[1..];
            }
        }
    }
    kept
}

/// The tokens and comments of a text in order, without the parts that the formatter can drop: dialect prefixes,
/// trailing whitespace of comments, and whitespace in launch directives.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tokens = lex(text);
    let mut words: Vec<(u32, String)> = Vec::new();
    for index in 0..tokens.len() {
        let word = short(tokens.text(index, text));
        // `4x` and a following `!cuda_tile.ptr` become one token when the prefix is dropped.
        let joins = index > 0
            && (tokens.kind(index - 1), tokens.kind(index)) == (Token::Extents, Token::TypeName)
            && tokens.end(index - 1) == tokens.start(index);
        match words.last_mut().filter(|_| joins) {
            Some(last) => last.1.push_str(word),
            None => words.push((tokens.start(index), word.to_owned())),
        }
    }
    for &(start, end) in tokens.comments() {
        let comment = text[start as usize..end as usize].trim_end();
        let is_directive = comment.starts_with("//@");
        let comment = if is_directive { comment.replace(char::is_whitespace, "") } else { comment.to_owned() };
        words.push((start, comment));
    }
    words.sort_by_key(|word| word.0);
    words.into_iter().map(|word| word.1).collect()
}

fn short(word: &str) -> &str {
    let name = word.strip_prefix(['!', '#']).unwrap_or(word);
    name.strip_prefix("cuda_tile.").unwrap_or(word)
}
