//! Parts of a program that the target version does not support, or that it names differently.

use super::Lowerer;
use super::op::Draft;
use super::problem::Problem;
use super::repair;
use crate::diagnostic::{Diagnostic, Edit};
use crate::diagnostics as d;
use crate::ir::Attr;
use crate::types::{Access, Pointer, Scalar, TileType, Type, TypeKind};
use std::ops::Range;
use std::sync::OnceLock;
use tile_dialect::{AttrKind, AttrRow, COUNT, Element, Named, OpRow, PTR_ATTR, Spelling, Version, type_since};
use tile_syntax::{Node, NodeKind};

impl<'a> Lowerer<'a> {
    /// Reports parts of an op that are newer than the target version, and a name from another version.
    pub(super) fn check_version(&mut self, draft: &Draft<'_>) {
        let (row, target) = (draft.named.row, self.context.options.version);
        if newest_part(row) <= target && row.spellings.is_empty() {
            return;
        }
        let Some(name) = draft.syntax.name.map(|name| self.range(name)) else { return };
        if row.since > target {
            return self.report(d::newer(name, &format!("`{}`", row.name), row.since, target));
        }
        self.check_spelling(draft);
        for &(slot, place, _) in &draft.syntax.operands {
            if let Some(operand) = row.operands.get(slot as usize).filter(|operand| operand.since > target) {
                let what = format!("the operand `{}` of `{}`", operand.name, row.name);
                self.report(d::newer(self.range(place), &what, operand.since, target));
            }
        }
        for (index, attr_row) in row.attrs.iter().enumerate() {
            let (place, attr) = (&draft.spans.attrs[index], &draft.attrs[index]);
            // A flag in generic form has no value to report it at.
            if *place != name || attr.is_flag() {
                self.report_all(newer_attr(row, attr_row, attr, place.clone(), target));
            }
        }
    }

    /// Reports a name of the op from another version. Every version has one name for an op.
    fn check_spelling(&mut self, draft: &Draft<'_>) {
        let (row, target) = (draft.named.row, self.context.options.version);
        if self.context.options.any_names {
            return;
        }
        let Some(name) = draft.syntax.name.map(|name| self.range(name)) else { return };
        let is_meant = |spelling: &Spelling| spelling.until.is_some_and(|until| target < until);
        let found = match (draft.named.spelling, row.spellings.iter().find(|spelling| is_meant(spelling))) {
            (Some(used), None) => {
                let Some(until) = used.until else { return };
                let to = Named { row, spelling: None };
                let edits = self.renaming(draft, used, row.name, to);
                match used.form {
                    Some(_) => d::old_spelling(name, used.name, row.name, until, edits),
                    None => d::renamed_op(name, used.name, row.name, until, edits),
                }
            }
            (None, Some(meant)) => {
                let Some(since) = meant.until else { return };
                let edits = if draft.syntax.results.is_empty() || meant.form.is_none() {
                    let to = Named { row, spelling: Some(meant) };
                    self.renaming(draft, meant, meant.name, to)
                } else {
                    Vec::new()
                };
                d::new_spelling(name, row.name, meant.name, since, edits)
            }
            _ => return,
        };
        self.report(found);
    }

    /// The edits that rename an op, and rewrite its types in the form of the new name.
    fn renaming(&self, draft: &Draft<'_>, other: &Spelling, to: &str, named: Named) -> Vec<Edit> {
        let Some(name) = draft.syntax.name else { return Vec::new() };
        // In generic form, the operand groups and the results differ too.
        if other.form.is_some() && draft.spans.generic {
            return Vec::new();
        }
        let written = self.tree.text(name, self.text);
        let prefix = written.rfind('.').map_or("", |dot| &written[..=dot]);
        let quote = if draft.spans.generic { "\"" } else { "" };
        let mut edits = vec![Edit { range: self.range(name), content: format!("{prefix}{to}{quote}") }];
        if other.form.is_some() {
            let types = repair::written(named.form(), named.row, &draft.signature, self.context.options.version);
            let (Some(place), Some(types)) = (self.types_place(draft.node, draft.syntax), types) else {
                return Vec::new();
            };
            let blank = self.blank_before(place.end);
            let content = if types.is_empty() { blank.to_string() } else { format!(" {types}{blank}") };
            edits.push(Edit { range: place, content });
        }
        edits
    }

    /// The parts of a written type that are newer than the target version.
    pub(super) fn version_problems(&self, node: Node, ty: Type) -> impl Iterator<Item = Problem<'a>> + use<'a> {
        let text = self.tree.text(node, self.text);
        let options = &self.context.options;
        let found = newer_type(ty, text, self.range(node), options.version);
        let is_f4 = |tile: &TileType| tile.rank() > 0 && tile.pointee() == Some(Element::F4E2M1FN);
        let f4 = ty.as_tile().is_some_and(is_f4);
        let f4 = f4.then(|| d::since_13_5(d::f4_pointers(self.range(node), ty), options));
        found.into_iter().chain(f4).map(Problem::from)
    }

    /// Checks the attributes of an entry or a function.
    pub(super) fn check_attr_versions(&mut self, row: &OpRow, node: Node) {
        let target = self.context.options.version;
        for attr in self.tree.children_of(node, NodeKind::Attr) {
            let attr_row = &row.attrs[self.tree.slot(attr) as usize];
            self.report_all(newer_attr(row, attr_row, &Attr::Absent, self.range(attr), target));
        }
    }
}

/// Reports an attribute in the text that is newer than the target version, or whose keyword is.
pub(crate) fn newer_attr(
    row: &OpRow,
    attr: &AttrRow,
    value: &Attr,
    place: Range<u32>,
    target: Version,
) -> Option<Diagnostic> {
    if attr.since > target {
        let what = match attr.kind {
            AttrKind::Flag(keyword) => format!("`{keyword}` of `{}`", row.name),
            AttrKind::Enum { wrapper, .. } if !wrapper.is_empty() => format!("`{wrapper}<…>` of `{}`", row.name),
            AttrKind::Enum { of, .. } => format!("the {} of a `{}`", of.title, row.name),
            _ => format!("`{}` of `{}`", attr.name, row.name),
        };
        return Some(d::newer(place, &what, attr.since, target));
    }
    let AttrKind::Enum { of, .. } = attr.kind else { return None };
    let value = of.values.get(value.as_enum()? as usize).filter(|value| value.since > target)?;
    Some(d::newer(place, &format!("`{}`", value.name), value.since, target))
}

/// The newest version that a part of the row requires.
fn newest_part(row: &'static OpRow) -> Version {
    static NEWEST: [OnceLock<Version>; COUNT] = [const { OnceLock::new() }; COUNT];
    *NEWEST[row.op as usize].get_or_init(|| newest(row))
}

fn newest(row: &OpRow) -> Version {
    let attrs = row.attrs.iter().map(|attr| match attr.kind {
        AttrKind::Enum { of, only, .. } => {
            let is_allowed = |index: usize| only.is_empty() || only.contains(&(index as u8));
            let values =
                of.values.iter().enumerate().filter(|(index, _)| is_allowed(*index)).map(|(_, value)| value.since);
            values.chain([attr.since]).max().unwrap_or(attr.since)
        }
        _ => attr.since,
    });
    let operands = row.operands.iter().map(|operand| operand.since);
    attrs.chain(operands).chain([row.since]).max().unwrap_or(row.since)
}

/// The part of a type that is newer than the target version, at its place in the type's text.
pub(crate) fn newer_type(ty: Type, text: &str, range: Range<u32>, target: Version) -> Option<Diagnostic> {
    let (name, since) = features(ty).into_iter().find(|(_, since)| *since > target)?;
    // A part given by an alias is reported where the alias is defined.
    let at = range.start + text.find(name)? as u32;
    let is_attr = PTR_ATTR.value(name).is_some();
    let what = if is_attr { format!("the pointer attribute `{name}`") } else { format!("`{name}`") };
    Some(d::newer(at..at + name.len() as u32, &what, since, target))
}

/// The names of a type's parts, with the versions that introduced them.
fn features(ty: Type) -> Vec<(&'static str, Version)> {
    let element = |element: tile_dialect::Element| (element.name(), element.row().since);
    let attr = |attr: Option<u8>| {
        let value = &PTR_ATTR.values[usize::from(attr?)];
        Some((value.name, value.since))
    };
    let pointer = |pointer: Pointer| [Some(element(pointer.to)), attr(pointer.attr)];
    match ty.kind() {
        TypeKind::Number(number) => vec![element(*number)],
        TypeKind::Pointer(to) => pointer(*to).into_iter().flatten().collect(),
        TypeKind::Tile(tile) => match tile.element {
            Scalar::Number(number) => vec![element(number)],
            Scalar::Pointer(to) => pointer(to).into_iter().flatten().collect(),
        },
        TypeKind::TensorView(view) => [Some(element(view.element)), attr(view.attr)].into_iter().flatten().collect(),
        TypeKind::TileView(view) => {
            let name = match view.access {
                Access::Partition { .. } => "partition_view",
                Access::Strided { .. } => "strided_view",
                Access::GatherScatter { .. } => "gather_scatter_view",
            };
            let mut all = vec![(name, type_since(name))];
            all.extend(features(view.tensor));
            all
        }
        TypeKind::Unknown | TypeKind::Token | TypeKind::Preview(_) | TypeKind::Foreign(_) => Vec::new(),
    }
}
