//! The threads that run tile blocks.
//!
//! The caller's thread runs blocks from the beginning. A run that lasts longer gets a thread for each further core. Blocks are
//! taken in the order of the grid, and of several blocks with a finding the first one's is reported, so that a program without
//! races does the same on any number of threads.
//!
//! A block may wait for another that has not begun, by looping over an atomic access. In a program with such accesses, a block
//! that keeps looping gets a replacement: one more thread that takes further blocks.

use crate::exec::random::block_at;
use crate::findings::{Fault, Finding, did_not_finish};
use crate::options::Options;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a run stays on one thread: about the cost of starting others.
const SINGLE_THREAD_TIME: Duration = Duration::from_micros(100);
/// The loop iterations after which a block that may be waiting yields.
const TURNS_UNTIL_YIELD: u32 = 64;
/// The loop iterations after which it gets a replacement thread.
const TURNS_UNTIL_REPLACEMENT: u32 = 1024;
/// The most threads at the same time. A GPU holds about as many blocks.
const MAX_THREADS: usize = 1024;
/// The most blocks that a thread takes together, unless they run together too.
const MAX_BLOCKS: u64 = 16;
/// How often threads take blocks at least, so that they end at about the same time.
const MIN_TURNS: u64 = 64;
/// How much memory a thread may use for nested regions.
const STACK: usize = 4 << 20;

/// What the threads of a run share.
pub(crate) struct BlockScheduler<'a> {
    blocks: u64,
    /// The number of the next block to take.
    next: AtomicU64,
    ops: AtomicU64,
    max_ops: u64,
    cancel: &'a AtomicBool,
    /// Whether blocks may wait for each other.
    communicates: bool,
    /// Whether blocks may run at the same time.
    together: bool,
    /// How many blocks fit into memory at the same time.
    fitting: usize,
    /// What shuffles the blocks.
    seed: Option<u64>,
    /// The number of the block in which the run stopped.
    stopped: AtomicU64,
    finding: Mutex<Option<(u64, Box<Finding>)>>,
    threads: Mutex<Threads>,
    changed: Condvar,
}

/// Tile blocks that a thread has taken: their numbers.
#[derive(Clone)]
pub(crate) struct Blocks {
    places: Range<u64>,
    count: u64,
    seed: Option<u64>,
}

impl Iterator for Blocks {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let place = self.places.next()?;
        Some(self.seed.map_or(place, |seed| block_at(place, self.count, seed)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

/// The threads of a run.
#[derive(Default)]
struct Threads {
    running: usize,
    /// How many threads have been requested and not started.
    wanted: usize,
}

/// No block has stopped the run.
const NOWHERE: u64 = u64::MAX;

impl<'a> BlockScheduler<'a> {
    /// A scheduler for a run whose blocks take at most `footprint` bytes each.
    pub(crate) fn new(options: &'a Options, communicates: bool, footprint: u64) -> BlockScheduler<'a> {
        let blocks = options.grid.iter().map(|&extent| u64::from(extent)).product();
        BlockScheduler {
            blocks,
            next: AtomicU64::new(0),
            ops: AtomicU64::new(0),
            max_ops: options.max_ops.unwrap_or(u64::MAX),
            cancel: &options.cancel,
            communicates,
            together: blocks > 1
                && !options.sanitize
                && !options.watch.steps
                && (options.schedule.is_none() || communicates),
            fitting: usize::try_from(options.max_bytes / footprint.max(1)).unwrap_or(usize::MAX).max(1),
            seed: options.schedule.filter(|_| !options.sanitize || !communicates),
            stopped: AtomicU64::new(NOWHERE),
            finding: Mutex::default(),
            threads: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Runs `work` on as many threads as are useful, until no block is left. Returns how many ops ran.
    pub(crate) fn run(&self, work: impl Fn() + Sync) -> Result<u64, Box<Finding>> {
        let member = || {
            let _leaves = Leaves(self);
            work();
        };
        self.threads().running = 1;
        if self.together {
            thread::scope(|scope| {
                let helper = || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, member).is_ok();
                let manager = thread::Builder::new().spawn_scoped(scope, move || self.manage(helper));
                // Without a manager the run stays on this thread.
                drop(manager);
                member();
            });
        } else {
            member();
        }
        // A thread that could not be started has left its blocks.
        while self.has_more() {
            work();
        }
        match self.finding.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some((_, finding)) => Err(finding),
            None => Ok(self.ops.load(Ordering::Relaxed)),
        }
    }

    /// Starts threads until none is left that runs.
    fn manage(&self, start: impl Fn() -> bool) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let idle = |threads: &mut Threads| threads.running > 0 && threads.wanted == 0;
        let waited = self.changed.wait_timeout_while(self.threads(), SINGLE_THREAD_TIME, idle);
        let (mut threads, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if threads.running > 0 {
            let left = self.blocks.saturating_sub(self.next.load(Ordering::Relaxed));
            threads.wanted += (cores.min(self.fitting) - 1).min(usize::try_from(left).unwrap_or(usize::MAX));
        }
        while threads.running > 0 {
            while threads.wanted > 0 {
                threads.wanted -= 1;
                threads.running += usize::from(start());
            }
            threads = self.changed.wait_while(threads, idle).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn threads(&self) -> MutexGuard<'_, Threads> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are blocks that nobody has begun and somebody shall.
    fn has_more(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.blocks && self.stopped.load(Ordering::Relaxed) == NOWHERE
    }

    /// Takes the next tile blocks; none if no more are to run. Threads take several at once where there are many, since taking
    /// costs synchronization, and up to `batch` where blocks run together.
    pub(crate) fn take(&self, batch: Option<u64>) -> Blocks {
        let begun = self.next.load(Ordering::Relaxed);
        let fair = self.blocks.saturating_sub(begun) / MIN_TURNS;
        let count = match batch {
            _ if self.communicates => 1,
            Some(most) if !self.together => most,
            None if !self.together => 1,
            most => fair.clamp(1, most.unwrap_or(MAX_BLOCKS)),
        };
        let first = if self.has_more() { self.next.fetch_add(count, Ordering::Relaxed) } else { self.blocks };
        let end = self.blocks.min(first + count);
        Blocks { places: first.min(end)..end, count: self.blocks, seed: self.seed }
    }

    /// A block has stopped the run. Blocks before it go on, since one of them may have to be reported instead; where
    /// they may wait for it, they do not.
    pub(crate) fn stop(&self, number: u64, finding: Box<Finding>) {
        let mut found = self.finding.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = |found: &(u64, Box<Finding>)| number < found.0 && !self.communicates;
        if found.as_ref().is_none_or(earlier) {
            *found = Some((number, finding));
            self.stopped.store(number, Ordering::Relaxed);
        }
    }

    /// Asks for a thread in place of one whose block waits.
    fn replacement(&self) -> bool {
        let mut threads = self.threads();
        let granted = self.together && self.has_more() && threads.running + threads.wanted < MAX_THREADS;
        threads.wanted += usize::from(granted);
        self.changed.notify_all();
        granted
    }
}

/// Reports that a thread ends, even if it panics.
struct Leaves<'a>(&'a BlockScheduler<'a>);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.threads().running -= 1;
        self.0.changed.notify_all();
    }
}

/// How one tile block is getting on, and whether it may go on.
pub(crate) struct Progress<'a> {
    scheduler: &'a BlockScheduler<'a>,
    /// The number of the block.
    pub(crate) number: u64,
    /// The ops that ran in it.
    pub(crate) ops: u64,
    /// The iterations of its loops.
    turns: u32,
    /// Whether another thread runs in place of this one.
    replaced: bool,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(scheduler: &'a BlockScheduler<'a>) -> Progress<'a> {
        Progress { scheduler, number: 0, ops: 0, turns: 0, replaced: false }
    }

    /// A block begins.
    pub(crate) fn begin(&mut self, number: u64) {
        (self.number, self.turns) = (number, 0);
    }

    /// The block has ended. Whether this thread shall take another one.
    pub(crate) fn end(&mut self) -> bool {
        self.scheduler.ops.fetch_add(std::mem::take(&mut self.ops), Ordering::Relaxed);
        !self.replaced
    }

    /// Why the block does not go on, if it does not.
    pub(crate) fn stop(&self) -> Option<Stop> {
        let scheduler = self.scheduler;
        let stopped = scheduler.stopped.load(Ordering::Relaxed);
        let elsewhere = stopped != NOWHERE && (scheduler.communicates || stopped < self.number);
        if elsewhere || scheduler.cancel.load(Ordering::Relaxed) {
            return Some(Stop::Cancelled);
        }
        let ops = scheduler.ops.load(Ordering::Relaxed) + self.ops;
        (ops > scheduler.max_ops).then_some(Stop::TooManyOps(scheduler.max_ops))
    }

    /// How many blocks nobody has begun.
    pub(crate) fn left(&self) -> u64 {
        self.scheduler.blocks.saturating_sub(self.scheduler.next.load(Ordering::Relaxed))
    }

    /// A loop begins its next iteration: perhaps its block is waiting.
    pub(crate) fn turn(&mut self) -> Option<Stop> {
        self.turns = self.turns.wrapping_add(1);
        if self.scheduler.communicates && self.turns.is_multiple_of(TURNS_UNTIL_YIELD) {
            if !self.replaced && self.turns.is_multiple_of(TURNS_UNTIL_REPLACEMENT) {
                self.replaced = self.scheduler.replacement();
            }
            thread::yield_now();
        }
        self.stop()
    }
}

/// Why a run does not go on.
#[derive(Clone, Copy)]
pub(crate) enum Stop {
    Cancelled,
    TooManyOps(u64),
}

impl Stop {
    pub(crate) fn fault(self) -> Box<Fault> {
        match self {
            Stop::Cancelled => did_not_finish::cancelled(),
            Stop::TooManyOps(ops) => did_not_finish::too_many_ops(ops),
        }
    }
}

/// The coordinates of a tile block by its number: x is fastest.
pub(crate) fn block(number: u64, [x, y, _]: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(x), u64::from(y));
    [number % x, number / x % y, number / x / y].map(|coordinate| coordinate as u32)
}
