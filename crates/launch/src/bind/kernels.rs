//! The entries that a launch runs, and their parameters.

use crate::address::Address;
use crate::directive::{Arg, Launch};
use crate::spec::Spec;
use tile_analysis::ir::Body;
use tile_analysis::types::Type;

/// The entries that a launch runs.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<'a> {
    /// The entry that is launched.
    pub entry: &'a Body,
    /// The entry that gradients differentiate.
    pub forward: ForwardKernel<'a>,
}

/// The entry that the gradients of a launch differentiate.
#[derive(Clone, Copy, Debug)]
pub enum ForwardKernel<'a> {
    /// The entry that is launched: there is no `forward` line.
    Same,
    /// The entry that the `forward` line names.
    Other(&'a Body),
    /// The `forward` line names an unknown entry.
    Unknown {
        /// The most similar name of an entry.
        closest: Option<&'a str>,
    },
}

impl<'a> Kernels<'a> {
    /// The entry that gradients differentiate, if it is known.
    pub fn differentiated(self) -> Option<&'a Body> {
        match self.forward {
            ForwardKernel::Same => Some(self.entry),
            ForwardKernel::Other(forward) => Some(forward),
            ForwardKernel::Unknown { .. } => None,
        }
    }

    /// Whether the forward kernel is another entry that has this parameter.
    fn has_forward_param(self, name: &str) -> bool {
        matches!(self.forward, ForwardKernel::Other(forward) if params(forward).any(|(param, _)| param == name))
    }

    /// Whether the entry or the forward kernel has this parameter.
    pub(super) fn has_param(self, name: &str) -> bool {
        params(self.entry).any(|(param, _)| param == name) || self.has_forward_param(name)
    }

    /// Whether the launch may have this argument although it is not a parameter of its entry: a buffer that an address
    /// refers to, an argument of the forward kernel, or the weights of a gradient. An unknown forward kernel could have
    /// any parameter.
    pub(super) fn may_be_extra(self, arg: &Arg, launch: &Launch) -> bool {
        let is_unknown = matches!(self.forward, ForwardKernel::Unknown { .. });
        let mut gradients = launch.expects.iter().filter_map(|expect| expect.gradient());
        let is_weight = gradients.any(|check| check.gradient.weights.iter().any(|weights| weights.name == arg.name));
        is_unknown || is_weight || self.has_forward_param(&arg.name) || is_addressed(arg, launch)
    }
}

/// Whether an argument is a buffer whose address another argument holds. Such a buffer need not be a parameter.
/// A misspelled address counts too, so that the mistake is reported once, at the address.
pub(in super::super) fn is_addressed(arg: &Arg, launch: &Launch) -> bool {
    let names = |address: &Address| address.of == arg.name || address.closest(launch) == Some(&arg.name);
    let mut addresses = launch.args.iter().flat_map(|arg| arg.spec.addresses());
    matches!(arg.spec, Spec::Buffer { .. }) && addresses.any(names)
}

/// The parameters of an entry with their types.
pub(super) fn params(entry: &Body) -> impl Iterator<Item = (&str, Type)> {
    let types = entry.regions[0].args.iter().map(|&value| entry.ty(value));
    entry.params.iter().map(|name| &**name).zip(types)
}
