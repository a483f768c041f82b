//! The CPU engine: runs an entry as the language defines it, and stops where the language leaves the behavior undefined.
//!
//! Invariants:
//! - depends on the IR alone: not on launch directives, workers, bytecode, GPUs, files or editors;
//! - is the reference for every other way to run a program;
//! - `unsafe` is limited to `moves`.
//!
//! [`run`] plans the entry once, resolving every type, and then runs the tile blocks, x fastest, on all cores where that
//! pays. An op computes its whole tile at once. Rounding is exact; what the language leaves unspecified is the same on
//! every run, but for what depends on the order in which blocks reach the same memory.
//!
//! - `memory`, `access`, `cells`, `moves`, `unit`: the device's address space; `tile`, `reuse`, `value`: what values are;
//! - `recorded_views`: the tensor views that a run made;
//! - `crew`, `output`: the threads that run blocks, and the order of what they print;
//! - `site`, `kernel`, `plan`: ops and their kernels; `machine`: a tile block that runs; `fold`: `reduce` and `scan`;
//! - `chain`, `wide`: ops and blocks that run together;
//! - `sanitize`: what a run that sanitizes finds beside; `schedule`: other orders that the program allows;
//! - `watch`: what a run that is watched tells beside;
//! - `ops`: the ops, one file a chapter of the language; `lanes`, `exact`, `narrow`: loops over elements, and rounding.

mod access;
mod cells;
mod chain;
mod crew;
mod exact;
pub mod findings;
mod fold;
mod footprint;
mod kernel;
mod lanes;
mod machine;
mod memory;
mod moves;
mod narrow;
mod ops;
mod output;
mod plan;
mod recorded_views;
mod reuse;
mod sanitize;
mod schedule;
mod site;
mod tile;
mod unit;
mod value;
mod watch;
mod wide;

#[cfg(test)]
mod tests;

pub(crate) use access::Use;
pub use memory::{AllocationId, Memory};
pub use recorded_views::RecordedView;
pub use watch::{At, Cost, Shown, Summary, Traced, Watch};

use crew::{Crew, Progress};
use findings::{Fault, Finding, argument_mismatch, did_not_finish, not_supported};
use kernel::Context;
use machine::Machine;
use output::{Output, Printer};
use plan::Plan;
use sanitize::Sanitizer;
use schedule::Schedule;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tile::{Kind, Tile};
use tile_analysis::ir::{Body, Module, OpId};
use tile_analysis::types::{Scalar, Type};
use unit::Unit;
use value::Value;
use watch::Watcher;
use wide::{Watched, Wide};

/// What a parameter of the entry gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number, by its bits.
    Scalar(u64),
    /// A pointer to the first element of an allocation.
    Pointer(AllocationId),
    /// A pointer this many bytes past the start of an allocation.
    Address(AllocationId, i64),
}

/// How an entry is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of tile blocks along x, y and z.
    pub grid: [u32; 3],
    /// Set from another thread, it stops the run at the next iteration of a loop or the next tile block.
    pub cancel: Arc<AtomicBool>,
    /// How many bytes the tiles of all blocks that run at the same time may take.
    pub max_bytes: u64,
    /// The number of ops after which the run is given up.
    pub max_ops: Option<u64>,
    /// Whether all is checked that the language leaves undefined, which takes longer: promises about numbers (`assume`,
    /// overflow flags, shift amounts, the range of conversions to integers), unspecified elements, and the order of
    /// accesses to memory, within a tile block and between tile blocks. Tile blocks then run one after another.
    pub sanitize: bool,
    /// A seed that picks another order of what nothing orders: tile blocks begin shuffled, and accesses to memory that no
    /// token orders come later than they stand. Blocks run one after another then, unless they may wait for each other;
    /// if so and the run sanitizes, they keep their order.
    pub schedule: Option<u64>,
    /// What is told beside.
    pub watch: Watch,
    /// Counts the tile blocks that have ended, for another thread to look at.
    pub ended: Arc<AtomicU64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            grid: [1; 3],
            cancel: Arc::default(),
            max_bytes: u64::MAX,
            max_ops: None,
            sanitize: false,
            schedule: None,
            watch: Watch::default(),
            ended: Arc::default(),
        }
    }
}

/// Who is told what happens.
pub trait Observer: Send {
    /// A tile block has printed something. Blocks are told of in the order of the grid.
    fn printed(&mut self, op: OpId, block: [u32; 3], text: &[u8]);

    /// A value that is watched has been computed. Blocks are told of in the order of the grid.
    fn traced(&mut self, _: &Traced) {}

    /// An op is about to run. It does so when this returns. Only of runs whose [`Watch::steps`] says so.
    fn before(&mut self, _: &At<'_>) {}

    /// An op has failed, which ends the run. Only of the same runs.
    fn failed(&mut self, _: &At<'_>, _: &Finding) {}

    /// What each op has cost, by its number, at the end of a run that counts it, however it ended.
    fn profiled(&mut self, _: &[Cost]) {}
}

/// An observer that collects what is printed.
impl Observer for Vec<u8> {
    fn printed(&mut self, _: OpId, _: [u32; 3], text: &[u8]) {
        self.extend_from_slice(text);
    }
}

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// How many tile blocks ran.
    pub blocks: u64,
    /// How many ops ran in all of them.
    pub ops: u64,
}

/// Runs an entry over its grid. The module's globals are allocated in `memory` if they are not there yet.
pub fn run(
    module: &Module,
    entry: &Body,
    arguments: &[Argument],
    memory: &mut Memory,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Statistics, Box<Finding>> {
    let arguments = bind(entry, arguments, memory, options.grid).map_err(|fault| Box::new(fault.at(None, [0; 3])))?;
    memory.load(module);
    let plainly = options.sanitize || options.schedule.is_some() || memory.records_views();
    let unseen = !plainly && !options.watch.is_needed();
    let mut plan = Plan::new(module, entry, options.sanitize, unseen)?;
    if options.watch.steps {
        plan.keep_values();
    }
    let footprint = footprint::of(&plan, entry);
    if footprint > options.max_bytes {
        let fault = not_supported::tiles(footprint, options.max_bytes);
        return Err(Box::new(fault.at(None, [0; 3])));
    }
    let crew = Crew::new(options, plan.communicates, footprint);
    let watch = watch::Plan::of(&options.watch, module, entry).map_err(|fault| Box::new(fault.at(None, [0; 3])))?;
    let output = Output::new(observer, plan.prints || watch.as_ref().is_some_and(watch::Plan::traces));
    // Threads begin with what is here, and each adds its own scratch memory.
    let memory = &*memory;
    let context = |output| {
        let printer = Printer { output, number: 0 };
        let first_replica = options.schedule.unwrap_or(0);
        Context { memory: memory.share(), printer, block: [0; 3], grid: options.grid, op: OpId(0), first_replica }
    };
    // Blocks of a run that sanitizes run together by a plan that does not, where that tells all that is to be known.
    let mut quick = None;
    if unseen {
        chain::link(&mut plan, module, entry);
    } else if options.sanitize && options.schedule.is_none() && watch.is_none() {
        let mut other = Plan::new(module, entry, false, true)?;
        chain::link(&mut other, module, entry);
        quick = Some(other);
    }
    let wide = if unseen { Wide::of(&plan, module, entry) } else { None };
    let watched = quick.as_ref().and_then(|quick| Wide::of(quick, module, entry));
    let watched = watched.filter(|watched| watched.can_be_watched(&plan, entry));
    let (plan, wide) = (&plan, wide.or(watched));
    let ops = crew.run(|| {
        let sanitizer = options.sanitize.then(|| Box::new(Sanitizer::new(entry.values.len(), memory)));
        let schedule = options.schedule.map(|seed| Box::new(Schedule::new(seed)));
        let watcher = watch.as_ref().map(|watch| Box::new(Watcher::new(watch, entry)));
        let mut machine =
            Machine::new(plan, entry, context(&output), Progress::new(&crew), sanitizer, schedule, watcher);
        let mut quick = quick
            .as_ref()
            .map(|plan| Machine::new(plan, entry, context(&output), Progress::new(&crew), None, None, None));
        loop {
            let numbers = crew.take(wide.as_ref().map(|wide| wide.blocks));
            let is_last = numbers.len() == 0;
            let mut ended = 0;
            if let (Some(wide), Some(first)) = (&wide, numbers.clone().next()) {
                let (together, watched) = match (&mut quick, &mut machine.sanitizer) {
                    (Some(quick), Some(sanitizer)) => (quick, Some(Watched { sanitizer, plan })),
                    _ => (&mut machine, None),
                };
                let (ran, found) = wide.run(together, watched, first, numbers.len() as u64, &arguments);
                together.progress.end();
                ended = ran;
                if let Err(finding) = found {
                    crew.stop(first + ran, finding);
                    break;
                }
            }
            for number in numbers.skip(ended as usize) {
                match machine.run(number, block(number, options.grid), &arguments) {
                    Ok(()) => {
                        output.ended(number);
                        ended += 1;
                    }
                    // What later blocks have printed meanwhile is not told.
                    Err(finding) => crew.stop(number, finding),
                }
            }
            options.ended.fetch_add(ended, Ordering::Relaxed);
            if is_last || !machine.progress.end() {
                break;
            }
        }
    });
    // Where blocks wait for each other, the one that stopped the run is not always the first.
    if ops.is_err() && plan.communicates {
        output.flush();
    }
    if let Some(watch) = watch.as_ref().filter(|_| options.watch.profile) {
        output.profiled(&watch.costs());
    }
    let ops = ops?;
    Ok(Statistics { blocks: options.grid.iter().map(|&extent| u64::from(extent)).product(), ops })
}

/// The coordinates of a tile block by its number: x is fastest.
fn block(number: u64, [x, y, _]: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(x), u64::from(y));
    [number % x, number / x % y, number / x / y].map(|coordinate| coordinate as u32)
}

/// The arguments as values, one for each parameter.
fn bind(entry: &Body, arguments: &[Argument], memory: &Memory, grid: [u32; 3]) -> Result<Vec<Value>, Box<Fault>> {
    if grid.iter().any(|extent| !(1..1 << 24).contains(extent)) {
        return Err(argument_mismatch::grid(grid));
    }
    if entry.params.len() != arguments.len() {
        return Err(argument_mismatch::count(&entry.name, entry.params.len(), arguments.len()));
    }
    let types = entry.regions[0].args.iter().map(|&value| entry.ty(value));
    let named = entry.params.iter().zip(types).zip(arguments);
    named.map(|((name, ty), &argument)| bind_one(name, ty, argument, memory)).collect()
}

fn bind_one(name: &str, ty: Type, argument: Argument, memory: &Memory) -> Result<Value, Box<Fault>> {
    let tile = ty.as_tile().filter(|tile| tile.shape.is_empty());
    let argument = match argument {
        Argument::Scalar(bits) => Err(bits),
        Argument::Pointer(id) => Ok((id, 0)),
        Argument::Address(id, bytes) => Ok((id, bytes)),
    };
    match (tile.map(|tile| tile.element), argument) {
        (Some(Scalar::Number(element)), Err(bits)) => Ok(Tile::splat(Kind::of(element), bits).into()),
        (Some(Scalar::Pointer(pointer)), Ok((id, bytes))) if memory.element(id) == pointer.to => {
            let address = memory.address(id).wrapping_add_signed(bytes);
            Ok(Tile::splat(Kind::Long, Unit::of(pointer.to).pointer(address)).into())
        }
        (Some(Scalar::Pointer(pointer)), Ok((id, _))) => {
            Err(argument_mismatch::element(name, pointer.to, memory.element(id)))
        }
        (Some(Scalar::Pointer(_)), Err(_)) => Err(argument_mismatch::number_for_pointer(name, ty)),
        (Some(Scalar::Number(_)), Ok(_)) => Err(argument_mismatch::pointer_for_number(name, ty)),
        (None, _) => Err(argument_mismatch::parameter(name, ty)),
    }
}

/// Why a run does not go on.
#[derive(Clone, Copy)]
enum Stop {
    Cancelled,
    TooManyOps(u64),
}

impl Stop {
    fn fault(self) -> Box<Fault> {
        match self {
            Stop::Cancelled => did_not_finish::cancelled(),
            Stop::TooManyOps(ops) => did_not_finish::too_many_ops(ops),
        }
    }
}
