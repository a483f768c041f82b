//! Runs candidates on a GPU. Compiles them in parallel first.

use super::runner::{Failure, Runner};
use super::work::TimedOn;
use super::{BenchEvent, Outcome};
use crate::cuda::compiler::Compiler;
use crate::cuda::device::{Arguments, Device, DeviceError, Kernel, Workspace};
use crate::cuda::resources::{Resources, of_cubin};
use crate::worker::candidate_code::{Cubin, Encoded};
use crate::worker::gpu::compile::no_place;
use crate::worker::gpu::{Gpus, value_after};
use crate::worker::raw_report::RawReport;
use crate::worker::run::JobRun;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;
use tile_launch::{LaunchError, Value};

/// The time limit of the compiler for one of several candidates.
const COMPILE_TIMEOUT: Duration = Duration::from_secs(30);

/// A GPU with the compiled candidates.
pub(super) struct Gpu<'a> {
    gpus: &'a mut Gpus,
    device: Arc<Device>,
    runs: &'a [JobRun<'a>],
    /// The arguments.
    before: &'a [(String, Value)],
    workspace: Workspace,
    on: TimedOn,
    kernels: Vec<Result<Kernel, Outcome>>,
    resources: Vec<Option<Resources>>,
}

impl<'a> Gpu<'a> {
    /// Opens a GPU and compiles all candidates for it.
    pub(super) fn new(
        number: usize,
        gpus: &'a mut Gpus,
        runs: &'a [JobRun<'a>],
        before: &'a [(String, Value)],
        events: &mut (dyn FnMut(BenchEvent) + Send),
    ) -> Result<Gpu<'a>, Box<LaunchError>> {
        let device = gpus.open(number).map_err(no_place)?;
        let compiler = Compiler::find().map_err(no_place)?.with_libraries(runs[0].job.libraries.clone());
        // Code that takes so long to compile is rarely fast, and the other candidates would have to wait.
        let compiler = if runs.len() > 1 { compiler.with_timeout(COMPILE_TIMEOUT) } else { compiler };
        let architecture = device.architecture().map_err(no_place)?;
        let on = TimedOn {
            name: device.name().map_err(no_place)?,
            architecture: architecture.clone(),
            rates: device.rates(),
        };
        let cubins = compiled(&compiler, &architecture, runs, events)?;
        let mut known: HashMap<&[u8], usize> = HashMap::new();
        let (mut kernels, mut resources) = (Vec::new(), Vec::new());
        for (index, cubin) in cubins.iter().enumerate() {
            let name = &*runs[index].entry.name;
            let own = cubin.as_ref().ok().and_then(|cubin| of_cubin(cubin).get(name).copied());
            resources.push(own);
            kernels.push(match cubin {
                Err(refusal) => Err(Outcome::Refused(refusal.clone())),
                // The same code on another grid is another candidate.
                Ok(cubin) => {
                    match known.get(&**cubin).filter(|&&same| runs[same].launch.grid == runs[index].launch.grid) {
                        Some(&same) => Err(Outcome::Same(same)),
                        None => {
                            known.insert(cubin, index);
                            device.load(cubin.clone(), name).map_err(|error| Outcome::Refused(error.to_string()))
                        }
                    }
                }
            });
        }
        let workspace = device.workspace(runs[0].device_arguments(before)).map_err(no_place)?;
        Ok(Gpu { gpus, device, runs, before, workspace, on, kernels, resources })
    }

    fn launch(&mut self, candidate: usize) -> Result<f64, Failure> {
        let Ok(kernel) = &self.kernels[candidate] else {
            return Err(Failure { message: "it was not compiled".to_string(), can_continue: true });
        };
        let ran = self.workspace.run(&self.device, kernel, self.runs[candidate].launch.grid);
        ran.map_err(|error| self.failure(candidate, &error))
    }

    /// An error of the driver. After it, the driver cannot be used in this process.
    fn failure(&mut self, candidate: usize, error: &DeviceError) -> Failure {
        self.gpus.broken = true;
        let found = self.runs[candidate].failure(error);
        Failure { message: found.map_or_else(|| error.to_string(), |found| found.message), can_continue: false }
    }
}

impl Runner for Gpu<'_> {
    fn device(&self) -> TimedOn {
        self.on.clone()
    }

    fn compiled(&self, candidate: usize) -> Result<Option<Resources>, Outcome> {
        self.kernels[candidate].as_ref().map(|_| self.resources[candidate]).map_err(Clone::clone)
    }

    fn results(&mut self, candidate: usize) -> Result<RawReport, Failure> {
        let seconds = self.launch(candidate)?;
        let arguments: Arguments =
            self.workspace.results(&self.device).map_err(|error| self.failure(candidate, &error))?;
        let printed = self.gpus.printed().map_err(|error| Failure { message: error.message, can_continue: false })?;
        let printed = self.runs[candidate].report_printed(&printed, &mut |_| {});
        let after = self.before.iter().zip(arguments.all);
        let after = after.map(|((name, value), argument)| (name.clone(), value_after(value, argument))).collect();
        Ok(RawReport { after, printed, seconds, ..RawReport::default() })
    }

    fn sample(&mut self, candidate: usize) -> Result<f64, Failure> {
        let seconds = self.launch(candidate)?;
        // Drop the output, which repeats that of the first run.
        self.gpus.printed().map_err(|error| Failure { message: error.message, can_continue: false })?;
        Ok(seconds)
    }
}

/// Compiles all candidates, several at the same time. The inner errors are those of single candidates.
fn compiled(
    compiler: &Compiler,
    gpu: &str,
    runs: &[JobRun<'_>],
    events: &mut (dyn FnMut(BenchEvent) + Send),
) -> Result<Vec<Cubin>, Box<LaunchError>> {
    let encoded: Vec<Result<Encoded, String>> =
        runs.iter().map(|run| Encoded::of(run, compiler, gpu)).collect::<Result<_, _>>()?;
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<Cubin>> = runs.iter().map(|_| OnceLock::new()).collect();
    let events = Mutex::new(events);
    let work = || {
        while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&index| index < encoded.len()) {
            let code = encoded[index].as_ref().map_err(String::clone);
            let code = code.and_then(|encoded| encoded.compiled(compiler, gpu));
            // Each candidate has one thread, so nothing is there yet.
            let _ = results[index].set(code);
            (events.lock().unwrap_or_else(PoisonError::into_inner))(BenchEvent::Compiled(index));
        }
    };
    std::thread::scope(|scope| {
        let threads = available_parallelism().map_or(1, usize::from).min(runs.len());
        (0..threads).for_each(|_| _ = scope.spawn(work));
    });
    let not_compiled = || Err("it was not compiled".to_string());
    Ok(results.into_iter().map(|result| result.into_inner().unwrap_or_else(not_compiled)).collect())
}
