//! Line breaking for statements that are too long for one line or contain comments.
//!
//! A statement is broken before its types; each part that is still too long is broken before its clauses, and each
//! clause that is still too long before its items. Anything else is filled up to the width and broken after commas. A
//! part that contains a comment counts as too long.

use crate::plan::{Line, is_known_type, mark};
use crate::source::{Source, without_prefix};
use crate::spacing::Spacing;
use crate::writer::{STEP, Writer, columns};
use std::ops::Range;
use tile_dialect::PREVIEW_PREFIX;
use tile_syntax::Token;

/// Indentation of continuation lines: twice that of a region, so that the two look different.
const HANG: usize = 2 * STEP;

/// Number of bracket levels that are tried from the outside in, before breaking after any comma.
const LEVELS: usize = 4;

/// One token of the statement.
struct StatementToken<'t> {
    token: usize,
    text: &'t str,
    columns: usize,
    space: bool,
    /// Whether a line can be broken before it as a last resort, and the number of brackets around it.
    may_break: bool,
    depth: usize,
    /// Number of comments immediately before it.
    comments: usize,
}

/// A statement that is being written on several lines.
pub(crate) struct LineBreaker<'p, 't> {
    writer: &'p mut Writer,
    source: Source<'t>,
    /// The comments inside the statement that have not been written yet.
    comments: &'t [(u32, u32)],
    indent: usize,
    /// Indentation of continuation lines, relative to `indent`.
    hang: usize,
    words: Vec<StatementToken<'t>>,
    /// Whether the current line starts with the bracket that closes a list, so that the next clause can continue it.
    closed: bool,
}

impl<'p, 't> LineBreaker<'p, 't> {
    pub(crate) fn new(writer: &'p mut Writer, source: Source<'t>, comments: &'t [(u32, u32)], line: &Line) -> Self {
        // A line that starts with `}`, such as `} else {`, is not indented when it is broken.
        let hang = if line.closes { 0 } else { HANG };
        LineBreaker { writer, source, comments, indent: line.depth * STEP, hang, words: Vec::new(), closed: false }
    }

    /// Writes the tokens of the statement.
    pub(crate) fn lay_out(mut self, tokens: Range<usize>) {
        self.read(tokens);
        let parts = self.cut(0..self.words.len(), mark::TYPES);
        for part in parts {
            let is_types = self.has(part.start, mark::TYPES);
            if is_types || self.fits(&part, self.column(&part)) {
                self.clause(part);
            } else {
                self.cut(part, mark::CLAUSE).into_iter().for_each(|clause| self.clause(clause));
            }
        }
    }

    fn read(&mut self, tokens: Range<usize>) {
        let mut spacing = Spacing::new(self.source);
        let mut rest = self.comments;
        for token in tokens {
            if self.source.drops(token) {
                continue;
            }
            let depth = spacing.depth();
            let space = spacing.before(token);
            let start = self.source.tokens().start(token);
            let comments = rest.iter().take_while(|comment| comment.0 < start).count();
            rest = &rest[comments..];
            let text = self.source.word(token);
            let may_break = !spacing.in_type() && self.may_start_line(token);
            self.words.push(StatementToken { token, text, columns: columns(text), space, may_break, depth, comments });
        }
    }

    /// Whether this token can start a line: it follows a comma, and the line would not parse as a statement.
    fn may_start_line(&self, token: usize) -> bool {
        let tokens = self.source.tokens();
        let next = tokens.kind(token + 1);
        let word = tokens.text(token, self.source.text);
        if tokens.kind(token) == Token::LeftBrace && token > 0 && tokens.kind(token - 1) == Token::Greater {
            // `{cuda_tile.preview$access = …}` after the type of an argument.
            return without_prefix(tokens.text(token + 1, self.source.text)).starts_with(PREVIEW_PREFIX);
        }
        let (is_op, is_type) = (|| tile_dialect::lookup(word).is_some(), || is_known_type(word));
        token > 0
            && tokens.kind(token - 1) == Token::Comma
            && match tokens.kind(token) {
                Token::Name => next == Token::Equal || !is_op() && (is_type() || !may_follow_op(next)),
                Token::AttrName | Token::TypeName => next != Token::Equal,
                Token::String => next != Token::LeftParen,
                _ => true,
            }
    }

    fn has(&self, word: usize, mark: u16) -> bool {
        self.source.marks.has(self.words[word].token, mark)
    }

    /// Splits a range of words before each word with the mark.
    fn cut(&self, words: Range<usize>, mark: u16) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = words.start;
        for at in words.clone().skip(1).filter(|&at| self.has(at, mark)) {
            parts.push(start..at);
            start = at;
        }
        parts.push(start..words.end);
        parts
    }

    /// The width of words on one line in columns; effectively infinite if there is a comment between them.
    fn width(&self, words: &Range<usize>) -> usize {
        let inner = &self.words[words.start + 1..words.end];
        if inner.iter().any(|word| word.comments > 0) {
            return usize::MAX / 2;
        }
        self.words[words.start].columns + inner.iter().map(|word| word.columns + usize::from(word.space)).sum::<usize>()
    }

    fn fits(&self, words: &Range<usize>, column: usize) -> bool {
        column + self.width(words) <= self.writer.width()
    }

    /// The column at which a clause starts on its own line.
    fn column(&self, words: &Range<usize>) -> usize {
        if words.start == 0 { self.indent } else { self.indent + self.hang }
    }

    /// Writes a clause on its own line, or after the list that was just closed.
    fn clause(&mut self, words: Range<usize>) {
        let column = self.column(&words);
        let continues_line =
            self.closed && self.words[words.start].comments == 0 && self.fits(&words, self.writer.column() + 1);
        self.closed = false;
        if words.start > 0 {
            let indent = if continues_line { None } else { Some(column) };
            self.word(words.start, indent, column);
        } else {
            self.word(0, None, column);
        }
        let rest = words.start + 1..words.end;
        let find = |mark| words.clone().find(|&at| self.has(at, mark));
        if continues_line || self.fits(&words, column) {
            self.flat(rest);
        } else if let Some(open) = find(mark::OPEN) {
            self.list(words, open, column);
        } else if self.has(words.start, mark::TYPES) && find(mark::ITEM).is_some() {
            self.stack(words, column);
        } else {
            self.fill(rest, column + self.hang);
        }
    }

    /// Writes a bracketed list, one item a line. The first word has already been written.
    fn list(&mut self, words: Range<usize>, open: usize, column: usize) {
        let depth = self.words[open].depth + 1;
        let closes = |&at: &usize| self.has(at, mark::CLOSE) && self.words[at].depth == depth;
        let end = (open + 1..words.end).find(closes).unwrap_or(words.end);
        self.fill(words.start + 1..(open + 1).max(words.start + 1), column + HANG);
        let items = self.items(open + 1..end, depth);
        match &items[..] {
            // A list of numbers is filled.
            [numbers] if self.words[open].text == "[" && !numbers.is_empty() && !self.opens(numbers) => {
                self.word(numbers.start, Some(column + STEP), column + STEP);
                self.fill(numbers.start + 1..numbers.end, column + STEP);
            }
            _ => {
                // If one nested list must be broken, all are, so that rows of a constant look alike.
                let is_broken = items.iter().any(|item| self.opens(item) && !self.fits(item, column + STEP));
                items.into_iter().for_each(|item| self.item(item, column + STEP, is_broken));
            }
        }
        if end < words.end {
            self.comments(end, column + STEP);
            self.word(end, Some(column), column + STEP);
            self.fill(end + 1..words.end, column + self.hang);
            self.closed = self.words[end + 1..words.end].iter().all(|word| word.text == ">" && word.comments == 0);
        }
    }

    /// Splits the words between the brackets of a list into items.
    fn items(&self, words: Range<usize>, depth: usize) -> Vec<Range<usize>> {
        let starts = |&at: &usize| self.has(at, mark::ITEM) && self.words[at].depth == depth;
        let mut cuts: Vec<usize> = vec![words.start];
        cuts.extend((words.start + 1..words.end).filter(starts));
        cuts.push(words.end);
        cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// Whether an item is itself a list.
    fn opens(&self, item: &Range<usize>) -> bool {
        !item.is_empty() && self.has(item.start, mark::OPEN)
    }

    /// Writes types without brackets, one a line, aligned with the first.
    fn stack(&mut self, words: Range<usize>, column: usize) {
        let column = column + self.words[words.start].columns + 1;
        let parts = self.cut(words.start..words.end, mark::ITEM);
        self.fill(parts[0].start + 1..parts[0].end, column);
        for part in &parts[1..] {
            self.item(part.clone(), column, false);
        }
    }

    fn item(&mut self, words: Range<usize>, column: usize, is_broken: bool) {
        if words.is_empty() {
            return;
        }
        self.word(words.start, Some(column), column);
        if is_broken && self.opens(&words) {
            self.list(words.clone(), words.start, column);
        } else {
            self.fill(words.start + 1..words.end, column + HANG);
        }
    }

    /// Writes words on the current line.
    fn flat(&mut self, words: Range<usize>) {
        for word in words {
            self.word(word, None, self.indent + self.hang);
        }
    }

    /// Writes words up to the width, broken after commas.
    fn fill(&mut self, words: Range<usize>, indent: usize) {
        self.fill_level(words, indent, LEVELS);
    }

    /// Like `fill`, but prefers commas inside the fewest brackets, so that bracketed groups stay together.
    fn fill_level(&mut self, words: Range<usize>, indent: usize, levels: usize) {
        let depths = self.words[words.clone()].iter().filter(|word| word.may_break).map(|word| word.depth);
        let depth = if levels == 0 { usize::MAX } else { depths.min().unwrap_or(0) };
        let breaks = |word: &StatementToken| word.may_break && word.depth <= depth;
        let mut at = words.start;
        while at < words.end {
            let end = (at + 1..words.end).find(|&next| breaks(&self.words[next])).unwrap_or(words.end);
            let first = &self.words[at];
            let fits = self.fits(&(at..end), self.writer.column() + usize::from(first.space));
            let line = (first.may_break && !fits).then_some(indent);
            self.word(at, line, indent);
            if levels == 0
                || self.fits(&(at..end), indent)
                || !self.words[at + 1..end].iter().any(|word| word.may_break)
            {
                (at + 1..end).for_each(|word| self.word(word, None, indent));
            } else {
                self.fill_level(at + 1..end, indent, levels - 1);
            }
            at = end;
        }
    }

    /// Writes one word, on a new line with indentation `line` if that is given. A word after a comment always starts a
    /// line.
    fn word(&mut self, word: usize, line: Option<usize>, indent: usize) {
        let had_comments = self.words[word].comments > 0;
        let at_start = self.comments(word, line.unwrap_or(indent));
        let StatementToken { text, space, .. } = self.words[word];
        if had_comments || line.is_some() {
            self.writer.start_line(line.unwrap_or(indent), false);
        } else if space && word > 0 && !at_start {
            self.writer.space();
        }
        self.writer.push(text);
    }

    /// Writes the comments before a word; returns whether there were any.
    fn comments(&mut self, word: usize, indent: usize) -> bool {
        let count = std::mem::take(&mut self.words[word].comments);
        let (comments, rest) = self.comments.split_at(count);
        self.comments = rest;
        let mut at = self.source.tokens().end(self.words[word].token.saturating_sub(1));
        for &(start, end) in comments {
            let text = self.source.comment(start, end);
            if self.source.breaks(at, start) == 0 {
                self.writer.trail(text);
            } else {
                self.writer.start_line(indent, false);
                self.writer.push(text);
            }
            at = end;
        }
        count > 0
    }
}

/// Whether this token can follow the name of an op, known or unknown.
fn may_follow_op(token: Token) -> bool {
    matches!(token, Token::Value | Token::String | Token::Symbol | Token::Colon | Token::Less)
}
