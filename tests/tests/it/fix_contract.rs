//! The contract of fixes (`docs/fixes.md`), checked on broken programs: examples without one token, examples after
//! several random edits, the typical mistakes in `tests/mistakes/`, and the mutants of upstream's tests, if they are
//! available.
//!
//! - A safe fix neither removes nor alters a name, number, string or comment, unless the diagnostic is about exactly
//!   that, and edits only the diagnosed statement. Applied alone, it resolves its diagnostic.
//! - Applying all safe fixes, or all fixes, never adds an error, and a second call finds nothing to fix.
//!
//! `TILE_FIX_MUTANTS=50000 cargo test -p tile-tests --test it fix_contract` tries more mutants than usual.

use fastrand::Rng;
use std::ops::Range;
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity};
use tile_analysis::fixes::{self, apply};
use tile_launch::find;
use tile_syntax::{Node, NodeKind, Token, lex, parse_item, split};
use tile_tests::{examples, root, skipped};

fn check(text: &str) -> Vec<Diagnostic> {
    find::check(text, Options::default())
}

fn errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|found| found.severity == Severity::Error).count()
}

/// The tokens that a fix must keep: names, numbers, strings and comments, with their ranges.
fn words(text: &str) -> Vec<(Range<u32>, &str)> {
    let tokens = lex(text);
    let is_word = |kind: Token| {
        matches!(
            kind,
            Token::Name
                | Token::Value
                | Token::Symbol
                | Token::TypeName
                | Token::AttrName
                | Token::Label
                | Token::Integer
                | Token::Float
                | Token::Extents
                | Token::String
        )
    };
    let words = (0..tokens.len()).filter(|&at| is_word(tokens.kind(at)));
    let mut ranges: Vec<Range<u32>> = words.map(|at| tokens.start(at)..tokens.end(at)).collect();
    ranges.extend(tokens.comments().iter().map(|&(start, end)| start..end));
    ranges.sort_by_key(|range| range.start);
    ranges.into_iter().map(|range| (range.clone(), &text[range.start as usize..range.end as usize])).collect()
}

/// The first word that is missing in `after`, apart from words in the ranges `about`.
fn lost<'t>(before: &'t str, after: &str, about: &[Range<u32>]) -> Option<&'t str> {
    let after = words(after);
    let mut left = after.iter().map(|(_, word)| *word);
    let is_about = |word: &Range<u32>| about.iter().any(|range| word.start < range.end && range.start < word.end);
    let kept = words(before).into_iter().filter(|(range, _)| !is_about(range));
    kept.map(|(_, word)| word).find(|word| !left.any(|found| found == *word))
}

/// The innermost statement around an offset.
fn statement(text: &str, place: u32) -> Range<u32> {
    let pieces = split(text);
    let Some(piece) = pieces.iter().find(|piece| (piece.range.start..=piece.range.end).contains(&(place as usize)))
    else {
        return 0..text.len() as u32;
    };
    let start = piece.range.start as u32;
    let tree = parse_item(&text[piece.range.clone()]);
    let around = tree.descendants(Node::ROOT).filter(|&node| tree.kind(node) == NodeKind::Op).map(|op| tree.range(op));
    let around = around.filter(|range| (range.start + start..=range.end + start).contains(&place)).last();
    around.map_or(start..piece.range.end as u32, |range| range.start + start..range.end + start)
}

/// The statement that a diagnostic is about. Something missing at the end of a statement is reported at the next token,
/// which can belong to another statement, so both are returned. A statement includes the whitespace after it.
fn diagnosed(text: &str, found: &Diagnostic) -> Vec<Range<u32>> {
    let tokens = lex(text);
    let next = tokens.at(found.range.start);
    let end = next.checked_sub(1).map_or(0, |last| tokens.end(last));
    [found.range.start, end]
        .map(|place| {
            let statement = statement(text, place);
            let next = tokens.at(statement.end);
            statement.start..statement.end.max(tokens.start(next))
        })
        .to_vec()
}

/// Lints with fixes outside a statement: a module around all entries, and a comment.
const OUTSIDE: [&str; 2] = ["L0007", "L0010"];

/// The rule that a safe fix breaks, if any.
fn violation(text: &str, found: &Diagnostic, fix: &Fix) -> Option<String> {
    let after = apply(text, &fix.edits);
    let own: Vec<Range<u32>> = fix.edits.iter().map(|edit| edit.range.clone()).collect();
    // An error is about its own range; a lint, for example about an old spelling, is about the text that its fix
    // replaces.
    let about = if found.severity == Severity::Error { vec![found.range.clone()] } else { own };
    if let Some(word) = lost(text, &after, &about) {
        return Some(format!("loses `{word}`"));
    }
    if !OUTSIDE.contains(&found.page.code) {
        let statements = diagnosed(text, found);
        let is_inside =
            |edit: &Edit| statements.iter().any(|all| all.start <= edit.range.start && edit.range.end <= all.end);
        if let Some(edit) = fix.edits.iter().find(|edit| !is_inside(edit)) {
            return Some(format!("edits {:?}, outside {statements:?}", edit.range));
        }
    }
    let before = |edit: &&Edit| edit.range.end <= found.range.start;
    let grown: i64 =
        fix.edits.iter().filter(before).map(|edit| edit.content.len() as i64 - edit.range.len() as i64).sum();
    let moved = (i64::from(found.range.start) + grown) as u32;
    let is_left = |other: &Diagnostic| {
        other.page == found.page
            && other.message == found.message
            && (other.range.start == found.range.start || other.range.start == moved)
    };
    check(&after).iter().any(is_left).then(|| "does not resolve its diagnostic".to_string())
}

/// The rules that the fixes of a text break.
fn violations(text: &str) -> Vec<String> {
    let found = check(text);
    let mut broken = Vec::new();
    for one in &found {
        for fix in one.fixes.iter().filter(|fix| fix.applicability == Applicability::Safe) {
            if let Some(why) = violation(text, one, fix) {
                broken.push(format!("{}: {}: `{}` {why}", one.page.code, one.message, fix.title));
            }
        }
    }
    for wanted in [Applicability::Safe, Applicability::Unsafe] {
        let Some(fixed) = fixes::fix_all(text, &found, wanted, check) else { continue };
        let name = wanted.name();
        if errors(&fixed.left) > errors(&found) {
            broken.push(format!("applying all {name} fixes adds errors"));
        }
        if fixed.text == text || fixed.edits.is_empty() || apply(text, &fixed.edits) != fixed.text {
            broken.push(format!("the edits of all {name} fixes do not produce the fixed text"));
        }
        if let Some(again) = fixes::fix_all(&fixed.text, &fixed.left, wanted, check) {
            broken.push(format!("applying all {name} fixes again makes the edits {:?}", again.edits));
        }
    }
    broken
}

/// Fails with the first few texts whose fixes break a rule.
fn assert_contract_holds(texts: impl Iterator<Item = (String, String)>) {
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, text) in texts {
        let broken = violations(&text);
        count += 1;
        failures.extend(broken.into_iter().map(|broken| format!("{name}: {broken}")));
    }
    assert!(count > 0, "no texts");
    let shown = failures.iter().take(40).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} violations in {count} texts, among them\n{shown}", failures.len());
}

/// A text after up to four edits: tokens removed, doubled, swapped, or replaced by others of the text or by garbage.
fn mutant(text: &str, random: &mut Rng) -> String {
    let mut text = text.to_string();
    for _ in 0..=random.usize(..4) {
        let tokens = lex(&text);
        let place = |at: usize| tokens.start(at) as usize..tokens.end(at) as usize;
        let (here, there) = (random.usize(..tokens.len()), random.usize(..tokens.len()));
        let (here, next, there) = (place(here), place((here + 1).min(tokens.len() - 1)), place(there));
        text = match random.usize(..6) {
            0 | 1 => format!("{}{}", &text[..here.start], &text[here.end..]),
            2 => format!("{} {}", &text[..here.end], &text[here.start..]),
            3 if here.end <= next.start => {
                let between = &text[here.end..next.start];
                let (before, after) = (&text[..here.start], &text[next.end..]);
                format!("{before}{}{between}{}{after}", &text[next], &text[here.clone()])
            }
            4 => format!("{}{}{}", &text[..here.start], &text[there], &text[here.end..]),
            _ => {
                let garbage = ["1.0", "x", "*", ":", ")", "{", "signed", "\n", ", ", "f32*", "// c\n", "%"];
                format!("{} {} {}", &text[..here.end], garbage[random.usize(..garbage.len())], &text[here.end..])
            }
        };
    }
    text
}

/// Approximate number of tokens of each example to remove, one at a time.
const LOST_TOKENS: usize = 40;

/// Short examples, so that many of their mutants can be tried.
fn short_examples() -> Vec<(String, String)> {
    examples().into_iter().filter(|(_, text)| text.len() < 4000).collect()
}

#[test]
fn fixes_of_a_lost_token_keep_the_contract() {
    let texts = examples().into_iter().flat_map(|(name, text)| {
        let tokens = lex(&text);
        let step = 1 + tokens.len() / LOST_TOKENS;
        let places: Vec<_> = (0..tokens.len()).step_by(step).map(|at| (tokens.start(at), tokens.end(at))).collect();
        places.into_iter().map(move |(start, end)| {
            let without = format!("{}{}", &text[..start as usize], &text[end as usize..]);
            (format!("{name} without `{}` at {start}", &text[start as usize..end as usize]), without)
        })
    });
    assert_contract_holds(texts);
}

#[test]
fn fixes_of_typical_mistakes_keep_the_contract() {
    let mut folders = vec![root().join("tests/mistakes")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "tile") {
                texts.push((
                    path.display().to_string(),
                    std::fs::read_to_string(&path).expect("the program is readable"),
                ));
            }
        }
    }
    assert_contract_holds(texts.into_iter());
}

#[test]
fn fixes_of_random_mutants_keep_the_contract() {
    let count = std::env::var("TILE_FIX_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1500);
    let examples = short_examples();
    let texts = (0..count).map(|number| {
        let mut random = Rng::with_seed(number as u64 ^ 0x9e37_79b9);
        let (name, text) = &examples[random.usize(..examples.len())];
        let mutant = mutant(text, &mut random);
        (format!("mutant {number} of {name}"), mutant)
    });
    assert_contract_holds(texts);
}

#[test]
fn fixes_of_upstream_mutants_keep_the_contract() {
    let path = root().join("../shared/conformance/mutants.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        return skipped(format_args!("no {}, which is not part of the project", path.display()));
    };
    let texts = lines.lines().map(|line| {
        let case: serde_json::Value = serde_json::from_str(line).expect("the line is valid JSON");
        (case["id"].to_string(), case["text"].as_str().expect("the case has a text").to_string())
    });
    assert_contract_holds(texts);
}
