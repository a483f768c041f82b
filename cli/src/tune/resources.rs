//! `tile tune --gpu`: ranks candidates by the resources of their code, without a GPU.

use super::arguments::{Arguments, Format};
use crate::messages::{output_failed, print};
use crate::style::output;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io::Write;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_backend::bytecode;
use tile_backend::cuda::compiler::{self, Compiler};
use tile_backend::cuda::occupancy::{Multiprocessor, product};
use tile_backend::cuda::resources::{Resources, of_cubin};
use tile_backend::worker::Job;
use tile_dialect::Version;
use tile_input::size::shown;
use tile_tune::hints::{Setting, effective};
use tile_tune::search::Candidate;
use tile_tune::space::Space;
use tile_tune::variant::Variant;

/// The hint that spreads a tile block over several thread blocks.
const CLUSTERS: &str = "num_cta_in_cga";

/// A compiled candidate.
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
    /// The fraction of the GPU that works on average, if all tile blocks take the same time.
    fn utilization(&self) -> Option<f64> {
        self.waves.map(|waves| waves / waves.ceil())
    }
}

/// Compiles the variants with all combinations of hints of the entry, and ranks them. Returns the exit status.
pub(super) fn rank(arguments: &Arguments, gpu: &str, variants: &[Variant]) -> Result<u8, String> {
    let libraries = arguments.libraries.read()?;
    let compiler = Compiler::find().map_err(|error| error.to_string())?.with_libraries(libraries);
    let options = compiler::Options { line_info: false, ..arguments.compile.options(false)? };
    compiler.check(gpu, &options).map_err(|error| error.to_string())?;
    let version = compiler.facts().version(Version::NEWEST).unwrap_or(Version::NEWEST);
    let candidates: Vec<Candidate> = variants
        .iter()
        .enumerate()
        .flat_map(|(variant, own)| {
            let sets = Space::of(&own.body, gpu, version).coarse();
            sets.into_iter().map(move |hints| Candidate { variant, hints, opt_level: None })
        })
        .collect();
    let compiled: Vec<Result<(Ranked, Vec<u8>), String>> = candidates
        .into_par_iter()
        .map(|candidate| {
            let variant = &variants[candidate.variant];
            let job = variant.job(&candidate, gpu).ok_or("an op in generic form has no place for hints")?;
            let cubin = cubin(&compiler, &job, gpu, &options, version)?;
            let resources = of_cubin(&cubin).get(&*job.entry).copied().ok_or("its code does not name its resources")?;
            Ok((ranked(variants, gpu, candidate, resources), cubin))
        })
        .collect();
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
    // Spills cost most; then, idle multiprocessors; then, few warps to hide latencies.
    ranked.sort_by(|a, b| {
        let warps = |one: &Ranked| one.blocks.unwrap_or(0) * one.resources.threads;
        let utilization = |one: &Ranked| one.utilization().unwrap_or(0.0);
        let spills = a.resources.local.cmp(&b.resources.local);
        spills.then(utilization(b).total_cmp(&utilization(a))).then(warps(b).cmp(&warps(a)))
    });
    if ranked.is_empty() {
        let reason = reasons.into_iter().next().unwrap_or_else(|| "there are no candidates".to_string());
        return Err(format!("no candidate can be compiled for {gpu}: {reason}"));
    }
    Ok(match arguments.output_format {
        Format::Text => text(gpu, &ranked, reasons.len()),
        Format::Json => print(format_args!("{:#}", Json::from(ranked.iter().map(json).collect::<Vec<_>>()))),
    })
}

fn cubin(
    compiler: &Compiler,
    job: &Job,
    gpu: &str,
    options: &compiler::Options,
    version: Version,
) -> Result<Vec<u8>, String> {
    let checked = batch::check(&job.text, Options { version, preview: true, ..Options::default() }, |_| Keep::Program);
    let program = checked.program(&job.text);
    let mut module = program.module();
    module.entries.retain(|entry| *entry.name == *job.entry);
    let bytes =
        bytecode::encode(&module, None, version).map_err(|_| format!("bytecode {version} lacks one of its ops"))?;
    compiler.compile(&bytes, gpu, options).map(|code| code.cubin).map_err(|error| error.to_string())
}

fn ranked(variants: &[Variant], gpu: &str, candidate: Candidate, resources: Resources) -> Ranked {
    let variant = &variants[candidate.variant];
    let blocks = Multiprocessor::of(gpu).map(|limits| limits.blocks(&resources).0);
    let grid = tile_engine::blocks(variant.job.launch.grid);
    // A tile block takes a cluster of so many thread blocks.
    let own = effective(variant.body.hints.as_deref(), gpu);
    let clusters = match candidate.hints.entry.get(CLUSTERS).or(own.get(CLUSTERS)) {
        Some(Setting::Int(blocks)) => *blocks as f64,
        _ => 1.0,
    };
    let resident = blocks.zip(product(gpu)).map(|(blocks, (_, count))| blocks * count);
    let waves = resident.filter(|&resident| resident > 0).map(|resident| clusters * grid as f64 / f64::from(resident));
    let hints: Vec<String> = candidate.hints.entry.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let hints = if hints.is_empty() { "as it is".to_string() } else { hints.join(", ") };
    let title = if variants.len() > 1 { format!("{}: {hints}", variant.title) } else { hints };
    Ranked { title, candidate, resources, blocks, same: 0, waves }
}

fn text(gpu: &str, ranked: &[Ranked], refused: usize) -> u8 {
    let mut out = output();
    let write = |out: &mut dyn Write| -> std::io::Result<()> {
        let name = product(gpu).map_or_else(String::new, |(name, count)| format!(" ({name}, {count} multiprocessors)"));
        writeln!(out, "{gpu}{name}: by resources; only a measurement on the GPU shows what is fastest")?;
        let (registers, blocks) = ("registers", "blocks");
        writeln!(
            out,
            "{registers:>9} {:>10} {:>10} {:>8} {blocks:>6} {:>8} {:>6}  hints",
            "spills", "shared", "threads", "waves", "used"
        )?;
        for one in ranked {
            let Resources { registers, local, shared, threads } = one.resources;
            let number = |value: Option<String>| value.unwrap_or_else(|| "-".to_string());
            let blocks = number(one.blocks.map(|blocks| blocks.to_string()));
            let waves = number(one.waves.map(|waves| format!("{waves:.2}")));
            let used = number(one.utilization().map(|used| format!("{:.0} %", 100.0 * used)));
            let (spills, shared) = (if local == 0 { "-".to_string() } else { shown(local.into()) }, shown(shared));
            writeln!(
                out,
                "{registers:>9} {spills:>10} {shared:>10} {threads:>8} {blocks:>6} {waves:>8} {used:>6}  {}{}",
                one.title,
                if one.same > 0 { format!(" (and {} with the same code)", one.same) } else { String::new() }
            )?;
        }
        if refused > 0 {
            writeln!(out, "{refused} candidates cannot be compiled")?;
        }
        Ok(())
    };
    write(&mut out).map_or_else(|error| output_failed(&error), |()| 0)
}

fn json(one: &Ranked) -> Json {
    json!({
        "title": one.title,
        "variant": one.candidate.variant,
        "hints": one.candidate.hints.entry.iter().map(|(name, value)| (name.clone(), value.to_string().into()))
            .collect::<serde_json::Map<_, _>>(),
        "resources": one.resources,
        "blocks_per_multiprocessor": one.blocks,
        "candidates_with_the_same_code": one.same,
        "waves": one.waves,
        "utilization": one.utilization(),
    })
}
