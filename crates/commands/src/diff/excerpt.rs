//! The text of an op in one line.

use super::program::Input;
use tile_analysis::render::escape_line;
use tile_diff::report::OpPlace;

/// The longest excerpt, in characters.
const MAX_LENGTH: usize = 160;

/// The text of an op in one line, without the content of its regions.
pub(super) fn excerpt(input: &Input, op: &OpPlace) -> String {
    let text = input.text.get(op.range.start as usize..op.range.end as usize).unwrap_or("").trim();
    let (head, end) = match text.split_once("{\n") {
        Some((head, _)) => (head, "{ … }"),
        None => (text, ""),
    };
    if head == "}" {
        // A terminator that the text omits has the range of the closing brace.
        return format!("}} ({})", op.name);
    }
    let code = |line: &str| line.split("//").next().unwrap_or(line).trim().to_string();
    let words = head.lines().map(code).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let line = if end.is_empty() { words } else { format!("{words} {end}") };
    let line = escape_line(&line).into_owned();
    match line.char_indices().nth(MAX_LENGTH) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}
