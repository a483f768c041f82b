//! Checks that a launch fits the parameters of its entries.

mod expectations;
mod fit;
mod forward;
mod gradient;
mod kernels;
mod missing;
mod names;

pub use fit::takes_multicast;
pub use kernels::{ForwardKernel, Kernels};
pub use missing::{listed, missing};

use crate::buffer::extent;
use crate::directive::{Arg, Launch};
use crate::error::LaunchError;
use crate::spec::Spec;
use expectations::{unchangeable_sides, wrong_names};
use fit::{misfit, sample};
use kernels::params;
use missing::missing_arguments;
use names::unknown;
use tile_analysis::ir::{Body, Value};
use tile_analysis::types::Type;

/// Mismatches between a launch and its entries: parameters without an argument, arguments without a parameter, a buffer
/// for a number, a buffer whose element type differs from the pointer's, gradients that cannot be determined.
pub fn misfits(kernels: Kernels<'_>, launch: &Launch) -> Vec<LaunchError> {
    let mut found = wrong_arguments(kernels, launch);
    let Kernels { entry, .. } = kernels;
    let head = launch.range.start..launch.range.start + "launch".len();
    found.extend(missing_arguments(&missing(kernels, launch), &entry.name, head));
    found.extend(forward::missing_arguments(kernels, launch));
    found
}

/// The extents of the buffer that a launch passes to a pointer parameter. A buffer with strides has a single dimension,
/// that of its elements in memory.
pub fn extents(entry: &Body, launch: &Launch, param: Value) -> Option<Vec<i64>> {
    let index = entry.param(param)?;
    match &launch.arg(entry.params.get(index)?)?.spec {
        Spec::Buffer { shape, strides: Some(strides), .. } => Some(vec![i64::try_from(extent(shape, strides)?).ok()?]),
        Spec::Buffer { shape, .. } => shape.iter().map(|&extent| i64::try_from(extent).ok()).collect(),
        Spec::Scalar(_) | Spec::Address(_) => None,
    }
}

/// Errors in the arguments and the expectations that a launch has; missing arguments are not reported here.
pub fn wrong_arguments(kernels: Kernels<'_>, launch: &Launch) -> Vec<LaunchError> {
    let check = |arg: &Arg| match params(kernels.entry).find(|(name, _)| *name == arg.name) {
        Some((_, ty)) => misfit(arg, ty, launch),
        None if kernels.may_be_extra(arg, launch) => None,
        None => Some(unknown(arg, kernels.entry, launch)),
    };
    let arguments = launch.args.iter().filter_map(check);
    let expectations = wrong_names(kernels, launch).chain(unchangeable_sides(launch));
    let forward = forward::wrong_arguments(kernels, launch).into_iter().chain(gradient::mistakes(kernels, launch));
    arguments.chain(wrong_addresses(launch)).chain(expectations).chain(forward).collect()
}

/// The arguments of a launch that are not parameters of its entry.
pub fn extra_arguments<'l>(kernels: Kernels<'l>, launch: &'l Launch) -> impl Iterator<Item = &'l Arg> {
    let is_param = |arg: &Arg| kernels.entry.params.iter().any(|name| **name == *arg.name);
    launch.args.iter().filter(move |arg| !is_param(arg) && kernels.may_be_extra(arg, launch))
}

/// The parameters of an entry with their types, each with a suitable specification.
pub fn samples(entry: &Body) -> Vec<(&str, Type, String)> {
    params(entry).map(|(name, ty)| (name, ty, sample(ty))).collect()
}

/// Errors in the addresses that buffers contain. Arguments that are addresses are checked with their parameters.
fn wrong_addresses(launch: &Launch) -> impl Iterator<Item = LaunchError> + '_ {
    let lists = launch.args.iter().filter(|arg| matches!(arg.spec, Spec::Buffer { .. }));
    lists.flat_map(|arg| arg.spec.addresses()).filter_map(|address| address.target(launch).err())
}
