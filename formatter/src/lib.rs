//! The formatter of Tile IR text: one style, described with its reasons in `docs/style.md`.
//!
//! Invariants:
//! - knows how ops are written, not what they mean: `tile-analysis` is no dependency;
//! - loses nothing: tokens and comments stay, in their order; only blanks, and prefixes that mean nothing, change;
//! - never fails: a statement with a syntax error stays as it is, and all others are laid out;
//! - formatting twice is formatting once, and the time it takes grows with the length of the text and nothing else.

mod directive;
mod document;
mod encoding;
pub mod files;
mod guard;
mod plan;
mod source;
mod spacing;
mod taint;
mod wide;
mod writer;

use encoding::Encoding;

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

/// Lays out a text.
pub fn format(text: &str, options: &Options) -> String {
    if u32::try_from(text.len()).is_err() {
        return text.to_owned(); // offsets of the syntax tree have 32 bits
    }
    let (encoding, body) = Encoding::split(text);
    let done = document::lay_out(&body, options);
    let kept = guard::same_ink(&body, &done.text);
    // How a statement with an error ends may depend on where its lines end. Where that shows, hands off.
    let settled = !done.has_errors || document::lay_out(&done.text, options).text == done.text;
    if !kept || !settled { eprintln!("FALLBACK kept={kept} settled={settled}"); if !settled { let again = document::lay_out(&done.text, options).text; for (a,b) in done.text.lines().zip(again.lines()) { if a!=b {eprintln!("  1: {a}\n  2: {b}"); break;} } } }
    if kept && settled { encoding.join(&done.text) } else { text.to_owned() }
}
