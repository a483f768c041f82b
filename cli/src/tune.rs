//! `tile tune`.

mod arguments;
mod journal;
mod report;
mod resources;
mod variants;

pub(crate) use arguments::Arguments;

use crate::launches::say;
use crate::messages::fail;
use crate::progress::Bar;
use arguments::Format;
use journal::Journal;
use report::Report;
use std::time::{Duration, Instant};
use tile_backend::cuda::machine::Machine;
use tile_backend::worker::bench::{BenchEvent, Sampling};
use tile_backend::worker::{Host, Job, Target};
use tile_dialect::Version;
use tile_tune::machines::{Machines, Progress};
use tile_tune::search::{Batch, STAGES, Search, Stage, Trial, TrialResult};
use tile_tune::space::Space;
use tile_tune::variant::Variant;

/// The optimization levels that are tried besides the highest, which is the default.
const LEVELS: [u8; 2] = [2, 1];

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match tune(arguments) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn tune(arguments: &Arguments) -> Result<u8, String> {
    let Some(variants) = variants::find(arguments)? else { return Ok(1) };
    if let Some(gpu) = &arguments.gpu {
        return resources::rank(arguments, gpu, &variants);
    }
    let hosts: Vec<Host> = arguments.target.iter().map(|host| arguments.launcher.before(host)).collect();
    if hosts.iter().any(|host| host.target == Target::Cpu) {
        return Err("hints have no effect on the CPU engine: use `--target cuda`, or `--gpu sm_90` to rank by resources; `tile bench` times kernels on the CPU"
            .to_string());
    }
    let device = device(&hosts)?;
    let spaces = variants.iter().map(|variant| Space::of(&variant.body, &device.architecture, device.version));
    let levels = if arguments.compile.has_level() { Vec::new() } else { LEVELS.to_vec() };
    let mut search = Search::new(spaces.collect(), levels);
    let journal = Journal::open(&variants, &device, arguments.fresh);
    let mut tuning = Tuning {
        arguments,
        variants: &variants,
        device: &device,
        machines: Machines::new(hosts),
        journal,
        bar: Bar::on_terminal(),
        began: Instant::now(),
    };
    tuning.search(&mut search)?;
    drop(tuning);
    let report = Report { variants: &variants, device: &device, search: &search };
    let shown = match arguments.output_format {
        Format::Text => report.text(),
        Format::Json => report.json(),
    };
    if arguments.apply {
        report.apply()?;
    }
    Ok(shown)
}

/// The GPU that is tuned for.
pub(super) struct Device {
    /// Its name.
    name: String,
    /// Its architecture, such as `sm_90`.
    architecture: String,
    /// The release of the compiler.
    compiler: String,
    /// The newest bytecode version that the compiler reads.
    version: Version,
}

/// The GPU at the hosts, which must be of one architecture.
fn device(hosts: &[Host]) -> Result<Device, String> {
    let mut found: Option<Device> = None;
    for host in hosts {
        let machine = host.start.worker().and_then(|mut worker| worker.inspect_machine());
        let device = of_machine(&machine.map_err(|error| error.to_string())?, host.target)?;
        match &found {
            Some(first) if (&first.architecture, &first.compiler) != (&device.architecture, &device.compiler) => {
                let shown = |device: &Device| format!("{} with `tileiras` {}", device.name, device.compiler);
                let (first, other) = (shown(first), shown(&device));
                return Err(format!(
                    "all targets must have the same GPU and compiler, but one is {first} and one {other}"
                ));
            }
            Some(_) => {}
            None => found = Some(device),
        }
    }
    found.ok_or_else(|| "no target is given".to_string())
}

fn of_machine(machine: &Machine, target: Target) -> Result<Device, String> {
    let Target::Cuda(number) = target else { return Err("the target is not a GPU".to_string()) };
    let missing = || "no GPU can be used; `tile doctor` says what is missing".to_string();
    let gpu = machine.gpus.get(number).ok_or_else(missing)?.as_ref().map_err(Clone::clone)?;
    let tool = machine.compiler.as_ref().ok_or_else(missing)?.as_ref().map_err(Clone::clone)?;
    let versions = tool.versions.iter().filter_map(|name| Version::from_name(name));
    Ok(Device {
        name: gpu.name.clone(),
        architecture: gpu.architecture.clone(),
        compiler: tool.release.clone(),
        version: versions.max().unwrap_or(Version::NEWEST),
    })
}

/// A search that runs.
struct Tuning<'a> {
    arguments: &'a Arguments,
    variants: &'a [Variant],
    device: &'a Device,
    machines: Machines,
    journal: Journal,
    bar: Bar,
    began: Instant,
}

impl Tuning<'_> {
    fn search(&mut self, search: &mut Search) -> Result<(), String> {
        let mut resumed = 0;
        while let Some(batch) = search.next_batch() {
            let is_over =
                self.arguments.max_time.is_some_and(|limit| self.began.elapsed() > Duration::from_millis(limit));
            if is_over && batch.stage != Stage::Final {
                continue;
            }
            let trials = match self.journal.trials(&batch) {
                Some(trials) => {
                    resumed += 1;
                    trials
                }
                None => {
                    let trials = self.measure(&batch)?;
                    self.journal.record(&batch, &trials);
                    trials
                }
            };
            search.report(batch.clone(), trials.clone());
            self.say(&summary(&batch, &trials));
        }
        if resumed > 0 {
            self.say(&format!("{resumed} steps were taken from an earlier run; `--fresh` measures them again"));
        }
        Ok(())
    }

    fn measure(&mut self, batch: &Batch) -> Result<Vec<Trial>, String> {
        let job = |candidate: usize| {
            self.variants[batch.candidates[candidate].variant]
                .job(&batch.candidates[candidate], &self.device.architecture)
        };
        // Ops in generic form have no place for hints.
        let jobs: Vec<Option<Job>> = (0..batch.candidates.len()).map(job).collect();
        let possible: Vec<Job> = jobs.iter().flatten().cloned().collect();
        let seconds = self.arguments.time as f64 / 1000.0;
        let sampling = match batch.stage {
            Stage::Final => Sampling { seconds: 4.0 * seconds, min_samples: 20, ..Sampling::default() },
            _ => Sampling { seconds, min_samples: 8, max_samples: 200, drops_slower: true },
        };
        let (bar, total) = (&self.bar, possible.len());
        let step = STAGES.iter().position(|stage| *stage == batch.stage).unwrap_or(0) + 1;
        let head = format!("step {step} of {}: {}", STAGES.len(), batch.stage.title());
        let mut compiled = 0;
        let mut show = |progress: Progress| {
            bar.stage(Some(format!(
                "{head}: {}",
                match progress.event {
                    BenchEvent::Prepared => "the buffers are ready".to_string(),
                    BenchEvent::Compiled(_) => {
                        compiled += 1;
                        format!("{compiled} of {total} candidates compiled")
                    }
                    BenchEvent::Checking(index) =>
                        format!("checking the results of candidate {} of {total}", index + 1),
                    BenchEvent::Round { rounds, left, seconds, .. } => {
                        let fastest = tile_backend::cuda::bench::time(seconds);
                        format!("round {rounds}, {left} of {total} candidates left, the fastest takes {fastest}")
                    }
                }
            )))
        };
        let mut trials = self.machines.measure(&possible, sampling, &mut show)?.into_iter();
        let unplaced = || Trial {
            result: TrialResult::Refused("an op in generic form has no place for hints".to_string()),
            resources: None,
        };
        Ok(jobs.iter().map(|job| job.as_ref().and_then(|_| trials.next()).unwrap_or_else(unplaced)).collect())
    }

    /// Prints a line to standard error.
    fn say(&self, text: &str) {
        let _aside = self.bar.aside();
        say(text);
    }
}

/// One line about a finished batch.
fn summary(batch: &Batch, trials: &[Trial]) -> String {
    let count = |is: &dyn Fn(&TrialResult) -> bool| trials.iter().filter(|trial| is(&trial.result)).count();
    let (same, refused) = (
        count(&|result| matches!(result, TrialResult::Same(_))),
        count(&|result| matches!(result, TrialResult::Refused(_))),
    );
    let failed = count(&|result| matches!(result, TrialResult::Failed(_)));
    let timed = count(&|result| matches!(result, TrialResult::Timed { .. }));
    let ratios = trials.iter().filter_map(|trial| match &trial.result {
        TrialResult::Timed { ratio, dropped: false, .. } => Some(ratio.value),
        _ => None,
    });
    let best = ratios.fold(f64::INFINITY, f64::min);
    let mut line = format!("{}: {timed} timed", batch.stage.title());
    for (count, what) in [(same, "with the same code as another"), (refused, "not compiled"), (failed, "wrong")] {
        if count > 0 {
            line += &format!(", {count} {what}");
        }
    }
    if best.is_finite() {
        line += &format!("; the fastest takes {:.1} % of the time of the best so far", 100.0 * best);
    }
    line
}
