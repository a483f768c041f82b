//! The text that a kernel has printed, kept for the expectations of the launch.

/// The text is kept up to this size in bytes, or up to the size of the program, which bounds the text of an
/// expectation.
const MAX_KEPT: usize = 64 << 20;

/// Printed text, of which only the beginning is kept, so that a kernel that prints endlessly uses no more memory.
pub(crate) struct PrintedText {
    kept: Vec<u8>,
    limit: usize,
    /// The size of the whole text.
    size: usize,
}

impl PrintedText {
    /// An empty text for a program of this size.
    pub(crate) fn new(program: usize) -> PrintedText {
        PrintedText::with_limit(MAX_KEPT.max(program))
    }

    fn with_limit(limit: usize) -> PrintedText {
        PrintedText { kept: Vec::new(), limit, size: 0 }
    }

    /// Appends a text.
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.size += text.len();
        let left = self.limit - self.kept.len();
        self.kept.extend_from_slice(&text[..text.len().min(left)]);
    }

    /// The size of the whole text in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The text as far as it is kept.
    pub(crate) fn into_kept(self) -> Vec<u8> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_long_text_is_kept() {
        let mut text = PrintedText::with_limit(5);
        ["ab", "", "cdef", "gh"].iter().for_each(|part| text.push(part.as_bytes()));
        assert_eq!((text.size(), text.into_kept()), (8, b"abcde".to_vec()));
        assert_eq!(PrintedText::new(MAX_KEPT + 1).limit, MAX_KEPT + 1);
    }
}
