//! Throughput of a kernel on a GPU.

use super::super::run::JobRun;
use crate::cuda::bench::{Arithmetic, Bench};
use crate::cuda::device::{Device, DeviceError};
use tile_analysis::ide::cost;
use tile_analysis::range_analysis::known_values;
use tile_launch::{Spec, known::launched};

impl JobRun<'_> {
    /// Computes the throughput from the durations of a kernel.
    pub(super) fn bench(&self, device: &Device, gpu: &str, mut seconds: Vec<f64>) -> Result<Bench, DeviceError> {
        seconds.sort_by(f64::total_cmp);
        let launch = self.launch;
        let text = self.job.text.get(self.start as usize..).unwrap_or_default();
        let known = known_values(text, self.entry, self.spans, &launched(self.entry, launch));
        let cost = cost::of_entry(self.entry, &known);
        let blocks: u64 = launch.grid.iter().map(|&extent| u64::from(extent)).product();
        // Ideally, repeated reads come from a cache, so memory moves each buffer at most once.
        let buffers = self.own_args().filter(|arg| matches!(arg.spec, Spec::Buffer { .. }));
        let held: u64 = buffers.filter_map(|arg| arg.spec.bytes()).sum();
        let moved = |bytes: u64| bytes.saturating_mul(blocks).min(held);
        let rates = device.rates();
        let known_rate = |rate: f64| (rate > 0.0).then_some(rate);
        Ok(Bench {
            gpu: device.name()?,
            seconds,
            bytes: (moved(cost.read) + moved(cost.written)).min(2 * held),
            operations: cost.operations.saturating_mul(blocks),
            is_open: cost.is_open,
            most_bytes: known_rate(rates.bytes),
            most_operations: rates.operations(gpu, Arithmetic::of(self.entry)),
        })
    }
}
