//! What a kernel does in a launch: the memory that it touches, and the number of its operations.

use super::super::run::JobRun;
use crate::cuda::bench::{Arithmetic, Bench};
use std::collections::BTreeMap;
use tile_analysis::ide::cost;
use tile_analysis::ir::{Body, OpId, RegionId};
use tile_analysis::range_analysis::{KnownValues, known_values, trip_count};
use tile_dataflow::access::{Access, Direction};
use tile_dataflow::{accesses, volume};
use tile_dialect::{Mnemonic, RegionArgs};
use tile_launch::{Spec, known::launched};

/// The device that a kernel is timed on.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct TimedOn {
    /// Its name.
    pub(in super::super) name: String,
    /// Its architecture, such as `sm_90`; empty for the CPU engine.
    pub(in super::super) architecture: String,
    /// Its peak rates.
    pub(in super::super) rates: crate::cuda::bench::Rates,
}

/// What a kernel does in a launch.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Work {
    /// The distinct bytes that it reads, plus those that it writes.
    bytes: u64,
    /// The number of operations on elements.
    operations: u64,
    /// Whether both are lower bounds.
    is_open: bool,
    /// The kind of arithmetic.
    arithmetic: Arithmetic,
}

impl Work {
    /// Combines it with the times of the kernel.
    pub(in super::super) fn timed(self, device: &TimedOn, seconds: Vec<f64>) -> Bench {
        let Work { bytes, operations, is_open, arithmetic } = self;
        let most_bytes = Some(device.rates.bytes).filter(|rate| *rate > 0.0);
        let most_operations = device.rates.operations(&device.architecture, arithmetic);
        Bench { device: device.name.clone(), seconds, bytes, operations, is_open, most_bytes, most_operations }
    }
}

impl JobRun<'_> {
    /// What the kernel does.
    pub(in super::super) fn work(&self) -> Work {
        let cost = cost::of_entry(self.entry, &self.known());
        let blocks = tile_engine::blocks(self.launch.grid);
        let bytes = self.touched().unwrap_or_else(|| {
            let held = self.held();
            let moved = |bytes: u64| bytes.saturating_mul(blocks).min(held);
            moved(cost.read) + moved(cost.written)
        });
        let operations = cost.operations.saturating_mul(blocks);
        Work { bytes, operations, is_open: cost.is_open, arithmetic: Arithmetic::of(self.entry) }
    }

    /// How often each op of the entry runs in a tile block, as far as the launch determines it; 1 for the others.
    pub(super) fn executions(&self) -> Vec<u64> {
        let mut counts = vec![0; self.entry.ops.len()];
        count(self.entry, &self.known(), RegionId(0), 1, &mut counts);
        counts
    }

    fn known(&self) -> KnownValues {
        let text = self.job.text.get(self.start as usize..).unwrap_or_default();
        known_values(text, self.entry, self.spans, &launched(self.entry, self.launch))
    }

    /// The bytes of all buffers.
    fn held(&self) -> u64 {
        let buffers = self.own_args().filter(|arg| matches!(arg.spec, Spec::Buffer { .. }));
        buffers.filter_map(|arg| arg.spec.bytes()).sum()
    }

    /// The distinct bytes that the kernel reads, plus those that it writes: what memory moves at least, if all repeated
    /// accesses hit a cache. `None` if they are not known for every access to the arguments.
    fn touched(&self) -> Option<u64> {
        let launched = launched(self.entry, self.launch);
        let mut touched: BTreeMap<(u32, bool), u64> = BTreeMap::new();
        for access in accesses(self.entry) {
            let base = access.base.as_ref()?.param()?;
            let parameter = self.entry.regions[0].args.iter().position(|&value| value == base)?;
            let held = self.launch.arg(&self.entry.params[parameter])?.spec.bytes()?;
            let bytes = volume::of_access(self.entry, &access, &launched, volume::INTERACTIVE).ok()?;
            let bytes = bytes.unique_bytes(&access);
            for writes in directions(&access) {
                let known = touched.entry((base.0, *writes)).or_default();
                // Several accesses to a buffer can touch the same elements.
                *known = (*known + bytes).min(held);
            }
        }
        Some(touched.values().sum())
    }
}

/// Whether an access writes; both for an atomic op.
fn directions(access: &Access) -> &'static [bool] {
    match access.direction {
        Direction::Read => &[false],
        Direction::Write => &[true],
        Direction::Update => &[false, true],
    }
}

/// Counts the executions of the ops in a region that runs so many times.
fn count(body: &Body, known: &KnownValues, region: RegionId, times: u64, counts: &mut [u64]) {
    for &OpId(id) in &body.region(region).ops {
        let op = body.op(OpId(id));
        counts[id as usize] = times;
        if op.op.row().regions.iter().any(|region| region.args == RegionArgs::Listed) {
            continue; // the body of a reduction
        }
        let trips = (op.op == Mnemonic::For).then(|| trip_count(body, op, known)).flatten();
        let inside = times.saturating_mul(trips.and_then(|trips| trips.max).unwrap_or(1).max(1));
        body.regions_of(op).for_each(|region| count(body, known, region, inside, counts));
    }
}
