//! Uses of features that a GPU lacks. The dialect's tables list the GPUs that support each feature.

pub use crate::context::GpuTarget;

use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{Body, Op, OpId, Value};
use crate::source::Spans;
use crate::types::{Scalar, Type, TypeKind};
use tile_dialect::{AttrKind, Element, Limit, PTR_ATTR, Support};

/// A GPU feature that an op needs.
pub(crate) struct Requirement {
    /// The name of the feature, as the subject of a message.
    pub(crate) what: String,
    /// The GPUs that support it.
    pub(crate) support: Support,
    /// The type that needs the feature, if the op itself does not.
    ty: Option<Type>,
}

/// Reports, at the names of ops, each use of a feature that the target lacks. Ranges are relative to the same start as
/// those of `spans`.
///
/// A feature of a type is reported only where the type first appears, not at ops whose operands already have it.
pub fn lacks(body: &Body, spans: &Spans, target: GpuTarget) -> Vec<Diagnostic> {
    let mut reported = vec![false; body.values.len()];
    // Arguments of nested regions come from the operands of an earlier op.
    let nested = body.regions.iter().skip(1).flat_map(|region| &region.args);
    nested.for_each(|arg| reported[arg.0 as usize] = true);
    let mut walk = Walk { body, spans, target, reported, found: Vec::new() };
    for (index, op) in body.ops.iter().enumerate() {
        walk.op(OpId(index as u32), op);
    }
    walk.found
}

/// Returns the GPU-specific features that an op needs: the op itself, parts of its types, and its limits.
pub(crate) fn requirements(body: &Body, op: &Op) -> Vec<Requirement> {
    let row = op.op.row();
    let mut all = Vec::new();
    if !row.gpus.is_everywhere() {
        all.push(Requirement { what: format!("`{}`", row.name), support: row.gpus, ty: None });
    }
    let mut named: Vec<&str> = Vec::new();
    for ty in values(body, op).map(|value| body.ty(value)) {
        for (name, support) in features(ty) {
            if !named.contains(&name) {
                named.push(name);
                all.push(Requirement { what: format!("`{name}`"), support, ty: Some(ty) });
            }
        }
    }
    for limit in row.limits.iter().filter(|limit| applies(body, op, limit)) {
        let ((_, keyword), (_, element)) = (limit.attr, limit.operand);
        let what = format!("`{keyword}` of `{element}` in `{}`", row.name);
        all.push(Requirement { what, support: limit.gpus, ty: None });
    }
    all
}

fn values<'b>(body: &'b Body, op: &Op) -> impl Iterator<Item = Value> + use<'b> {
    body.operands(op).iter().copied().chain(body.results(op))
}

fn applies(body: &Body, op: &Op, limit: &Limit) -> bool {
    let row = op.op.row();
    let ((attr, keyword), (operand, element)) = (limit.attr, limit.operand);
    let has_keyword = row.attr_named(attr).is_some_and(|(index, row)| match row.kind {
        AttrKind::Enum { of, .. } => body.attr(op, index).as_enum().is_some_and(|value| of.keyword(value) == keyword),
        _ => false,
    });
    let value = row.operand_named(operand).and_then(|(index, _)| body.operand(op, index));
    has_keyword && value.and_then(|value| element_of(body.ty(value))) == Some(element)
}

struct Walk<'a> {
    body: &'a Body,
    spans: &'a Spans,
    target: GpuTarget,
    /// The values whose types have been reported or need no report.
    reported: Vec<bool>,
    found: Vec<Diagnostic>,
}

impl Walk<'_> {
    fn op(&mut self, id: OpId, op: &Op) {
        let missing = requirements(self.body, op).into_iter().filter(|found| self.target.lacks(found.support));
        let missing: Vec<Requirement> = missing.collect();
        // If the op itself is not supported, reporting its types would add nothing.
        let op_is_missing = self.target.lacks(op.op.row().gpus);
        for requirement in &missing {
            let follows = requirement.ty.is_some() && (op_is_missing || self.is_known(op, &requirement.what));
            if !follows {
                self.report(id, requirement);
            }
        }
        if missing.iter().any(|requirement| requirement.ty.is_some()) {
            values(self.body, op).for_each(|value| self.reported[value.0 as usize] = true);
        }
    }

    /// Whether another op or a parameter already introduced this feature in the type of one of the op's values.
    fn is_known(&self, op: &Op, what: &str) -> bool {
        let has_it = |value: Value| features(self.body.ty(value)).any(|(name, _)| what.trim_matches('`') == name);
        values(self.body, op).any(|value| self.reported[value.0 as usize] && has_it(value))
    }

    fn report(&mut self, id: OpId, Requirement { what, support, ty }: &Requirement) {
        let Some(range) = self.spans.op_names.get(id.0 as usize) else { return };
        let found = d::not_on_gpu(range.clone(), what, *support, self.target.gpu, self.target.compiler);
        self.found.push(match ty {
            Some(ty) => found.here(format!("uses `{ty}`")),
            None => found,
        });
    }
}

/// Returns the parts of a type that not every GPU supports, each with the GPUs that support it.
pub(crate) fn features(ty: Type) -> impl Iterator<Item = (&'static str, Support)> {
    let element = element_of(ty).map(|element| (element.name(), element.row().gpus));
    let attr = pointer_attr(ty).and_then(|attr| PTR_ATTR.values.get(usize::from(attr)));
    let all = element.into_iter().chain(attr.map(|value| (value.name, value.gpus)));
    all.filter(|(_, support)| !support.is_everywhere())
}

/// Returns the element type that a type holds, points to or describes.
fn element_of(ty: Type) -> Option<Element> {
    match ty.kind() {
        TypeKind::Number(number) => Some(*number),
        TypeKind::Pointer(pointer) => Some(pointer.to),
        TypeKind::Tile(tile) => match tile.element {
            Scalar::Number(number) => Some(number),
            Scalar::Pointer(pointer) => Some(pointer.to),
        },
        TypeKind::TensorView(view) => Some(view.element),
        TypeKind::TileView(view) => Some(view.tensor().element),
        TypeKind::Unknown | TypeKind::Token | TypeKind::Foreign(_) | TypeKind::Preview(_) => None,
    }
}

/// Returns the attribute of the pointers that a type holds, or of the memory that it describes.
fn pointer_attr(ty: Type) -> Option<u8> {
    match ty.kind() {
        TypeKind::Pointer(pointer) => pointer.attr,
        TypeKind::Tile(tile) => tile.pointer()?.attr,
        TypeKind::TensorView(view) => view.attr,
        TypeKind::TileView(view) => view.tensor().attr,
        TypeKind::Number(_) | TypeKind::Unknown | TypeKind::Token | TypeKind::Foreign(_) | TypeKind::Preview(_) => None,
    }
}
