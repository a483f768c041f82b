//! Fixes for ops with syntax errors, and for types that disagree with the operands.
//!
//! An op with syntax errors is reprinted from its row and from the parts that the parser found (`reprint`). The fix is
//! offered only if it adds nothing except marks, keywords and types that follow from the operands, keeps the order of
//! the user's tokens, and yields text that the parser accepts (`insertion`).

mod clash;
mod insertion;
mod literal;
mod reprint;
mod shape;
mod swap;
mod types;

pub(crate) use insertion::missing_marks;
pub(crate) use types::types_text;
pub(super) use types::written;

use super::Lowerer;
use super::infer::Signature;
use super::op::Draft;
use super::op_syntax::OpSyntax;
use super::problem::Repair;
use crate::diagnostic::{Applicability, Fix};
use crate::diagnostics as d;
use insertion::{Insertion, Source};
use reprint::{Reprint, Reprinted};
use std::ops::Range;
use tile_dialect::{AttrKind, Mnemonic, Named};
use tile_syntax::{ErrorKind, Expected, Node, NodeKind};
use types::Types;

impl Lowerer<'_> {
    /// Offers fixes for the problems of an op in custom form.
    pub(super) fn offer_fixes(&mut self, draft: &Draft<'_>) {
        let Draft { node, named, syntax, .. } = draft;
        if draft.spans.generic {
            return;
        }
        if draft.is_broken {
            let (signature, is_guess) = self.with_likely_result(draft);
            self.offer_repair(*node, *named, syntax, &signature, is_guess);
        } else if self.problems.len() > draft.problems {
            self.offer_types(draft);
            self.offer_sibling(draft);
            self.offer_swap(draft);
        }
    }

    /// Offers fixes for the syntax errors of an op in custom form. `is_guess` says that the type of the result is free,
    /// and that of the signature is only a likely one.
    fn offer_repair(&mut self, node: Node, named: Named, parts: &OpSyntax, signature: &Signature, is_guess: bool) {
        let errors = self.header_errors(node, parts);
        self.offer_values(node, parts, signature, &errors);
        if self.offer_token(named.row, parts, &errors) {
            return;
        }
        let source = Source { text: self.text, tree: self.tree };
        let marks = source.marks_inside(node, errors.iter().map(|&number| &self.tree.errors[number]));
        let derived = signature.derived(named.row);
        let types = Types {
            form: named.form(),
            row: named.row,
            signature: derived.as_ref().unwrap_or(signature),
            version: self.context.options.version,
            is_certain: derived.is_some(),
        };
        let Some(Reprinted { added, choice }) = Reprint::new(&source, node, &types).op() else { return };
        let is_types_only = !is_guess && marks.is_empty() && choice.is_none() && added.len() == 1 && added[0].types;
        let marks = merged(marks.into_iter().chain(added));
        let Some((place, attr)) = choice else {
            // Operands of the wrong class may belong to another part of the form.
            let is_unknown = parts.types.iter().any(|(_, ty, _)| ty.is_unknown())
                || signature.operands.iter().any(|operand| operand.actual.is_unknown());
            let is_safe = !is_guess && (derived.is_some() || is_unknown);
            let applicability = if is_safe { Applicability::Safe } else { Applicability::Unsafe };
            return self.offer_insertions(node, &errors, &marks, is_types_only, applicability);
        };
        let AttrKind::Enum { of, only, wrapper: "" } = named.row.attrs[attr as usize].kind else { return };
        for keyword in d::allowed_keywords(of, only) {
            let with_keyword = with_keyword(&marks, Insertion::new(place, keyword.to_string()));
            self.offer_insertions(node, &errors, &with_keyword, false, Applicability::Unsafe);
        }
    }

    /// Offers fixes for the syntax errors of the header of an entry.
    pub(super) fn offer_function_repair(&mut self, node: Node, op: Mnemonic) {
        if !self.has_syntax_error(&self.range(node)) {
            return;
        }
        let row = op.row();
        let regions = self.tree.children_of(node, NodeKind::Region).map(|region| (0, region)).collect();
        let parts = OpSyntax { regions, ..OpSyntax::default() };
        self.offer_repair(node, Named { row, spelling: None }, &parts, &Signature::new(row), false);
    }

    /// Offers fixes for missing marks in an op in generic form, which is not described by a form of its row.
    pub(super) fn offer_marks(&mut self, node: Node, parts: &OpSyntax) {
        let errors = self.header_errors(node, parts);
        let source = Source { text: self.text, tree: self.tree };
        let marks = source.marks_inside(node, errors.iter().map(|&number| &self.tree.errors[number]));
        if marks.len() == errors.len() {
            self.offer_insertions(node, &errors, &marks, false, Applicability::Safe);
        }
    }

    /// Attaches a fix with these insertions to the syntax errors of an op, if it removes all of them.
    fn offer_insertions(
        &mut self,
        node: Node,
        errors: &[usize],
        insertions: &[Insertion],
        is_types_only: bool,
        applicability: Applicability,
    ) {
        let source = Source { text: self.text, tree: self.tree };
        let Some(edits) = source.edits(node, insertions) else { return };
        let words: Vec<&str> = insertions.iter().map(|insertion| insertion.text.as_str()).collect();
        let title = format!("insert `{}`", words.join("` and `"));
        // An insertion inside a name only fixes the error about that name.
        let mut all_inside = insertions.iter().filter_map(|insertion| insertion.inside);
        let inside = all_inside.next();
        if all_inside.next().is_some() {
            return;
        }
        for &number in errors {
            let error = &self.tree.errors[number];
            let is_region = matches!(error.kind, ErrorKind::Expected(Expected::Text("{" | "}")));
            let is_about = inside.is_none_or(|at| error.range == (at..at));
            if !matches!(error.kind, ErrorKind::Expected(_)) || is_region || !is_about {
                continue;
            }
            if is_types_only {
                self.problems.repair(number, Repair::Types(words[0].to_string()));
            }
            let fix = Fix::new(title.clone(), applicability, edits.clone());
            self.problems.of_syntax(number).fixes.push(fix);
        }
    }

    /// The indices of the syntax errors in an op, not counting its regions. An error at its start or at the end of a
    /// region can belong to another op.
    fn header_errors(&self, node: Node, parts: &OpSyntax) -> Vec<usize> {
        let regions: Vec<Range<u32>> = parts.regions.iter().map(|&(_, region)| self.range(region)).collect();
        let is_inside = |at: u32| regions.iter().any(|region| region.start < at && at <= region.end);
        let whole = self.range(node);
        let errors = self.problems.syntax_errors_in(&whole);
        errors
            .filter(|&number| {
                let start = self.problems.syntax_place(number).start;
                start > whole.start && !is_inside(start)
            })
            .collect()
    }

    /// Offers replacements for the literals and bare names among the operands of an op.
    fn offer_values(&mut self, node: Node, parts: &OpSyntax, signature: &Signature, errors: &[usize]) {
        for &number in errors {
            match self.tree.errors[number].kind {
                ErrorKind::NotAValue(..) => self.offer_value(node, number, signature),
                ErrorKind::BareLiteral(..) => self.offer_typed_literal(number, parts),
                _ => {}
            }
        }
    }
}

/// Insertions in source order, with those before the same token merged.
fn merged(insertions: impl Iterator<Item = Insertion>) -> Vec<Insertion> {
    let mut all: Vec<Insertion> = insertions.collect();
    all.sort_by_key(|insertion| insertion.before);
    all.dedup_by(|later, earlier| later.inside.is_none() && earlier.inside.is_none() && earlier.absorb(later));
    all
}

/// Insertions including a keyword for an attribute that the user must choose.
fn with_keyword(insertions: &[Insertion], keyword: Insertion) -> Vec<Insertion> {
    let mut all = insertions.to_vec();
    match all.iter_mut().find(|other| other.before == keyword.before) {
        // A comma introduces the keyword; types follow it.
        Some(other) if other.text.starts_with(',') => other.text = format!("{} {}", other.text, keyword.text),
        Some(other) => other.text = format!("{} {}", keyword.text, other.text),
        None => all.push(keyword),
    }
    all.sort_by_key(|insertion| insertion.before);
    all
}
