//! The output buffer: lines, indentation and aligned trailing comments.

/// Number of columns of an indentation level.
pub(crate) const STEP: usize = 2;

/// The text written so far.
pub(crate) struct Writer {
    text: String,
    width: usize,
    /// Offset and indentation of the current line.
    line: usize,
    indent: usize,
    /// Whether the current line ends with a comment.
    commented: bool,
    /// The trailing comments of consecutive lines, which will share a column.
    group: Vec<Trailing>,
}

/// A trailing comment.
struct Trailing {
    /// Offset of the end of the code on its line.
    at: usize,
    /// Columns that the code takes, and how many of them are indentation.
    column: usize,
    indent: usize,
}

/// A position for [`Writer::rewind`].
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

impl Writer {
    pub(crate) fn new(capacity: usize, width: usize) -> Self {
        let text = String::with_capacity(capacity);
        Writer { text, width, line: 0, indent: 0, commented: false, group: Vec::new() }
    }

    /// Whether nothing has been written yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Maximum line width in columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Width of the current line in columns.
    pub(crate) fn column(&self) -> usize {
        columns(&self.text[self.line..])
    }

    /// Whether the current line fits the width.
    pub(crate) fn fits(&self) -> bool {
        self.text.len() - self.line <= self.width || self.column() <= self.width
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.text.len())
    }

    /// Removes the text pushed since the mark, which must be in the current line.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.text.truncate(mark.0);
    }

    /// Adds text without line breaks to the current line.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a space to the current line.
    pub(crate) fn space(&mut self) {
        self.text.push(' ');
    }

    /// Adds text that can contain line breaks.
    pub(crate) fn push_raw(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        if let Some(last) = text.rfind('\n') {
            self.line = start + last + 1;
            self.align();
        }
    }

    /// Starts a line, after an empty one if `blank` is set.
    pub(crate) fn start_line(&mut self, indent: usize, blank: bool) {
        if self.text.is_empty() {
            return;
        }
        if !self.commented || blank {
            self.align();
        }
        self.commented = false;
        self.text.push_str(if blank { "\n\n" } else { "\n" });
        self.line = self.text.len();
        self.indent = indent;
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// Adds a trailing comment to the current line. It shares a column with those of the lines directly above, unless
    /// one of the lines has another indentation, opens or closes a region, or is too long.
    pub(crate) fn trail(&mut self, comment: &str) {
        let column = self.column();
        let line = &self.text[self.line..];
        let joins = column <= self.width && !line.ends_with('{') && !line.trim_start().starts_with('}');
        if !joins || self.group.first().is_some_and(|first| first.indent != self.indent) {
            self.align();
        }
        if joins {
            self.group.push(Trailing { at: self.text.len(), column, indent: self.indent });
        }
        self.text.push(' ');
        self.text.push_str(comment);
        self.commented = true;
    }

    /// Ends a group of trailing comments and aligns them.
    fn align(&mut self) {
        let column = self.group.iter().map(|trailing| trailing.column).max().unwrap_or(0);
        if self.group.iter().any(|trailing| trailing.column < column) {
            let first = self.group[0].at;
            let tail = self.text.split_off(first);
            let mut at = first;
            for trailing in &self.group {
                self.text.push_str(&tail[at - first..trailing.at - first]);
                self.text.extend(std::iter::repeat_n(' ', column - trailing.column));
                at = trailing.at;
            }
            self.text.push_str(&tail[at - first..]);
            let grown = self.text.len() - first - tail.len();
            self.line += if self.line > first { grown } else { 0 };
        }
        self.group.clear();
    }

    /// Returns the text, which ends with a line break unless it is empty.
    pub(crate) fn finish(mut self) -> String {
        self.align();
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }
}

/// Width of a text without line breaks in columns.
pub(crate) fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_comments_of_consecutive_lines_are_aligned() {
        let mut writer = Writer::new(0, 20);
        for (code, comment) in [("a", "// 1"), ("abc", "// 2"), ("é", "// 3"), ("b", ""), ("c", "// 4")] {
            writer.start_line(0, false);
            writer.push(code);
            if !comment.is_empty() {
                writer.trail(comment);
            }
        }
        assert_eq!(writer.finish(), "a   // 1\nabc // 2\né   // 3\nb\nc // 4\n");
    }

    #[test]
    fn alignment_ends_where_indentation_changes_and_at_long_lines() {
        let mut writer = Writer::new(0, 4);
        for (indent, code) in [(0, "ab"), (2, "c"), (2, "toolong"), (2, "d")] {
            writer.start_line(indent, false);
            writer.push(code);
            writer.trail("//");
        }
        assert_eq!(writer.finish(), "ab //\n  c //\n  toolong //\n  d //\n");
    }

    #[test]
    fn empty_text_stays_empty() {
        assert_eq!(Writer::new(0, 80).finish(), "");
    }
}
