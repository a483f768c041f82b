//! Ops that are looked at before they run: what a debugger stops at.

use super::show::{self, Shown};
use super::{Machine, Step};
use crate::findings::Finding;
use crate::memory::Memory;
use crate::site::Tiled;
use crate::value::Value;
use std::ops::Range;
use tile_analysis::ir::{self, Body, OpId};

/// A place that a run has reached, and the values that are there.
pub struct At<'a> {
    /// The op that is about to run, or that has failed.
    pub op: OpId,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the loops around it, the outermost first, counted from 0.
    pub iterations: &'a [u64],
    body: &'a Body,
    values: &'a [Value],
    memory: &'a Memory,
}

impl At<'_> {
    /// A value as people read it. One that has not been computed yet is a token.
    pub fn value(&self, value: ir::Value) -> Shown {
        show::value(self.body.ty(value), &self.values[value.0 as usize], self.memory, false)
    }

    /// Some elements of a tile, by their places in row-major order; none where it is not there or no tile.
    pub fn elements(&self, value: ir::Value, places: Range<usize>) -> Vec<String> {
        let Value::Tile(tile) = &self.values[value.0 as usize] else { return Vec::new() };
        let tiled = Tiled::of(self.body.ty(value));
        let count: usize = tiled.extents().iter().product();
        (places.start..places.end.min(count)).map(|place| show::element(&tiled, tile, self.memory, place)).collect()
    }
}

impl Machine<'_> {
    /// Shows the observer an op that is about to run, and waits until it may.
    pub(super) fn show_before(&self, step: &Step) {
        self.shown(step, |output, at| output.before(at));
    }

    /// Shows the observer an op that has failed, unless the failure comes from an op inside it, which was shown.
    pub(super) fn show_failed(&self, step: &Step, finding: &Finding) {
        if finding.op.is_none_or(|op| op == step.op) {
            self.shown(step, |output, at| output.failed(at, finding));
        }
    }

    fn shown(&self, step: &Step, show: impl FnOnce(&super::Output<'_>, &At<'_>)) {
        let Some(watcher) = self.watcher.as_ref().filter(|watcher| watcher.plan.watch.steps) else { return };
        let (block, iterations) = (self.context.block, watcher.iterations());
        let (body, values, memory) = (self.body, &self.values[..], &self.context.memory);
        show(self.context.printer.output, &At { op: step.op, block, iterations, body, values, memory });
    }
}
