//! The job for a worker: the program, the launch, and the files that the launch reads.

use crate::commands::{Observe, RunRequest};
use crate::findings;
use crate::reach;
use crate::settings::Settings;
use std::path::Path;
use tile_analysis::db::{Database, File};
use tile_analysis::ir::Value;
use tile_backend::worker::trace::{self, Names};
use tile_backend::worker::{DataFiles, Host, Job, Start, Target, Watching};
use tile_files::unreadable;
use tile_input::Reach;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, refusal};
use tile_runner::held::Source;

/// The time limit of a run that is not a test, in milliseconds.
pub(super) const TIMEOUT: u64 = 600_000;

/// The time limit of the run that records values, in milliseconds.
const RECORDING_TIMEOUT: u64 = 1_000;

/// Why values of later executions are missing if the recording has reached its time limit.
pub(super) const RECORDING_CUT: &str = "Values are recorded for one second; later executions are missing";

/// The number of timed runs of a benchmark.
const BENCH_RUNS: u32 = 100;

/// Returns the job of a launch without its files, and its text, or why it cannot be run.
pub(crate) fn job(db: &Database, file: File, request: &RunRequest, target: Target) -> Result<(Job, Source), String> {
    let entries = find::find(db, file);
    let entry = entries.iter().find(|entry| *entry.entry.name == *request.entry);
    let entry = entry.ok_or_else(|| format!("there is no entry `@{}`", request.entry))?;
    let launch = launch(entry, request.launch.as_deref())?;
    if let Some(reason) = refusal(db, file, &findings::errors(db, file), entry, launch) {
        return Err(reason);
    }
    // Only the CPU engine has a sanitizer.
    let sanitize = target == Target::Cpu && (request.sanitize || launch.expects_error());
    let job = Job::new(file.text(db).to_string(), request.entry.clone(), launch.clone());
    let path = request.uri.rsplit('/').next().filter(|name| !name.is_empty()).map_or(job.path.clone(), str::to_string);
    let is_bench = request.observe == Observe::Bench;
    if is_bench && target == Target::Cpu {
        return Err("benchmarks need a GPU; choose one as the target of kernels".to_string());
    }
    let watching = watching(file.text(db), entry, launch, request)?;
    let bench = is_bench.then_some(BENCH_RUNS);
    let job = Job { path, target, sanitize, watching, bench, ..job };
    Ok((job, Source::of(db, file, entry, launch)))
}

/// The observations of a run.
fn watching(text: &str, entry: &EntryLaunches, launch: &Launch, request: &RunRequest) -> Result<Watching, String> {
    let watching = Watching { buffers: true, ..Watching::default() };
    Ok(match request.observe {
        Observe::Nothing | Observe::Bench => watching,
        Observe::Profile => Watching { profile: true, ..watching },
        Observe::Trace => {
            let trace = if request.values.is_empty() { tiles(text, entry) } else { request.values.clone() };
            let block = Some(request.block.unwrap_or_default());
            if let Some(mistake) = trace::mistake(entry, text, launch.grid, &trace, block) {
                return Err(mistake);
            }
            Watching { trace, block, ..watching }
        }
    })
}

/// The names of all tiles.
fn tiles(text: &str, entry: &EntryLaunches) -> Vec<String> {
    let names = Names::new(&entry.spans, text, entry.start);
    let values = (0..entry.entry.values.len() as u32).map(Value);
    let is_tile = |value: &Value| entry.entry.ty(*value).as_tile().is_some();
    let mut found: Vec<String> = values.filter(is_tile).map(|value| names.name(value)).collect();
    found.retain(|name| name.starts_with('%'));
    found
}

/// The job that records what each value holds. Recording takes several times as long as a run without observers, so it
/// is a separate run with a short time limit; `None` for a launch on a GPU.
pub(super) fn recording(job: &Job) -> Option<Job> {
    let launch = Launch { expects: Vec::new(), ..job.launch.clone() };
    let watching = Watching { values: true, ..Watching::default() };
    let is_cpu = job.target == Target::Cpu;
    let timeout_ms = Some(RECORDING_TIMEOUT);
    is_cpu.then(|| Job { launch, watching, sanitize: false, timeout_ms, ..job.clone() })
}

/// Where to run: the target of the command, or else of the settings, through the launcher of the settings.
pub(crate) fn host(request: &RunRequest, settings: &Settings) -> Result<Host, String> {
    let name = request.target.as_deref().filter(|name| !name.is_empty()).unwrap_or(&settings.run_on);
    let host: Host = name.parse()?;
    match &*settings.launcher {
        "" => Ok(host),
        launcher => Ok(host.with_launcher(&Start::parse_launcher(launcher)?)),
    }
}

fn launch<'e>(entry: &'e EntryLaunches, wanted: Option<&str>) -> Result<&'e Launch, String> {
    let launches = &entry.directives.launches;
    let index = match wanted {
        None => (!launches.is_empty()).then_some(0),
        Some(_) => (0..launches.len()).find(|&index| tile_launch::name_of(launches, index).as_deref() == wanted),
    };
    let name = &entry.entry.name;
    let missing = || match wanted {
        Some(wanted) => format!("`@{name}` has no launch `{wanted}`"),
        None => format!("`@{name}` has no launch; write one above it: `//@ launch grid=(1, 1, 1)`"),
    };
    index.map(|index| &launches[index]).ok_or_else(missing)
}

/// Adds the files that the launch reads. They are in the document's folder.
pub(crate) fn read_files(job: &mut Job, folder: Option<&Path>, reach: &Reach) -> Result<(), String> {
    let names: Vec<String> = job.launch.files().into_iter().map(str::to_string).collect();
    let mut files = DataFiles::new();
    for name in names {
        let Some(folder) = folder else {
            return Err(format!("`{name}` is relative to the program; save the program first"));
        };
        let path = reach.path(folder, &name, reach::UNLESS)?;
        let bytes = files.read(&path).map_err(|error| unreadable(&path.to_string_lossy(), &error))?;
        job.files.push((name, bytes));
    }
    Ok(())
}
