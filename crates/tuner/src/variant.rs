//! Variants of a kernel: entries with the same parameters and a launch with the same arguments.

use crate::hints::EntryText;
use crate::search::Candidate;
use std::sync::Arc;
use tile_analysis::diagnostic::Edit;
use tile_analysis::ir::Body;
use tile_analysis::source::Spans;
use tile_backend::worker::Job;
use tile_launch::Launch;
use tile_launch::find::EntryLaunches;

/// A variant of a kernel.
#[derive(Clone)]
pub struct Variant {
    /// Its file and entry, such as `gemm.tile @gemm`.
    pub title: String,
    /// The entry.
    pub body: Arc<Body>,
    /// The ranges of its parts.
    pub spans: Arc<Spans>,
    /// The offset of its item in the file.
    pub start: u32,
    /// The run of its launch, unchanged.
    pub job: Job,
}

impl Variant {
    /// An entry with the run of its launch.
    pub fn new(title: String, entry: &EntryLaunches, job: Job) -> Variant {
        Variant { title, body: entry.entry.clone(), spans: entry.spans.clone(), start: entry.start, job }
    }

    /// The job of a candidate of this variant; `None` if an op has no place for its hints.
    pub fn job(&self, candidate: &Candidate, architecture: &str) -> Option<Job> {
        let text = self.text().with(&candidate.hints, architecture)?;
        let mut job = Job { text, ..self.job.clone() };
        job.compile.opt_level = candidate.opt_level.or(job.compile.opt_level);
        Some(job)
    }

    /// The edits that write the hints of a candidate into the program.
    pub fn edits(&self, candidate: &Candidate, architecture: &str) -> Option<Vec<Edit>> {
        self.text().edits(&candidate.hints, architecture)
    }

    fn text(&self) -> EntryText<'_> {
        EntryText { text: &self.job.text, start: self.start, body: &self.body, spans: &self.spans }
    }

    /// What prevents a comparison with another variant: a parameter or an argument that differs.
    pub fn difference(&self, other: &Variant) -> Option<String> {
        let types = |variant: &Variant| -> Vec<String> {
            let body = &variant.body;
            body.regions[0].args.iter().map(|&value| body.ty(value).to_string()).collect()
        };
        let (own, others) = (types(self), types(other));
        if own.len() != others.len() {
            return Some(format!("it has {} parameters instead of {}", own.len(), others.len()));
        }
        if let Some(index) = (0..own.len()).find(|&index| own[index] != others[index]) {
            let name = self.body.params.get(index).map_or("", |name| name);
            return Some(format!("its parameter `%{name}` is a {} instead of a {}", own[index], others[index]));
        }
        // Parameters correspond by position, and their arguments by the names of the parameters.
        let arguments = |variant: &Variant| -> Vec<Option<String>> {
            let launch: Launch = variant.job.launch.clone().without_ranges();
            variant.body.params.iter().map(|name| Some(launch.arg(name)?.spec.to_string())).collect()
        };
        let (own, others) = (arguments(self), arguments(other));
        let index = (0..own.len()).find(|&index| own[index] != others[index])?;
        let shown = |argument: &Option<String>| argument.clone().unwrap_or_else(|| "nothing".to_string());
        let name = self.body.params.get(index).map_or("", |name| name);
        Some(format!("the argument of `%{name}` is {} instead of {}", shown(&own[index]), shown(&others[index])))
    }
}
