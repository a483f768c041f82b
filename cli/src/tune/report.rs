//! The report of a search: the candidates with their times, and the changed lines.

use super::Device;
use crate::messages::output_failed;
use crate::style::{Tone, output, toned};
use codespan_reporting::term::termcolor::WriteColor;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use tile_analysis::diagnostic::Edit;
use tile_analysis::lines::Lines;
use tile_backend::cuda::bench::time;
use tile_backend::cuda::occupancy::Multiprocessor;
use tile_backend::cuda::resources::Resources;
use tile_backend::statistics::Estimate;
use tile_tune::hints::{Settings, applied};
use tile_tune::search::{Candidate, Search, Stage, Trial, TrialResult};
use tile_tune::variant::Variant;

/// The number of candidates in the table.
const SHOWN: usize = 12;

/// A finished search.
pub(super) struct Report<'a> {
    pub(super) variants: &'a [Variant],
    pub(super) device: &'a Device,
    pub(super) search: &'a Search,
}

/// A candidate that was timed, with its time relative to the unchanged program.
struct Row<'a> {
    candidate: &'a Candidate,
    seconds: Estimate,
    ratio: Estimate,
    is_rough: bool,
    resources: Option<Resources>,
}

impl<'a> Report<'a> {
    /// The candidates that were timed, the fastest first. The ratio to the unchanged program is the product of the ratios
    /// to the references of the batches in between.
    fn rows(&self) -> Vec<Row<'a>> {
        let mut rows: Vec<Row<'a>> = Vec::new();
        for (batch, trials) in self.search.finished() {
            let Some(base) = batch.candidates.first() else { continue };
            let scale = rows.iter().find(|row| row.candidate == base).map_or(1.0, |row| row.ratio.value);
            let scale = if batch.stage == Stage::Final { 1.0 } else { scale };
            for (candidate, Trial { result, resources }) in batch.candidates.iter().zip(trials) {
                let TrialResult::Timed { seconds, ratio, dropped, .. } = result else { continue };
                let ratio = Estimate { value: scale * ratio.value, low: scale * ratio.low, high: scale * ratio.high };
                // The last measurement of a candidate is the best.
                rows.retain(|row| row.candidate != candidate);
                rows.push(Row { candidate, seconds: *seconds, ratio, is_rough: *dropped, resources: *resources });
            }
        }
        rows.sort_by(|a, b| a.ratio.value.total_cmp(&b.ratio.value));
        rows
    }

    /// The ratio of the winner's time to that of the unchanged program.
    fn gain(&self) -> Option<Estimate> {
        let best = self.search.best();
        self.rows().into_iter().find(|row| row.candidate == best).map(|row| row.ratio)
    }

    /// Writes the table, the changed lines and a summary. Returns the exit status.
    pub(super) fn text(&self) -> u8 {
        let mut out = output();
        self.write(&mut out).map_or_else(|error| output_failed(&error), |()| 0)
    }

    fn write(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        let rows = self.rows();
        writeln!(out, "{} ({}), tileiras {}", self.device.name, self.device.architecture, self.device.compiler)?;
        writeln!(
            out,
            "{:>11} {:>8} {:>22} {:>9} {:>10} {:>6}  candidate",
            "time", "±", "of the program", "registers", "shared", "blocks"
        )?;
        for row in rows.iter().take(SHOWN) {
            self.line(out, row)?;
        }
        let start = rows.iter().position(|row| *row.candidate == Candidate::default());
        if let Some(start) = start.filter(|&start| start >= SHOWN) {
            self.line(out, &rows[start])?;
        }
        if rows.len() > SHOWN {
            writeln!(out, "{} candidates were timed; `--output-format json` lists all", rows.len())?;
        }
        for (why, count) in self.failures() {
            writeln!(out, "{count} not timed: {why}")?;
        }
        self.conclusion(out)
    }

    fn line(&self, out: &mut dyn WriteColor, row: &Row<'_>) -> io::Result<()> {
        let percent = |ratio: f64| format!("{:.1}", 100.0 * ratio);
        let Estimate { value, low, high } = row.ratio;
        let of_program = format!("{} % ({} … {})", percent(value), percent(low), percent(high));
        let precision = format!("{:.1} %", 100.0 * row.seconds.precision());
        write!(out, "{:>11} {precision:>8} {of_program:>22} ", time(row.seconds.value))?;
        match row.resources {
            None => write!(out, "{:>9} {:>10} {:>6} ", "", "", "")?,
            Some(resources) => {
                let blocks = Multiprocessor::of(&self.device.architecture).map(|known| known.blocks(&resources).0);
                let blocks = blocks.map_or_else(String::new, |blocks| blocks.to_string());
                let spills = if resources.local > 0 { "*" } else { "" };
                let registers = format!("{}{spills}", resources.registers);
                write!(out, "{registers:>9} {:>10} {blocks:>6} ", tile_input::size::shown(resources.shared))?;
            }
        }
        let mark = if row.candidate == self.search.best() { " (winner)" } else { "" };
        let rough = if row.is_rough { " (stopped early)" } else { "" };
        writeln!(out, " {}{mark}{rough}", self.title(row.candidate))
    }

    /// The candidates that were not timed, by reason.
    fn failures(&self) -> Vec<(String, usize)> {
        let mut failures: Vec<(String, usize)> = Vec::new();
        for (_, trials) in self.search.finished() {
            for trial in trials {
                let why = match &trial.result {
                    TrialResult::Refused(why) => format!("not compiled: {}", first_line(why)),
                    TrialResult::Failed(why) => format!("failed: {}", first_line(why)),
                    TrialResult::NotRun => "the worker ended before it ran".to_string(),
                    TrialResult::Timed { .. } | TrialResult::Same(_) => continue,
                };
                match failures.iter_mut().find(|(known, _)| *known == why) {
                    Some((_, count)) => *count += 1,
                    None => failures.push((why, 1)),
                }
            }
        }
        failures
    }

    fn conclusion(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        let best = self.search.best();
        if *best == Candidate::default() {
            return writeln!(out, "nothing is certainly faster than the program as it is");
        }
        if let Some(Estimate { value, low, high }) = self.gain() {
            let times = |ratio: f64| 1.0 / ratio;
            writeln!(out, "{:.3} times as fast ({:.3} … {:.3})", times(value), times(high), times(low))?;
        }
        if best.variant > 0 {
            writeln!(out, "the fastest variant is {}", self.variants[best.variant].title)?;
        }
        if let Some(level) = best.opt_level {
            writeln!(out, "compile with `--opt-level {level}`: no hint sets the optimization level")?;
        }
        self.difference(out)
    }

    /// The hints of a candidate in words.
    fn title(&self, candidate: &Candidate) -> String {
        let variant = &self.variants[candidate.variant];
        let mut parts = Vec::new();
        if self.variants.len() > 1 {
            parts.push(variant.title.clone());
        }
        let listed = |settings: &Settings| {
            let all = settings.iter().map(|(name, value)| format!("{name} = {value}"));
            all.collect::<Vec<_>>().join(", ")
        };
        if !candidate.hints.entry.is_empty() {
            parts.push(listed(&candidate.hints.entry));
        }
        // Accesses with the same hints are listed together, by line.
        let lines = Lines::new(&variant.job.text);
        let row = |op: u32| {
            let name = variant.spans.op_names.get(op as usize).map_or(0, |range| range.start);
            lines.place(variant.start + name, &variant.job.text).row
        };
        let different: BTreeSet<&Settings> = candidate.hints.accesses.values().collect();
        for settings in different {
            let same = candidate.hints.accesses.iter().filter(|(_, other)| *other == settings);
            let rows: Vec<String> = same.map(|(op, _)| row(*op).to_string()).collect();
            let plural = if rows.len() == 1 { "line" } else { "lines" };
            parts.push(format!("{} in {plural} {}", listed(settings), rows.join(", ")));
        }
        if let Some(level) = candidate.opt_level {
            parts.push(format!("--opt-level {level}"));
        }
        if parts.is_empty() { "the program as it is".to_string() } else { parts.join("; ") }
    }

    /// The edits of the winner.
    fn edits(&self) -> Vec<Edit> {
        let best = self.search.best();
        self.variants[best.variant].edits(best, &self.device.architecture).unwrap_or_default()
    }

    /// Writes the lines that the winner's hints change.
    fn difference(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        let variant = &self.variants[self.search.best().variant];
        let edits = self.edits();
        if edits.is_empty() {
            return Ok(());
        }
        let (old, new) = (&variant.job.text, applied(&variant.job.text, &edits));
        writeln!(out, "\n{}:", variant.job.path)?;
        // Hints add no lines.
        for (index, (old, new)) in old.lines().zip(new.lines()).enumerate().filter(|(_, (old, new))| old != new) {
            toned(out, Tone::Bad, &format!("{:>5} -{old}", index + 1))?;
            writeln!(out)?;
            toned(out, Tone::Good, &format!("{:>5} +{new}", index + 1))?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Writes the hints of the winner into its program.
    pub(super) fn apply(&self) -> Result<(), String> {
        let variant = &self.variants[self.search.best().variant];
        let (path, edits) = (&variant.job.path, self.edits());
        if edits.is_empty() {
            return Ok(());
        }
        let changed = tile_input::read_text(Path::new(path), tile_input::MAX_PROGRAM);
        if changed.ok().as_deref() != Some(&*variant.job.text) {
            return Err(format!("`{path}` has changed during the search; its hints are not written"));
        }
        let text = applied(&variant.job.text, &edits);
        tile_files::replace(Path::new(path), text.as_bytes()).map_err(|error| format!("cannot write `{path}`: {error}"))
    }

    /// Writes all candidates as JSON. Returns the exit status.
    pub(super) fn json(&self) -> u8 {
        let row = |row: &Row<'_>| {
            let variant = &self.variants[row.candidate.variant];
            let mut object = described(variant, row.candidate);
            object["seconds"] = json!(row.seconds);
            object["ratio"] = json!(row.ratio);
            object["stopped_early"] = row.is_rough.into();
            object["resources"] = json!(row.resources);
            object
        };
        let rows: Vec<Json> = self.rows().iter().map(row).collect();
        let best = self.search.best();
        let winner = described(&self.variants[best.variant], best);
        let failures: Vec<Json> =
            self.failures().into_iter().map(|(why, count)| json!({"reason": why, "count": count})).collect();
        crate::messages::print(format_args!(
            "{:#}",
            json!({
                "gpu": self.device.name,
                "architecture": self.device.architecture,
                "compiler": self.device.compiler,
                "winner": winner,
                "gain": self.gain().map(|ratio| 1.0 / ratio.value),
                "candidates": rows,
                "not_timed": failures,
            })
        ))
    }
}

fn described(variant: &Variant, candidate: &Candidate) -> Json {
    let ops = candidate.hints.accesses.iter().map(|(op, settings)| {
        let name = variant.spans.op_names.get(*op as usize).map_or(0, |range| range.start);
        let row = Lines::new(&variant.job.text).place(variant.start + name, &variant.job.text).row;
        json!({"row": row, "hints": settings_json(settings)})
    });
    json!({
        "variant": variant.title,
        "entry": settings_json(&candidate.hints.entry),
        "accesses": ops.collect::<Vec<_>>(),
        "opt_level": candidate.opt_level,
    })
}

fn settings_json(settings: &Settings) -> Json {
    use tile_tune::hints::Setting;
    let value = |setting: &Setting| match setting {
        Setting::Bool(value) => json!(value),
        Setting::Int(value) => json!(value),
    };
    settings.iter().map(|(name, setting)| (name.clone(), value(setting))).collect::<serde_json::Map<_, _>>().into()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
