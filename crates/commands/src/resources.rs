//! The report of `tile build --resources`.

use crate::sources::SourceFile;
use clap::ValueEnum;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use tile_analysis::batch::Checked;
use tile_analysis::lines::Lines;
use tile_analysis::render::escape_line;
use tile_backend::cuda::occupancy::{Limit, Multiprocessor, product};
use tile_backend::cuda::resources::{Resources, of_cubin};
use tile_dataflow::footprint::Footprint;
use tile_input::size::shown;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::name_of;

/// Formats of the report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable text
    Text,
    /// A JSON array with an object for each kernel
    Json,
}

/// Reports the resources of the kernels in a cubin.
pub(crate) fn report(file: &SourceFile, checked: &Checked, gpu: &str, cubin: &[u8], format: Format) -> String {
    let all = of_cubin(cubin);
    let entries = find::of(&file.text, checked);
    let kernels = entries.iter().filter_map(|found| {
        let resources = *all.get(&*found.entry.name)?;
        Some(Kernel::new(file, found, gpu, resources))
    });
    let kernels: Vec<Kernel<'_>> = kernels.collect();
    match format {
        Format::Text => kernels.iter().map(Kernel::text).collect::<Vec<String>>().join("\n"),
        Format::Json => format!("{:#}", Json::from(kernels.iter().map(Kernel::json).collect::<Vec<Json>>())),
    }
}

/// A compiled kernel.
struct Kernel<'a> {
    found: &'a EntryLaunches,
    gpu: &'a str,
    resources: Resources,
    /// The tile blocks that a multiprocessor runs at the same time, and what limits them; `None` for unknown GPUs.
    occupancy: Option<(u32, Limit)>,
    /// The estimate from the program alone: registers of a thread and shared memory in bytes.
    estimate: (u64, u64),
    /// The place of the estimated peak.
    peak: Option<String>,
}

impl<'a> Kernel<'a> {
    fn new(file: &SourceFile, found: &'a EntryLaunches, gpu: &'a str, resources: Resources) -> Kernel<'a> {
        let footprint = Footprint::of(&found.entry);
        let threads = u64::from(resources.threads.max(1));
        let peak = footprint.peak.map(|op| {
            let offset = found.start + found.spans.op_names[op.0 as usize].start;
            let row = Lines::new(&file.text).place(offset, &file.text).row;
            format!("{}:{row}", escape_line(&file.name))
        });
        Kernel {
            found,
            gpu,
            resources,
            occupancy: Multiprocessor::of(gpu).map(|limits| limits.blocks(&resources)),
            estimate: (footprint.most().registers.div_ceil(4 * threads), footprint.shared()),
            peak,
        }
    }

    fn text(&self) -> String {
        let Resources { registers, local, shared: memory, threads } = self.resources;
        let spilled = match local {
            0 => "no spills".to_string(),
            local => format!("{} of local memory per thread (spills)", shown(local.into())),
        };
        let mut text = format!(
            "@{} on {}: {registers} registers per thread, {threads} threads, {} of shared memory, {spilled}",
            self.found.entry.name,
            self.gpu,
            shown(memory)
        );
        if let Some(peak) = &self.peak {
            let (registers, shared_memory) = self.estimate;
            let _ = write!(text, "\n  estimate: {registers} registers per thread for tiles, most at {peak}");
            if shared_memory > 0 {
                let _ = write!(text, "; {} of shared memory for factors of products", shown(shared_memory));
            }
        }
        if let Some((blocks, limit)) = self.occupancy {
            let plural = if blocks == 1 { "" } else { "s" };
            let _ = write!(text, "\n  {blocks} tile block{plural} per multiprocessor, limited by {limit}");
        }
        for launch in self.launches() {
            let _ = write!(text, "\n  {launch}");
        }
        text
    }

    /// One line for each launch: its tile blocks and waves.
    fn launches(&self) -> Vec<String> {
        let launches = &self.found.directives.launches;
        let line = |index: usize| {
            let (name, blocks) = (name_of(launches, index), self.blocks(index));
            let name = name.map_or_else(String::new, |name| format!(" \"{}\"", escape_line(&name)));
            let plural = if blocks == 1 { "" } else { "s" };
            let waves = match (self.waves(index), product(self.gpu)) {
                (Some(waves), Some((product, count))) => {
                    format!(", {waves:.2} waves ({product}, {count} multiprocessors)")
                }
                _ => String::new(),
            };
            format!("launch{name}: {blocks} tile block{plural}{waves}")
        };
        (0..launches.len()).map(line).collect()
    }

    fn blocks(&self, launch: usize) -> u64 {
        tile_engine::blocks(self.found.directives.launches[launch].grid)
    }

    /// How often a GPU is filled with tile blocks.
    fn waves(&self, launch: usize) -> Option<f64> {
        let resident = self.occupancy?.0 * product(self.gpu)?.1;
        (resident > 0).then(|| self.blocks(launch) as f64 / f64::from(resident))
    }

    fn json(&self) -> Json {
        let launches = &self.found.directives.launches;
        let launch = |index: usize| {
            json!({
                "launch": name_of(launches, index),
                "blocks": self.blocks(index),
                "waves": self.waves(index),
            })
        };
        json!({
            "entry": *self.found.entry.name,
            "gpu": self.gpu,
            "registers": self.resources.registers,
            "threads": self.resources.threads,
            "local_bytes": self.resources.local,
            "shared_bytes": self.resources.shared,
            "blocks_per_multiprocessor": self.occupancy.map(|(blocks, _)| blocks),
            "limited_by": self.occupancy.map(|(_, limit)| limit.to_string()),
            "estimated_registers": self.estimate.0,
            "estimated_shared_bytes": self.estimate.1,
            "launches": (0..launches.len()).map(launch).collect::<Vec<Json>>(),
        })
    }
}
