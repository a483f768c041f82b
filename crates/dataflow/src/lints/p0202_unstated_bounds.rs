//! P0202: unstated bounds.

use super::entry::{Entry, in_every_launch};
use crate::access::{Access, Direction};
use crate::volume::Volume;
use tile_analysis::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use tile_analysis::diagnostics::accesses::UNSTATED_BOUNDS;
use tile_analysis::ir::Attr;
use tile_dialect::Version;

/// Reports an access to a tensor of unknown extents that is inside of it in every launch, without saying so.
pub(super) fn unstated(entry: &Entry<'_>, access: &Access, version: Version) -> Option<Diagnostic> {
    let body = entry.names.body;
    let op = body.op(access.op);
    let row = op.op.row();
    let attr = row.attrs.iter().position(|attr| attr.name == "inbounds")?;
    // Loads and stores have it since 13.4, reductions since 13.5.
    let since = if access.direction == Direction::Update { Version::V13_5 } else { Version::V13_4 };
    let is_dynamic = access.shape.iter().any(|extent| extent.as_number().is_none());
    if *body.attr(op, attr) != Attr::Absent || !is_dynamic || version < since || entry.launches.is_empty() {
        return None;
    }
    let is_inside =
        |volume: Volume| volume.coverage.outside + volume.coverage.out_of_bounds == 0 && volume.executions.count > 0;
    if !entry.volumes(access).all(|(_, volume)| volume.is_some_and(is_inside)) {
        return None;
    }
    let found =
        Diagnostic::new(&UNSTATED_BOUNDS, entry.name(access.op), format!("`{}` could promise `inbounds`", row.name));
    let found = found.note(format!("no tile extends beyond the tensor {}", in_every_launch(entry)));
    let Some(at) = before_types(entry, access) else { return Some(found) };
    let content = format!(" inbounds = [{}]", vec!["true"; access.shape.len()].join(", "));
    let edits = vec![Edit { range: at..at, content }];
    Some(found.with_fix(Fix::new("add `inbounds`", Applicability::Unsafe, edits)))
}

/// The end of the operands and attributes of an op: where the blanks before the colon of its types begin.
fn before_types(entry: &Entry<'_>, access: &Access) -> Option<u32> {
    let start = entry.name(access.op).end;
    let statement = entry.names.spans.statements[access.op.0 as usize].clone();
    let text = entry.text(start..statement.end);
    let mut depth = 0;
    let colon = text.bytes().position(|byte| {
        match byte {
            b'[' | b'<' | b'{' | b'(' => depth += 1,
            b']' | b'>' | b'}' | b')' => depth -= 1,
            _ => {}
        }
        depth == 0 && byte == b':'
    })?;
    let operands = &text[..colon];
    // The types of an op in generic form are elsewhere, and a comment can contain anything.
    let is_plain = !operands.contains("//") && !entry.text(entry.name(access.op)).starts_with('"');
    is_plain.then(|| start + operands.trim_end().len() as u32)
}
