//! Formatting of a whole text.

use crate::encoding::{Encoding, MARK};
use crate::options::{Defaults, Options};
use crate::{document, guard};
use std::borrow::Cow;
use std::ops::Range;

/// Maximum number of passes over a text with errors. Passes repeat until nothing changes.
const MAX_PASSES: usize = 4;

/// Formats a text.
pub fn format(text: &str, options: &Options) -> String {
    format_with(text, options, Defaults::Drop)
}

pub(crate) fn format_with(text: &str, options: &Options, defaults: Defaults) -> String {
    if u32::try_from(text.len()).is_err() {
        return text.to_owned(); // the syntax tree has 32-bit offsets
    }
    let (encoding, body) = Encoding::split(text);
    match settle(&body, options, defaults) {
        // A byte order mark elsewhere in the text is an error. If dropping the text before it moved the mark to the
        // start, formatting would hide that error.
        Some(page) if !page.starts_with(MARK) => encoding.join(&page),
        _ => text.to_owned(),
    }
}

/// Returns the text without the given ranges, which are in ascending order.
pub(crate) fn without<'t>(text: &'t str, parts: &[Range<usize>]) -> Cow<'t, str> {
    if parts.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut rest, mut at) = (String::with_capacity(text.len()), 0);
    for part in parts {
        rest += &text[at..part.start];
        at = part.end;
    }
    Cow::Owned(rest + &text[at..])
}

/// Formats a text until the result no longer changes. Returns `None` if that does not happen, or if the result would
/// parse differently from the text.
///
/// A text without errors needs one pass. In a text with errors, where a broken statement ends can depend on its line
/// breaks.
fn settle(body: &str, options: &Options, defaults: Defaults) -> Option<String> {
    let mut page = document::lay_out(body, options, defaults);
    let mut passes = 0;
    while page.has_errors {
        let again = document::lay_out(&page.text, options, Defaults::Keep);
        if again.text == page.text {
            let is_same = |page: &String| {
                guard::same_significant_text(body, page) && guard::same_strings_and_comments(body, page)
            };
            return Some(page.text).filter(|page| is_same(page) && guard::same_syntax(body, page));
        }
        passes += 1;
        if passes == MAX_PASSES {
            return None;
        }
        page = again;
    }
    let kept = without(body, &page.dropped);
    let is_same = |page: &String| guard::same_significant_text(&kept, page) && guard::same_items(body, page);
    Some(page.text).filter(|page| passes == 0 && is_same(page))
}
