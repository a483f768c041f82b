//! Random mutants: the checker rejects exactly the programs that NVIDIA's bytecode reader rejects.
//!
//! A program can only be encoded if its names and types agree, so most mutations replace all occurrences of a word.
//! What remains to compare are the rules of ops and types.

use fastrand::Rng;
use std::path::Path;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::Severity;
use tile_backend::bytecode;
use tile_dialect::{AttrKind, ELEMENTS, Element, Version, ops};
use tile_syntax::{Token, Tokens, lex};
use tile_tests::{programs, tools};

/// Enough to find a rule that is missing for one or two ops.
const MUTANTS: usize = 1500;

/// Errors in text that is not encoded, so that no bytecode reader can find them: the shape of a view next to its type,
/// and the element type before the numbers of a constant.
const TEXT_ONLY: [&str; 2] = ["E0402", "E0531"];

#[test]
fn the_rules_match_those_of_the_reader() {
    let Some(reader) = tools::find("tileirdisasm") else { return };
    let sources = sources();
    let mut random = Rng::with_seed(1);
    let (mut compared, mut refused, mut wrong) = (0, 0, Vec::new());
    for _ in 0..MUTANTS {
        let (name, text) = &sources[random.usize(..sources.len())];
        // Several changes in one program find rules about particular pairs of types.
        let changes = 1 + random.usize(..4);
        let mutant = (0..changes).try_fold(text.clone(), |text, _| mutate(&text, &mut random));
        let Some(mutant) = mutant else { continue };
        let Some((ours, theirs)) = verdicts(&reader, &mutant) else { continue };
        compared += 1;
        refused += usize::from(theirs.is_some());
        if ours.is_some() != theirs.is_some() {
            wrong.push(format!("{name}: {ours:?} against {theirs:?}\n{mutant}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}\n{}", wrong.len(), wrong.join("\n"));
    // Guards against mutations that are too wild or too tame to be useful.
    assert!(compared > MUTANTS / 10 && refused > compared / 10, "{compared} compared, {refused} refused");
}

/// Small valid programs.
fn sources() -> Vec<(String, String)> {
    let worked = ops().iter().map(|row| (row.name.to_string(), row.example_program()));
    let all = tile_tests::examples().into_iter().chain(programs::every_op()).chain(worked);
    all.filter(|(_, text)| text.len() < 8000).collect()
}

/// The errors of the checker and of the reader; `None` if the program cannot be encoded.
fn verdicts(reader: &Path, text: &str) -> Option<(Option<String>, Option<String>)> {
    let ruleless = batch::check(text, Options { rules: false, ..Options::default() }, |_| Keep::Program);
    if !errors(&ruleless).is_empty() {
        return None;
    }
    let bytes = bytecode::of_program(&ruleless.program(text), None, Version::NEWEST).ok()?;
    let ours = errors(&batch::check(text, Options::default(), |_| Keep::Nothing));
    if ours.iter().any(|(code, _)| TEXT_ONLY.contains(code)) {
        return None;
    }
    let ours = ours.into_iter().next().map(|(_, message)| message);
    let theirs = tools::disassemble(reader, &bytes).err();
    // If the message is empty, the reader has crashed, as it does on large constants of `fnv8E5M3FNU`.
    theirs.as_ref().is_none_or(|message| !message.is_empty()).then_some((ours, theirs))
}

fn errors(checked: &Checked) -> Vec<(&'static str, String)> {
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| (found.page.code, found.message.clone())).collect()
}

/// Replaces a word of the text, in most cases everywhere.
fn mutate(text: &str, random: &mut Rng) -> Option<String> {
    let tokens = lex(text);
    let can_change = |&at: &usize| other_word(tokens.kind(at), tokens.text(at, text), &mut Rng::with_seed(1)).is_some();
    let places: Vec<usize> = (0..tokens.len()).filter(can_change).collect();
    let at = *places.get(random.usize(..places.len().max(1)))?;
    let word = tokens.text(at, text);
    let other = other_word(tokens.kind(at), word, random)?;
    let everywhere = random.usize(..4) > 0;
    Some(replace(text, &tokens, |index| everywhere && tokens.text(index, text) == word || index == at, &other))
}

fn replace(text: &str, tokens: &Tokens, is_meant: impl Fn(usize) -> bool, other: &str) -> String {
    let (mut changed, mut done) = (String::new(), 0);
    for index in (0..tokens.len()).filter(|&index| is_meant(index)) {
        changed += &text[done..tokens.start(index) as usize];
        changed += other;
        done = tokens.end(index) as usize;
    }
    changed + &text[done..]
}

/// Another word that the grammar allows in the same place.
fn other_word(kind: Token, word: &str, random: &mut Rng) -> Option<String> {
    match kind {
        Token::Integer => Some(number(random)),
        Token::Extents => Some(other_extents(word, random)),
        Token::Name => match Element::from_name(word) {
            Some(_) => Some(element(random).to_string()),
            None => other_keyword(word, random),
        },
        _ => None,
    }
}

fn other_extents(word: &str, random: &mut Rng) -> String {
    let mut parts: Vec<&str> = word.split('x').collect();
    let at = random.usize(..parts.len());
    let other =
        if parts[at].starts_with(|first: char| first.is_ascii_digit()) { number(random) } else { String::new() };
    match random.usize(..4) {
        0 if parts.len() > 1 => _ = parts.remove(at),
        1 => parts.insert(at, "2"),
        _ if other.is_empty() => parts[at] = element(random),
        _ => parts[at] = &other,
    }
    parts.join("x")
}

/// Replaces a keyword by another of the same enum, or an op by another of the same form.
fn other_keyword(word: &str, random: &mut Rng) -> Option<String> {
    let attrs = ops().iter().flat_map(|row| row.attrs);
    let enums = attrs.filter_map(|attr| if let AttrKind::Enum { of, .. } = attr.kind { Some(of) } else { None });
    if let Some(of) = enums.into_iter().find(|of| of.values.iter().any(|value| value.name == word)) {
        return Some(of.values[random.usize(..of.values.len())].name.to_string());
    }
    let row = ops().iter().find(|row| row.name == word)?;
    let alike: Vec<_> = ops().iter().filter(|other| other.form == row.form && other.name != word).collect();
    (!alike.is_empty()).then(|| alike[random.usize(..alike.len())].name.to_string())
}

fn number(random: &mut Rng) -> String {
    const NUMBERS: [i64; 12] = [0, 1, 2, 3, 4, 8, 16, 64, 128, 4096, 1 << 24, 1 << 25];
    NUMBERS[random.usize(..NUMBERS.len())].to_string()
}

fn element(random: &mut Rng) -> &'static str {
    ELEMENTS[random.usize(..ELEMENTS.len())].name
}
