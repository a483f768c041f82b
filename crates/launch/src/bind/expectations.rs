//! Checks the names in the formulas of expectations.

use super::kernels::{Kernels, params};
use crate::directive::{Arg, Launch};
use crate::error::LaunchError;
use crate::expect::{self, Expect};
use crate::expr::Expr;
use crate::spec::Spec;
use std::ops::Range;
use tile_analysis::suggest;

/// Errors for the names in expectations that are neither parameters nor further arguments.
pub(super) fn wrong_names<'l>(kernels: Kernels<'l>, launch: &'l Launch) -> impl Iterator<Item = LaunchError> + 'l {
    let named = launch.expects.iter().flat_map(|expect| expect.arguments());
    named.filter_map(move |(name, range)| wrong_name(kernels, launch, name, range))
}

fn wrong_name(kernels: Kernels<'_>, launch: &Launch, name: &str, range: Range<usize>) -> Option<LaunchError> {
    let Kernels { entry, .. } = kernels;
    let arg = launch.arg(name);
    let is_param = params(entry).any(|(param, _)| param == name);
    if is_param || arg.is_some_and(|arg| kernels.may_be_extra(arg, launch)) {
        let Some(Arg { spec: Spec::Address(address), .. }) = arg else { return None };
        let error = LaunchError::new(range, format!("`%{name}` is the address `{address}`, not a buffer"));
        return Some(error.help(format!("name the buffer, `%{}`", address.of)));
    }
    let error = LaunchError::new(range, format!("the entry `@{}` has no parameter `%{name}`", entry.name));
    Some(match suggest::closest(name, params(entry).map(|(param, _)| param)) {
        Some(close) => error.help(format!("did you mean `%{close}`?")),
        None => error,
    })
}

/// Errors for left sides of expectations that read no buffer. A left side with an unknown name is reported for that.
pub(super) fn unchangeable_sides(launch: &Launch) -> impl Iterator<Item = LaunchError> + '_ {
    let reads_only_numbers = |side: &&Expr| {
        side.arguments().all(|(name, _)| matches!(launch.arg(name), Some(Arg { spec: Spec::Scalar(_), .. })))
    };
    let sides = launch.expects.iter().filter(|expect| expect.gradient().is_none()).filter_map(Expect::after_run);
    sides.filter(reads_only_numbers).map(expect::reads_no_buffer)
}
