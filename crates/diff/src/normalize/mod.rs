//! Two programs as texts that differ only where their meanings do, for tools that compare texts.

mod naming;
mod order;
mod rebuild;

use crate::program::{Comparison, entry_pairs, with_stack};
use crate::signature::Renames;
use crate::symbols;
use std::sync::Arc;
use tile_analysis::ir::{Body, Module};
use tile_analysis::print::{self, Names};
use tile_analysis::program::Program;

/// Two programs in the same style.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Normalized {
    /// The first program, reprinted with its own names.
    pub a: String,
    /// The second program, with the names of the first one, and with its ops, carried values and exchangeable operands
    /// in the order of the first one where the meaning allows it. Repeated ops can be missing.
    pub b: String,
}

/// Reprints two programs so that their texts differ only where their meanings do. Comments and locations are not part
/// of the texts, which are not formatted. The programs must be free of errors, and lowered with all source ranges.
pub fn normalized(a: &Program, b: &Program) -> Normalized {
    with_stack(|| normalized_here(a, b))
}

fn normalized_here(a: &Program, b: &Program) -> Normalized {
    let own: Vec<(Arc<Body>, Names)> = (0..a.entries.len()).map(|index| written(a, index)).collect();
    let (_, renames) = symbols::globals(a, b);
    let (module_a, mut module_b) = (a.module(), b.module());
    // The producer is not part of the meaning.
    module_b.producer.clone_from(&module_a.producer);
    let pairs = entry_pairs(a, b).into_iter().filter_map(|(x, y)| Some((x, y?)));
    let mut entries: Vec<(usize, (Arc<Body>, Names))> =
        pairs.map(|(x, y)| (y, x.map_or_else(|| written(b, y), |x| like(a, b, x, y, &renames)))).collect();
    if !module_b.functions.is_empty() {
        // Functions refer to the entries that follow them by number.
        entries.sort_by_key(|(y, _)| *y);
    }
    let position = |name: &str| module_a.globals.iter().position(|global| *global.name == *name);
    module_b.globals.sort_by_key(|global| position(&global.name).unwrap_or(usize::MAX));
    Normalized { a: text(module_a, own), b: text(module_b, entries.into_iter().map(|(_, entry)| entry).collect()) }
}

/// An entry as the text has it.
fn written(program: &Program, index: usize) -> (Arc<Body>, Names) {
    let (start, lowered) = program.entries[index];
    (lowered.body.clone(), Names::written(&program.text[start as usize..], &lowered.spans))
}

/// An entry of the second program in the form of one of the first.
fn like(a: &Program, b: &Program, x: usize, y: usize, renames: &Renames) -> (Arc<Body>, Names) {
    let ((_, names_a), (_, names_b)) = (written(a, x), written(b, y));
    let (body_a, body_b) = (&a.entries[x].1.body, &b.entries[y].1.body);
    let rebuilt = Comparison::of(body_a, body_b, renames, |comparison| {
        let rebuilt = rebuild::rebuild(&comparison)?;
        let names = naming::names(&rebuilt, &names_a, &names_b);
        Some((Arc::new(rebuilt.body), names))
    });
    rebuilt.unwrap_or_else(|| written(b, y))
}

fn text(module: Module, entries: Vec<(Arc<Body>, Names)>) -> String {
    let (entries, names): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    print::with_names(&Module { entries, ..module }, &names, print::Options::default())
}
