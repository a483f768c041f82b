//! Chooses the strategy of a run.

use crate::exec::plan::Plan;
use crate::exec::strategy::batched::Batched;
use crate::exec::strategy::instrumented::Instrumented;
use crate::exec::strategy::interpreted::Interpreted;
use crate::exec::strategy::launch::Strategy;
use crate::exec::strategy::sanitized_batches::SanitizedBatches;
use crate::exec::watch;
use crate::findings::Finding;
use crate::ops::context::Mode;
use crate::optimize::batch::Batch;
use crate::optimize::{fuse, reuse};
use crate::options::Options;
use crate::sanitize::checks::Checks;
use tile_analysis::ir::{Body, Module};

/// Chooses the strategy for an entry. `records_views`: the views that ops create are recorded, so all these ops must
/// run.
pub(crate) fn choose<'p>(
    module: &'p Module,
    entry: &'p Body,
    options: &'p Options,
    records_views: bool,
) -> Result<Box<dyn Strategy + 'p>, Box<Finding>> {
    let is_plain = !options.sanitize && options.schedule.is_none() && !options.watch.is_needed() && !records_views;
    if is_plain {
        let plan = optimized(module, entry)?;
        return Ok(match Batch::of(&plan, module, entry) {
            Some(batch) => Box::new(Batched { plan, batch }),
            None => Box::new(Interpreted { plan }),
        });
    }
    let mode = if options.sanitize { Mode::Sanitized } else { Mode::Observable };
    let mut plan = Plan::new(module, entry, mode)?;
    if options.watch.steps {
        plan.keep_values();
    }
    let checks = options.sanitize.then(|| Checks::new(module, entry)).transpose()?;
    let watch = watch::Plan::of(&options.watch, module, entry).map_err(|fault| Box::new(fault.at(None, [0; 3])))?;
    let is_only_sanitized = options.schedule.is_none() && watch.is_none();
    let instrumented = Instrumented { plan, checks, watch };
    if let Some(checks) = instrumented.checks.as_ref().filter(|_| is_only_sanitized) {
        let plan = optimized(module, entry)?;
        let batch = Batch::of(&plan, module, entry);
        if let Some(batch) = batch.filter(|batch| batch.can_be_sanitized(&instrumented.plan, checks, entry)) {
            return Ok(Box::new(SanitizedBatches { instrumented, batched: Batched { plan, batch } }));
        }
    }
    Ok(Box::new(instrumented))
}

/// The plan of an unobserved run.
fn optimized(module: &Module, entry: &Body) -> Result<Plan, Box<Finding>> {
    let mut plan = Plan::new(module, entry, Mode::Optimized)?;
    reuse::reuse(&mut plan, module, entry);
    fuse::fuse(&mut plan, module, entry);
    Ok(plan)
}
