//! The GPU to check programs for if the settings name none: the one that `run.target` runs kernels on.
//!
//! Only GPUs of this machine are looked up. A launcher starts a program on another machine, which only a run may do.

use crate::settings::Settings;
use tile_backend::worker::{Host, Start, Target};
use tile_dialect::Gpu;

/// The GPU of the chosen target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TargetGpu {
    /// The GPU's number, if the target is a GPU of this machine.
    pub(crate) chosen: Option<usize>,
    pub(crate) gpu: Option<Gpu>,
}

/// The number of the GPU to look up: `None` if the settings name a GPU, or if kernels run on something else.
pub(crate) fn wanted(settings: &Settings) -> Option<usize> {
    let host: Host = settings.run_on.parse().ok()?;
    let is_here = host.start == Start::Here && settings.launcher.is_empty();
    match host.target {
        Target::Cuda(number) if is_here && settings.chosen_gpu().is_none() => Some(number),
        _ => None,
    }
}

/// The kind of a GPU of this machine. A worker process looks it up, since that loads the driver.
pub(crate) fn gpu_here(number: usize) -> Option<Gpu> {
    let machine = Start::Here.worker().and_then(|mut worker| worker.inspect_machine()).ok()?;
    let gpu = machine.gpus.into_iter().nth(number)?.ok()?;
    Gpu::from_name(&gpu.architecture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_gpus_of_this_machine_are_looked_up() {
        let wanted = |section| super::wanted(&Settings::default().read(&section));
        assert_eq!(wanted(json!({})), None);
        assert_eq!(wanted(json!({ "run": { "target": "cuda" } })), Some(0));
        assert_eq!(wanted(json!({ "run": { "target": "cuda:1" } })), Some(1));
        assert_eq!(wanted(json!({ "run": { "target": "cuda", "launcher": "ssh box" } })), None);
        assert_eq!(wanted(json!({ "run": { "target": "cuda" }, "check": { "gpu": "sm_90" } })), None);
    }
}
