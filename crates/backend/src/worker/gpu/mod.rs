//! Runs a job on a GPU.

pub(super) mod compile;
mod library;

use super::bench::TimedOn;
use super::protocol::{Event, ReportedFinding};
use super::raw_report::RawReport;
use super::run::JobRun;
use crate::cuda::asserts;
use crate::cuda::capture::Capture;
use crate::cuda::compiler::Compiler;
use crate::cuda::device::{Argument, Arguments, Device, DeviceError, Link, Reference};
use crate::cuda::notes::Origin;
use crate::cuda::places::Places;
use crate::cuda::prints::marks;
use compile::{NoCode, no_place};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tile_analysis::diagnostic::Page;
use tile_analysis::ir::{Attr, Op, OpId};
use tile_analysis::number::nibbles;
use tile_dialect::Mnemonic;
use tile_engine::findings::{ASSERTION_FAILED, MISALIGNED_POINTER, POINTER_OUTSIDE_ALLOCATION};
use tile_launch::{Address, Buffer, LaunchError, Spec, Value};
use tile_runner::{PlacedAddress, bits};

/// GPU state that a worker keeps between jobs.
#[derive(Default)]
pub(super) struct Gpus {
    open: HashMap<usize, Arc<Device>>,
    capture: Option<Capture>,
    /// Whether a kernel has failed, after which the driver cannot be used in this process, or what was printed is
    /// unknown.
    pub(super) broken: bool,
}

impl Gpus {
    pub(super) fn new(capture: Capture) -> Gpus {
        Gpus { capture: Some(capture), ..Gpus::default() }
    }

    pub(super) fn open(&mut self, number: usize) -> Result<Arc<Device>, DeviceError> {
        match self.open.entry(number) {
            Entry::Occupied(open) => Ok(open.get().clone()),
            Entry::Vacant(free) => Ok(free.insert(Arc::new(Device::open(number)?)).clone()),
        }
    }

    /// Returns what the kernel printed.
    pub(super) fn printed(&mut self) -> Result<Vec<u8>, Box<LaunchError>> {
        let printed = self.capture.as_mut().map_or(Ok(Vec::new()), Capture::take);
        // Otherwise, the next run would get what is left.
        self.broken |= printed.is_err();
        printed.map_err(no_place)
    }
}

/// The time spent in the compiler and the driver.
#[derive(Default)]
struct Waits(Duration);

impl Waits {
    fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.0 += began.elapsed();
        done
    }
}

impl JobRun<'_> {
    /// Runs the job on a GPU.
    pub(super) fn on_gpu(
        &self,
        number: usize,
        gpus: &mut Gpus,
        before: &[(String, Value)],
        events: &mut dyn FnMut(Event),
    ) -> Result<RawReport, Box<LaunchError>> {
        let prints = |op: &Op| matches!(op.op, Mnemonic::PrintTko | Mnemonic::Assert);
        if gpus.capture.is_none() && self.entry.ops.iter().any(prints) {
            return Err(no_place(
                "a kernel that prints or asserts cannot run on a GPU on this system: its output would mix with the worker's messages",
            ));
        }
        let mut waits = Waits::default();
        let device = waits.during(|| gpus.open(number)).map_err(no_place)?;
        // Only after the GPU has been opened: without a GPU, advice on how to install a compiler does not help.
        let compiler = Compiler::find().map_err(no_place)?.with_libraries(self.job.libraries.clone());
        let gpu = device.architecture().map_err(no_place)?;
        let debug = self.debug_info();
        let source = Origin::new(self.program, &debug);
        let compiled = match self.compiled(&compiler, &source, &debug, &gpu)? {
            Ok((code, took)) => {
                waits.0 += took;
                code
            }
            Err(NoCode::Blamed { found, lacks }) => return Ok(RawReport::refused(before, found, lacks)),
            Err(NoCode::Crashed(crash)) => return Ok(RawReport::crashed(before, crash)),
        };
        let notes = self.notes(&source, &compiled);
        let mut arguments = self.device_arguments(before);
        let grid = self.launch.grid;
        let pristine = self.job.bench.map(|_| arguments.clone()).unwrap_or_default();
        let mut placed = Vec::new();
        let ran = waits.during(|| {
            let kernel = device.load(compiled.cubin, &self.entry.name)?;
            Ok((device.run(&kernel, grid, &mut arguments, &mut placed)?, kernel))
        });
        let mut printed = gpus.printed()?;
        let failed = asserts::take(&mut printed, &source.places().files());
        let printed = self.report_printed(&printed, events);
        let blocks = tile_engine::blocks(grid);
        let placed = arguments.links.iter().zip(placed);
        let placed = placed.map(|(link, address)| PlacedAddress { value: link.argument, offset: link.offset, address });
        let addresses = placed.collect();
        let after = before.iter().zip(arguments.all);
        let after = after.map(|((name, value), argument)| (name.clone(), value_after(value, argument)));
        let waited = waits.0.as_secs_f64();
        let mut outcome =
            RawReport { after: after.collect(), addresses, printed, blocks, waited, notes, ..RawReport::default() };
        let timed = ran.and_then(|(seconds, kernel)| {
            let Some(runs) = self.job.bench else { return Ok((seconds, None)) };
            let times = device.workspace(pristine)?.times(&device, &kernel, grid, runs)?;
            let on = TimedOn { name: device.name()?, architecture: gpu.clone(), rates: device.rates() };
            Ok((seconds, Some(self.work().timed(&on, times))))
        });
        if self.job.bench.is_some() {
            // Drop the output of the further runs, which repeats that of the first.
            gpus.printed()?;
        }
        match timed {
            Ok((seconds, bench)) => (outcome.seconds, outcome.bench) = (seconds, bench),
            Err(error) => {
                gpus.broken = true;
                let found = failed.first().map(|failed| self.assertion(failed, source.places()));
                outcome.found.push(found.or_else(|| self.failure(&error)).ok_or_else(|| no_place(&error))?);
            }
        }
        Ok(outcome)
    }

    /// Converts the values of the launch to arguments of the kernel.
    pub(super) fn device_arguments(&self, before: &[(String, Value)]) -> Arguments {
        let launch = self.launch;
        let reference = |address: &Address| {
            let argument = before.iter().position(|(name, _)| *name == address.of);
            let bytes = address.target(launch).map_or(0, |target| target.bytes);
            Reference { argument: argument.unwrap_or(usize::MAX), bytes }
        };
        let mut types = self.types();
        let one = |(name, value): &(String, Value)| {
            let ty = types.next();
            match value {
                Value::Buffer(buffer) => Argument::Memory(nibbles::pack(buffer.element, &buffer.bytes).into_owned()),
                Value::Scalar(number) => Argument::Number(ty.map_or(0, |ty| bits(*number, ty))),
                Value::Address => match launch.arg(name).map(|arg| &arg.spec) {
                    Some(Spec::Address(address)) => Argument::Address(reference(address)),
                    _ => Argument::Number(0),
                },
            }
        };
        let all = before.iter().map(one).collect();
        let mut links = Vec::new();
        for (argument, arg) in self.buffers_of(before) {
            let placed = arg.spec.placed_addresses().into_iter();
            let link = |(place, address): (usize, &Address)| Link {
                argument,
                offset: place * size_of::<u64>(),
                to: reference(address),
            };
            links.extend(placed.map(link));
        }
        Arguments { all, parameters: self.entry.params.len(), links }
    }

    /// Reports printed text in the order of the grid. Returns all text.
    pub(super) fn report_printed(&self, text: &[u8], events: &mut dyn FnMut(Event)) -> Vec<u8> {
        let mut all = Vec::new();
        for marks::Print { op, block, text } in marks::cut(text, self.launch.grid) {
            all.extend_from_slice(&text);
            events(Event::Printed { op: self.place(op), block, text });
        }
        all
    }

    /// Converts a failed assertion to the finding that the CPU engine reports.
    fn assertion(&self, failed: &asserts::Failure, places: &Places) -> ReportedFinding {
        let asserts = |op: &Op| op.op == Mnemonic::Assert;
        let has_message = |op: &Op| {
            let attrs = self.entry.attrs_of(op);
            attrs.iter().any(|attr| matches!(attr, Attr::Str(text) if **text == *failed.message.as_bytes()))
        };
        let own = self.index();
        let in_line = failed.place.as_ref().map(|(file, line)| places.in_line(file, *line, own)).unwrap_or_default();
        let all = (0..self.entry.ops.len() as u32).map(OpId);
        let all: Vec<OpId> = all.filter(|id| asserts(self.entry.op(*id)) && has_message(self.entry.op(*id))).collect();
        let op = all.iter().find(|op| in_line.contains(op)).or(all.first()).copied();
        let element = match &failed.position[..] {
            [] => String::new(),
            position => format!(" at element {position:?} of the tile"),
        };
        let [x, y, z] = failed.block;
        ReportedFinding {
            code: ASSERTION_FAILED.code.to_string(),
            message: format!("assertion failed{element}: {}", failed.message),
            range: Some(self.place(op)),
            notes: vec![format!("in tile block ({x}, {y}, {z})")],
            others: Vec::new(),
        }
    }

    /// Converts the driver's error about a failed kernel to a finding, if it has a cause in the program.
    pub(super) fn failure(&self, error: &DeviceError) -> Option<ReportedFinding> {
        let DeviceError::Driver { name, .. } = error else { return None };
        let page: &Page = match name.as_str() {
            "CUDA_ERROR_ILLEGAL_ADDRESS" => &POINTER_OUTSIDE_ALLOCATION,
            "CUDA_ERROR_MISALIGNED_ADDRESS" => &MISALIGNED_POINTER,
            _ => return None,
        };
        let notes = vec!["run with `--target cpu --sanitize` to find the op and the address".to_string()];
        let (code, range) = (page.code.to_string(), Some(self.place(None)));
        Some(ReportedFinding { code, message: error.to_string(), range, notes, others: Vec::new() })
    }
}

/// The value of an argument after the run.
pub(super) fn value_after(before: &Value, argument: Argument) -> Value {
    match (before, argument) {
        (Value::Buffer(buffer), Argument::Memory(bytes)) => {
            let bytes = nibbles::unpack(buffer.element, bytes, buffer.bytes.len());
            Value::Buffer(Buffer { bytes, ..buffer.clone() })
        }
        (value, _) => value.clone(),
    }
}
