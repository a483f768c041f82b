//! The threads that run tile blocks.
//!
//! The caller's thread runs blocks from the beginning. A longer run gets a thread for each further core. Blocks are
//! started in the order of the grid, and if several blocks have a finding, that of the first one is reported, so that a
//! program without races behaves the same on any number of threads.
//!
//! A block can wait for another one that has not begun, with a `loop` around a strong access. In a program with such a
//! loop, a replacement thread is started for a block that keeps looping, and takes further blocks.

use crate::exec::random::block_at;
use crate::findings::{Fault, Finding, did_not_finish};
use crate::options::{self, Options};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tile_clock::Instant;

/// How long a run stays on one thread: about the cost of starting more.
const SINGLE_THREAD_TIME: Duration = Duration::from_micros(100);
/// The maximum memory for the tiles of a block that runs in less than that time if it has no loops.
const SHORT_FOOTPRINT: u64 = 1 << 16;
/// The number of loop iterations after which a block that may be waiting yields.
const TURNS_UNTIL_YIELD: u32 = 64;
/// The number of loop iterations after which such a block gets a replacement thread.
const TURNS_UNTIL_REPLACEMENT: u32 = 1024;
/// The maximum number of threads. A GPU runs about as many blocks concurrently.
const MAX_THREADS: usize = 1024;
/// The maximum number of blocks that a thread takes at once, unless they run as a batch.
const MAX_BLOCKS: u64 = 16;
/// The minimum number of times that threads take blocks, so that they finish at about the same time.
const MIN_TAKES: u64 = 64;
/// The stack size of a thread, for nested regions.
const STACK: usize = 4 << 20;

/// The state shared by the threads of a run.
pub(crate) struct BlockScheduler<'a> {
    blocks: u64,
    /// The number of the next block to take.
    next: AtomicU64,
    ops: AtomicU64,
    max_ops: u64,
    cancel: &'a AtomicBool,
    /// Whether blocks can wait for each other.
    blocks_wait: bool,
    /// Whether blocks can run concurrently.
    concurrent: bool,
    /// Whether every block is short. The run then starts no thread within [`SINGLE_THREAD_TIME`]: starting one just to
    /// wait for that time more than doubles the time of a launch of ten blocks from Python (150 instead of 53 µs;
    /// measured by `python/benches/launches.py`).
    is_short: bool,
    /// Whether the run is still within that time.
    is_alone: AtomicBool,
    began: Instant,
    /// How many blocks fit into memory at the same time.
    fitting: usize,
    /// The requested number of threads, if any.
    requested_threads: Option<usize>,
    /// The shuffled order of the blocks, if any.
    seed: Option<u64>,
    /// The number of the block in which the run stopped.
    stopped: AtomicU64,
    finding: Mutex<Option<(u64, Box<Finding>)>>,
    threads: Mutex<Threads>,
    changed: Condvar,
}

/// The numbers of the tile blocks that a thread has taken.
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
    /// The number of requested threads that have not been started.
    requested: usize,
}

/// No block has stopped the run.
const NOWHERE: u64 = u64::MAX;

impl<'a> BlockScheduler<'a> {
    /// Creates a scheduler for a run whose blocks take at most `footprint` bytes each.
    pub(crate) fn new(options: &'a Options, blocks_wait: bool, has_loops: bool, footprint: u64) -> BlockScheduler<'a> {
        let blocks = options::blocks(options.grid);
        BlockScheduler {
            blocks,
            next: AtomicU64::new(0),
            ops: AtomicU64::new(0),
            max_ops: options.max_ops.unwrap_or(u64::MAX),
            cancel: &options.cancel,
            blocks_wait,
            concurrent: blocks > 1
                && !options.sanitize
                && !options.watch.steps
                && (options.schedule.is_none() || blocks_wait),
            is_short: !has_loops && footprint <= SHORT_FOOTPRINT && options.threads.is_none(),
            is_alone: AtomicBool::new(false),
            began: Instant::now(),
            fitting: usize::try_from(options.max_bytes / footprint.max(1)).unwrap_or(usize::MAX).max(1),
            requested_threads: options.threads,
            seed: options.schedule.filter(|_| !options.sanitize || !blocks_wait),
            stopped: AtomicU64::new(NOWHERE),
            finding: Mutex::default(),
            threads: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Runs `work` on as many threads as are useful, until no block is left. Returns the number of ops that ran.
    pub(crate) fn run(&self, work: impl Fn() + Sync) -> Result<u64, Box<Finding>> {
        let member = || {
            let _running = RunningThread(self);
            work();
        };
        if self.is_short && self.concurrent {
            self.is_alone.store(true, Ordering::Relaxed);
            work();
            self.is_alone.store(false, Ordering::Relaxed);
        }
        self.threads().running = 1;
        if self.concurrent && self.has_more() {
            thread::scope(|scope| {
                let helper = || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, member).is_ok();
                let manager = thread::Builder::new().spawn_scoped(scope, move || self.manage(helper));
                // Without a manager thread, the run stays on this thread.
                drop(manager);
                member();
            });
        } else if self.has_more() {
            member();
        }
        // A thread that could not be started has not taken any blocks.
        while self.has_more() {
            work();
        }
        match self.finding.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some((_, finding)) => Err(finding),
            None => Ok(self.ops.load(Ordering::Relaxed)),
        }
    }

    /// Starts requested threads until all threads have ended.
    fn manage(&self, start: impl Fn() -> bool) {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let time = if self.is_short { Duration::ZERO } else { SINGLE_THREAD_TIME };
        let (most, timeout) = self.requested_threads.map_or_else(|| (cores(), time), |most| (most, Duration::ZERO));
        let idle = |threads: &mut Threads| threads.running > 0 && threads.requested == 0;
        let waited = self.changed.wait_timeout_while(self.threads(), timeout, idle);
        let (mut threads, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if threads.running > 0 {
            let left = self.blocks.saturating_sub(self.next.load(Ordering::Relaxed));
            threads.requested += (most.clamp(1, self.fitting) - 1).min(usize::try_from(left).unwrap_or(usize::MAX));
        }
        while threads.running > 0 {
            while threads.requested > 0 {
                threads.requested -= 1;
                threads.running += usize::from(start());
            }
            threads = self.changed.wait_while(threads, idle).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn threads(&self) -> MutexGuard<'_, Threads> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are unstarted blocks that should run.
    fn has_more(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.blocks && self.stopped.load(Ordering::Relaxed) == NOWHERE
    }

    /// Takes the next tile blocks; empty if no more should run. Takes several at once if there are many, to reduce
    /// synchronization, and up to `batch` if blocks run as a batch.
    pub(crate) fn take(&self, batch: Option<u64>) -> Blocks {
        let begun = self.next.load(Ordering::Relaxed);
        if self.is_alone.load(Ordering::Relaxed) && self.began.elapsed() > SINGLE_THREAD_TIME {
            return Blocks { places: 0..0, count: self.blocks, seed: self.seed };
        }
        let fair = self.blocks.saturating_sub(begun) / MIN_TAKES;
        let count = match batch {
            _ if self.blocks_wait => 1,
            Some(most) if !self.concurrent => most,
            None if !self.concurrent => 1,
            most => fair.clamp(1, most.unwrap_or(MAX_BLOCKS)),
        };
        let first = if self.has_more() { self.next.fetch_add(count, Ordering::Relaxed) } else { self.blocks };
        let end = self.blocks.min(first.saturating_add(count));
        Blocks { places: first.min(end)..end, count: self.blocks, seed: self.seed }
    }

    /// Records that a block has stopped the run. Earlier blocks continue, since one of them may have to be reported
    /// instead, unless they can wait for this one.
    pub(crate) fn stop(&self, number: u64, finding: Box<Finding>) {
        let mut found = self.finding.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = |found: &(u64, Box<Finding>)| number < found.0 && !self.blocks_wait;
        if found.as_ref().is_none_or(earlier) {
            *found = Some((number, finding));
            self.stopped.store(number, Ordering::Relaxed);
        }
    }

    /// Requests a thread to replace one whose block waits.
    fn replacement(&self) -> bool {
        let mut threads = self.threads();
        let granted = self.concurrent && self.has_more() && threads.running + threads.requested < MAX_THREADS;
        threads.requested += usize::from(granted);
        self.changed.notify_all();
        granted
    }
}

/// Reports the end of a thread, even if it panics.
struct RunningThread<'a>(&'a BlockScheduler<'a>);

impl Drop for RunningThread<'_> {
    fn drop(&mut self) {
        self.0.threads().running -= 1;
        self.0.changed.notify_all();
    }
}

/// The progress of one tile block, and whether it should continue.
pub(crate) struct Progress<'a> {
    scheduler: &'a BlockScheduler<'a>,
    /// The number of the block.
    pub(crate) number: u64,
    /// The number of ops that ran in it.
    pub(crate) ops: u64,
    /// The number of its loop iterations.
    turns: u32,
    /// Whether a replacement for this thread was requested.
    replaced: bool,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(scheduler: &'a BlockScheduler<'a>) -> Progress<'a> {
        Progress { scheduler, number: 0, ops: 0, turns: 0, replaced: false }
    }

    /// Starts a block.
    pub(crate) fn begin(&mut self, number: u64) {
        (self.number, self.turns) = (number, 0);
    }

    /// Ends the block. Returns whether this thread should take another one.
    pub(crate) fn end(&mut self) -> bool {
        self.scheduler.ops.fetch_add(std::mem::take(&mut self.ops), Ordering::Relaxed);
        !self.replaced
    }

    /// The reason to stop the block, if there is one.
    pub(crate) fn stop(&self) -> Option<Stop> {
        let scheduler = self.scheduler;
        let stopped = scheduler.stopped.load(Ordering::Relaxed);
        let elsewhere = stopped != NOWHERE && (scheduler.blocks_wait || stopped < self.number);
        if elsewhere || scheduler.cancel.load(Ordering::Relaxed) {
            return Some(Stop::Cancelled);
        }
        let ops = scheduler.ops.load(Ordering::Relaxed) + self.ops;
        (ops > scheduler.max_ops).then_some(Stop::TooManyOps(scheduler.max_ops))
    }

    /// The number of blocks that have not begun.
    pub(crate) fn left(&self) -> u64 {
        self.scheduler.blocks.saturating_sub(self.scheduler.next.load(Ordering::Relaxed))
    }

    /// Counts a loop iteration, which may mean that the block is waiting.
    pub(crate) fn turn(&mut self) -> Option<Stop> {
        self.turns = self.turns.wrapping_add(1);
        if self.scheduler.blocks_wait && self.turns.is_multiple_of(TURNS_UNTIL_YIELD) {
            if !self.replaced && self.turns.is_multiple_of(TURNS_UNTIL_REPLACEMENT) {
                self.replaced = self.scheduler.replacement();
            }
            thread::yield_now();
        }
        self.stop()
    }
}

/// Why a run stops.
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

/// The coordinates of the tile block with this number; x varies fastest.
pub(crate) fn block(number: u64, [x, y, _]: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(x), u64::from(y));
    [number % x, number / x % y, number / x / y].map(|coordinate| coordinate as u32)
}
