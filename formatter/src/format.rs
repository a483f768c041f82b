//! Laying out a whole text.

use crate::encoding::{Encoding, MARK};
use crate::options::{Defaults, Options};
use crate::{document, guard};
use std::borrow::Cow;
use std::ops::Range;

/// How often text with errors is laid out until nothing changes any more.
const ROUNDS: usize = 4;

/// Lays out a text.
pub fn format(text: &str, options: &Options) -> String {
    format_with(text, options, Defaults::Go)
}

pub(crate) fn format_with(text: &str, options: &Options, defaults: Defaults) -> String {
    if u32::try_from(text.len()).is_err() {
        return text.to_owned(); // offsets of the syntax tree have 32 bits
    }
    let (encoding, body) = Encoding::split(text);
    match settle(&body, options, defaults) {
        // A mark that stands elsewhere is a mistake, which must not be mended by what goes in front of it.
        Some(page) if !page.starts_with(MARK) => encoding.join(&page),
        _ => text.to_owned(),
    }
}

/// A text without some of its parts.
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

/// The page of a text; `None` where there is none that says the same and stays as it is when it is laid out again.
///
/// For text without errors the first page is that page. Where a statement with an error ends, however, may depend on
/// where its lines end: a page that would be read otherwise than the text is given up, and the text stays as it is.
fn settle(body: &str, options: &Options, defaults: Defaults) -> Option<String> {
    let mut page = document::lay_out(body, options, defaults);
    let mut rounds = 0;
    while page.has_errors {
        let again = document::lay_out(&page.text, options, Defaults::Stay);
        if again.text == page.text {
            let is_same = |page: &String| guard::same_ink(body, page) && guard::same_opaque(body, page);
            return Some(page.text).filter(|page| is_same(page) && guard::same_syntax(body, page));
        }
        rounds += 1;
        if rounds == ROUNDS {
            return None;
        }
        page = again;
    }
    let body = without(body, &page.dropped);
    Some(page.text).filter(|page| rounds == 0 && guard::same_ink(&body, page))
}
