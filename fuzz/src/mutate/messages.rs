//! Changes of the inputs of sessions.

use super::dictionary::{DICTIONARY, pick};
use super::{program, tokens};
use crate::session::{join, split};
use fastrand::Rng;

/// The most messages of a session.
const MAX_MESSAGES: usize = 30;

/// Changes the program.
pub(super) fn change_program(input: &str, random: &mut Rng) -> String {
    let (text, messages) = split(input);
    let messages: Vec<&str> = messages.collect();
    join(&program::change(text, random), &messages)
}

/// Inserts, removes, repeats, moves or changes messages. `known` are examples of messages.
pub(super) fn change_messages(input: &str, random: &mut Rng, known: &[&str]) -> String {
    let (text, messages) = split(input);
    let mut messages: Vec<String> = messages.map(str::to_string).collect();
    for _ in 0..=random.usize(..3) {
        let at = random.usize(..=messages.len());
        let other = random.usize(..=messages.len());
        match random.usize(..8) {
            0..=2 if messages.len() < MAX_MESSAGES => {
                let message = random.choice(known).copied().unwrap_or("");
                messages.insert(at, numbered(message, text.len(), random));
            }
            3 if at < messages.len() => _ = messages.remove(at),
            4 if at < messages.len() && messages.len() < MAX_MESSAGES => messages.insert(at, messages[at].clone()),
            5 if at < messages.len() && other < messages.len() => messages.swap(at, other),
            _ if at < messages.len() => {
                let dictionary = &*DICTIONARY;
                let changed = match random.usize(..3) {
                    0 => numbered(&messages[at], text.len(), random),
                    1 => tokens::change(&messages[at], random, &[&dictionary.odd, &dictionary.directive_words]),
                    _ => {
                        // Replaces a string by a value of the program or a formula.
                        let word =
                            if random.bool() { word(text, random) } else { pick(&dictionary.directive_words, random) };
                        let word = word.replace(['"', '\\', '\n'], "");
                        let start = messages[at].find(": \"").map_or(0, |at| at + 3);
                        let end = messages[at][start..].find('"').map_or(start, |end| start + end);
                        tokens::replaced(&messages[at], start..end, &word)
                    }
                };
                messages[at] = changed.replace(['\n', '\r'], " ");
            }
            _ => {}
        }
    }
    let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
    join(text, &messages)
}

/// A random word of a text.
fn word<'t>(text: &'t str, random: &mut Rng) -> &'t str {
    random.choice(tokens::ranges(text)).map_or("", |range| &text[range])
}

/// The message with other numbers up to the size of the program.
fn numbered(message: &str, size: usize, random: &mut Rng) -> String {
    let mut new = String::new();
    for c in message.chars() {
        if !c.is_ascii_digit() {
            new.push(c);
        } else if !new.ends_with(|last: char| last.is_ascii_digit()) {
            let number = if random.bool() { random.usize(..10) } else { random.usize(..=size) };
            new.push_str(&number.to_string());
        }
    }
    new
}
