//! Carrying out one job.

use super::compare::{self, Compared, Products};
use super::debugger::Debugger;
use super::free_memory;
use super::gpu::Gpus;
use super::outside;
use super::placement::{PlacedAddress, forget_addresses, write_addresses};
use super::profile::OpCost;
use super::protocol::{Event, Found, Job, Report, Stage, Target, Verdict};
use super::serve::Requests;
use super::tell::Teller;
use super::timer::Timer;
use super::trace::{Names, Traced};
use crate::cpu::{self, Memory, Observer};
use crate::cuda::bench::Bench;
use crate::cuda::compiler::Crash;
use crate::findings::{Finding, assertion_failed, did_not_finish};
use crate::launch::bind::{extra_buffers, takes_multicast};
use crate::launch::expr::Scope;
use crate::launch::{After, Arg, Expect, LaunchError, Number, Value, find, npy};
use crate::size;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};
use tile_analysis::ir::{Body, Module, OpId};
use tile_analysis::program::Program;
use tile_analysis::source::Spans;
use tile_analysis::types::{Scalar, Type};

/// The most elements that a formula of an expectation may compute with.
const MAX_FORMULA_ELEMENTS: usize = 1 << 28;

/// The most bytes that the files of one report may take: it travels as one message.
const MAX_SAVED: usize = 1000 << 20;

/// What a run on a GPU always finds. An access outside memory it finds only where no other buffer lies.
static FOUND_ON_GPUS: [&str; 2] = [assertion_failed::PAGE.code, did_not_finish::PAGE.code];

/// Runs a job. Events are told as they happen.
/// `requests` is where what a debugger wants comes from.
pub(super) fn run(job: &Job, gpus: &mut Gpus, requests: &Requests, tell: &mut (dyn FnMut(Event) + Send)) -> Report {
    let db = Database::default();
    // Whoever sends a job has checked the program.
    let options = Options { rules: false, preview: true, ..Options::default() };
    let file = File::new(&db, Arc::from(job.text.as_str()), options);
    let layout = db::layout(&db, file);
    let lowered = layout.items.iter().map(|&(start, item)| (start, db::lowered(&db, item, file)));
    let Some((start, entry)) = lowered.into_iter().find(|(_, lowered)| *lowered.body.name == *job.entry) else {
        return problem(LaunchError {
            range: 0..0,
            message: format!("there is no entry `@{}`", job.entry),
            help: None,
        });
    };
    let program = Program::of(&db, file);
    let run = Run { job, module: program.module(), program, entry: &entry.body, spans: &entry.spans, start };
    let report = run.start(gpus, requests, tell).unwrap_or_else(|error| problem(*error));
    Report { ends_worker: gpus.broken, ..report }
}

/// A report of a launch that cannot be carried out.
fn problem(error: LaunchError) -> Report {
    let notes = error.help.into_iter().collect();
    let range = error.range.start as u32..error.range.end as u32;
    let found = Found { code: find::PAGE.code.to_string(), message: error.message, range, notes, others: Vec::new() };
    Report { findings: vec![found], ..Report::default() }
}

/// The mistake with the argument's name, where no place says which one it is.
fn naming(mut error: LaunchError, name: &str) -> LaunchError {
    if error.range == (0..0) {
        error.message = format!("`%{name}`: {}", error.message);
    }
    error
}

/// A job with what its program means.
pub(super) struct Run<'a> {
    pub(super) job: &'a Job,
    pub(super) program: Program<'a>,
    module: Module,
    pub(super) entry: &'a Body,
    pub(super) spans: &'a Spans,
    /// Where the entry starts in the program.
    pub(super) start: u32,
}

/// A number as a parameter of this type has it. That it fits was seen before.
pub(super) fn bits(number: Number, ty: Type) -> u64 {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Number(element)) => number.encode(element).unwrap_or(0),
        _ => 0,
    }
}

/// What a run came to, before anything is compared.
#[derive(Default)]
pub(super) struct Outcome {
    /// The arguments as the run left them.
    pub(super) after: Vec<(String, Value)>,
    /// The addresses that buffers held before the run.
    pub(super) addresses: Vec<PlacedAddress>,
    /// All that was printed.
    pub(super) printed: Vec<u8>,
    /// What the run found; it stopped there.
    pub(super) found: Vec<Found>,
    /// What each op has cost, if that was counted.
    pub(super) profile: Vec<OpCost>,
    /// How many tile blocks ran.
    pub(super) blocks: u64,
    /// How long the kernel ran.
    pub(super) seconds: f64,
    /// How long the compiler and the driver of a GPU took, or the engine.
    pub(super) waited: f64,
    /// What the compiler of a GPU said of a program that it compiled.
    pub(super) notes: Vec<Found>,
    /// How long it takes, if it was run for that.
    pub(super) bench: Option<Bench>,
    /// A crash of the compiler of a GPU, of which there is no code then.
    pub(super) crash: Option<Box<Crash>>,
    /// What the GPU lacks, for which its compiler refuses the program.
    pub(super) skipped: Option<String>,
}

impl Outcome {
    /// A run that did not begin, for these reasons. If the GPU lacks something, it is that.
    pub(super) fn refused(before: &[(String, Value)], found: Vec<Found>, skipped: Option<String>) -> Outcome {
        Outcome { after: before.to_vec(), found, skipped, ..Outcome::default() }
    }

    /// A run that did not begin because the compiler of the GPU crashed.
    pub(super) fn crashed(before: &[(String, Value)], crash: Box<Crash>) -> Outcome {
        let (code, message) = (find::PAGE.code.to_string(), crash.to_string());
        let found = Found { code, message, range: 0..0, notes: Vec::new(), others: Vec::new() };
        Outcome { crash: Some(crash), ..Outcome::refused(before, vec![found], None) }
    }
}

impl Run<'_> {
    fn start(
        &self,
        gpus: &mut Gpus,
        requests: &Requests,
        tell: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Report, Box<LaunchError>> {
        if let Some(skipped) = self.skips() {
            return Ok(Report { skipped: Some(skipped), ..Report::default() });
        }
        let tell = Teller::new(tell);
        if let Err(error) = self.refuse_replicas() {
            let skipped = Some(error.message.clone());
            return Ok(Report { skipped, ..problem(*error) });
        }
        self.refuse_calls()?;
        let mut before = self.values()?;
        tell.stage(Stage::Running);
        let outcome = match self.job.target {
            Target::Cpu => self.on_cpu(&before, requests, &tell),
            Target::Cuda(number) => self.on_gpu(number, gpus, &before, &mut |event| tell.tell(event))?,
        };
        let Outcome {
            after,
            addresses,
            printed,
            found: findings,
            profile,
            blocks,
            seconds,
            waited,
            notes,
            bench,
            crash,
            skipped,
        } = outcome;
        let mut report =
            Report { seconds, waited, blocks, findings, profile, notes, bench, crash, skipped, ..Report::default() };
        if self.job.compare && report.findings.is_empty() {
            report.compared = self.compare(&before, &after, &addresses)?;
        }
        write_addresses(&addresses, &mut before);
        self.judge(&before, &after, &String::from_utf8_lossy(&printed), &mut report, &tell);
        if !self.job.save.is_empty() {
            tell.stage(Stage::Saving);
            report.saved = self.saved(&after)?;
        }
        Ok(report)
    }

    /// Why a launch is skipped on its target: it expects a finding that nothing there looks for.
    fn skips(&self) -> Option<String> {
        if self.job.target == Target::Cpu {
            return None;
        }
        self.job.launch.expects.iter().find_map(|expect| match expect {
            Expect::Error { code, .. } if !FOUND_ON_GPUS.contains(&code.as_str()) => {
                Some(format!("it expects {code}, which the CPU engine looks for and a GPU does not"))
            }
            _ => None,
        })
    }

    /// Runs the job on the CPU engine.
    fn on_cpu(&self, before: &[(String, Value)], requests: &Requests, tell: &Teller<'_>) -> Outcome {
        let mut memory = Memory::new();
        let placement = self.place_values(before, &mut memory);
        let arguments = &placement.arguments;
        let timer = Timer::start(self.job.timeout_ms);
        let options = cpu::Options {
            sanitize: self.job.sanitize,
            schedule: self.job.schedule,
            watch: self.watch(),
            ..self.plain_run(&timer)
        };
        let (watching, text) = (&self.job.watching, Vec::new());
        let debug = watching.debug.as_ref();
        let debugger = debug.map(|debug| Debugger::new(self.entry, debug, watching.block, tell, requests));
        let mut listener = Listener { run: self, tell, text, profile: Vec::new(), debugger };
        let started = Instant::now();
        let ended = tell.with_progress(&options, || {
            cpu::run(&self.module, self.entry, arguments, &mut memory, &options, &mut listener)
        });
        let seconds = started.elapsed().as_secs_f64();
        let (blocks, found) = match ended {
            Ok(statistics) => (statistics.blocks, Vec::new()),
            Err(finding) => (0, vec![self.found(*finding, &timer)]),
        };
        let (after, addresses) = (placement.after(before, &memory), placement.addresses);
        let (printed, profile) = (listener.text, listener.profile);
        Outcome { after, addresses, printed, found, profile, blocks, seconds, waited: seconds, ..Outcome::default() }
    }

    /// A run on the CPU engine that does what the launch says, and no more.
    fn plain_run(&self, timer: &Timer) -> cpu::Options {
        cpu::Options {
            grid: self.job.launch.grid,
            cancel: timer.cancel.clone(),
            // The tiles get no more than there is, or fewer blocks run at the same time.
            max_bytes: free_memory::available().map_or(self.job.max_bytes, |free| free.min(self.job.max_bytes)),
            ..cpu::Options::default()
        }
    }

    /// How what another target left differs from what the CPU engine leaves.
    fn compare(
        &self,
        before: &[(String, Value)],
        after: &[(String, Value)],
        addresses: &[PlacedAddress],
    ) -> Result<Vec<Compared>, Box<LaunchError>> {
        let mut memory = Memory::new();
        let placement = self.place_values(before, &mut memory);
        let arguments = &placement.arguments;
        let timer = Timer::start(self.job.timeout_ms);
        let mut options = self.plain_run(&timer);
        options.watch.profile = Products::are_in(self.entry);
        let mut runs = Runs::default();
        let ended = cpu::run(&self.module, self.entry, arguments, &mut memory, &options, &mut runs);
        if let Err(finding) = ended {
            let found = self.found(*finding, &timer);
            let message = format!("there is nothing to compare with: on the CPU engine, {}", found.message);
            let (range, help) = (found.range.start as usize..found.range.end as usize, None);
            return Err(Box::new(LaunchError { range, message, help }));
        }
        let mut expected = placement.after(before, &memory);
        let mut after = after.to_vec();
        forget_addresses(&placement.addresses, &mut expected);
        forget_addresses(addresses, &mut after);
        let blocks: u64 = options.grid.iter().map(|&extent| u64::from(extent)).product();
        let products = Products::of(self.entry, |op| runs.0.get(op.0 as usize).map_or(0, |all| all.div_ceil(blocks)));
        let mut compared = compare::all(&self.job.launch.expects, products.as_ref(), &expected, &after);
        outside::note(&mut compared, before, &expected, &after, || self.tensor_views(before));
        Ok(compared)
    }

    /// The tensor views that the kernel makes, from a further run on the CPU engine.
    fn tensor_views(&self, before: &[(String, Value)]) -> Option<outside::Views> {
        let mut memory = Memory::new();
        let placement = self.place_values(before, &mut memory);
        memory.record_views();
        let timer = Timer::start(self.job.timeout_ms);
        let options = self.plain_run(&timer);
        cpu::run(&self.module, self.entry, &placement.arguments, &mut memory, &options, &mut Vec::new()).ok()?;
        Some(outside::Views { addresses: placement.starts(&memory), views: memory.recorded_views() })
    }

    /// Refuses replicas on a GPU: they are the memory of several.
    fn refuse_replicas(&self) -> Result<(), Box<LaunchError>> {
        if self.job.target == Target::Cpu {
            return Ok(());
        }
        let launch = &self.job.launch;
        let refuse = |range: &Range<usize>, message: String| {
            let help = Some("run it with `--target cpu`, whose engine stands for all devices".to_string());
            Err(Box::new(LaunchError { range: range.clone(), message, help }))
        };
        for arg in &launch.args {
            if arg.spec.replicas() > 1 {
                let replicas = arg.spec.replicas();
                let message = format!("`%{}` has {replicas} replicas, and one GPU has memory for one", arg.name);
                return refuse(&arg.range, message);
            }
            if let Some(address) = arg.spec.addresses().find(|address| address.multicast) {
                let message = format!("`{address}` is a multicast object, and one GPU has none");
                return refuse(&arg.range, message);
            }
        }
        for (name, ty) in self.entry.params.iter().zip(self.types()) {
            if let Some(arg) = launch.arg(name).filter(|_| takes_multicast(ty)) {
                let message = format!("`%{name}` is a multicast pointer, and one GPU has no multicast object");
                return refuse(&arg.range, message);
            }
        }
        Ok(())
    }

    /// What each parameter gets, in the order of the entry, followed by the buffers that only addresses name.
    fn values(&self) -> Result<Vec<(String, Value)>, Box<LaunchError>> {
        let launch = &self.job.launch;
        if let Some(misfit) = crate::launch::bind::misfits(self.entry, launch).into_iter().next() {
            return Err(Box::new(misfit));
        }
        let mut left = self.job.max_bytes;
        let free = free_memory::available();
        let args = self.entry.params.iter().filter_map(|name| launch.arg(name));
        args.chain(extra_buffers(self.entry, launch))
            .map(|arg| {
                self.refuse_large(arg, left)?;
                self.refuse_beyond(free, arg, left)?;
                let value =
                    arg.value(left, &|name| self.file(name)).map_err(|error| Box::new(naming(error, &arg.name)))?;
                if let Value::Buffer(buffer) = &value {
                    left = left.saturating_sub(buffer.bytes.len() as u64);
                }
                Ok((arg.name.clone(), value))
            })
            .collect()
    }

    /// Refuses a buffer that takes more than the bytes that are left.
    fn refuse_large(&self, arg: &Arg, left: u64) -> Result<(), Box<LaunchError>> {
        let bytes = arg.spec.bytes();
        if bytes.is_some_and(|bytes| bytes <= left) {
            return Ok(());
        }
        let allowed = match left == self.job.max_bytes {
            true => "allowed".to_string(),
            false => format!("left of {} for all buffers", size::shown(self.job.max_bytes)),
        };
        let (size, left) = (bytes.map(size::shown), size::shown(left));
        let takes = match size {
            None => format!("more bytes than can be counted, and {left} are {allowed}"),
            Some(size) if size == left => format!("a little more than the {left} {allowed}"),
            Some(size) => format!("{size}, more than the {left} {allowed}"),
        };
        let message = format!("the buffer of `%{}` takes {takes}", arg.name);
        let help = Some("make it smaller, or allow more: `tile run --max-memory 16GiB`".to_string());
        Err(Box::new(LaunchError { range: arg.range.clone(), message, help }))
    }

    /// Refuses a buffer with which the buffers take more memory than the system has. Each is there twice: as it was before
    /// the run, for the expectations, and as the kernel changes it.
    fn refuse_beyond(&self, free: Option<u64>, arg: &Arg, left: u64) -> Result<(), Box<LaunchError>> {
        let earlier = self.job.max_bytes - left;
        let needed = arg.spec.bytes().map_or(u64::MAX, |bytes| bytes.saturating_add(earlier).saturating_mul(2));
        let Some(free) = free.filter(|&free| free < needed) else { return Ok(()) };
        let message = format!(
            "the buffers up to `%{}` take {} of memory, and {} are free",
            arg.name,
            size::shown(needed),
            size::shown(free)
        );
        let help = Some("make them smaller: each is kept as it was before the run and as it is after".to_string());
        Err(Box::new(LaunchError { range: arg.range.clone(), message, help }))
    }

    /// What is watched.
    fn watch(&self) -> cpu::Watch {
        let watching = &self.job.watching;
        let names = self.names();
        let trace = watching.trace.iter().flat_map(|name| names.values(name)).collect();
        cpu::Watch {
            trace,
            whole: watching.whole,
            block: watching.block,
            profile: watching.profile,
            steps: watching.debug.is_some(),
        }
    }

    fn names(&self) -> Names<'_> {
        Names::new(self.spans, &self.job.text, self.start)
    }

    /// A value as it was computed, with what the text says about it.
    fn traced(&self, traced: &cpu::Traced) -> Traced {
        let index = traced.value.0 as usize;
        let range = self.spans.definitions.get(index).unwrap_or(&self.spans.name);
        Traced {
            name: self.names().name(traced.value),
            range: range.start + self.start..range.end + self.start,
            block: traced.block,
            iterations: traced.iterations.clone(),
            ty: self.entry.ty(traced.value).to_string(),
            shown: traced.shown.clone(),
        }
    }

    /// What each op has cost that has run, the most expensive first. What ends a region costs nothing and is left out.
    fn profile(&self, costs: &[cpu::Cost]) -> Vec<OpCost> {
        let is_shown = |id: &OpId| !self.entry.op(*id).op.row().is_terminator();
        let ops = (0..).map(OpId).zip(costs).filter(|(id, cost)| cost.runs > 0 && is_shown(id));
        let one =
            |(id, cost): (OpId, &cpu::Cost)| OpCost::new(self.entry.op(id).op.row().name, self.place(Some(id)), cost);
        let mut profile: Vec<OpCost> = ops.map(one).collect();
        profile.sort_by_key(|cost| std::cmp::Reverse(cost.nanoseconds));
        profile
    }

    fn file(&self, name: &str) -> io::Result<Vec<u8>> {
        let found = self.job.files.iter().find(|(known, _)| known == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The types of the parameters.
    pub(super) fn types(&self) -> impl Iterator<Item = Type> + '_ {
        self.entry.regions[0].args.iter().map(|&value| self.entry.ty(value))
    }

    /// Where an op's name stands in the program.
    pub(super) fn place(&self, op: Option<OpId>) -> Range<u32> {
        let range = op.and_then(|op| self.spans.op_names.get(op.0 as usize)).unwrap_or(&self.spans.name);
        range.start + self.start..range.end + self.start
    }

    fn found(&self, finding: Finding, timer: &Timer) -> Found {
        let [x, y, z] = finding.block;
        let message = match timer.ran_out() {
            Some(limit) => format!("the run was given up after {limit:?}: it had not ended"),
            None => finding.message,
        };
        let mut notes = finding.notes;
        if self.job.launch.grid != [1; 3] {
            notes.push(format!("in tile block ({x}, {y}, {z})"));
        }
        notes.extend(self.job.launch.name.iter().map(|name| format!("in the launch \"{name}\"")));
        let others = finding.others.into_iter().map(|(op, message)| (self.place(Some(op)), message)).collect();
        Found { code: finding.page.code.to_string(), message, range: self.place(finding.op), notes, others }
    }

    /// Compares what came out with what was expected. A finding that is expected is no finding.
    fn judge(
        &self,
        before: &[(String, Value)],
        after: &[(String, Value)],
        printed: &str,
        report: &mut Report,
        tell: &Teller<'_>,
    ) {
        let codes: Vec<String> = report.findings.iter().map(|found| found.code.clone()).collect();
        let after = After { args: after, printed, findings: &codes };
        let files = |name: &str| self.file(name);
        let scope = Scope { args: before, files: &files, max_elements: MAX_FORMULA_ELEMENTS };
        let is_error = |expect: &Expect| matches!(expect, Expect::Error { .. });
        let expects_error = self.job.launch.expects.iter().any(is_error);
        for expect in &self.job.launch.expects {
            // What a run that stopped early left behind proves nothing.
            if !codes.is_empty() && !expects_error {
                break;
            }
            let range = expect.range();
            tell.stage(Stage::Comparing(range.start as u32..range.end as u32));
            let outcome = expect.check(&after, &scope);
            let (passed, summary, differences) = match outcome {
                Ok(outcome) => (outcome.passed, outcome.summary, outcome.differences),
                Err(error) => (false, error.to_string(), None),
            };
            if passed && is_error(expect) {
                report.findings.clear();
            }
            let range = range.start as u32..range.end as u32;
            report.verdicts.push(Verdict { passed, summary, range, differences });
        }
    }

    fn saved(&self, after: &[(String, Value)]) -> Result<Vec<(String, Vec<u8>)>, Box<LaunchError>> {
        let problem = |message: String| Box::new(LaunchError { range: 0..0, message, help: None });
        let mut left = MAX_SAVED;
        let mut one = |name: &String| match after.iter().find(|(known, _)| known == name) {
            Some((_, Value::Buffer(buffer))) => {
                let file = npy::write(buffer).map_err(|why| problem(format!("`%{name}` cannot be saved: {why}")))?;
                let too_large = || problem(format!("`%{name}` cannot be saved: the files are larger than 1000 MiB"));
                left = left.checked_sub(file.len()).ok_or_else(too_large)?;
                Ok((name.clone(), file))
            }
            Some(_) => Err(problem(format!("`%{name}` is a number, not a buffer, so there is nothing to save"))),
            None => Err(problem(format!("there is no parameter `%{name}` to save"))),
        };
        self.job.save.iter().map(&mut one).collect()
    }
}

/// How often each op has run, in all tile blocks together.
#[derive(Default)]
struct Runs(Vec<u64>);

impl Observer for Runs {
    fn printed(&mut self, _: OpId, _: [u32; 3], _: &[u8]) {}

    fn profiled(&mut self, costs: &[cpu::Cost]) {
        self.0 = costs.iter().map(|cost| cost.runs).collect();
    }
}

/// Tells what happens as it happens, and keeps for the report what belongs there.
struct Listener<'a, 't> {
    run: &'a Run<'a>,
    tell: &'a Teller<'t>,
    /// All that was printed.
    text: Vec<u8>,
    profile: Vec<OpCost>,
    debugger: Option<Debugger<'a, 't>>,
}

impl Observer for Listener<'_, '_> {
    fn printed(&mut self, op: OpId, block: [u32; 3], text: &[u8]) {
        self.text.extend_from_slice(text);
        self.tell.tell(Event::Printed { op: self.run.place(Some(op)), block: Some(block), text: text.to_vec() });
    }

    fn traced(&mut self, traced: &cpu::Traced) {
        self.tell.tell(Event::Traced(self.run.traced(traced)));
    }

    fn before(&mut self, at: &cpu::At<'_>) {
        self.debugger.iter_mut().for_each(|debugger| debugger.before(at));
    }

    fn failed(&mut self, at: &cpu::At<'_>, finding: &Finding) {
        self.debugger.iter_mut().for_each(|debugger| debugger.failed(at, finding));
    }

    fn profiled(&mut self, costs: &[cpu::Cost]) {
        self.profile = self.run.profile(costs);
    }
}
