//! What is known about a launch before it runs.

use super::buffer::{extent, row_major};
use super::directive::Launch;
use super::literal::Number;
use super::spec::Spec;
use tile_analysis::ir::Body;
use tile_analysis::range_analysis::Launched;

/// The grid, the integer arguments and the sizes of buffers of a launch, and which of its pointers alias each other.
pub fn launched(entry: &Body, launch: &Launch) -> Launched {
    let number = |name: &str| match launch.arg(name).map(|arg| &arg.spec) {
        Some(Spec::Scalar(Number::Whole(number))) => i64::try_from(*number).ok(),
        _ => None,
    };
    let is_address = |name: &str| launch.arg(name).is_some_and(|arg| matches!(arg.spec, Spec::Address(_)));
    Launched {
        grid: Some(launch.grid.map(i64::from)),
        params: entry.params.iter().map(|name| number(name)).collect(),
        buffers: entry.params.iter().map(|name| launch.arg(name).and_then(|arg| size(&arg.spec))).collect(),
        addresses: (0..entry.params.len()).filter(|&index| is_address(&entry.params[index])).collect(),
        aliases: aliases(entry, launch),
    }
}

/// The size of a buffer in bits.
fn size(spec: &Spec) -> Option<i64> {
    let Spec::Buffer { element, shape, strides, replicas: None, .. } = spec else { return None };
    let strides = strides.clone().or_else(|| row_major(shape))?;
    let nibbles = extent(shape, &strides)?.checked_mul(element.nibbles())?;
    i64::try_from(nibbles).ok()?.checked_mul(4)
}

/// The pairs of parameters that point into the same buffer.
fn aliases(entry: &Body, launch: &Launch) -> Vec<[usize; 2]> {
    let buffer = |name: &str| match &launch.arg(name)?.spec {
        Spec::Buffer { .. } => Some(name.to_string()),
        Spec::Address(address) => Some(address.of.clone()),
        Spec::Scalar(_) => None,
    };
    let buffers: Vec<Option<String>> = entry.params.iter().map(|name| buffer(name)).collect();
    let pairs = (0..buffers.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
    pairs.filter(|&[first, second]| buffers[first].is_some() && buffers[first] == buffers[second]).collect()
}
