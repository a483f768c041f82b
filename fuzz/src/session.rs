//! Inputs of targets that talk to a server: a program, and below a line of `%%%%` the messages, one per line.

/// The line between the program and the messages.
const SEPARATOR: &str = "\n%%%%\n";

/// The program and the messages of an input. Without a separator, the whole input is a program.
pub fn split(input: &str) -> (&str, impl Iterator<Item = &str>) {
    let (program, messages) = input.split_once(SEPARATOR).unwrap_or((input, ""));
    (program, messages.lines())
}

/// An input that consists of a program and messages.
pub fn join(program: &str, messages: &[&str]) -> String {
    format!("{program}{SEPARATOR}{}", messages.join("\n"))
}

/// The greatest offset between two characters up to `at`.
pub fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
