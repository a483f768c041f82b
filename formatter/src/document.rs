//! Formats a text without checking the result, which `format.rs` does.

use crate::directive;
use crate::keep::{VerbatimRange, VerbatimRanges, verbatim_ranges};
use crate::line_breaking::LineBreaker;
use crate::options::{Defaults, Options};
use crate::plan::{Line, Style, TreeContext, plan};
use crate::source::Source;
use crate::spacing::Spacing;
use crate::writer::{STEP, Writer};
use std::ops::Range;
use tile_syntax::{Token, Tree, parse_item, parse_outline, split};

/// A formatted text.
pub(crate) struct Document {
    /// The formatted text.
    pub(crate) text: String,
    /// Whether the original text has syntax errors.
    pub(crate) has_errors: bool,
    /// The ranges of the original text that were dropped, apart from whitespace and prefixes, in ascending order.
    pub(crate) dropped: Vec<Range<usize>>,
}

/// Formats a whole text. In a text with errors no defaults are dropped, because the name of an op can be the error.
pub(crate) fn lay_out(text: &str, options: &Options, defaults: Defaults) -> Document {
    let page = lay_out_once(text, options, defaults);
    if page.has_errors && !page.dropped.is_empty() { lay_out_once(text, options, Defaults::Keep) } else { page }
}

fn lay_out_once(text: &str, options: &Options, defaults: Defaults) -> Document {
    let mut writer = Writer::new(text.len() + text.len() / 8, options.width);
    let outline = parse_outline(text, &split(text));
    let context = TreeContext { depth: 0, in_module: false, defaults };
    let (has_errors, dropped) = lay_out_tree(&mut writer, text, &outline, context, None);
    Document { text: writer.finish(), has_errors, dropped }
}

/// Formats one tree. For an entry, `item` is its offset in the whole text, and the caller has already started its first
/// line. Returns whether there are errors, and the dropped ranges.
fn lay_out_tree(
    writer: &mut Writer,
    text: &str,
    tree: &Tree,
    context: TreeContext,
    item: Option<usize>,
) -> (bool, Vec<Range<usize>>) {
    let (lines, marks) = plan(text, tree, context);
    let source = Source { text, tree, marks: &marks };
    let has_errors = !tree.errors.is_empty();
    let verbatim = verbatim_ranges(source, &lines);
    let spacing = Spacing::new(source);
    let mut page = TreeWriter {
        writer,
        source,
        spacing,
        lines: &lines,
        verbatim: &verbatim,
        comment: 0,
        verbatim_end: None,
        has_errors,
        context,
        start: item.unwrap_or(0),
        dropped: Vec::new(),
    };
    let (mut index, mut before) = (0, None);
    while index < lines.len() {
        if index > 0 || item.is_none() {
            index = page.between(before, index);
        }
        let Some(line) = lines.get(index) else { break };
        index = page.line(index);
        before = Some(line);
    }
    page.tail(context.depth);
    (page.has_errors, page.dropped)
}

/// The state of writing one tree.
struct TreeWriter<'p, 't> {
    writer: &'p mut Writer,
    source: Source<'t>,
    spacing: Spacing<'t>,
    lines: &'t [Line],
    verbatim: &'t VerbatimRanges,
    /// The first comment that has not been written yet.
    comment: usize,
    /// The end of the verbatim range that was just written, until the next line is written.
    verbatim_end: Option<u32>,
    has_errors: bool,
    context: TreeContext,
    /// The offset of the tree's text in the whole text.
    start: usize,
    dropped: Vec<Range<usize>>,
}

/// The text to write after the comments between two lines.
enum Gap {
    /// The next line. Contains the end of the last comment and whether an empty line is allowed after it.
    Line(u32, bool),
    /// A verbatim range.
    Verbatim(VerbatimRange),
}

impl<'t> TreeWriter<'_, 't> {
    /// Takes the next comment if it starts before `to`.
    fn next_comment(&mut self, to: u32) -> Option<(u32, u32)> {
        let found = self.source.tokens().comments().get(self.comment).copied().filter(|&(start, _)| start < to)?;
        self.comment += 1;
        Some(found)
    }

    /// Writes comments, at most one empty line, and the line break between two lines. Returns the index of the next
    /// line, which skips the lines of verbatim ranges.
    fn between(&mut self, before: Option<&Line>, index: usize) -> usize {
        let Some(line) = self.lines.get(index) else { return index };
        let tokens = self.source.tokens();
        let to = tokens.start(line.first);
        let from = if line.first == 0 { 0 } else { tokens.end(line.first - 1) };
        let from = self.verbatim_end.take().unwrap_or(from);
        let is_raw = line.style == Style::Raw || before.is_some_and(|before| before.style == Style::Raw);
        if is_raw && before.is_some() && self.source.breaks(from, to) == 0 && self.verbatim.skipped(index).is_none() {
            self.writer.push(self.source.slice(from, to));
            return index;
        }
        let opens = line.first > 0 && tokens.kind(line.first - 1) == Token::LeftBrace;
        let indent = line.depth * STEP;
        let inner = if line.closes { indent + STEP } else { indent };
        let is_entry = matches!(line.style, Style::Item { .. });
        match self.comments(from, to, inner, !opens, is_entry) {
            Gap::Line(at, blank) => {
                self.writer.start_line(indent, blank && !line.closes && self.source.breaks(at, to) > 1);
                index
            }
            Gap::Verbatim(range) => {
                self.verbatim_end = Some(range.to);
                self.between(None, range.next)
            }
        }
    }

    /// Writes the comments between two offsets, up to the first `// fmt: off`.
    fn comments(&mut self, from: u32, to: u32, indent: usize, blank: bool, is_entry: bool) -> Gap {
        let (mut at, mut blank) = (from, blank);
        while let Some((start, end)) = self.next_comment(to) {
            let comment = self.source.comment(start, end);
            let breaks = self.source.breaks(at, start);
            if breaks == 0 && !self.writer.is_empty() {
                self.writer.trail(comment);
            } else {
                self.writer.start_line(indent, blank && breaks > 1);
                let launch = if is_entry { directive::lay_out(comment) } else { None };
                self.writer.push(launch.as_deref().unwrap_or(comment));
                blank = true;
            }
            at = end;
            if let Some(range) = self.verbatim.after(self.comment - 1) {
                self.write_verbatim(range);
                return Gap::Verbatim(range);
            }
        }
        Gap::Line(at, blank)
    }

    /// Writes a verbatim range.
    fn write_verbatim(&mut self, range: VerbatimRange) {
        self.writer.push_raw(self.source.slice(range.from, range.to));
        let comments = self.source.tokens().comments();
        self.comment += comments[self.comment..].iter().take_while(|comment| comment.0 < range.to).count();
    }

    /// Writes the comments after the last line.
    fn tail(&mut self, depth: usize) {
        let tokens = self.source.tokens();
        let count = tokens.len();
        let from = if count == 0 { 0 } else { tokens.end(count - 1) };
        let from = self.verbatim_end.take().unwrap_or(from);
        self.comments(from, u32::MAX, depth * STEP, true, false);
    }

    /// Writes a line. Returns the index of the next line, which skips the lines of a statement with `// fmt: skip`.
    fn line(&mut self, index: usize) -> usize {
        if let Some(range) = self.verbatim.skipped(index) {
            self.write_verbatim(range);
            return range.next;
        }
        let line = &self.lines[index];
        let tokens = self.source.tokens();
        let end = self.lines.get(index + 1).map_or(tokens.len(), |next| next.first);
        let (from, to) = (tokens.start(line.first), tokens.end(end - 1));
        let inner = tokens.comments()[self.comment..].iter().take_while(|comment| comment.0 < to).count();
        if self.source.marks.drop_any() {
            let dropped = (line.first..end).filter(|&token| self.source.drops(token));
            let place = |at: u32| self.start + at as usize;
            self.dropped.extend(dropped.map(|token| place(tokens.start(token))..place(tokens.end(token))));
        }
        match line.style {
            Style::Item { in_module } => {
                let (text, start) = (self.source.slice(from, to), self.start + from as usize);
                let context = TreeContext { depth: line.depth, in_module, ..self.context };
                let (has_errors, dropped) = lay_out_tree(self.writer, text, &parse_item(text), context, Some(start));
                self.has_errors |= has_errors;
                self.dropped.extend(dropped);
            }
            Style::Whole if inner == 0 => self.flat(line.first, end),
            Style::Plain if inner == 0 && self.fits(line.first, end) => {}
            Style::Plain => {
                let comments = &tokens.comments()[self.comment..self.comment + inner];
                LineBreaker::new(self.writer, self.source, comments, line).lay_out(line.first..end);
            }
            Style::Whole | Style::Raw => self.writer.push_raw(self.source.slice(from, to)),
        }
        self.comment += inner;
        index + 1
    }

    /// Writes tokens on the current line.
    fn flat(&mut self, from: usize, to: usize) {
        self.spacing.restart();
        for token in (from..to).filter(|&token| !self.source.drops(token)) {
            if self.spacing.before(token) {
                self.writer.space();
            }
            self.writer.push(self.source.word(token));
        }
    }

    /// Writes tokens on the current line if they fit; otherwise writes nothing and returns false.
    fn fits(&mut self, from: usize, to: usize) -> bool {
        let mark = self.writer.mark();
        self.flat(from, to);
        let fits = self.writer.fits();
        if !fits {
            self.writer.rewind(mark);
        }
        fits
    }
}
