//! Text with its lines and blanks.

/// Text that grows at its end.
pub(super) struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    pub(super) fn new(depth: usize) -> Writer {
        Writer { text: String::new(), depth }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Starts a line.
    pub(super) fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    pub(super) fn end_line(&mut self) {
        self.text.push('\n');
    }

    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    pub(super) fn shallower(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A space, unless there is one or a bracket was just opened.
    pub(super) fn blank(&mut self) {
        if !self.text.ends_with([' ', '(', '[', '\n']) {
            self.text.push(' ');
        }
    }

    /// Text with a blank in front of it.
    pub(super) fn word(&mut self, text: &str) {
        self.blank();
        self.text.push_str(text);
    }

    /// Items with `, ` between them.
    pub(super) fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Writer, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            write(self, item);
        }
    }
}

impl std::fmt::Write for Writer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}
