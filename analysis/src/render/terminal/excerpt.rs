//! The lines that a diagnostic refers to, if they contain characters that a terminal would not show.

use super::super::{Source, escape_line};
use crate::diagnostic::Diagnostic;
use codespan_reporting::files::{self, Files};
use std::borrow::Cow;
use std::ops::Range;
use tile_syntax::visible::{escaped, is_hidden};

/// Lines in which hidden characters are replaced by escapes. Positions refer to the escaped text, but rows and columns
/// are reported as they are in the source.
pub(super) struct Excerpt<'a> {
    source: &'a Source<'a>,
    /// The index of the first line.
    first: usize,
    /// The ranges of the lines in the source.
    lines: Vec<Range<usize>>,
    /// The escaped lines.
    text: String,
    /// The start of each escaped line, followed by the end of the last one.
    starts: Vec<usize>,
}

impl<'a> Excerpt<'a> {
    /// Returns the lines of a diagnostic; `None` if they contain no hidden characters.
    pub(super) fn of_hidden(source: &'a Source<'a>, found: &Diagnostic) -> Option<Excerpt<'a>> {
        let places = || found.labels.iter().map(|label| &label.range).chain([&found.range]);
        let first = source.lines.line(places().map(|place| place.start).min()?);
        let last = source.lines.line(places().map(|place| place.end).max()?);
        let lines: Vec<Range<usize>> = (first..=last).map(|line| source.lines.range(line, source.text)).collect();
        let contents = || lines.iter().map(|line| source.text[line.clone()].trim_end_matches(['\r', '\n']));
        // The renderer expands tabs.
        if !contents().any(|content| content.chars().any(|c| is_hidden(c) && c != '\t')) {
            return None;
        }
        let (mut text, mut starts) = (String::new(), vec![0]);
        for content in contents() {
            text.extend(content.chars().map(shown));
            text.push('\n');
            starts.push(text.len());
        }
        Some(Excerpt { source, first, lines, text, starts })
    }

    /// Converts a range of the source to a range of the escaped text.
    pub(super) fn range(&self, range: &Range<u32>) -> Range<usize> {
        self.position(range.start as usize)..self.position(range.end as usize)
    }

    fn position(&self, offset: usize) -> usize {
        let index = self.lines.partition_point(|line| line.start <= offset).saturating_sub(1);
        let line = &self.lines[index];
        let before = &self.source.text[line.start..offset.clamp(line.start, line.end)];
        let length: usize = before.chars().map(|c| shown(c).len()).sum();
        (self.starts[index] + length).min(self.starts[index + 1])
    }
}

/// Returns a character of a line as it is shown.
fn shown(c: char) -> Cow<'static, str> {
    if is_hidden(c) && c != '\t' { escaped(c).into() } else { c.to_string().into() }
}

impl<'f> Files<'f> for Excerpt<'_> {
    type FileId = ();
    type Name = Cow<'f, str>;
    type Source = &'f str;

    fn name(&'f self, (): ()) -> Result<Cow<'f, str>, files::Error> {
        Ok(escape_line(self.source.name))
    }

    fn source(&'f self, (): ()) -> Result<&'f str, files::Error> {
        Ok(&self.text)
    }

    fn line_index(&'f self, (): (), byte: usize) -> Result<usize, files::Error> {
        let last = self.lines.len() - 1;
        Ok(self.starts.partition_point(|start| *start <= byte).saturating_sub(1).min(last))
    }

    fn line_number(&'f self, (): (), line: usize) -> Result<usize, files::Error> {
        Ok(self.first + line + 1)
    }

    fn column_number(&'f self, (): (), line: usize, byte: usize) -> Result<usize, files::Error> {
        let mut left = byte.saturating_sub(self.starts[line]);
        let before = self.source.text[self.lines[line].clone()].chars().take_while(|c| {
            let is_before = left > 0;
            left = left.saturating_sub(shown(*c).len());
            is_before
        });
        Ok(before.count() + 1)
    }

    fn line_range(&'f self, (): (), line: usize) -> Result<Range<usize>, files::Error> {
        match self.lines.len() {
            count if line >= count => Err(files::Error::LineTooLarge { given: line, max: count - 1 }),
            _ => Ok(self.starts[line]..self.starts[line + 1]),
        }
    }
}
