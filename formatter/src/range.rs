//! Formatting of a range of lines: the whole text is formatted, and the range is replaced by its counterpart.
//!
//! Formatting preserves the order of tokens and comments, so the n-th in the text is the n-th in the formatted text.
//! Default attributes are kept here, because the user may just be typing them. The range grows until it starts and ends
//! at line boundaries, both in the text and in the formatted text.

use crate::format::format_with;
use crate::options::{Defaults, Options};
use std::ops::Range;
use tile_syntax::lex;

/// Formats the lines that a byte range touches and returns the whole text. Lines outside the range are unchanged, and
/// so are blank lines after the last formatted line.
pub fn format_range(text: &str, range: Range<usize>, options: &Options) -> String {
    let page = format_with(text, options, Defaults::Keep);
    if page == text {
        return page;
    }
    splice(text, &page, range).unwrap_or_else(|| text.to_owned())
}

/// Replaces the part of `text` around `range` by its counterpart in `page`. Returns `None` if the range is empty of
/// tokens and comments, or if the two texts have different tokens.
fn splice(text: &str, page: &str, range: Range<usize>) -> Option<String> {
    let (old, new) = (words(text), words(page));
    if old.len() != new.len() {
        return None;
    }
    let line_start = text.get(..range.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line_end = text.get(range.end..)?.find('\n').map_or(text.len(), |at| range.end + at);
    let mut first = old.partition_point(|word| word.end <= line_start);
    let mut last = old.partition_point(|word| word.start < line_end);
    if first >= last {
        return None;
    }
    let starts = |index: usize| is_line_start(text, old[index].start) && is_line_start(page, new[index].start);
    while first > 0 && !starts(first) {
        first -= 1;
    }
    while last < old.len() && !starts(last) {
        last += 1;
    }
    let before = line_of(text, old[first].start)..end_of_line(text, old[last - 1].end);
    let after = line_of(page, new[first].start)..end_of_line(page, new[last - 1].end);
    Some([&text[..before.start], &page[after], &text[before.end..]].concat())
}

/// The ranges of all tokens and comments, in ascending order.
fn words(text: &str) -> Vec<Range<usize>> {
    let tokens = lex(text);
    let of_tokens = (0..tokens.len()).map(|token| tokens.start(token) as usize..tokens.end(token) as usize);
    let of_comments = tokens.comments().iter().map(|&(start, end)| start as usize..end as usize);
    let mut all: Vec<Range<usize>> = of_tokens.chain(of_comments).collect();
    all.sort_by_key(|word| word.start);
    all
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |found| found + 1)
}

fn is_line_start(text: &str, at: usize) -> bool {
    text[line_of(text, at)..at].trim().is_empty()
}

/// The end of the line whose last word ends at `at`: includes trailing whitespace.
fn end_of_line(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format;

    /// Formats the range between `⟦` and `⟧`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let start = text.find('⟦').expect("a start");
        let end = text.find('⟧').expect("an end") - '⟦'.len_utf8();
        let text = text.replace(['⟦', '⟧'], "");
        assert_eq!(format_range(&text, start..end, &Options::default()), expected);
        // The same with CRLF.
        let returns = |text: &str| text.replace('\n', "\r\n");
        let (start, end) = (returns(&text[..start]).len(), returns(&text[..end]).len());
        assert_eq!(format_range(&returns(&text), start..end, &Options::default()), returns(expected));
    }

    #[test]
    fn formats_whole_lines_and_no_others() {
        let text = "cuda_tile.module @m {\n entry @k() {\n  %a  =  iota : tile<8xi32>\n  %b  =  i⟦o⟧ta  : tile<8xi32> // b\n  %c  =  iota : tile<8xi32>\n }\n}\n";
        let expected = "cuda_tile.module @m {\n entry @k() {\n  %a  =  iota : tile<8xi32>\n    %b = iota : tile<8xi32> // b\n  %c  =  iota : tile<8xi32>\n }\n}\n";
        check(text, expected);
    }

    #[test]
    fn range_grows_to_line_boundaries_of_both_texts() {
        let text = "cuda_tile.module @m {\n  entry @k() { %a = io⟦⟧ta : tile<8xi32>\n  %b =\n iota : tile<8xi32> }\n\n\n\n  entry  @j() {\n  }\n}\n";
        let expected = "cuda_tile.module @m {\n  entry @k() {\n    %a = iota : tile<8xi32>\n  %b =\n iota : tile<8xi32> }\n\n\n\n  entry  @j() {\n  }\n}\n";
        check(text, expected);
    }

    #[test]
    fn a_new_line_after_the_formatted_line_is_kept() {
        let text = "cuda_tile.module @m {\n  entry @k() {\n  %a  =  iota : tile<8xi32>⟦   \n⟧    \n  }\n}\n";
        let expected = "cuda_tile.module @m {\n  entry @k() {\n    %a = iota : tile<8xi32>\n    \n  }\n}\n";
        check(text, expected);
        check("cuda_tile.module @m {\n\n⟦\n⟧\n\n}\n", "cuda_tile.module @m {\n\n\n\n\n}\n");
    }

    #[test]
    fn a_closing_brace_is_indented() {
        let text =
            "cuda_tile.module @m {\n  entry @k() {\n    if %c {\n      %a  = iota : tile<8xi32>\n        }⟦⟧\n  }\n}\n";
        check(
            text,
            "cuda_tile.module @m {\n  entry @k() {\n    if %c {\n      %a  = iota : tile<8xi32>\n    }\n  }\n}\n",
        );
    }

    #[test]
    fn the_whole_range_formats_the_whole_text() {
        let text = "cuda_tile.module @m {\n entry @k() {\n  cuda_tile.return\n }\n}";
        let page = format(text, &Options::default());
        assert_eq!(format_range(text, 0..text.len(), &Options::default()), page.trim_end());
        let broken = "cuda_tile.module @m {\n entry @k() {\n  %a = iota :\n   %b =   iota : tile<8xi32>\n }\n";
        let at = broken.find("%b").expect("the text contains `%b`");
        assert!(format_range(broken, at..at, &Options::default()).contains("    %b = iota : tile<8xi32>\n"));
    }
}
