//! Splitting a file into its entries and the outline between them, without parsing it.
//!
//! An entry (or another function-like item) is parsed, checked and cached separately, so that an edit inside one leaves
//! the others cached. Items are found by counting braces. Where braces do not match, the next line that starts an item
//! or a module ends the current one: entries never nest, so such a line cannot belong to it.

use crate::lexer::is_blank;
use crate::search;
use std::ops::Range;

/// The names that start an item, in custom and in generic form.
const ITEMS: [&str; 6] = [
    "entry",
    "cuda_tile.entry",
    "testing$func",
    "cuda_tile.testing$func",
    "\"cuda_tile.entry\"",
    "\"cuda_tile.testing$func\"",
];

/// Other words that start a line outside of items.
const OUTLINE: [&str; 9] = [
    "cuda_tile.module",
    "builtin.module",
    "module",
    "global",
    "cuda_tile.global",
    "preview$func",
    "cuda_tile.preview$func",
    "preview$extern_impl",
    "cuda_tile.preview$extern_impl",
];

/// Iterates over the items. The items from a position on depend only on the text after it and on `open`.
pub(crate) struct Splitter<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Braces of the outline that are open at `at`.
    open: usize,
}

/// An item of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ItemSpan {
    /// Its range, in bytes.
    pub(crate) range: Range<usize>,
    /// Braces of the outline that are open before it.
    pub(crate) open: usize,
}

impl<'t> Splitter<'t> {
    /// Continues at the start of the text or of an item.
    pub(crate) fn resume(text: &'t str, at: usize, open: usize) -> Splitter<'t> {
        Splitter { text, bytes: text.as_bytes(), at, open }
    }
}

impl Iterator for Splitter<'_> {
    type Item = ItemSpan;

    fn next(&mut self) -> Option<ItemSpan> {
        let start = self.next_item()?;
        self.at = self.item_end(start);
        Some(ItemSpan { range: start..self.at, open: self.open })
    }
}

impl Splitter<'_> {
    fn peek(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// Skips the comment or string that starts at `at`; returns where it ends.
    fn skip_opaque(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..];
        match rest {
            [b'/', b'/', ..] => Some(at + search::line_length(rest)),
            [b'"', ..] => Some(at + string_length(rest)),
            _ => None,
        }
    }

    /// The word at `at`: a name, or a string including its quotes.
    fn word(&self, at: usize) -> &str {
        let rest = &self.bytes[at..];
        let length = match rest.first() {
            Some(b'"') => string_length(rest),
            _ => rest.iter().take_while(|&&b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')).count(),
        };
        self.text.get(at..at + length).unwrap_or("")
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        loop {
            while is_blank(self.peek(at)) {
                at += 1;
            }
            match self.bytes.get(at..) {
                Some([b'/', b'/', ..]) => at = self.skip_opaque(at).unwrap_or(at),
                _ => return at,
            }
        }
    }

    /// Whether an item starts at `at`, the first byte of a statement.
    fn is_item(&self, at: usize) -> bool {
        let word = self.word(at);
        if ITEMS.contains(&word) {
            let next = self.skip_blanks(at + word.len());
            return !matches!(self.peek(next), b'=' | b',' | b':');
        }
        // The keyword is missing: `@name(%a: …`.
        self.peek(at) == b'@' && self.peek(at + 1 + self.word(at + 1).len()) == b'('
    }

    /// Advances through the outline to the next item.
    fn next_item(&mut self) -> Option<usize> {
        let mut statement_start = true;
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            match byte {
                b'/' | b'"' if !(statement_start && byte == b'"' && self.is_item(self.at)) => {
                    self.at = self.skip_opaque(self.at).unwrap_or(self.at + 1);
                    statement_start = false;
                }
                b'{' => {
                    (self.open, self.at, statement_start) = (self.open + 1, self.at + 1, true);
                }
                b'}' => {
                    (self.open, self.at, statement_start) = (self.open.saturating_sub(1), self.at + 1, true);
                }
                b'\n' => (self.at, statement_start) = (self.at + 1, true),
                byte if is_blank(byte) => self.at += 1,
                _ if statement_start && self.is_item(self.at) => return Some(self.at),
                _ => {
                    self.at += self.word(self.at).len().max(1);
                    statement_start = false;
                }
            }
        }
        None
    }

    /// The end of the item that starts at `start`.
    fn item_end(&self, start: usize) -> usize {
        let mut at = self.header_start(start);
        let is_generic = self.peek(start) == b'"';
        let (mut angles, mut parens, mut depth, mut body) = (0usize, 0usize, 0usize, false);
        let mut closed = Vec::new();
        while at < self.bytes.len() {
            if depth > 0 {
                at = self.skip_plain(at);
            }
            match self.bytes.get(at).copied().unwrap_or(0) {
                b'/' | b'"' => {
                    at = self.skip_opaque(at).unwrap_or(at + 1);
                    continue;
                }
                b'\n' if self.ends_item(at + 1) => return self.without_outline_braces(start, at, &closed),
                b'{' if depth == 0 && parens > 0 && !is_generic && self.dict_end(at).is_some() => {
                    at = self.dict_end(at).unwrap_or(at);
                }
                b'{' if depth > 0 || angles == 0 => (depth, body) = (depth + 1, true),
                b'}' if depth > 0 || angles == 0 => {
                    closed.push(at);
                    depth = depth.saturating_sub(1);
                    if depth == 0 && body && self.closes_outline(start, at) {
                        return self.trim(start, at);
                    }
                    if depth == 0 && (body || self.open < 2) {
                        return self.tail(start, at + 1, parens);
                    }
                }
                b'<' | b'>' if depth == 0 && self.peek(at + 1) == b'=' => {}
                b'<' if depth == 0 => angles += 1,
                b'>' if depth == 0 && self.bytes[at - 1] != b'-' => angles = angles.saturating_sub(1),
                b'(' if depth == 0 => parens += 1,
                b')' if depth == 0 => parens = parens.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        self.without_outline_braces(start, self.bytes.len(), &closed)
    }

    /// Whether the last brace of a text, which matches one of the item that starts at `start`, belongs to the outline
    /// according to its indentation: a brace of the item is missing.
    fn closes_outline(&self, start: usize, brace: usize) -> bool {
        let indents = self.indent(start).zip(self.indent(brace));
        self.open > 0
            && indents.is_some_and(|(item, brace)| brace < item)
            && self.skip_blanks(brace + 1) >= self.bytes.len()
    }

    /// The indentation of the line that starts with the token at `at`; `None` if other text precedes it.
    fn indent(&self, at: usize) -> Option<usize> {
        let blanks = self.bytes[..at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        matches!(self.bytes[..at - blanks].last(), None | Some(b'\n')).then_some(blanks)
    }

    /// The end of the keyword of the item at `start`, or the `@` of its name, which can be on a later line.
    fn header_start(&self, start: usize) -> usize {
        let end = start + self.word(start).len();
        let name = self.skip_blanks(end);
        if self.peek(name) == b'@' { name } else { end }
    }

    /// Advances from `at` to the next byte that matters to the splitter inside a body.
    fn skip_plain(&self, at: usize) -> usize {
        at + search::plain_length(&self.bytes[at..])
    }

    /// The brace that closes the dictionary of a parameter, which opens at `start`. A body is distinguished from a
    /// dictionary by the values it usually contains, and by its first word, which is followed by neither `=` nor `,`.
    fn dict_end(&self, start: usize) -> Option<usize> {
        let end = self.closing_brace(start)?;
        let first = self.skip_blanks(start + 1);
        let next = self.skip_blanks(first + self.word(first).len());
        let is_named = matches!(self.peek(next), b'=' | b',');
        (is_named || !self.bytes[start..end].contains(&b'\n')).then_some(end)
    }

    /// The brace that closes the one at `start`, unless a value or the next item comes first.
    fn closing_brace(&self, start: usize) -> Option<usize> {
        let (mut at, mut depth) = (start, 0usize);
        loop {
            if let Some(end) = self.bytes.get(at..).and_then(|_| self.skip_opaque(at)) {
                at = end;
                continue;
            }
            match *self.bytes.get(at)? {
                b'{' => depth += 1,
                b'}' if depth == 1 => return Some(at),
                b'}' => depth -= 1,
                b'%' => return None,
                b'\n' if self.ends_item(at + 1) => return None,
                _ => {}
            }
            at += 1;
        }
    }

    /// Whether the line that starts at `at` cannot be part of an item.
    fn ends_item(&self, mut at: usize) -> bool {
        while matches!(self.peek(at), b' ' | b'\t' | b'\r') {
            at += 1;
        }
        match self.peek(at) {
            b'e' | b'c' | b't' | b'"' | b'm' | b'g' | b'b' | b'p' | b'@' => {
                let word = self.word(at);
                self.is_item(at)
                    || OUTLINE.contains(&word)
                        && matches!(
                            self.peek(self.skip_blanks(at + word.len())),
                            b'@' | b'{' | b'p' | b'c' | b'a' | b'e'
                        )
            }
            b'!' | b'#' => {
                let name = self.word(at + 1);
                !name.is_empty() && self.peek(self.skip_blanks(at + 1 + name.len())) == b'='
            }
            _ => false,
        }
    }

    /// The end of an item whose closing brace ends at `end`, including the types or the location after the brace.
    fn tail(&self, start: usize, end: usize, parens: usize) -> usize {
        let next = self.skip_blanks(end);
        match self.peek(next) {
            0 | b'}' => end,
            // Generic form: `}) : (…) -> ()`.
            b')' | b':' if parens > 0 || self.peek(next) == b':' => self.types_end(self.line_end(next)),
            b'l' if self.word(next) == "loc" => self.line_end(next),
            _ if self.ends_item(next) => end,
            // More statements follow, so the brace was one too many. The item extends to the next one.
            _ => self.rest_of_item(start, next),
        }
    }

    /// The end of an item in generic form, whose types can be on a separate line.
    fn types_end(&self, end: usize) -> usize {
        let next = self.skip_blanks(end);
        if self.peek(next) == b':' { self.line_end(next) } else { end }
    }

    /// The end of the line, or the brace on it that closes an enclosing region.
    fn line_end(&self, at: usize) -> usize {
        let mut depth = 0usize;
        let ends = |&byte: &u8| match byte {
            b'{' => (depth += 1, false).1,
            b'}' if depth > 0 => (depth -= 1, false).1,
            byte => byte == b'\n' || byte == b'}',
        };
        at + self.bytes[at..].iter().position(ends).unwrap_or(self.bytes.len() - at)
    }

    fn rest_of_item(&self, start: usize, mut at: usize) -> usize {
        let mut closed = Vec::new();
        while at < self.bytes.len() {
            if let Some(next) = self.skip_opaque(at) {
                at = next;
                continue;
            }
            match self.bytes[at] {
                b'\n' if self.ends_item(at + 1) => return self.trim(start, at),
                b'}' => closed.push(at),
                _ => {}
            }
            at += 1;
        }
        self.without_outline_braces(start, at, &closed)
    }

    /// The end of an item that is not closed before `end`. At the end of the text, the last closing braces belong to
    /// the outline and are excluded. `closed` contains the offsets of the closing braces that were found.
    fn without_outline_braces(&self, start: usize, mut end: usize, closed: &[usize]) -> usize {
        if end == self.bytes.len() {
            for &brace in closed.iter().rev().take(self.open) {
                if self.skip_blanks(brace + 1) < end {
                    break;
                }
                end = brace;
            }
        }
        self.trim(start, end)
    }

    fn trim(&self, start: usize, end: usize) -> usize {
        start + self.text[start..end].trim_end_matches(|c| u8::try_from(c).is_ok_and(is_blank)).len()
    }
}

/// The length of the string at the start of `bytes`, including its quotes. An unclosed string ends at the end of its
/// line.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' if bytes.get(at + 1).is_some_and(|&b| b != b'\n') => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use crate::cut::{PieceKind, split};

    fn items(text: &str) -> Vec<&str> {
        let pieces = split(text);
        let mut at = 0;
        for piece in &pieces {
            assert_eq!(piece.range.start, at, "pieces have no gaps between them");
            at = piece.range.end;
        }
        assert_eq!(at, text.len());
        pieces.into_iter().filter(|piece| piece.kind == PieceKind::Item).map(|piece| &text[piece.range]).collect()
    }

    #[test]
    fn an_item_ends_with_its_brace() {
        let text = "cuda_tile.module @m {\n  // entry @no() {}\n  entry @a() { if %c { } }\n  global @g\n  entry @b(%x: tile<i32>) optimization_hints=<sm_90 = {}> {\n  }\n}\n";
        assert_eq!(
            items(text),
            ["entry @a() { if %c { } }", "entry @b(%x: tile<i32>) optimization_hints=<sm_90 = {}> {\n  }"]
        );
    }

    #[test]
    fn an_item_on_the_modules_line_is_found() {
        assert_eq!(items("cuda_tile.module @m { entry @a() { return } }"), ["entry @a() { return }"]);
    }

    #[test]
    fn a_missing_brace_ends_at_the_next_item() {
        let text = "cuda_tile.module @m {\n  entry @a() {\n    loop {\n  }\n  entry @b() {\n  }\n}\n";
        assert_eq!(items(text), ["entry @a() {\n    loop {\n  }", "entry @b() {\n  }"]);
    }

    #[test]
    fn statements_after_an_extra_brace_stay_in_their_item() {
        let text = "cuda_tile.module @m {\n  entry @a() {\n    for\n    }\n    %0 = iota : tile<4xi32>\n  }\n}\n";
        assert_eq!(items(text), ["entry @a() {\n    for\n    }\n    %0 = iota : tile<4xi32>\n  }"]);
    }

    #[test]
    fn an_item_without_its_keyword_is_found() {
        assert_eq!(items("cuda_tile.module @m {\n  @a(%x: tile<i32>) {\n  }\n}"), ["@a(%x: tile<i32>) {\n  }"]);
    }

    #[test]
    fn generic_form_ends_after_its_types() {
        let text =
            "\"cuda_tile.entry\"() <{sym_name = \"a\"}> ({\n  \"cuda_tile.return\"() : () -> ()\n}) : () -> ()\n}";
        assert_eq!(items(text), [&text[..text.len() - 2]]);
        let text = text.replace(" : () -> ()\n}", " {a = 1} : () -> ()\n}");
        assert_eq!(items(&text), [&text[..text.len() - 2]]);
        let text = text.replace(" : () -> ()\n}", "\n : () -> ()\n}");
        assert_eq!(items(&text), [&text[..text.len() - 2]]);
    }

    #[test]
    fn a_brace_in_a_comment_closes_nothing() {
        assert_eq!(items("cuda_tile.module @m {\n entry @a() {\n // x }"), ["entry @a() {\n // x }"]);
    }

    #[test]
    fn the_name_can_be_on_a_later_line() {
        for between in ["\n", "\n\n    ", " // (comment) {\n  // another\n", "\r\n"] {
            let item = format!("entry{between}@a(%x: tile<i32>) {{\n    return\n  }}");
            let text = format!("cuda_tile.module @m {{\n  {item}\n  entry @b() {{\n  }}\n}}\n");
            assert_eq!(items(&text), [item.as_str(), "entry @b() {\n  }"]);
        }
        assert_eq!(items("entry\nentry @b() {\n}"), ["entry", "entry @b() {\n}"]);
    }

    #[test]
    fn a_parameters_dictionary_is_not_a_body() {
        for dict in [
            "{a = 1}",
            "{}",
            "{a.b}",
            "{a = {b = 1}, c = \"}%\"}",
            "{\n a = 1 : i32,\n b = [{}]\n }",
            "{ // }\n a.b, c\n }",
        ] {
            let text = format!("entry @a(%x: tile<i32> {dict} loc(unknown), %y: tile<i32> {dict}) {{\n return\n}}");
            assert_eq!(items(&text), [text.as_str()]);
        }
    }

    #[test]
    fn an_unclosed_dictionary_ends_at_the_next_item() {
        let text = "entry @a(%x: tile<i32> {\n  , 3\nentry @b() {\n}\nentry @c() {\n}\n}";
        assert_eq!(items(text), ["entry @a(%x: tile<i32> {\n  , 3", "entry @b() {\n}", "entry @c() {\n}"]);
    }

    #[test]
    fn a_body_after_a_missing_parenthesis_is_not_a_dictionary() {
        for body in ["{\n return\n}", "{\n %a = iota : tile<4xi32>\n}"] {
            let text = format!("entry @a(%x: tile<i32> {body}\nentry @b() {{\n}}");
            assert_eq!(items(&text), [&format!("entry @a(%x: tile<i32> {body}"), "entry @b() {\n}"]);
        }
    }
}
