//! The differences as text for people.

use super::excerpt::excerpt;
use super::program::Input;
use super::words::{Counts, change, harmless};
use crate::style::{Tone, toned};
use codespan_reporting::term::termcolor::WriteColor;
use std::io;
use tile_analysis::render::escape_line;
use tile_diff::report::{EntryDiff, OpDiff, OpPlace, Place, Report, SymbolDiff, Verdict};

/// What to write.
pub(super) struct Text<'a> {
    pub(super) a: &'a Input,
    pub(super) b: &'a Input,
    pub(super) report: &'a Report,
    /// Whether to include differences that do not change the meaning.
    pub(super) all: bool,
}

impl Text<'_> {
    pub(super) fn write(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        let Text { report, .. } = self;
        for symbol in &report.symbols {
            self.symbol(out, symbol)?;
        }
        for entry in &report.entries {
            if entry.verdict() != Verdict::Same || self.all && !entry.ops.is_empty() {
                self.entry(out, entry)?;
            }
        }
        self.summary(out)
    }

    fn symbol(&self, out: &mut dyn WriteColor, symbol: &SymbolDiff) -> io::Result<()> {
        self.title(out, symbol.kind, symbol.a.as_ref(), symbol.b.as_ref())?;
        symbol.changes.iter().try_for_each(|found| writeln!(out, "  {}", escape_line(&change(found))))?;
        writeln!(out)
    }

    fn entry(&self, out: &mut dyn WriteColor, entry: &EntryDiff) -> io::Result<()> {
        self.title(out, "entry", entry.a.as_ref(), entry.b.as_ref())?;
        for found in &entry.changes {
            writeln!(out, "  {}", escape_line(&change(found)))?;
        }
        for op in entry.ops.iter().filter(|op| self.all || op.harmless.is_none()) {
            self.op(out, op)?;
        }
        writeln!(out)
    }

    /// `entry @k (a.tile:3, b.tile:5)`.
    fn title(&self, out: &mut dyn WriteColor, kind: &str, a: Option<&Place>, b: Option<&Place>) -> io::Result<()> {
        let place =
            |input: &Input, place: &Place| format!("{}:{}", escape_line(&input.name), input.row(place.range.start));
        match (a, b) {
            (Some(x), Some(y)) => {
                writeln!(out, "{kind} @{} ({}, {})", escape_line(&x.name), place(self.a, x), place(self.b, y))
            }
            (Some(x), None) => writeln!(out, "{kind} @{} only in {}", escape_line(&x.name), place(self.a, x)),
            (None, Some(y)) => writeln!(out, "{kind} @{} only in {}", escape_line(&y.name), place(self.b, y)),
            (None, None) => Ok(()),
        }
    }

    fn op(&self, out: &mut dyn WriteColor, op: &OpDiff) -> io::Result<()> {
        let why = op.harmless.map_or(String::new(), |why| format!(" ({})", harmless(why)));
        match (&op.a, &op.b) {
            (Some(a), Some(_)) => {
                let changes = op.changes.iter().map(change).collect::<Vec<_>>().join("; ");
                writeln!(out, "  `{}` changed{why}: {}", a.name, escape_line(&changes))?;
            }
            (Some(only), None) => self.only(out, only, self.a, &why)?,
            (None, Some(only)) => self.only(out, only, self.b, &why)?,
            (None, None) => {}
        }
        if let Some(a) = &op.a {
            line(out, self.a, a, '-')?;
        }
        if let Some(b) = &op.b {
            line(out, self.b, b, '+')?;
        }
        Ok(())
    }

    fn only(&self, out: &mut dyn WriteColor, op: &OpPlace, input: &Input, why: &str) -> io::Result<()> {
        let more = match op.ops {
            1 => String::new(),
            more => format!(", with {} ops inside", more - 1),
        };
        writeln!(out, "  `{}` only in {}{more}{why}", op.name, escape_line(&input.name))
    }

    pub(super) fn summary(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        let Text { a, b, report, all } = self;
        let counts = Counts::of(&report.entries);
        let words = match report.verdict() {
            Verdict::Same => "no differences in meaning".to_string(),
            Verdict::Hints => "only optimization hints differ".to_string(),
            Verdict::Attributes if counts.only_a + counts.only_b + counts.changed == 0 => {
                "only names and attributes differ".to_string()
            }
            _ => counts.words(&escape_line(&a.name), &escape_line(&b.name)),
        };
        let differing = report.entries.iter().filter(|entry| entry.verdict() != Verdict::Same).count();
        let words = if words.is_empty() { "only headers and globals differ".to_string() } else { words };
        let entries = match (differing, report.entries.len()) {
            (0, _) | (1, 1) => String::new(),
            (_, total) => format!(" in {differing} of {total} entries"),
        };
        writeln!(out, "{words}{entries}")?;
        if counts.harmless > 0 && !all {
            let (noun, verb) = if counts.harmless == 1 { ("op", "does") } else { ("ops", "do") };
            writeln!(
                out,
                "not shown: {} unused or repeated {noun}, which {verb} not change the meaning; `--all` shows them",
                counts.harmless
            )?;
        }
        if let Some(found) = &report.producer {
            writeln!(out, "{}", escape_line(&change(found)))?;
        }
        Ok(())
    }
}

/// `    - a.tile:12: %b = addf %a, %a : tile<f32>`.
fn line(out: &mut dyn WriteColor, input: &Input, op: &OpPlace, sign: char) -> io::Result<()> {
    let text = format!("{sign} {}:{}: {}", escape_line(&input.name), input.row(op.range.start), excerpt(input, op));
    write!(out, "    ")?;
    toned(out, if sign == '-' { Tone::Bad } else { Tone::Good }, &text)?;
    writeln!(out)
}
