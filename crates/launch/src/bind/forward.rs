//! Checks that a launch fits the parameters of its forward kernel, if that is another entry.

use super::fit::{misfit, sample};
use super::kernels::{ForwardKernel, Kernels, params};
use super::missing;
use crate::directive::Launch;
use crate::error::LaunchError;

/// Errors for an unknown forward kernel, and for arguments that do not fit its parameters. An argument that does not
/// fit the launched entry either is reported for that.
pub(super) fn wrong_arguments(kernels: Kernels<'_>, launch: &Launch) -> Vec<LaunchError> {
    let Some(line) = &launch.forward else { return Vec::new() };
    let forward = match kernels.forward {
        ForwardKernel::Same => return Vec::new(),
        ForwardKernel::Other(forward) => forward,
        ForwardKernel::Unknown { closest } => {
            let error = LaunchError::new(line.range.clone(), format!("unknown entry `@{}`", line.entry));
            return vec![match closest {
                Some(closest) => error.help(format!("did you mean `@{closest}`?")),
                None => error.help("name an entry of this file"),
            }];
        }
    };
    let fits_entry = |name: &str| {
        let ty = params(kernels.entry).find(|(param, _)| *param == name).map(|(_, ty)| ty);
        ty.is_none_or(|ty| launch.arg(name).is_none_or(|arg| misfit(arg, ty, launch).is_none()))
    };
    let wrong = params(forward).filter(|(name, _)| fits_entry(name)).filter_map(|(name, ty)| {
        let error = misfit(launch.arg(name)?, ty, launch)?;
        Some(LaunchError { message: format!("{} (in the forward kernel `@{}`)", error.message, line.entry), ..error })
    });
    wrong.collect()
}

/// An error for the parameters that only the forward kernel has and that have no argument, if there are any.
pub(super) fn missing_arguments(kernels: Kernels<'_>, launch: &Launch) -> Option<LaunchError> {
    let (Some(line), ForwardKernel::Other(forward)) = (&launch.forward, kernels.forward) else { return None };
    let is_of_entry = |name: &str| params(kernels.entry).any(|(param, _)| param == name);
    let missing = params(forward).filter(|(name, _)| launch.arg(name).is_none() && !is_of_entry(name));
    let missing: Vec<(&str, String)> = missing.map(|(name, ty)| (name, sample(ty))).collect();
    missing::missing_arguments(&missing, &line.entry, line.range.clone())
}
