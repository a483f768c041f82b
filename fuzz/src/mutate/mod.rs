//! Mutators. Most changes follow the grammar of the input; some are libFuzzer's own changes of bytes.

mod bytecode;
mod dictionary;
mod messages;
mod program;
mod tokens;

use dictionary::DICTIONARY;
use fastrand::Rng;
use libfuzzer_sys::fuzzer_mutate;

/// One of this many mutations changes bytes.
const BYTES: u32 = 8;

/// The number of attempts to make a change that fits the size limit.
const ATTEMPTS: usize = 4;

/// A change of a text.
type Change = fn(&str, &mut Rng) -> String;

/// Applies up to four changes to the text in `data[..size]`. Returns the new size.
fn text(data: &mut [u8], size: usize, max_size: usize, seed: u32, change: Change) -> usize {
    let mut random = Rng::with_seed(u64::from(seed));
    let is_bytes = random.u32(..BYTES) == 0;
    let Some(old) = str::from_utf8(&data[..size]).ok().filter(|_| !is_bytes) else {
        return fuzzer_mutate(data, size, max_size);
    };
    let mut new = old.to_string();
    for _ in 0..=random.usize(..4) {
        let changed = (0..ATTEMPTS).map(|_| change(&new, &mut random)).find(|changed| changed.len() <= max_size);
        if let Some(changed) = changed {
            new = changed;
        }
    }
    let size = crate::session::boundary(&new, max_size);
    data[..size].copy_from_slice(&new.as_bytes()[..size]);
    size
}

/// Changes a program.
pub fn program(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    text(data, size, max_size, seed, program::change)
}

/// Changes launch directives.
pub fn directives(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    text(data, size, max_size, seed, |text, random| {
        tokens::change(text, random, &[&DICTIONARY.directive_words, &DICTIONARY.directives])
    })
}

/// Changes a project file.
pub fn project_file(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    text(data, size, max_size, seed, |text, random| tokens::change(text, random, &[&DICTIONARY.settings]))
}

/// Changes a program or the messages below it.
pub fn session(data: &mut [u8], size: usize, max_size: usize, seed: u32, known: &[&str]) -> usize {
    // A `fn` cannot capture the known messages.
    let mut random = Rng::with_seed(u64::from(seed) ^ 0x5e55);
    if random.u8(..3) == 0 {
        return text(data, size, max_size, seed, messages::change_program);
    }
    let Ok(old) = str::from_utf8(&data[..size]) else { return fuzzer_mutate(data, size, max_size) };
    let new = messages::change_messages(old, &mut random, known);
    let size = crate::session::boundary(&new, max_size);
    data[..size].copy_from_slice(&new.as_bytes()[..size]);
    size
}

/// Changes bytecode: a section, whose length is updated, or any bytes.
pub fn bytecode(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Rng::with_seed(u64::from(seed));
    let is_bytes = random.u32(..BYTES) == 0;
    let changed = if is_bytes { None } else { bytecode::change(&data[..size], &mut random) };
    match changed.filter(|changed| changed.len() <= max_size) {
        Some(changed) => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
}
