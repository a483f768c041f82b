//! Removal of unused parameters, and of their arguments in launches.

use super::units::{Cuts, Units};
use crate::reduce::edits::EditSet;
use crate::reduce::program::{Item, ParsedProgram};
use tile_analysis::ir::Value;
use tile_analysis::lines::comment_lines_above;
use tile_syntax::{Node, NodeKind};

/// The unused parameters of all entries, last first.
pub(super) fn params(program: &ParsedProgram) -> Box<dyn Units + '_> {
    Cuts::boxed(program, program.items.iter().flat_map(|item| of_item(program, item)))
}

fn of_item(program: &ParsedProgram, item: &Item) -> Vec<EditSet> {
    let tree = &item.tree;
    let mut nodes = tree.descendants(Node::ROOT);
    let Some(signature) = nodes.find(|&node| tree.kind(node) == NodeKind::Signature) else { return Vec::new() };
    let params: Vec<Node> = tree.children_of(signature, NodeKind::Param).collect();
    let Some(body) = item.lowered.body.regions.first() else { return Vec::new() };
    if body.args.len() != params.len() {
        return Vec::new();
    }
    let is_used = |value: Value| item.lowered.spans.uses.iter().any(|(_, used)| *used == value);
    let unused = (0..params.len()).rev().filter(|&index| !is_used(body.args[index]));
    let one = |index: usize| {
        let mut edits = EditSet::default();
        let own = tree.range(params[index]);
        // Includes the comma after the parameter, or the one before the last parameter.
        let next = params.get(index + 1).map(|&next| own.start..tree.range(next).start);
        let last = || index.checked_sub(1).map(|before| tree.range(params[before]).end..own.end);
        edits.replace(item.in_file(&next.or_else(last).unwrap_or(own)), "");
        let name = item.lowered.body.params.get(index).map_or("", |name| name);
        remove_arguments(program, item, name, &mut edits);
        edits
    };
    unused.map(one).collect()
}

/// Removes the arguments for a parameter from the launches of an entry.
fn remove_arguments(program: &ParsedProgram, item: &Item, name: &str, edits: &mut EditSet) {
    let block = comment_lines_above(&program.text, item.range.start as usize);
    for launch in tile_launch::parse(&program.text, block).launches {
        for arg in launch.args.iter().filter(|arg| arg.name == name) {
            let start = program.text[..arg.range.start].rfind('\n').map_or(0, |found| found + 1);
            edits.remove(&program.text, start as u32..arg.range.end as u32);
        }
    }
}
