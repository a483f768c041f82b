//! An entry with its launches.

use super::forward::ForwardEntry;
use crate::bind::{ForwardKernel, Kernels};
use crate::directive::{Directives, Launch, name_of};
use crate::known::launched;
use std::ops::Range;
use std::sync::Arc;
use tile_analysis::ir::Body;
use tile_analysis::lower::Allowance;
use tile_analysis::range_analysis::NamedLaunch;
use tile_analysis::source::Spans;

/// An entry and the launches above it.
#[derive(Clone, Debug)]
pub struct EntryLaunches {
    /// The entry.
    pub entry: Arc<Body>,
    /// The offset of its item in the file, in bytes.
    pub start: u32,
    /// The ranges of its parts, in bytes from its start.
    pub spans: Arc<Spans>,
    /// The range of its name in the file, in bytes.
    pub name: Range<u32>,
    /// Its launches, and the errors in its directives.
    pub directives: Directives,
    /// The entries that the `forward` lines of its launches name.
    pub(super) forwards: Vec<(String, ForwardEntry)>,
    /// The lints that its comments allow.
    pub allowances: Vec<Allowance>,
    /// Whether the entry itself has errors.
    pub has_errors: bool,
}

impl EntryLaunches {
    /// A title for the entry and one of its launches: `@gemm, launch "square", grid (2, 2, 1)`.
    pub fn title(&self, launch: Option<&Launch>) -> String {
        let launches = &self.directives.launches;
        let is_it = |other: &Launch| launch.is_some_and(|launch| other.range == launch.range);
        let Some(index) = launches.iter().position(is_it) else { return format!("@{}", self.entry.name) };
        let name = name_of(launches, index).map_or_else(String::new, |name| format!(" \"{name}\""));
        let [x, y, z] = launches[index].grid;
        format!("@{}, launch{name}, grid ({x}, {y}, {z})", self.entry.name)
    }

    /// The launches that tests run, by number: those that are not for benchmarks.
    pub fn tests(&self) -> impl Iterator<Item = usize> + '_ {
        let launches = self.directives.launches.iter().enumerate();
        launches.filter(|(_, launch)| !launch.is_bench).map(|(index, _)| index)
    }

    /// The launches that are measured, by number: those for benchmarks, or all if there are none.
    pub fn timed(&self) -> Vec<usize> {
        let launches = &self.directives.launches;
        let benches: Vec<usize> = (0..launches.len()).filter(|&index| launches[index].is_bench).collect();
        if benches.is_empty() { (0..launches.len()).collect() } else { benches }
    }

    /// The known values of its launches.
    pub fn named_launches(&self) -> impl Iterator<Item = NamedLaunch> + '_ {
        let launches = &self.directives.launches;
        launches.iter().enumerate().map(|(index, launch)| {
            let name = name_of(launches, index);
            let name = name.map_or_else(|| "the launch".to_string(), |name| format!("the launch \"{name}\""));
            NamedLaunch { name, values: launched(&self.entry, launch) }
        })
    }

    /// The entries that a launch runs. An entry that none of the launches above names is unknown.
    pub fn kernels(&self, launch: &Launch) -> Kernels<'_> {
        let forward = match &launch.forward {
            None => ForwardKernel::Same,
            Some(forward) => {
                self.forward(&forward.entry).map_or(ForwardKernel::Unknown { closest: None }, ForwardEntry::kernel)
            }
        };
        Kernels { entry: &self.entry, forward }
    }

    /// The entry that `forward` lines of the launches call by this name.
    pub(crate) fn forward(&self, name: &str) -> Option<&ForwardEntry> {
        self.forwards.iter().find(|(known, _)| known == name).map(|(_, entry)| entry)
    }
}
