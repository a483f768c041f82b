//! The formatter of Tile IR text: one style, described with its reasons in `docs/style.md`.
//!
//! Invariants:
//! - knows how ops are written, not what they mean: `tile-analysis` is no dependency;
//! - loses nothing: tokens and comments stay, in their order; only blanks change, and prefixes and defaults that mean
//!   nothing go;
//! - never fails: a statement with a syntax error stays as it is, and all others are laid out; where that would change how
//!   the text is parsed, all of it stays as it is;
//! - formatting twice is formatting once, and the time it takes grows with the length of the text and nothing else.

mod directive;
mod document;
mod encoding;
pub mod files;
mod guard;
mod keep;
mod plan;
mod range;
mod source;
mod spacing;
mod taint;
mod wide;
mod writer;

use encoding::{Encoding, MARK};
pub use range::format_range;
use std::borrow::Cow;
use std::ops::Range;

/// How text is laid out. There is one style; what can be chosen is where a line is too long for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many columns a line may take before it is broken.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 100 }
    }
}

/// How often text with errors is laid out until nothing changes any more.
const ROUNDS: usize = 4;

/// Lays out a text.
pub fn format(text: &str, options: &Options) -> String {
    format_with(text, options, Defaults::Go)
}

/// What becomes of words that say what holds anyway.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Defaults {
    Go,
    Stay,
}

fn format_with(text: &str, options: &Options, defaults: Defaults) -> String {
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
fn without<'t>(text: &'t str, parts: &[Range<usize>]) -> Cow<'t, str> {
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
