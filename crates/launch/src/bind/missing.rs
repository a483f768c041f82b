//! Parameters without an argument.

use super::fit::sample;
use super::kernels::{Kernels, params};
use super::names::closest;
use crate::directive::{Arg, Launch};
use crate::error::LaunchError;
use std::ops::Range;

/// The parameters without an argument, each with a suitable specification. A parameter whose name an argument misspells
/// is not included.
pub fn missing<'e>(kernels: Kernels<'e>, launch: &Launch) -> Vec<(&'e str, String)> {
    let entry = kernels.entry;
    let is_param = |arg: &&Arg| entry.params.iter().any(|name| **name == *arg.name);
    let strays = launch.args.iter().filter(|arg| !is_param(arg) && !kernels.may_be_extra(arg, launch));
    let misspelled: Vec<&str> = strays.filter_map(|arg| closest(arg, entry, launch)).collect();
    params(entry)
        .filter(|(name, _)| launch.arg(name).is_none() && !misspelled.contains(name))
        .map(|(name, ty)| (name, sample(ty)))
        .collect()
}

/// One error at `range` that lists all parameters of an entry without an argument.
pub(super) fn missing_arguments(missing: &[(&str, String)], entry: &str, range: Range<usize>) -> Option<LaunchError> {
    if missing.is_empty() {
        return None;
    }
    let (parameters, lines) = if missing.len() == 1 { ("parameter", "a line") } else { ("parameters", "lines") };
    let names = listed(missing.iter().map(|(name, _)| format!("`%{name}`")));
    let samples = listed(missing.iter().map(|(name, sample)| format!("`//@   %{name} = {sample}`")));
    let message = format!("this launch has no argument for the {parameters} {names} of `@{entry}`");
    Some(LaunchError::new(range, message).help(format!("add {lines} such as {samples}")))
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}
