//! What to show about the code of a diagnostic in a comment, such as `L0003`.

use super::Hover;
use crate::diagnostic::Page;
use crate::diagnostics::PAGES;
use std::ops::Range;

/// The page of the code at an offset, where that is in a comment.
pub(super) fn hover(text: &str, offset: u32) -> Option<Hover> {
    let range = code_at(text, offset)?;
    let code = &text[range.start as usize..range.end as usize];
    let page = PAGES.iter().find(|page| page.code == code)?;
    Some(Hover { range, text: about(page) })
}

/// A page as a hover shows it.
pub fn about(page: &Page) -> String {
    let example = super::code(page.wrong.trim_end());
    format!(
        "**{}** · {} · {}\n\n{}\n\nFor example:\n\n{example}",
        page.code,
        page.name,
        page.severity.name(),
        page.text
    )
}

/// A letter and four digits in a comment.
fn code_at(text: &str, offset: u32) -> Option<Range<u32>> {
    let offset = offset as usize;
    let before = text.get(..offset)?;
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    if !before[line..].contains("//") {
        return None;
    }
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let start = before.trim_end_matches(is_word).len().max(line);
    let end = offset + text[offset..].find(|c| !is_word(c)).unwrap_or(text.len() - offset);
    let word = &text[start..end];
    let is_code =
        word.len() == 5 && word.starts_with(['E', 'L', 'P', 'R']) && word[1..].bytes().all(|b| b.is_ascii_digit());
    is_code.then_some(start as u32..end as u32)
}
