//! Damaged texts: whatever is missing, nothing panics, nothing else gets lost, and the result is settled.

mod support;

use std::fs;
use support::checked;
use tile_syntax::lex;

fn fixtures() -> Vec<(String, String)> {
    let folder = std::env::var("FZ").unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases").to_owned());
    let mut fixtures: Vec<_> = fs::read_dir(folder)
        .expect("the folder of fixtures")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tile"))
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a readable fixture")))
        .collect();
    fixtures.sort();
    fixtures
}

/// A small generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// How many places to damage in each fixture; all of them where `TILE_FUZZ` is set.
fn places(count: usize, numbers: &mut Numbers) -> Vec<usize> {
    if std::env::var_os("TILE_FUZZ").is_some() || count <= 120 {
        return (0..count).collect();
    }
    (0..120).map(|_| numbers.below(count)).collect()
}

#[test]
fn a_text_may_end_anywhere() {
    let mut numbers = Numbers(1);
    for (name, text) in fixtures() {
        for end in places(text.len(), &mut numbers).into_iter().filter(|&end| text.is_char_boundary(end)) {
            checked(&format!("{name} up to {end}"), &text[..end]);
        }
    }
}

#[test]
fn any_token_may_be_missing() {
    let mut numbers = Numbers(2);
    for (name, text) in fixtures() {
        let tokens = lex(&text);
        for token in places(tokens.len(), &mut numbers) {
            let (start, end) = (tokens.start(token) as usize, tokens.end(token) as usize);
            checked(&format!("{name} without token {token}"), &format!("{}{}", &text[..start], &text[end..]));
        }
    }
}

#[test]
fn any_token_may_be_doubled() {
    let mut numbers = Numbers(3);
    for (name, text) in fixtures() {
        let tokens = lex(&text);
        for token in places(tokens.len(), &mut numbers) {
            let (start, end) = (tokens.start(token) as usize, tokens.end(token) as usize);
            let doubled = format!("{} {}", &text[..end], &text[start..]);
            checked(&format!("{name} with token {token} twice"), &doubled);
        }
    }
}

#[test]
fn any_line_break_may_be_missing() {
    let mut numbers = Numbers(4);
    for (name, text) in fixtures() {
        let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        for index in places(breaks.len(), &mut numbers) {
            let at = breaks[index];
            checked(&format!("{name} without line break {index}"), &format!("{} {}", &text[..at], &text[at + 1..]));
        }
    }
}
