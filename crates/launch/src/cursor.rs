//! Scans a directive from left to right.

mod number;
mod text;

pub(super) use text::quote;

use super::error::LaunchError;
use std::ops::Range;

/// A position in a text and the end of the part to scan.
///
/// In a directive of several lines, the line break and the `//@` after it count as spaces.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    begin: usize,
    at: usize,
    end: usize,
}

pub(super) type Parsed<T> = Result<T, LaunchError>;

/// Whether a character can be part of a word: an initializer, a key, a function.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a character can be part of the name of a value after its `%`.
fn is_value_name(c: char) -> bool {
    is_word(c) || matches!(c, '$' | '.' | '-')
}

impl<'a> Cursor<'a> {
    /// A cursor over `range` of `text`, or over nothing if the range is not valid.
    pub(super) fn new(text: &'a str, range: Range<usize>) -> Cursor<'a> {
        let Range { start, end } = if text.get(range.clone()).is_some() { range } else { 0..0 };
        Cursor { text, begin: start, at: start, end }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// Where the next token starts.
    pub(super) fn start(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    /// The end of the last token, before any space that was skipped since.
    pub(super) fn position(&self) -> usize {
        let mut passed = self.slice(self.begin..self.at).trim_end();
        while let Some(before) = passed.strip_suffix("//@") {
            passed = before.trim_end();
        }
        self.begin + passed.len()
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            let crossed_line = rest[..rest.len() - trimmed.len()].contains('\n');
            self.at += rest.len() - trimmed.len();
            if !crossed_line || !trimmed.starts_with("//@") {
                return;
            }
            self.at += "//@".len();
        }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Consumes `symbol` if it is next.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    /// Consumes the word `word`, but not a longer word that begins with it.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn peek_word(&mut self) -> &'a str {
        self.skip_space();
        let rest = self.rest();
        if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { prefix(rest, is_word) } else { "" }
    }

    pub(super) fn word(&mut self) -> (&'a str, Range<usize>) {
        let word = self.peek_word();
        let start = self.at;
        self.at += word.len();
        (word, start..self.at)
    }

    /// The name of a value, without its `%`.
    pub(super) fn value_name(&mut self) -> Parsed<(&'a str, Range<usize>)> {
        let start = self.start();
        if !self.eat("%") {
            return Err(self.expected("an argument such as `%a`"));
        }
        let name = prefix(self.rest(), is_value_name);
        self.named(name, start)
    }

    /// The name of a value inside a formula, where `-` is an operator and `.` begins `.T`, unless `known` contains the
    /// longer name. `#` is part of a known name: `%pair#1`.
    pub(super) fn value_in_formula(&mut self, known: &[String]) -> Parsed<(&'a str, Range<usize>)> {
        let start = self.start();
        if !self.eat("%") {
            return Err(self.expected("an argument such as `%a`"));
        }
        let whole = prefix(self.rest(), |c| is_value_name(c) || c == '#');
        let short = prefix(whole, |c| is_word(c) || c == '$');
        let longest = (short.len() + 1..=whole.len()).rev().map(|end| &whole[..end]).find(|name| contains(known, name));
        self.named(longest.unwrap_or(short), start)
    }

    /// The name of an entry, without its `@`.
    pub(super) fn symbol(&mut self) -> Parsed<(String, Range<usize>)> {
        let start = self.start();
        if !self.eat("@") {
            return Err(self.expected("an entry such as `@k`"));
        }
        let name = prefix(self.rest(), is_value_name).to_string();
        self.at += name.len();
        match &name[..] {
            "" if self.rest().starts_with('"') => Ok((self.string()?.0, start..self.at)),
            "" => Err(LaunchError::new(start..self.at, "a name must follow `@`")),
            _ => Ok((name, start..self.at)),
        }
    }

    fn named(&mut self, name: &'a str, start: usize) -> Parsed<(&'a str, Range<usize>)> {
        self.at += name.len();
        match name {
            "" => Err(LaunchError::new(start..self.at, "a name must follow `%`")),
            _ => Ok((name, start..self.at)),
        }
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    /// The error "expected `what`" at the next token.
    pub(super) fn expected(&mut self, what: &str) -> LaunchError {
        let range = self.next_token();
        match self.slice(range.clone()) {
            "" => LaunchError::new(range, format!("expected {what}, but the line ends here")),
            found => LaunchError::new(range.clone(), format!("expected {what}, found `{found}`")),
        }
    }

    /// The range of the next token: a word or number, or one character.
    pub(super) fn next_token(&mut self) -> Range<usize> {
        self.skip_space();
        let rest = self.rest();
        let word = prefix(rest, |c| is_word(c) || c == '%');
        let length = if word.is_empty() { rest.chars().next().map_or(0, char::len_utf8) } else { word.len() };
        self.at..self.at + length
    }

    /// Checks that nothing follows.
    pub(super) fn finish(&mut self) -> Parsed<()> {
        if self.at_end() {
            return Ok(());
        }
        let range = self.next_token();
        let found = self.slice(range.clone());
        Err(LaunchError::new(range, format!("unexpected `{found}`")))
    }
}

fn contains(names: &[String], name: &str) -> bool {
    names.iter().any(|known| known == name)
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !belongs(c)).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_formulas_end_at_operators_unless_the_longer_name_is_known() {
        let read = |text: &str, known: &[&str]| {
            let known: Vec<String> = known.iter().map(|name| name.to_string()).collect();
            Cursor::new(text, 0..text.len()).value_in_formula(&known).map(|(name, _)| name.to_string())
        };
        assert_eq!(read("%a-%b", &[]), Ok("a".into()));
        assert_eq!(read("%a.T", &["a"]), Ok("a".into()));
        assert_eq!(read("%a.1.T", &["a", "a.1"]), Ok("a.1".into()));
        assert!(read("%", &[]).is_err());
    }
}
