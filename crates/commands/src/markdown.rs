//! Rendering of Markdown for terminals: the subset that the pages of `tile doc` and `tile explain` use.
//!
//! Headings, paragraphs, lists, tables, fenced code, `code` and **bold**. Anything else is printed unchanged.

use codespan_reporting::term::termcolor::{Color, ColorSpec, WriteColor};
use std::io;

/// The indentation of code blocks.
const INDENT: &str = "    ";

/// Writes a page, with its paragraphs wrapped at `width` columns.
pub(crate) fn write(page: &str, width: usize, out: &mut dyn WriteColor) -> io::Result<()> {
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if is_fence(line) {
            for code in lines.by_ref().take_while(|line| !is_fence(line)) {
                styled(out, &code_style(), &format!("{INDENT}{code}"))?;
                out.write_all(b"\n")?;
            }
        } else if let Some(heading) = heading(line) {
            styled(out, ColorSpec::new().set_bold(true), heading)?;
            out.write_all(b"\n")?;
        } else if line.starts_with('|') {
            spans(line).iter().try_for_each(|span| span.write(out))?;
            out.write_all(b"\n")?;
        } else {
            let mut joined = line.to_string();
            while let Some(more) = lines.next_if(|next| !joined.trim().is_empty() && continues(next)) {
                joined.push(' ');
                joined.push_str(more.trim_start());
            }
            paragraph(&joined, width, out)?;
        }
    }
    Ok(())
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

fn is_bullet(text: &str) -> bool {
    ["- ", "* "].iter().any(|bullet| text.starts_with(bullet))
}

/// Whether a line continues the paragraph above it.
fn continues(line: &str) -> bool {
    let text = line.trim_start();
    !(text.is_empty() || is_bullet(text) || text.starts_with('|') || is_fence(line) || heading(line).is_some())
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len()).then(|| text.strip_prefix(' ')).flatten()
}

fn code_style() -> ColorSpec {
    let mut spec = ColorSpec::new();
    spec.set_fg(Some(Color::Cyan));
    spec
}

fn styled(out: &mut dyn WriteColor, spec: &ColorSpec, text: &str) -> io::Result<()> {
    out.set_color(spec)?;
    out.write_all(text.as_bytes())?;
    out.reset()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Plain,
    Code,
    Bold,
}

/// A part of a line with one style.
struct Span<'t> {
    kind: Kind,
    text: &'t str,
}

impl Span<'_> {
    fn write(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        match self.kind {
            Kind::Plain => out.write_all(self.text.as_bytes()),
            Kind::Code => styled(out, &code_style(), self.text),
            Kind::Bold => styled(out, ColorSpec::new().set_bold(true), self.text),
        }
    }
}

/// The marks around text, and their meanings.
const MARKS: [(&str, Kind); 2] = [("`", Kind::Code), ("**", Kind::Bold)];

/// Splits a line into spans. An unpaired mark is plain text.
fn spans(line: &str) -> Vec<Span<'_>> {
    let (mut spans, mut rest) = (Vec::new(), line);
    while !rest.is_empty() {
        let marked = MARKS.iter().filter_map(|&(mark, kind)| {
            let start = rest.find(mark)?;
            let inner = start + mark.len();
            let length = rest[inner..].find(mark).filter(|&length| length > 0)?;
            Some((start, inner..inner + length, inner + length + mark.len(), kind))
        });
        let Some((start, inner, end, kind)) = marked.min_by_key(|(start, ..)| *start) else {
            spans.push(Span { kind: Kind::Plain, text: rest });
            break;
        };
        spans.push(Span { kind: Kind::Plain, text: &rest[..start] });
        spans.push(Span { kind, text: &rest[inner] });
        rest = &rest[end..];
    }
    spans
}

/// Writes a paragraph or list item, wrapped between words. Continuation lines are indented like the text of the first.
fn paragraph(line: &str, width: usize, out: &mut dyn WriteColor) -> io::Result<()> {
    let text = line.trim_start();
    let indent = line.len() - text.len() + if is_bullet(text) { 2 } else { 0 };
    let (mut column, mut blank) = (line.len() - text.len(), "");
    out.write_all(&line.as_bytes()[..column])?;
    for word in words(&spans(text)) {
        let length: usize = word.iter().map(|span| span.text.chars().count()).sum();
        if column > indent && column + blank.len() + length > width {
            write!(out, "\n{:indent$}", "")?;
            (column, blank) = (indent, "");
        }
        out.write_all(blank.as_bytes())?;
        word.iter().try_for_each(|span| span.write(out))?;
        (column, blank) = (column + blank.len() + length, " ");
    }
    out.write_all(b"\n")
}

/// Splits a line into words. Code is not split, nor separated from adjacent text.
fn words<'s>(spans: &[Span<'s>]) -> Vec<Vec<Span<'s>>> {
    let mut words: Vec<Vec<Span>> = vec![Vec::new()];
    for span in spans {
        if span.kind == Kind::Code {
            words.last_mut().into_iter().for_each(|word| word.push(Span { ..*span }));
            continue;
        }
        for (number, text) in span.text.split(' ').enumerate() {
            if number > 0 {
                words.push(Vec::new());
            }
            let part = Some(Span { text, kind: span.kind }).filter(|part| !part.text.is_empty());
            words.last_mut().into_iter().for_each(|word| word.extend(part.as_ref().map(|part| Span { ..*part })));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use codespan_reporting::term::termcolor::{Ansi, NoColor};

    const PAGE: &str =
        "# E1: name\n\nThe `a b` is\n**not** a `c` here.\n\n- one two three four\n\n```tile\nx `y`\n```\n";

    #[test]
    fn a_page_is_rendered() {
        let mut out = NoColor::new(Vec::new());
        write(PAGE, 14, &mut out).expect("a vector accepts all bytes");
        let text = String::from_utf8(out.into_inner()).expect("the output is UTF-8");
        assert_eq!(text, "E1: name\n\nThe a b is not\na c here.\n\n- one two\n  three four\n\n    x `y`\n");
    }

    #[test]
    fn marks_select_styles() {
        let mut out = Ansi::new(Vec::new());
        write(PAGE, 80, &mut out).expect("a vector accepts all bytes");
        let text = String::from_utf8(out.into_inner()).expect("the output is UTF-8");
        assert!(text.starts_with("\u{1b}[0m\u{1b}[1mE1: name\u{1b}[0m\n"), "{text:?}");
        assert!(text.contains("\u{1b}[36ma b\u{1b}[0m is ") && text.contains("\u{1b}[1mnot\u{1b}[0m a "), "{text:?}");
        assert!(text.contains("\u{1b}[36m    x `y`\u{1b}[0m\n"), "{text:?}");
    }

    #[test]
    fn an_unpaired_mark_is_text() {
        let mut out = NoColor::new(Vec::new());
        write("2 ** 3 and ` alone", 80, &mut out).expect("a vector accepts all bytes");
        assert_eq!(out.into_inner(), b"2 ** 3 and ` alone\n");
    }
}
