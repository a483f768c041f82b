//! Ranks candidates by the resources of their code, without a GPU.

use crate::hints::{Setting, effective};
use crate::report::title;
use crate::search::Candidate;
use crate::space::Space;
use crate::tuning::Watcher;
use crate::variant::Variant;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tile_backend::cuda::compiler::{Compiler, Options};
use tile_backend::cuda::occupancy::{Multiprocessor, product};
use tile_backend::cuda::resources::{Resources, of_cubin};
use tile_backend::worker::cubin;
use tile_dialect::Version;
use tile_input::size::shown;

/// The hint that spreads a tile block over several thread blocks.
const CLUSTERS: &str = "num_cta_in_cga";

/// A compiled candidate.
#[derive(Debug)]
struct Ranked {
    title: String,
    candidate: Candidate,
    resources: Resources,
    /// Tile blocks per multiprocessor, if the GPU is known.
    blocks: Option<u32>,
    /// The number of other candidates with the same code.
    same: usize,
    /// The number of times that the grid fills the GPU.
    waves: Option<f64>,
}

impl Ranked {
    fn of(variants: &[Variant], gpu: &str, candidate: Candidate, resources: Resources) -> Ranked {
        let variant = &variants[candidate.variant];
        let blocks = Multiprocessor::of(gpu).map(|limits| limits.blocks(&resources).0);
        let grid: f64 = variant.job.launch.grid.into_iter().map(f64::from).product();
        // A tile block takes a cluster of so many thread blocks.
        let own = effective(variant.body.hints.as_deref(), gpu);
        let clusters = match candidate.hints.entry.get(CLUSTERS).or(own.get(CLUSTERS)) {
            Some(Setting::Int(blocks)) => *blocks as f64,
            _ => 1.0,
        };
        let resident = blocks.zip(product(gpu)).map(|(blocks, (_, count))| blocks * count);
        let waves = resident.filter(|&resident| resident > 0).map(|resident| clusters * grid / f64::from(resident));
        Ranked { title: title(variants, &candidate), candidate, resources, blocks, same: 0, waves }
    }

    /// The fraction of the GPU that works on average, if all tile blocks take the same time.
    fn utilization(&self) -> Option<f64> {
        self.waves.map(|waves| waves / waves.ceil())
    }

    fn line(&self) -> String {
        let Resources { registers, local, shared, threads } = self.resources;
        let number = |value: Option<String>| value.unwrap_or_else(|| "-".to_string());
        let blocks = number(self.blocks.map(|blocks| blocks.to_string()));
        let waves = number(self.waves.map(|waves| format!("{waves:.2}")));
        let used = number(self.utilization().map(|used| format!("{:.0} %", 100.0 * used)));
        let (spills, shared) = (if local == 0 { "-".to_string() } else { shown(local.into()) }, shown(shared));
        let same = if self.same > 0 { format!(" (and {} with the same code)", self.same) } else { String::new() };
        let title = &self.title;
        format!("{registers:>9} {spills:>10} {shared:>10} {threads:>8} {blocks:>6} {waves:>8} {used:>6}  {title}{same}")
    }

    fn json(&self) -> Json {
        json!({
            "title": self.title,
            "variant": self.candidate.variant,
            "hints": self.candidate.hints.entry.iter().map(|(name, value)| (name.clone(), value.to_string().into()))
                .collect::<serde_json::Map<_, _>>(),
            "resources": self.resources,
            "blocks_per_multiprocessor": self.blocks,
            "candidates_with_the_same_code": self.same,
            "waves": self.waves,
            "utilization": self.utilization(),
        })
    }
}

/// The candidates, the best first.
#[derive(Debug)]
pub struct Ranking<'a> {
    gpu: &'a str,
    ranked: Vec<Ranked>,
    /// The number of candidates that cannot be compiled.
    refused: usize,
}

impl<'a> Ranking<'a> {
    /// Compiles the variants with all combinations of hints of the entry for a GPU such as `sm_90`, and ranks them:
    /// first those without spills, then by the fraction of the GPU that works on average, then by resident warps. Ends
    /// early if `stop` is set. The error says why no candidate can be compiled.
    pub fn new(
        variants: &[Variant],
        gpu: &'a str,
        compiler: &Compiler,
        watcher: &mut dyn Watcher,
        stop: &AtomicBool,
    ) -> Result<Ranking<'a>, String> {
        for variant in variants {
            let options = Options { line_info: false, ..variant.job.compile };
            compiler.check(gpu, &options).map_err(|error| error.to_string())?;
        }
        let version = compiler.facts().version(Version::NEWEST).unwrap_or(Version::NEWEST);
        let of_variant = |(variant, own): (usize, &Variant)| {
            let sets = Space::of(&own.body, gpu, version).coarse();
            sets.into_iter().map(move |hints| Candidate { variant, hints, opt_level: None })
        };
        let candidates: Vec<Candidate> = variants.iter().enumerate().flat_map(of_variant).collect();
        let (total, progress) = (candidates.len(), Mutex::new((0, watcher)));
        let compile = |candidate| {
            if stop.load(Ordering::Relaxed) {
                return Err("it was stopped".to_string());
            }
            let compiled = compiled(variants, gpu, compiler, candidate);
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.0 += 1;
            let text = format!("{} of {total} candidates compiled", progress.0);
            progress.1.progress(text);
            compiled
        };
        Ranking::of(gpu, candidates.into_par_iter().map(compile).collect())
    }

    /// Ranks compiled candidates. Of those with the same code, the first one represents all.
    fn of(gpu: &'a str, compiled: Vec<Result<(Ranked, Vec<u8>), String>>) -> Result<Ranking<'a>, String> {
        let (mut ranked, mut reasons): (Vec<Ranked>, Vec<String>) = (Vec::new(), Vec::new());
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        for result in compiled {
            match result {
                Ok((one, cubin)) => match known.get(&cubin) {
                    Some(&same) => ranked[same].same += 1,
                    None => {
                        known.insert(cubin, ranked.len());
                        ranked.push(one);
                    }
                },
                Err(reason) => reasons.push(reason),
            }
        }
        if ranked.is_empty() {
            let reason = reasons.into_iter().next().unwrap_or_else(|| "there are no candidates".to_string());
            return Err(format!("no candidate can be compiled for {gpu}: {reason}"));
        }
        // Spills cost most; then, idle multiprocessors; then, few warps to hide latencies.
        ranked.sort_by(|a, b| {
            let warps = |one: &Ranked| one.blocks.unwrap_or(0) * one.resources.threads;
            let utilization = |one: &Ranked| one.utilization().unwrap_or(0.0);
            let spills = a.resources.local.cmp(&b.resources.local);
            spills.then(utilization(b).total_cmp(&utilization(a))).then(warps(b).cmp(&warps(a)))
        });
        Ok(Ranking { gpu, ranked, refused: reasons.len() })
    }

    /// The table, in lines.
    pub fn table(&self) -> Vec<String> {
        let gpu = self.gpu;
        let name = product(gpu).map_or_else(String::new, |(name, count)| format!(" ({name}, {count} multiprocessors)"));
        let mut lines = vec![
            format!("{gpu}{name}: by resources; only a measurement on the GPU shows what is fastest"),
            format!(
                "{:>9} {:>10} {:>10} {:>8} {:>6} {:>8} {:>6}  hints",
                "registers", "spills", "shared", "threads", "blocks", "waves", "used"
            ),
        ];
        lines.extend(self.ranked.iter().map(Ranked::line));
        match self.refused {
            0 => {}
            1 => lines.push("1 candidate cannot be compiled".to_string()),
            refused => lines.push(format!("{refused} candidates cannot be compiled")),
        }
        lines
    }

    /// All candidates, for programs.
    pub fn json(&self) -> Json {
        self.ranked.iter().map(Ranked::json).collect()
    }
}

fn compiled(
    variants: &[Variant],
    gpu: &str,
    compiler: &Compiler,
    candidate: Candidate,
) -> Result<(Ranked, Vec<u8>), String> {
    let variant = &variants[candidate.variant];
    let job = variant.job(&candidate, gpu).ok_or("an op in generic form has no place for hints")?;
    let cubin = cubin(&job, compiler, gpu)?;
    let resources = of_cubin(&cubin).get(&*job.entry).copied().ok_or("its code does not name its resources")?;
    Ok((Ranked::of(variants, gpu, candidate, resources), cubin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(title: &str, local: u32, waves: f64, blocks: u32) -> Ranked {
        let resources = Resources { registers: 32, local, shared: 0, threads: 128 };
        let (title, candidate) = (title.to_string(), Candidate::default());
        Ranked { title, candidate, resources, blocks: Some(blocks), same: 0, waves: Some(waves) }
    }

    #[test]
    fn spills_count_most_then_use_then_warps() {
        let all = [("spills", 8, 1.0, 9), ("half", 0, 1.5, 9), ("few", 0, 2.0, 1), ("many", 0, 1.0, 4)];
        let compiled = all
            .map(|(title, local, waves, blocks)| Ok((ranked(title, local, waves, blocks), title.as_bytes().to_vec())));
        let again = Ok((ranked("many again", 0, 1.0, 4), b"many".to_vec()));
        let refused = Err("too many warps".to_string());
        let ranking = Ranking::of("sm_90", compiled.into_iter().chain([again, refused]).collect()).expect("some");
        let lines = ranking.table();
        let titles: Vec<&str> = lines[2..].iter().map(|line| line.split("%  ").last().unwrap_or(line)).collect();
        let expected = ["many (and 1 with the same code)", "few", "half", "spills", "1 candidate cannot be compiled"];
        assert_eq!(titles, expected);
    }

    #[test]
    fn the_first_reason_is_named_if_no_candidate_can_be_compiled() {
        let why = Ranking::of("sm_90", vec![Err("a".to_string()), Err("b".to_string())]).expect_err("none");
        assert_eq!(why, "no candidate can be compiled for sm_90: a");
    }
}
