//! Hovers in comments: on diagnostic codes, such as `L0003`, and on `allow` in lint comments.

use super::super::doc;
use super::content::Hover;
use crate::diagnostic::Page;
use crate::diagnostics::PAGES;
use std::ops::Range;

/// The hover for a word in a comment.
pub(super) fn hover(text: &str, offset: u32) -> Option<Hover> {
    let range = word_at(text, offset)?;
    let before = text[..range.start as usize].trim_end();
    let text = match &text[range.start as usize..range.end as usize] {
        "allow" if before.ends_with("tile:") => doc::term("allow")?.brief(),
        code if is_code(code) => about(PAGES.iter().find(|page| page.code == code)?),
        _ => return None,
    };
    Some(Hover { range, text })
}

/// The hover text of a diagnostic's page.
pub fn about(page: &Page) -> String {
    let example = super::code(page.wrong.trim_end());
    format!(
        "**{}** · {} · {}\n\n{}\n\nFor example:\n\n{example}",
        page.code,
        page.name,
        page.severity.name(),
        page.advice()
    )
}

/// The word at an offset in a comment.
fn word_at(text: &str, offset: u32) -> Option<Range<u32>> {
    let offset = offset as usize;
    let before = text.get(..offset)?;
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    if !before[line..].contains("//") {
        return None;
    }
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let start = before.trim_end_matches(is_word).len().max(line);
    let end = offset + text[offset..].find(|c| !is_word(c)).unwrap_or(text.len() - offset);
    Some(start as u32..end as u32)
}

/// Reports whether a word has the form of a diagnostic code: a letter and four digits.
fn is_code(word: &str) -> bool {
    word.len() == 5 && word.starts_with(['E', 'L', 'P', 'R']) && word[1..].bytes().all(|b| b.is_ascii_digit())
}
