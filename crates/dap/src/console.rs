//! The debug console: completion of names, and commands for editors without another way to give them.

use crate::protocol::CompletionItem;

/// A command.
pub(crate) enum Command<'a> {
    /// `block X Y Z`: run to the start of a tile block.
    Block(Vec<&'a str>),
    /// `break FORMULA`: set a data breakpoint, or remove it.
    Break(&'a str),
}

/// Parses a command; `None` for a formula.
pub(crate) fn parse(text: &str) -> Option<Command<'_>> {
    let (command, arguments) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    match command {
        "block" => {
            let coordinates = arguments.split([' ', ',', '(', ')', '[', ']']).filter(|part| !part.is_empty());
            Some(Command::Block(coordinates.collect()))
        }
        "break" => Some(Command::Break(arguments.trim())),
        _ => None,
    }
}

/// The names that complete the word before a column, which counts UTF-16 units from 1.
pub(crate) fn completions(text: &str, column: usize, names: impl Iterator<Item = String>) -> Vec<CompletionItem> {
    let before: Vec<u16> = text.encode_utf16().take(column.saturating_sub(1)).collect();
    let before = String::from_utf16_lossy(&before);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_$.#".contains(c);
    let word = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
    let length = word.len() + usize::from(before[..before.len() - word.len()].ends_with('%'));
    let start = column.saturating_sub(length).max(1);
    let matching = names.filter(|name| name.trim_start_matches('%').starts_with(word));
    matching.map(|label| CompletionItem { label, kind: "variable", start, length }).collect()
}
