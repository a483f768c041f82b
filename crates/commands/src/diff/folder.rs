//! The comparison of two folders.

use super::arguments::Arguments;
use super::pairs::{Pair, pairs};
use super::program::{Input, Unusable};
use super::statistics::Statistics;
use super::words::Counts;
use crate::messages::{fail, output_failed};
use crate::style::{Tone, toned};
use crate::{messages, project, style};
use codespan_reporting::term::termcolor::WriteColor;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use tile_analysis::render::escape_line;
use tile_config::Configs;
use tile_diff::report::{Report, Verdict};

/// The number of changes in the table of frequent ones.
const MAX_CHANGES: usize = 20;

/// One program of the folders.
struct Row {
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Compared { verdict: Verdict, counts: Counts },
    OnlyA,
    OnlyB,
    Failed(String),
}

/// Compares the folders. The status is 2 if a program cannot be compared.
pub(super) fn run(arguments: &Arguments) -> u8 {
    let configs = project::configs();
    let (pairs, problems) = pairs(Path::new(&arguments.a), Path::new(&arguments.b), &configs);
    problems.iter().for_each(|problem| _ = fail(problem));
    if pairs.is_empty() {
        return fail("the folders contain no programs");
    }
    let mut statistics = Statistics::default();
    let rows: Vec<Row> = pairs.into_iter().map(|pair| row(arguments, &configs, pair, &mut statistics)).collect();
    let failed = !problems.is_empty() || rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_)));
    let differ = rows.iter().any(|row| row.outcome.differs());
    let status = if failed { 2 } else { u8::from(arguments.exit_code && differ) };
    if arguments.is_json() {
        return messages::print(format_args!("{:#}", json(&rows, &statistics))).max(status);
    }
    match write(&mut style::output(), &rows, &statistics) {
        Ok(()) => status,
        Err(error) => output_failed(&error).max(status),
    }
}

fn row(arguments: &Arguments, configs: &Configs, pair: Pair, statistics: &mut Statistics) -> Row {
    let outcome = match (&pair.a, &pair.b) {
        (Some(a), Some(b)) => match compared(arguments, configs, a, b, statistics) {
            Ok(report) => Outcome::Compared { verdict: report.verdict(), counts: Counts::of(&report.entries) },
            Err(unusable) => Outcome::Failed(unusable.reason()),
        },
        (Some(_), None) => Outcome::OnlyA,
        (None, _) => Outcome::OnlyB,
    };
    Row { name: pair.name, outcome }
}

fn compared(
    arguments: &Arguments,
    configs: &Configs,
    a: &Path,
    b: &Path,
    statistics: &mut Statistics,
) -> Result<Report, Unusable> {
    let read = |path: &Path| {
        let path = PathBuf::from(path).into_os_string().into_string();
        let unreadable = |path: std::ffi::OsString| {
            Unusable::Unreadable(format!("cannot read `{}`: the file name is not valid UTF-8", path.to_string_lossy()))
        };
        Input::read(&path.map_err(unreadable)?, configs, &arguments.preview)
    };
    let (a, b) = (read(a)?, read(b)?);
    let report = tile_diff::compare(&a.program(), &b.program());
    statistics.add(&a.program(), &b.program(), &report);
    Ok(report)
}

impl Outcome {
    fn differs(&self) -> bool {
        !matches!(self, Outcome::Compared { verdict: Verdict::Same, .. } | Outcome::Failed(_))
    }

    fn word(&self) -> &'static str {
        match self {
            Outcome::Compared { verdict, .. } => verdict.name(),
            Outcome::OnlyA => "only in A",
            Outcome::OnlyB => "only in B",
            Outcome::Failed(_) => "failed",
        }
    }

    fn tone(&self) -> Tone {
        match self {
            Outcome::Compared { verdict: Verdict::Same, .. } => Tone::Good,
            Outcome::Compared { verdict: Verdict::Hints | Verdict::Attributes, .. } => Tone::Warning,
            _ => Tone::Bad,
        }
    }

    fn details(&self) -> String {
        match self {
            Outcome::Compared { counts, .. } => counts.words("A", "B"),
            Outcome::Failed(reason) => reason.clone(),
            Outcome::OnlyA | Outcome::OnlyB => String::new(),
        }
    }
}

fn write(out: &mut dyn WriteColor, rows: &[Row], statistics: &Statistics) -> io::Result<()> {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in rows {
        toned(out, row.outcome.tone(), &format!("{:<10}", row.outcome.word()))?;
        let (name, details) = (escape_line(&row.name), row.outcome.details());
        let line = format!("  {name:<width$}  {}", escape_line(&details));
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "\n{}", total(rows))?;
    ops(out, statistics)?;
    changes(out, statistics)
}

/// `40 programs: 30 same, 4 hints, 6 different`.
fn total(rows: &[Row]) -> String {
    let words = ["same", "hints", "attributes", "different", "only in A", "only in B", "failed"];
    let counted = words.iter().map(|word| (word, rows.iter().filter(|row| row.outcome.word() == *word).count()));
    let parts: Vec<String> =
        counted.filter(|(_, count)| *count > 0).map(|(word, count)| format!("{count} {word}")).collect();
    format!("{} program{}: {}", rows.len(), if rows.len() == 1 { "" } else { "s" }, parts.join(", "))
}

fn ops(out: &mut dyn WriteColor, statistics: &Statistics) -> io::Result<()> {
    let rows: Vec<_> = statistics.ops.iter().filter(|(_, numbers)| numbers.differ()).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(2);
    writeln!(
        out,
        "\n{:<width$}  {:>8}  {:>8}  {:>9}  {:>9}  {:>7}",
        "op", "in A", "in B", "only in A", "only in B", "changed"
    )?;
    for (name, of) in rows {
        writeln!(
            out,
            "{name:<width$}  {:>8}  {:>8}  {:>9}  {:>9}  {:>7}",
            of.in_a, of.in_b, of.only_a, of.only_b, of.changed
        )?;
    }
    Ok(())
}

fn changes(out: &mut dyn WriteColor, statistics: &Statistics) -> io::Result<()> {
    let all = statistics.most_frequent();
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{:>5}  change", "count")?;
    for (op, words, count) in all.iter().take(MAX_CHANGES) {
        writeln!(out, "{count:>5}  {op}: {}", escape_line(words))?;
    }
    match all.len().saturating_sub(MAX_CHANGES) {
        0 => Ok(()),
        more => writeln!(out, "       and {more} others"),
    }
}

fn json(rows: &[Row], statistics: &Statistics) -> Value {
    let row = |row: &Row| {
        let (counts, reason) = match &row.outcome {
            Outcome::Compared { counts, .. } => (*counts, None),
            Outcome::Failed(reason) => (Counts::default(), Some(reason)),
            _ => (Counts::default(), None),
        };
        json!({
            "program": row.name,
            "verdict": row.outcome.word(),
            "changed": counts.changed,
            "only_a": counts.only_a,
            "only_b": counts.only_b,
            "harmless": counts.harmless,
            "reason": reason,
        })
    };
    let ops = statistics.ops.iter().map(|(name, of)| {
        json!({
            "op": name, "in_a": of.in_a, "in_b": of.in_b,
            "only_a": of.only_a, "only_b": of.only_b, "changed": of.changed,
        })
    });
    let changes = statistics.most_frequent();
    let changes = changes.iter().map(|(op, words, count)| json!({ "op": op, "change": words, "count": count }));
    json!({
        "programs": rows.iter().map(row).collect::<Vec<_>>(),
        "ops": ops.collect::<Vec<_>>(),
        "changes": changes.collect::<Vec<_>>(),
    })
}
