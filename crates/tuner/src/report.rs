//! The report of a search: the candidates with their times, and the lines that the winner's hints change.

use crate::device::Device;
use crate::hints::{Setting, Settings, applied};
use crate::search::{Candidate, Search, Stage, Trial, TrialResult};
use crate::variant::Variant;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use tile_analysis::diagnostic::Edit;
use tile_analysis::lines::Lines;
use tile_backend::cuda::bench::time;
use tile_backend::cuda::occupancy::Multiprocessor;
use tile_backend::cuda::resources::Resources;
use tile_backend::statistics::Estimate;
use tile_input::size::shown;

/// What a reason begins with if the results of a candidate are wrong.
const WRONG: &str = "wrong: ";

/// The number of candidates in the table.
const SHOWN: usize = 12;

/// A finished search.
pub struct Report<'a> {
    /// The variants.
    pub variants: &'a [Variant],
    /// The GPU.
    pub device: &'a Device,
    /// The search.
    pub search: &'a Search,
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
    /// The candidates that were timed, the fastest first. The ratio to the unchanged program is the product of the
    /// ratios to the references of the batches in between.
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

    /// The table of the fastest candidates, and the reasons why others were not timed, in lines.
    pub fn table(&self) -> Vec<String> {
        let rows = self.rows();
        let mut lines = vec![
            format!("{} ({}), tileiras {}", self.device.name, self.device.architecture, self.device.compiler),
            format!(
                "{:>11} {:>8} {:>22} {:>9} {:>10} {:>6}  candidate",
                "time", "±", "of the program", "registers", "shared", "blocks"
            ),
        ];
        let start = rows.iter().position(|row| *row.candidate == Candidate::default());
        let start = start.filter(|&start| start >= SHOWN).map(|start| &rows[start]);
        lines.extend(rows.iter().take(SHOWN).chain(start).map(|row| self.line(row)));
        if rows.len() > SHOWN {
            lines.push(format!("{} candidates were timed", rows.len()));
        }
        let failures = self.failures();
        lines.extend(failures.iter().map(|(why, count)| format!("{count} not timed: {why}")));
        let has_expectations = self.variants.iter().any(|variant| !variant.job.launch.expects.is_empty());
        if !has_expectations && failures.iter().any(|(why, _)| why.starts_with(WRONG)) {
            lines.push(
                "help: `//@ expect` in the launch states which results are right, and how precise they are".to_string(),
            );
        }
        lines
    }

    fn line(&self, row: &Row<'_>) -> String {
        let percent = |ratio: f64| format!("{:.1}", 100.0 * ratio);
        let Estimate { value, low, high } = row.ratio;
        let of_program = format!("{} % ({} … {})", percent(value), percent(low), percent(high));
        let precision = format!("{:.1} %", 100.0 * row.seconds.precision());
        let [registers, memory, blocks] = row.resources.map_or_else(Default::default, |resources| {
            let blocks = Multiprocessor::of(&self.device.architecture).map(|known| known.blocks(&resources).0);
            let spills = if resources.local > 0 { "*" } else { "" };
            let blocks = blocks.map_or_else(String::new, |blocks| blocks.to_string());
            [format!("{}{spills}", resources.registers), shown(resources.shared), blocks]
        });
        let mark = if row.candidate == self.search.best() { " (winner)" } else { "" };
        let rough = if row.is_rough { " (stopped early)" } else { "" };
        let (seconds, title) = (time(row.seconds.value), title(self.variants, row.candidate));
        format!(
            "{seconds:>11} {precision:>8} {of_program:>22} {registers:>9} {memory:>10} {blocks:>6}  {title}{mark}{rough}"
        )
    }

    /// The result of the search, in lines.
    pub fn conclusion(&self) -> Vec<String> {
        let best = self.search.best();
        if *best == Candidate::default() {
            return vec!["no candidate is certainly faster than the program as it is by at least 0.5 %".to_string()];
        }
        let gain = self.gain().map(|Estimate { value, low, high }| {
            let times = |ratio: f64| 1.0 / ratio;
            format!("{:.3} times as fast ({:.3} … {:.3})", times(value), times(high), times(low))
        });
        let variant =
            (best.variant > 0).then(|| format!("the fastest variant is {}", self.variants[best.variant].title));
        let level = best
            .opt_level
            .map(|level| format!("compile with `--opt-level {level}`: no hint sets the optimization level"));
        gain.into_iter().chain(variant).chain(level).collect()
    }

    /// The lines that the winner's hints change: the number of each, and its old and new text.
    pub fn changed_lines(&self) -> Vec<(usize, String, String)> {
        let old = &self.winner().job.text;
        let new = applied(old, &self.edits());
        // Hints add no lines.
        let pairs = old.lines().zip(new.lines()).enumerate().filter(|(_, (old, new))| old != new);
        pairs.map(|(index, (old, new))| (index + 1, old.to_string(), new.to_string())).collect()
    }

    /// The variant of the winner.
    pub fn winner(&self) -> &Variant {
        &self.variants[self.search.best().variant]
    }

    /// The edits that write the winner's hints into its program.
    pub fn edits(&self) -> Vec<Edit> {
        self.winner().edits(self.search.best(), &self.device.architecture).unwrap_or_default()
    }

    /// The candidates that were not timed, by reason. Of wrong results, which all differ, there is one example.
    fn failures(&self) -> Vec<(String, usize)> {
        let mut failures: Vec<(String, usize)> = Vec::new();
        for trial in self.search.finished().iter().flat_map(|(_, trials)| trials) {
            let (kind, why) = match &trial.result {
                TrialResult::Refused(why) => ("not compiled: ", first_line(why)),
                TrialResult::Failed(why) => ("failed: ", first_line(why)),
                TrialResult::Wrong(why) => (WRONG, first_line(why)),
                TrialResult::NotRun => ("", "the worker ended before it ran"),
                TrialResult::Timed { .. } | TrialResult::Same(_) => continue,
            };
            let is_known = |known: &str| known.strip_prefix(kind).is_some_and(|rest| rest == why || kind == WRONG);
            match failures.iter_mut().find(|(known, _)| is_known(known)) {
                Some((_, count)) => *count += 1,
                None => failures.push((format!("{kind}{why}"), 1)),
            }
        }
        failures
    }

    /// All candidates, for programs.
    pub fn json(&self) -> Json {
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
        json!({
            "gpu": self.device.name,
            "architecture": self.device.architecture,
            "compiler": self.device.compiler,
            "winner": winner,
            "gain": self.gain().map(|ratio| 1.0 / ratio.value),
            "candidates": rows,
            "not_timed": failures,
        })
    }
}

/// The hints of a candidate in words.
pub(crate) fn title(variants: &[Variant], candidate: &Candidate) -> String {
    let variant = &variants[candidate.variant];
    let mut parts = Vec::new();
    if variants.len() > 1 {
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
    let value = |setting: &Setting| match setting {
        Setting::Bool(value) => json!(value),
        Setting::Int(value) => json!(value),
    };
    settings.iter().map(|(name, setting)| (name.clone(), value(setting))).collect::<serde_json::Map<_, _>>().into()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
