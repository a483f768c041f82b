//! Launches of an entry in this process.

use crate::arguments::{Passed, Placed, PlacedArgument, PlacedWord};
use crate::listener::{Event, Listener};
use crate::program::{Found, Program};
use crate::regions::{Extent, Regions};
use crate::waiting::{SendEnded, Waiting};
use crossbeam_channel::{Sender, bounded};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};
use tile_analysis::ir;
use tile_backend::worker::trace::missing_block;
use tile_dialect::Element;
use tile_engine::findings::{CONSTANT_STORE, Finding};
use tile_engine::{Argument, Cost, Memory, Statistics, Traced, Watch};

/// The stack of the thread that runs tile blocks. The system provides the memory when it is used.
const STACK: usize = 16 << 20;

/// How many events can wait for the thread of the caller. A kernel that prints faster than it can write has to wait.
const MAX_EVENTS: usize = 256;

/// The settings of a launch.
#[pyclass(frozen, get_all, module = "tile_ir._native")]
pub(crate) struct Options {
    sanitize: bool,
    schedule: Option<u64>,
    timeout: Option<Duration>,
    threads: Option<usize>,
    trace: Vec<String>,
    block: Option<[u32; 3]>,
    profile: bool,
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (*, sanitize=false, schedule=None, timeout=None, threads=None, trace=Vec::new(), block=None, profile=false))]
    fn new(
        sanitize: bool,
        schedule: Option<u64>,
        timeout: Option<Duration>,
        threads: Option<usize>,
        trace: Vec<String>,
        block: Option<[u32; 3]>,
        profile: bool,
    ) -> Options {
        Options { sanitize, schedule, timeout, threads, trace, block, profile }
    }
}

impl Options {
    /// What to report during the run.
    fn watch(&self, program: &Program, found: Found<'_>) -> Watch {
        let names = program.names(found);
        let trace: Vec<ir::Value> = self.trace.iter().flat_map(|name| names.values(name)).collect();
        Watch { contents: !trace.is_empty(), trace, block: self.block, profile: self.profile, ..Watch::default() }
    }

    /// Reports values to trace, or a tile block, that do not exist.
    fn mistake(&self, program: &Program, found: Found<'_>, grid: [u32; 3]) -> Option<String> {
        let unknown = program.names(found).mistake(&self.trace);
        let unknown = unknown.map(|mistake| format!("`@{}` {mistake}", found.lowered.body.name));
        unknown.or_else(|| missing_block(grid, self.block))
    }
}

/// Runs an entry over a grid. `print` is called with printed text as it appears. The caller keeps the arrays alive.
///
/// Returns a dictionary, with a finding that stopped the run in JSON. Raises `TypeError` for an argument that does
/// not fit its parameter, and `ValueError` for a value or tile block to observe that does not exist.
#[pyfunction]
pub(crate) fn launch<'py>(
    py: Python<'py>,
    program: &Program,
    entry: &str,
    grid: [u32; 3],
    arguments: Vec<Passed<'py>>,
    options: &Options,
    print: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let found = program.entry(entry)?;
    let placed = Placed::of(program, found, &arguments)?;
    if let Some(mistake) = options.mistake(program, found, grid) {
        return Err(PyValueError::new_err(mistake));
    }
    let cancel = Arc::new(AtomicBool::new(false));
    let engine = tile_engine::Options {
        grid,
        cancel: cancel.clone(),
        sanitize: options.sanitize,
        schedule: options.schedule,
        threads: options.threads,
        watch: options.watch(program, found),
        ..tile_engine::Options::default()
    };
    let (events, received) = bounded(MAX_EVENTS);
    let run = Run { program, found, placed, engine, events };
    let limit = options.timeout.map(|timeout| Instant::now() + timeout);
    let waiting = Waiting { received, cancel: &cancel, limit, print };
    let (ended, timed_out) = thread::scope(|scope| {
        let running = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || run.run());
        let running = running.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let waited = waiting.wait(py);
        let ended = py.detach(|| running.join());
        Ok::<_, PyErr>((ended, waited?))
    })?;
    let ended = ended.map_err(|panic| PyRuntimeError::new_err(internal_error(&*panic)))?;
    program.report(py, found, &ended, timed_out.then_some(options.timeout).flatten())
}

/// A run, for the thread that executes it.
struct Run<'a> {
    program: &'a Program,
    found: Found<'a>,
    placed: Placed,
    engine: tile_engine::Options,
    events: Sender<Event>,
}

/// A run that has ended.
pub(crate) struct Ended {
    pub(crate) result: Result<Statistics, Box<Finding>>,
    pub(crate) time: Duration,
    pub(crate) traced: Vec<Traced>,
    pub(crate) costs: Vec<Cost>,
}

impl Run<'_> {
    fn run(&self) -> Ended {
        let _ended = SendEnded(self.events.clone());
        Regions::with(&self.placed.arrays, |regions, memory| self.run_with(regions, memory))
    }

    fn run_with(&self, regions: &Regions, memory: &mut Memory) -> Ended {
        let arguments = self.placed.arguments(regions, memory);
        let mut listener = Listener { events: self.events.clone(), traced: Vec::new(), costs: Vec::new() };
        let (module, body) = (&self.program.module, &self.found.lowered.body);
        let began = Instant::now();
        let mut result = tile_engine::run(module, body, &arguments, memory, &self.engine, &mut listener);
        let time = began.elapsed();
        if let Err(finding) = &mut result {
            finding.notes.extend(read_only_note(&self.placed.arrays, finding));
        }
        Ended { result, time, traced: listener.traced, costs: listener.costs }
    }
}

impl Placed {
    /// The arguments for the engine. Allocates the buffers of words.
    fn arguments(&self, regions: &Regions, memory: &mut Memory) -> Vec<Argument> {
        let place = |(name, words): &(String, Vec<PlacedWord>)| {
            let bits = words.iter().map(|word| match word {
                PlacedWord::Number(number) => *number as u64,
                PlacedWord::Array(array) => {
                    let (id, offset) = regions.places[*array];
                    memory.address(id).wrapping_add_signed(offset)
                }
            });
            let bytes: Vec<u8> = bits.flat_map(u64::to_le_bytes).collect();
            memory.allocate(name.as_str(), Element::I64, bytes)
        };
        let buffers: Vec<_> = self.buffers.iter().map(place).collect();
        let argument = |argument: &PlacedArgument| match argument {
            PlacedArgument::Number(bits) => Argument::Scalar(*bits),
            PlacedArgument::Array(array) => Argument::Address(regions.places[*array].0, regions.places[*array].1),
            PlacedArgument::Words(words) => Argument::Pointer(buffers[*words]),
        };
        self.arguments.iter().map(argument).collect()
    }
}

/// A note that a constant that the kernel writes is a read-only array.
fn read_only_note(arrays: &[Extent], finding: &Finding) -> Option<String> {
    let is_named = |array: &&Extent| !array.is_writable && finding.message.contains(&format!("`{}`", array.name));
    let array = arrays.iter().filter(|_| finding.page.code == CONSTANT_STORE.code).find(is_named)?;
    Some(format!("the argument `{}` is a read-only array", array.name))
}

fn internal_error(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("internal error of tile: {}; please report it with the program", text.unwrap_or("unknown"))
}
