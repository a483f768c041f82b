//! Parses slices.

use super::super::super::LaunchError;
use super::super::super::cursor::Parsed;
use super::super::SliceEntry;
use super::Parser;

impl Parser<'_, '_> {
    /// Parses the entries of a slice and the closing bracket.
    pub(super) fn parts(&mut self) -> Parsed<Vec<SliceEntry>> {
        let mut parts = vec![];
        loop {
            let range = self.cursor.next_token();
            let part = self.part()?;
            if part == SliceEntry::Ellipsis && parts.contains(&part) {
                return Err(LaunchError::new(range, "`...` can occur only once"));
            }
            parts.push(part);
            if !self.cursor.eat(",") {
                self.cursor.expect("]")?;
                return Ok(parts);
            }
        }
    }

    fn part(&mut self) -> Parsed<SliceEntry> {
        if self.cursor.eat("...") {
            return Ok(SliceEntry::Ellipsis);
        }
        if self.cursor.eat_word("None") || self.cursor.eat_word("newaxis") {
            return Ok(SliceEntry::NewAxis);
        }
        let start = self.bound()?;
        if !self.cursor.eat(":") {
            return start.map(SliceEntry::At).ok_or_else(|| self.cursor.expected("an index or a slice such as `0:4`"));
        }
        let stop = self.bound()?;
        let place = self.cursor.next_token();
        let step = if self.cursor.eat(":") { self.bound()? } else { None }.unwrap_or(1);
        if step == 0 {
            return Err(LaunchError::new(place.start..self.cursor.position(), "the step of a slice cannot be 0"));
        }
        Ok(SliceEntry::Span { start, stop, step })
    }

    /// Parses an index or a bound, if there is one.
    fn bound(&mut self) -> Parsed<Option<i64>> {
        let starts = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+');
        if self.cursor.peek().is_some_and(starts) { self.integer("an index").map(Some) } else { Ok(None) }
    }
}
