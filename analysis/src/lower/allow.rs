//! Comments that allow lints: `// tile: allow(L0004) reason`.
//!
//! After a statement, such a comment applies to its line; on a separate line, to the statement below.

use crate::context::Options;
use crate::diagnostic::{Diagnostic, Page};
use crate::diagnostics as d;
use crate::levels::is_lint;
use crate::source::Spans;
use crate::suggest;
use std::collections::BTreeSet;
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
        self.covers_at(found.page, found.range.start)
    }

    /// Whether it applies to a diagnostic with this page and start.
    fn covers_at(&self, page: &Page, start: u32) -> bool {
        page == self.lint && self.range.start <= start && start < self.range.end
    }
}

/// The allowances of an item, ordered by comment, and the problems of its allow comments.
pub(crate) fn allowances(text: &str, tree: &Tree, spans: &Spans) -> (Vec<Allowance>, Vec<Diagnostic>) {
    let (mut allowed, mut found) = (Vec::new(), Vec::new());
    let comments = tree.tokens.comments().iter().filter_map(|&(start, end)| {
        let body = text[start as usize..end as usize].trim_start_matches('/').trim_start().strip_prefix("tile:")?;
        Some((start..end, body))
    });
    let mut statements = None;
    for (comment, body) in comments {
        let Some(words) = body.trim_start().strip_prefix("allow(").and_then(|rest| Some(rest.split_once(')')?.0))
        else {
            found.push(d::unreadable_allowance(comment));
            continue;
        };
        let statements = statements.get_or_insert_with(|| by_start(spans));
        let range = about(text, &comment, statements);
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

/// Removes the diagnostics that are allowed, and returns those about unused allowances. `place` returns the page and
/// the start of a diagnostic, and `options` are those that the diagnostics were found with.
pub(crate) fn apply<T>(
    allowed: &[Allowance],
    text: &str,
    options: &Options,
    found: &mut Vec<T>,
    place: impl Fn(&T) -> (&'static Page, u32),
) -> Vec<Diagnostic> {
    let used = remove_allowed(allowed, found, place);
    let mut unused = Vec::new();
    let of_comments = allowed.chunk_by(|one, next| one.comment == next.comment);
    let is_only = of_comments.flat_map(|of_comment| of_comment.iter().map(|_| of_comment.len() == 1));
    for ((allowance, used), is_only) in allowed.iter().zip(used).zip(is_only) {
        if !used && d::is_decided(allowance.lint, options) {
            let word = &text[allowance.word.start as usize..allowance.word.end as usize];
            let comment = is_only.then(|| allowance.comment.clone());
            unused.push(d::unused_allowance(allowance.word.clone(), word, comment));
        }
    }
    unused
}

/// Removes the diagnostics that are allowed. `place` returns the page and the start of a diagnostic. Returns whether
/// each allowance covers any.
pub fn remove_allowed<T>(
    allowed: &[Allowance],
    found: &mut Vec<T>,
    place: impl Fn(&T) -> (&'static Page, u32),
) -> Vec<bool> {
    let mut used = vec![false; allowed.len()];
    if !allowed.is_empty() {
        let places: Vec<(&'static Page, u32)> = found.iter().map(place).collect();
        let by = allowed_by(allowed, &places);
        by.iter().flatten().for_each(|&by| used[by] = true);
        let mut by = by.into_iter();
        found.retain(|_| by.next().flatten().is_none());
    }
    used
}

/// The first allowance that covers each diagnostic. Visits both in order of position, so that a file in which every
/// line has a lint and a comment takes no quadratic time.
fn allowed_by(allowed: &[Allowance], found: &[(&'static Page, u32)]) -> Vec<Option<usize>> {
    let mut starts: Vec<usize> = (0..allowed.len()).collect();
    starts.sort_by_key(|&index| allowed[index].range.start);
    let mut starts = starts.into_iter().peekable();
    let mut places: Vec<usize> = (0..found.len()).collect();
    places.sort_by_key(|&index| found[index].1);
    // The allowances that start before the diagnostic, by lint. Those that end before it are removed when met.
    let mut begun = BTreeSet::new();
    let mut by = vec![None; found.len()];
    for place in places {
        let (page, at) = found[place];
        while let Some(index) = starts.next_if(|&index| allowed[index].range.start <= at) {
            begun.insert((allowed[index].lint.code, index));
        }
        while let Some(&(_, index)) = begun.range((page.code, 0)..=(page.code, usize::MAX)).next() {
            if allowed[index].covers_at(page, at) {
                by[place] = Some(index);
                break;
            }
            begun.remove(&(page.code, index));
        }
    }
    by
}

/// The range that a comment applies to: its line if something precedes it there, otherwise the next statement.
fn about(text: &str, comment: &Range<u32>, statements: &[Range<u32>]) -> Range<u32> {
    let line = text[..comment.start as usize].rfind('\n').map_or(0, |at| at as u32 + 1);
    if !text[line as usize..comment.start as usize].trim().is_empty() {
        return line..comment.end;
    }
    let next = statements.partition_point(|statement| statement.start < comment.end);
    statements.get(next).cloned().unwrap_or(comment.end..comment.end)
}

/// The statements, ordered by position.
fn by_start(spans: &Spans) -> Vec<Range<u32>> {
    let mut statements = spans.statements.clone();
    statements.sort_by_key(|statement| statement.start);
    statements
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
