//! Programs that measure what GPUs support: one for each op and combination of element types that the checker accepts,
//! generated from the templates in `gpus/programs.toml`.

mod frame;
pub mod refusals;
mod templates;

use crate::programs::{Lowered, lower};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use templates::Program;
use tile_analysis::batch::{self, Checked, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::gpu::GpuTarget;
use tile_analysis::ir::Body;
use tile_dialect::Version;

/// A program that is valid at a version.
pub struct Valid {
    /// Unique key: its ops, element types and other choices.
    pub key: String,
    /// The ops under test.
    pub ops: Vec<String>,
    /// The text of its entry and of the globals that it uses.
    item: String,
    checked: Checked,
}

impl Valid {
    fn of(program: Program, version: Version) -> Option<Valid> {
        let Program { key, ops, item } = program;
        let options = Options { version, ..Options::default() };
        let checked = batch::check(&module([&item]), options, |_| Keep::Everything);
        let is_wrong = checked.diagnostics.iter().any(|found| found.severity == Severity::Error);
        (!is_wrong).then_some(Valid { key, ops, item, checked })
    }

    /// Returns a diagnostic for each feature that it uses and the target lacks.
    pub fn lacks(&self, target: GpuTarget) -> Vec<Diagnostic> {
        self.checked.program("").lacks(target)
    }

    /// Its entry.
    pub fn body(&self) -> &Body {
        let entry = self.checked.items.iter().find_map(|(_, lowered)| lowered.as_ref());
        &entry.expect("the program has an entry").body
    }
}

/// Returns the text of one module with an entry for each program.
pub fn module_of<'p>(programs: impl IntoIterator<Item = &'p Valid>) -> String {
    module(programs.into_iter().map(|program| &program.item))
}

fn module<'p>(items: impl IntoIterator<Item = &'p String>) -> String {
    let items: Vec<&str> = items.into_iter().map(String::as_str).collect();
    format!("cuda_tile.module @programs {{\n{}}}\n", items.concat())
}

/// Every program of the templates that is valid at a version. They are generated once for all tests.
pub fn programs(version: Version) -> &'static [Valid] {
    static BY_VERSION: Mutex<BTreeMap<Version, &'static [Valid]>> = Mutex::new(BTreeMap::new());
    let mut by_version = BY_VERSION.lock().unwrap_or_else(PoisonError::into_inner);
    by_version.entry(version).or_insert_with(|| {
        let valid = templates::all().into_iter().filter_map(|program| Valid::of(program, version));
        Vec::leak(valid.collect())
    })
}

/// The language version of a release of the compiler, such as `13.5.37`.
pub fn version_of(release: &str) -> Version {
    let version = Version::ALL.into_iter().rev().find(|version| release.starts_with(version.name()));
    version.expect("a release of a known version")
}

/// Lowers a text, or returns the messages of its errors.
pub fn meaning(text: &str, version: Version) -> Result<Lowered, Vec<String>> {
    lower(text, "programs.tile", Options { version, ..Options::default() })
}
