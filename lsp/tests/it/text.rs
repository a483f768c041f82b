//! A text that a client edits at random.

use fastrand::Rng;
use std::path::{Path, PathBuf};

/// Texts to type, in addition to pieces of the document.
const TYPED: [&str; 22] = [
    "{",
    "}",
    "(",
    ")",
    "\"",
    "//",
    "\n",
    "\r\n",
    "\r",
    " ",
    ":",
    "%",
    "@",
    "//@ launch\n",
    "entry @new() {\n  }\n",
    "ä",
    "𝄞",
    "\u{2028}",
    "!t = tile<f32>\n",
    "cuda_tile.module @other {\n",
    "global @g <f32: 1.0> : tile<1xf32>\n",
    "return",
];

/// The most bytes of earlier texts to keep for undo.
const MAX_KEPT: usize = 16 << 20;

/// The current text of the client, and earlier ones for undo.
pub(crate) struct Text {
    pub(crate) now: String,
    before: Vec<String>,
}

impl Text {
    pub(crate) fn new(now: String) -> Text {
        Text { now, before: Vec::new() }
    }

    /// A random offset between two characters, but not inside a line break.
    pub(crate) fn place(&self, random: &mut Rng) -> usize {
        self.near(random.usize(..self.now.len() + 1))
    }

    fn near(&self, at: usize) -> usize {
        let inside_break = |at: usize| self.now[..at].ends_with('\r') && self.now[at..].starts_with('\n');
        let is_place = |&at: &usize| self.now.is_char_boundary(at) && !inside_break(at);
        (0..=at.min(self.now.len())).rev().find(is_place).unwrap_or(0)
    }

    /// The position of an offset, in lines and UTF-16 code units.
    pub(crate) fn position(&self, at: usize) -> [u32; 2] {
        let (mut line, mut start) = (0, 0);
        let bytes = self.now.as_bytes();
        for (index, &byte) in bytes[..at].iter().enumerate() {
            if byte == b'\n' || byte == b'\r' && bytes.get(index + 1) != Some(&b'\n') {
                (line, start) = (line + 1, index + 1);
            }
        }
        [line, self.now[start..at].encode_utf16().count() as u32]
    }

    /// The offset of a position that may be outside of the text: a column past the end of its line means the end of the
    /// line, and one inside a character its start.
    pub(crate) fn offset(&self, [line, column]: [u32; 2]) -> usize {
        let bytes = self.now.as_bytes();
        let ends_line = |&at: &usize| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let mut start = 0;
        if line > 0 {
            match (0..bytes.len()).filter(ends_line).nth(line as usize - 1) {
                Some(end) => start = end + 1,
                None => return self.now.len(),
            }
        }
        let mut units = 0;
        let content = self.now[start..].split(['\r', '\n']).next().unwrap_or_default();
        let inside = content.char_indices().find(|(_, letter)| {
            units += letter.len_utf16();
            units > column as usize
        });
        start + inside.map_or(content.len(), |(at, _)| at)
    }

    /// A random change: the start and the end of the replaced range, and the replacement.
    pub(crate) fn change(&mut self, random: &mut Rng) -> (usize, usize, String) {
        let at = self.place(random);
        let after = |text: &Text, random: &mut Rng, most: usize| text.near(at + random.usize(..most)).max(at);
        match random.usize(..10) {
            0..=3 => (at, at, (*random.choice(&TYPED).expect("not empty")).to_string()),
            4..=6 => (at, after(self, random, 12), String::new()),
            7 => {
                let from = self.place(random);
                let to = self.near(from + random.usize(..120)).max(from);
                (at, after(self, random, 40), self.now[from..to].to_string())
            }
            8 => (at, after(self, random, 3), "abcdefgh%@0123456789".split_at(random.usize(..20)).0.to_string()),
            _ => match self.before.pop() {
                Some(before) => (0, self.now.len(), before),
                None => (at, at, String::new()),
            },
        }
    }

    pub(crate) fn apply(&mut self, (start, end, content): &(usize, usize, String)) {
        let has_room = self.before.len() < 50 && self.before.len() * self.now.len() < MAX_KEPT;
        if has_room && content.len() < self.now.len() {
            self.before.push(self.now.clone());
        }
        self.now.replace_range(*start..*end, content);
    }
}

pub(crate) fn examples() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the examples exist").flatten() {
            let path = entry.path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "tile" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}
