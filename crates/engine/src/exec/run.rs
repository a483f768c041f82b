//! A run of an entry, from its arguments to its statistics.

use crate::exec::bind::bind;
use crate::exec::block_scheduler::BlockScheduler;
use crate::exec::footprint;
use crate::exec::output::Output;
use crate::exec::strategy::{self, Launch};
use crate::findings::{Finding, not_supported};
use crate::memory::Memory;
use crate::observer::Observer;
use crate::options::{Argument, Options, Statistics, blocks};
use std::sync::atomic::Ordering;
use tile_analysis::ir::{Body, Module};
use tile_dialect::Mnemonic;

/// Runs an entry over its grid. Allocates the module's globals in `memory` unless they exist.
///
/// The error is the finding of the first tile block, in the order of the grid, that has one.
pub fn run(
    module: &Module,
    entry: &Body,
    arguments: &[Argument],
    memory: &mut Memory,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Statistics, Box<Finding>> {
    let of_launch = |fault: Box<crate::findings::Fault>| Box::new(fault.at(None, [0; 3]));
    let arguments = bind(entry, arguments, memory, options.grid).map_err(of_launch)?;
    memory.load(module);
    memory.begin_launch();
    let strategy = strategy::choose(module, entry, options, memory.records_views())?;
    let plan = strategy.plan();
    let footprint = footprint::of(plan, entry);
    if footprint > options.max_bytes {
        return Err(of_launch(not_supported::tiles(footprint, options.max_bytes)));
    }
    let has_loops = entry.ops.iter().any(|op| matches!(op.op, Mnemonic::For | Mnemonic::Loop));
    let scheduler = BlockScheduler::new(options, plan.waits, has_loops, footprint);
    let output = Output::new(observer, plan.prints || strategy.traces());
    // Threads start with this memory, and each adds its own scratch memory.
    let launch = Launch { entry, arguments, memory, options, scheduler: &scheduler, output: &output };
    let ops = scheduler.run(|| {
        let mut worker = strategy.worker(&launch);
        loop {
            let blocks = scheduler.take(strategy.batch());
            let is_last = blocks.size_hint().0 == 0;
            options.ended.fetch_add(worker.run(blocks), Ordering::Relaxed);
            if is_last || !worker.continues() {
                break;
            }
        }
    });
    // If blocks wait for each other, the one that stopped the run is not always the first.
    if ops.is_err() && plan.waits {
        output.flush();
    }
    if let Some(costs) = strategy.costs() {
        output.profiled(&costs);
    }
    if let Some(recorded) = strategy.recorded() {
        output.recorded(&recorded);
    }
    let ops = ops?;
    Ok(Statistics { blocks: blocks(options.grid), ops })
}
