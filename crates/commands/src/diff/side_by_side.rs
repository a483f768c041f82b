//! Two programs side by side. Both are reprinted, so that only differences in meaning remain.

use super::columns::{marked, pieces};
use super::program::Input;
use crate::style::Tone;
use codespan_reporting::term::termcolor::WriteColor;
use std::collections::VecDeque;
use std::io;
use tile_analysis::render::escape_line;
use tile_files::diff::{DiffLine, lines};

/// The number of equal lines shown around differences.
const CONTEXT: usize = 3;

/// The width where it is not known, such as in a file.
const WIDTH: usize = 160;

/// The least width of a column.
const MIN_COLUMN: usize = 20;

/// A row: the lines of both programs.
#[derive(Clone, Copy)]
struct Row<'t> {
    a: Option<&'t str>,
    b: Option<&'t str>,
    differs: bool,
}

/// The formatted texts of both programs, in which only differences in meaning remain.
pub(super) fn texts(a: &Input, b: &Input, options: &tile_fmt::Options) -> [String; 2] {
    let normalized = tile_diff::normalized(&a.program(), &b.program());
    [normalized.a, normalized.b].map(|text| tile_fmt::format(&text, options))
}

/// Writes the differences in two columns, with some equal lines around them.
pub(super) fn write(out: &mut dyn WriteColor, a: &Input, b: &Input, width: Option<usize>) -> io::Result<()> {
    let width = width.or_else(terminal_width).unwrap_or(WIDTH);
    let column = (width.saturating_sub(3) / 2).max(MIN_COLUMN);
    let [text_a, text_b] = texts(a, b, &tile_fmt::Options { width: column });
    let lines = lines(&text_a, &text_b);
    let rows = rows(&lines);
    let names = [&*escape_line(&a.name), &escape_line(&b.name)];
    let title = Row { a: Some(names[0]), b: Some(names[1]), differs: false };
    row(out, &title, column)?;
    let near = |at: usize| rows[at.saturating_sub(CONTEXT)..rows.len().min(at + CONTEXT + 1)].iter();
    let is_shown = |at: usize| near(at).any(|row| row.differs);
    let mut at = 0;
    while at < rows.len() {
        let hidden = (at..rows.len()).take_while(|&at| !is_shown(at)).count();
        if hidden > 0 {
            writeln!(out, "... {hidden} equal line{}", if hidden == 1 { "" } else { "s" })?;
        } else {
            row(out, &rows[at], column)?;
        }
        at += hidden.max(1);
    }
    writeln!(out)
}

fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// Pairs the removed lines of each difference with the added ones.
fn rows<'t>(lines: &[DiffLine<'t>]) -> Vec<Row<'t>> {
    let mut rows = Vec::new();
    for run in lines.chunk_by(|x, y| (x.0 == ' ') == (y.0 == ' ')) {
        let of = |sign: char| run.iter().filter(move |line| line.0 == sign).map(|line| line.1.trim_end_matches('\n'));
        rows.extend(of(' ').map(|line| Row { a: Some(line), b: Some(line), differs: false }));
        let mut added: VecDeque<&str> = of('+').collect();
        let row = |a, b| Row { a, b, differs: true };
        for line in of('-') {
            // Lines of the same op belong together.
            let same = added.iter().position(|other| op(other) == op(line));
            rows.extend(added.drain(..same.unwrap_or(0)).map(|line| row(None, Some(line))));
            rows.push(row(Some(line), same.and_then(|_| added.pop_front())));
        }
        rows.extend(added.into_iter().map(|line| row(None, Some(line))));
    }
    rows
}

/// The first word of a statement after its results.
fn op(line: &str) -> &str {
    let statement = line.split_once(" = ").map_or(line, |(_, statement)| statement);
    statement.split_whitespace().next().unwrap_or_default()
}

/// Writes a row. Long lines continue in the next one.
fn row(out: &mut dyn WriteColor, row: &Row, column: usize) -> io::Result<()> {
    let lines = [row.a, row.b].map(|line| escape_line(line.unwrap_or_default()).into_owned());
    let [marked_a, marked_b] = if row.differs { marked(&lines) } else { [0..0, 0..0] };
    let (mut a, mut b) = (pieces(&lines[0], column, &marked_a), pieces(&lines[1], column, &marked_b));
    let sign = match (row.differs, row.a, row.b) {
        (false, ..) => ' ',
        (true, Some(_), Some(_)) => '|',
        (true, Some(_), None) => '<',
        (true, None, _) => '>',
    };
    for _ in 0..a.len().max(b.len()) {
        let (left, right) = (a.pop_front().unwrap_or_default(), b.pop_front().unwrap_or_default());
        let padding = column - left.width();
        left.write(out, Tone::Bad)?;
        write!(out, "{}", format_args!("{:padding$} {sign}", ""))?;
        if !right.text.is_empty() {
            write!(out, " ")?;
            right.write(out, Tone::Good)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
