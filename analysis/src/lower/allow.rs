//! Comments that allow lints: `// tile: allow(L0004) reason`.
//!
//! After a statement, such a comment applies to its line; on a separate line, to the statement below.

use crate::diagnostic::{Diagnostic, Page};
use crate::diagnostics as d;
use crate::levels::is_lint;
use crate::source::Spans;
use crate::suggest;
use std::ops::Range;
use tile_syntax::Tree;

/// A lint that is allowed somewhere in an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowance {
    /// The page of the lint.
    lint: &'static Page,
    /// Where it is allowed, in bytes from the start of the item.
    pub range: Range<u32>,
    /// The comment that allows it.
    comment: Range<u32>,
    /// The code or name in the comment.
    word: Range<u32>,
}

impl Allowance {
    /// Whether it applies to a diagnostic.
    pub fn covers(&self, found: &Diagnostic) -> bool {
        found.page == self.lint && self.range.start <= found.range.start && found.range.start < self.range.end
    }
}

/// The allowances of an item, and the problems of its allow comments.
pub(crate) fn allowances(text: &str, tree: &Tree, spans: &Spans) -> (Vec<Allowance>, Vec<Diagnostic>) {
    let (mut allowed, mut found) = (Vec::new(), Vec::new());
    for &(start, end) in tree.tokens.comments() {
        let comment = start..end;
        let Some(body) = text[start as usize..end as usize].trim_start_matches('/').trim_start().strip_prefix("tile:")
        else {
            continue;
        };
        let Some(words) = body.trim_start().strip_prefix("allow(").and_then(|rest| Some(rest.split_once(')')?.0))
        else {
            found.push(d::unreadable_allowance(comment));
            continue;
        };
        let range = about(text, &comment, spans);
        for word in words.split(',').map(str::trim) {
            let at = (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
            let place = at..at + word.len() as u32;
            match lint(word) {
                Ok(page) => {
                    allowed.push(Allowance { lint: page, range: range.clone(), comment: comment.clone(), word: place })
                }
                Err(Some(page)) => found.push(d::allowed_error(place, page.code)),
                Err(None) => found.push(d::unknown_lint(place, word, close(word))),
            }
        }
    }
    (allowed, found)
}

/// Removes the diagnostics that are allowed, and reports unused allowances.
pub(crate) fn apply(allowed: &[Allowance], text: &str, found: &mut Vec<Diagnostic>) {
    let mut used = vec![false; allowed.len()];
    found.retain(|diagnostic| {
        let by = allowed.iter().position(|allowance| allowance.covers(diagnostic));
        by.inspect(|&by| used[by] = true).is_none()
    });
    // Whether a launch or an access needs the allowance is not known here.
    let is_idle = |(allowance, used): &(&Allowance, bool)| !used && !d::is_deferred(allowance.lint);
    let idle = allowed.iter().zip(used).filter(is_idle);
    found.extend(idle.map(|(allowance, _)| {
        let word = &text[allowance.word.start as usize..allowance.word.end as usize];
        let is_only = allowed.iter().filter(|other| other.comment == allowance.comment).count() == 1;
        d::unused_allowance(allowance.word.clone(), word, is_only.then(|| allowance.comment.clone()))
    }));
}

/// The range that a comment applies to: its line if something precedes it there, otherwise the next statement.
fn about(text: &str, comment: &Range<u32>, spans: &Spans) -> Range<u32> {
    let line = text[..comment.start as usize].rfind('\n').map_or(0, |at| at as u32 + 1);
    if !text[line as usize..comment.start as usize].trim().is_empty() {
        return line..comment.end;
    }
    let next = spans.statements.iter().filter(|statement| statement.start >= comment.end);
    next.min_by_key(|statement| statement.start).cloned().unwrap_or(comment.end..comment.end)
}

/// The page of a lint, by its code or name. The error is the page of a diagnostic that is not a lint, if there is one.
fn lint(word: &str) -> Result<&'static Page, Option<&'static Page>> {
    let page = d::PAGES.iter().copied().find(|page| page.code == word || page.name == word);
    page.filter(|page| is_lint(page)).ok_or(page)
}

fn close(word: &str) -> Option<&'static str> {
    let lints = d::PAGES.iter().filter(|page| is_lint(page));
    suggest::closest(word, lints.flat_map(|page| [page.code, page.name]))
}
