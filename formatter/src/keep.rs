//! Verbatim ranges: text between `// fmt: off` and `// fmt: on`, and statements with `// fmt: skip`.

use crate::plan::Line;
use crate::source::Source;

/// A range of the text that is copied verbatim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VerbatimRange {
    /// The comment that requests it.
    comment: usize,
    /// The first line in the range, and the first line after it.
    line: usize,
    pub(crate) next: usize,
    /// The byte range.
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The verbatim ranges of a tree, in ascending order.
#[derive(Default)]
pub(crate) struct VerbatimRanges {
    off: Vec<VerbatimRange>,
    skipped: Vec<VerbatimRange>,
}

impl VerbatimRanges {
    /// The range that follows a `// fmt: off` comment.
    pub(crate) fn after(&self, comment: usize) -> Option<VerbatimRange> {
        self.off.binary_search_by_key(&comment, |range| range.comment).ok().map(|at| self.off[at])
    }

    /// The range of the skipped statement that starts at this line.
    pub(crate) fn skipped(&self, line: usize) -> Option<VerbatimRange> {
        self.skipped.binary_search_by_key(&line, |range| range.line).ok().map(|at| self.skipped[at])
    }
}

/// Finds the verbatim ranges of a tree.
pub(crate) fn verbatim_ranges(source: Source, lines: &[Line]) -> VerbatimRanges {
    let comments = source.tokens().comments();
    let found = comments.iter().enumerate().filter_map(|(index, _)| Some((index, Pragma::of(source, index)?)));
    let mut pragmas = found.peekable();
    if pragmas.peek().is_none() {
        return VerbatimRanges::default();
    }
    let finder = Finder { source, lines };
    let mut ranges = VerbatimRanges::default();
    let (mut to, mut next) = (0, 0);
    for (comment, pragma) in pragmas.filter(|(_, pragma)| *pragma != Pragma::On) {
        if comments[comment].0 < to {
            continue;
        }
        let is_off = pragma == Pragma::Off;
        let found = if is_off { finder.switched_off(comment) } else { finder.skipped(comment) };
        if let Some(found) = found.filter(|found| found.line >= next && found.from >= to) {
            (to, next) = (found.to, found.next);
            if is_off { &mut ranges.off } else { &mut ranges.skipped }.push(found);
        }
    }
    ranges
}

/// A `// fmt: …` comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pragma {
    Off,
    On,
    Skip,
}

impl Pragma {
    fn of(source: Source, comment: usize) -> Option<Pragma> {
        let (start, end) = source.tokens().comments()[comment];
        let text = source.comment(start, end).trim_start_matches('/').trim_start();
        match text.strip_prefix("fmt:")?.trim() {
            "off" => Some(Pragma::Off),
            "on" => Some(Pragma::On),
            "skip" => Some(Pragma::Skip),
            _ => None,
        }
    }
}

struct Finder<'t, 'l> {
    source: Source<'t>,
    lines: &'l [Line],
}

impl Finder<'_, '_> {
    fn start(&self, line: usize) -> u32 {
        self.lines.get(line).map_or(self.source.text.len() as u32, |line| self.source.tokens().start(line.first))
    }

    /// The end of the last token before a line.
    fn end_before(&self, line: usize) -> u32 {
        let token = self.lines.get(line).map_or(self.source.tokens().len(), |line| line.first);
        if token == 0 { 0 } else { self.source.tokens().end(token - 1) }
    }

    /// The line that follows a comment; `None` for a comment inside a statement.
    fn line_after(&self, comment: usize) -> Option<usize> {
        let start = self.source.tokens().comments()[comment].0;
        let line = self.lines.partition_point(|line| self.source.tokens().start(line.first) < start);
        (self.end_before(line) <= start).then_some(line)
    }

    fn has_own_line(&self, comment: usize) -> bool {
        let before = &self.source.text[..self.source.tokens().comments()[comment].0 as usize];
        before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
    }

    /// The first line in `line..to` that closes the block containing statements of this depth.
    fn end_of_block(&self, line: usize, to: usize, depth: usize) -> Option<usize> {
        (line..to).find(|&at| self.lines[at].closes && self.lines[at].depth < depth)
    }

    /// The range from `fmt: off` to the next `fmt: on` in the same block, or to the end of the block.
    fn switched_off(&self, comment: usize) -> Option<VerbatimRange> {
        let line = self.line_after(comment).filter(|_| self.has_own_line(comment))?;
        let first = self.lines.get(line).filter(|line| !line.closes)?;
        let comments = self.source.tokens().comments();
        let (next, to) = match self.switched_on(comment, first.depth) {
            Some((on, next)) if self.end_of_block(line, next, first.depth).is_none() => (next, comments[on].0),
            _ => {
                let end = self.end_of_block(line, self.lines.len(), first.depth).unwrap_or(self.lines.len());
                (end, self.start(end))
            }
        };
        // The line break and the indentation before the next line are written together with that line.
        let from = comments[comment].1;
        let text = self.source.slice(from, to);
        let blank = text.len() - text.trim_end_matches([' ', '\t', '\r', '\n']).len();
        let text = match text.rfind('\n') {
            Some(at) if at + blank >= text.len() && next < self.lines.len() => &text[..at],
            _ => &text[..text.len() - blank],
        };
        Some(VerbatimRange { comment, line, next, from, to: from + text.len() as u32 })
    }

    /// The first `fmt: on` comment between statements of this depth after a comment, and the line that follows it.
    fn switched_on(&self, comment: usize, depth: usize) -> Option<(usize, usize)> {
        let later = comment + 1..self.source.tokens().comments().len();
        later.filter(|&on| Pragma::of(self.source, on) == Some(Pragma::On) && self.has_own_line(on)).find_map(|on| {
            let next = self.line_after(on)?;
            let same_depth = |line: &Line| line.depth + usize::from(line.closes) == depth;
            self.lines.get(next).is_none_or(same_depth).then_some((on, next))
        })
    }

    /// The statement below a comment on its own line, or the statement that a trailing comment follows.
    fn skipped(&self, comment: usize) -> Option<VerbatimRange> {
        let next_line = self.line_after(comment)?;
        let line = if self.has_own_line(comment) { next_line } else { self.statement_before(next_line)? };
        let first = self.lines.get(line).filter(|line| line.starts)?;
        let next = self.end_of_statement(line);
        Some(VerbatimRange {
            comment,
            line,
            next,
            from: self.source.tokens().start(first.first),
            to: self.end_before(next),
        })
    }

    fn end_of_statement(&self, line: usize) -> usize {
        let depth = self.lines[line].depth;
        let is_other = |at: &usize| {
            let next = &self.lines[*at];
            next.starts && next.depth <= depth || next.closes && next.depth < depth
        };
        (line + 1..self.lines.len()).find(is_other).unwrap_or(self.lines.len())
    }

    /// The statement that ends immediately before a line.
    fn statement_before(&self, line: usize) -> Option<usize> {
        let last = self.lines.get(line.checked_sub(1)?)?;
        let starts = |at: &usize| self.lines[*at].starts && self.lines[*at].depth <= last.depth;
        (0..line).rev().find(starts).filter(|&start| self.end_of_statement(start) == line)
    }
}
