//! The columns of programs side by side: lines that are broken at spaces, with the words that differ marked.

use crate::style::{Tone, toned};
use codespan_reporting::term::termcolor::WriteColor;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;

/// The indentation of continued lines.
const CONTINUED: usize = 4;

/// A part of a line.
#[derive(Default)]
pub(super) struct Piece<'t> {
    indent: usize,
    pub(super) text: &'t str,
    /// The part of the text that differs, in bytes.
    marked: Range<usize>,
}

impl Piece<'_> {
    /// The number of columns that it takes.
    pub(super) fn width(&self) -> usize {
        self.indent + self.text.chars().count()
    }

    /// Writes it, with the part that differs in this tone.
    pub(super) fn write(&self, out: &mut dyn WriteColor, tone: Tone) -> io::Result<()> {
        let Range { start, end } = self.marked;
        write!(out, "{}", " ".repeat(self.indent))?;
        write!(out, "{}", &self.text[..start])?;
        if start < end {
            toned(out, tone, &self.text[start..end])?;
        }
        write!(out, "{}", &self.text[end..])
    }
}

/// Breaks a line at spaces into pieces that fit into a column; at least one. A word that does not fit is broken.
pub(super) fn pieces<'t>(line: &'t str, column: usize, marked: &Range<usize>) -> VecDeque<Piece<'t>> {
    let mut pieces = VecDeque::new();
    let (mut start, mut indent) = (0, 0);
    loop {
        let rest = &line[start..];
        let room = column.saturating_sub(indent).max(1);
        let fits = rest.char_indices().nth(room).map_or(rest.len(), |(at, _)| at);
        let text = rest.len() - rest.trim_start().len();
        // Blanks at the start of a line are not a place to break it.
        let space = || rest[..fits].rfind(' ').filter(|&at| at > text);
        let end = start + if fits == rest.len() { fits } else { space().map_or(fits, |at| at + 1) };
        let piece = |at: usize| at.clamp(start, end) - start;
        pieces.push_back(Piece { indent, text: &line[start..end], marked: piece(marked.start)..piece(marked.end) });
        (start, indent) = (end, CONTINUED.min(column / 2));
        if start == line.len() {
            return pieces;
        }
    }
}

/// The words in which two lines differ: all between the words that both begin and end with.
pub(super) fn marked(lines: &[String; 2]) -> [Range<usize>; 2] {
    let [a, b] = lines.each_ref().map(|line| line.split_inclusive([' ', ',', '(']).collect::<Vec<_>>());
    let first = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = a.len().min(b.len()) - first;
    let last = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(x, y)| x == y).count();
    let length = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    [&a, &b].map(|words| length(&words[..first])..length(&words[..words.len() - last]).max(length(&words[..first])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str, column: usize) -> Vec<String> {
        let pieces = pieces(line, column, &(0..0));
        pieces.iter().map(|piece| " ".repeat(piece.indent) + piece.text).collect()
    }

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(texts("", 20), [""]);
        assert_eq!(texts("  %a = addi %b, %c", 20), ["  %a = addi %b, %c"]);
        assert_eq!(texts("  %a = addi %b, %c", 14), ["  %a = addi ", "    %b, %c"]);
        assert_eq!(texts("  !tile_of_many_elements é", 12), ["  !tile_of_m", "    any_elem", "    ents é"]);
    }

    #[test]
    fn words_that_differ_are_marked() {
        let lines = ["%a = addi %b, %c : tile<i32>", "%a = addi %b, %other : tile<i32>"].map(str::to_string);
        let [a, b] = marked(&lines);
        assert_eq!((&lines[0][a], &lines[1][b]), ("%c ", "%other "));
        let [a, b] = marked(&["x x".to_string(), "x x x".to_string()]);
        assert_eq!((a, b), (2..2, 2..4));
        let [a, b] = marked(&["removed".to_string(), String::new()]);
        assert_eq!((a, b), (0..7, 0..0));
    }

    #[test]
    fn marks_are_split_with_their_line() {
        let found = pieces("one two three", 8, &(4..13));
        let marks: Vec<&str> = found.iter().map(|piece| &piece.text[piece.marked.clone()]).collect();
        assert_eq!(marks, ["two ", "thre", "e"]);
    }
}
