//! Lowering of an op: the part that both forms share.

use super::infer::Signature;
use super::op_syntax::{OpSpans, OpSyntax};
use super::problem::{Kind, Problem, Taint};
use super::{Frame, Lowerer};
use crate::build::BodyBuilder;
use crate::diagnostic::Severity;
use crate::diagnostics as d;
use crate::diagnostics::TypeMismatch;
use crate::ir::{Attr, OpId, RegionId, Value};
use crate::preview;
use crate::types::Type;
use crate::verify;
use smallvec::SmallVec;
use std::ops::Range;
use tile_dialect::{AttrKind, Mnemonic, Named, OpRow, OperandName, RegionArgs, lookup, ops};
use tile_syntax::{NO_SLOT, Node, NodeKind, Token};

/// An op as parsed from one of the two forms, with its parts assigned to those of its row.
pub(super) struct Draft<'s> {
    pub(super) node: Node,
    pub(super) named: Named,
    pub(super) syntax: &'s OpSyntax,
    pub(super) spans: OpSpans,
    pub(super) attrs: SmallVec<[Attr; 4]>,
    pub(super) signature: Signature,
    pub(super) header: Header,
    /// Whether it has a syntax error outside its regions, so that the parser may have misread its parts.
    pub(super) is_broken: bool,
    /// Whether the text has the number of operands, types and regions that the row requires.
    pub(super) is_counted: bool,
    /// The number of problems before its types were read.
    pub(super) problems: usize,
}

/// The types that the header of a loop states.
#[derive(Default)]
pub(super) struct Header {
    /// The type of the induction variable.
    pub(super) induction: Option<Type>,
    /// The types of the carried values.
    pub(super) carried: Vec<Type>,
}

impl<'a> Lowerer<'a> {
    /// Lowers one statement into a region.
    pub(super) fn op(&mut self, node: Node, region: RegionId) {
        let slot = self.tree.slot(node);
        // The header of an unknown op may define names that are not known either.
        let is_refused = self.is_refused(node, slot);
        let is_unknown = slot == NO_SLOT || is_refused;
        self.names.broken_headers += u32::from(is_unknown);
        let mut syntax = self.parts(node);
        let is_generic = syntax.name.is_some_and(|name| self.tree.token(name, 0) == Token::String);
        let row = ops().get(usize::from(slot)).filter(|_| !is_unknown);
        match row.map(|row| self.named(row, &syntax)) {
            Some(named) => {
                let mut draft = if is_generic {
                    self.generic_form(node, named, &mut syntax)
                } else {
                    self.custom_form(node, named, &mut syntax)
                };
                self.finish_op(&mut draft, region);
            }
            None if is_generic && !is_refused => self.foreign_op(node, region, &syntax),
            None => self.unknown_op(node, region, &syntax),
        }
        self.names.broken_headers -= u32::from(is_unknown);
    }

    /// An op with the spelling in the text.
    fn named(&self, row: &'static OpRow, syntax: &OpSyntax) -> Named {
        let written = syntax.name.map_or(row.name, |name| self.tree.text(name, self.text).trim_matches('"'));
        let usual = Named { row, spelling: None };
        if written == row.name { usual } else { lookup(written).unwrap_or(usual) }
    }

    /// Reports an op of the preview that is not allowed here. Returns whether it did.
    fn is_refused(&mut self, node: Node, slot: u8) -> bool {
        let Some(row) = ops().get(slot as usize).filter(|row| row.is_preview()) else { return false };
        let name = self.tree.child(node, NodeKind::OpName).unwrap_or(node);
        let place = self.range(name);
        match preview::refusal(&self.context.options) {
            Some(refused) => self.report(d::preview_refused(place, row.name, refused)),
            None if preview::is_item(row.op) => {
                self.report(d::preview_rule(place, format!("`{}` must be next to entries, not inside one", row.name)))
            }
            None => return false,
        }
        true
    }

    /// Lowers an op that is not in the table: its results have unknown types, and its regions are lowered as usual.
    fn unknown_op(&mut self, node: Node, region: RegionId, parts: &OpSyntax) {
        for &(token, count) in &parts.results {
            let first = self.unknown_values(token, count);
            self.define(token, first, count);
        }
        self.frames.push(Frame::unread(Mnemonic::Module));
        for child in self.tree.descendants(node).skip(1) {
            if self.tree.kind(child) == NodeKind::Region && self.is_outermost_region(node, child) {
                self.nested_region(child, region);
            }
        }
        self.frames.pop();
    }

    fn is_outermost_region(&self, node: Node, region: Node) -> bool {
        self.tree.children_of(node, NodeKind::Region).any(|child| child == region)
            || self
                .tree
                .children_of(node, NodeKind::Error)
                .any(|error| self.tree.children_of(error, NodeKind::Region).any(|child| child == region))
    }

    /// Checks an op, adds it to a region and lowers its regions.
    fn finish_op(&mut self, draft: &mut Draft<'_>, region: RegionId) {
        let row = draft.named.row;
        let is_read = draft.is_counted && !draft.is_broken;
        let agrees = draft.is_broken || self.compare_uses(row, &draft.signature);
        draft.signature.complete(row, draft.syntax);
        if is_read {
            self.check_names_count(draft);
        }
        let mut is_sound = agrees && is_read && self.check_types(row, &draft.signature, &draft.spans);
        is_sound = is_sound && draft.signature.is_known();
        self.offer_fixes(draft);
        if !draft.is_broken {
            self.check_version(draft);
        }
        let attrs = std::mem::take(&mut draft.attrs);
        let op = self.push(draft, attrs, region);
        is_sound = is_sound && self.verify(op, &draft.spans);
        if row.is_terminator() && agrees {
            if draft.is_broken {
                self.taint_missing_types(row.op, &self.range(draft.node))
            } else {
                self.terminator(op)
            }
        }
        if !is_sound {
            self.taint_results(op, row, agrees && is_read);
        }
        self.names.broken_headers += u32::from(!is_read);
        self.with_pending(op, draft.syntax, |this| this.op_regions(op, draft, is_sound));
        self.names.broken_headers -= u32::from(!is_read);
    }

    /// Marks the results of an invalid op as tainted.
    fn taint_results(&mut self, op: OpId, row: &OpRow, is_read: bool) {
        // A literal is checked against the type after it, so the stated type of a constant is unreliable too.
        let is_literal = row.attrs.iter().any(|attr| matches!(attr.kind, AttrKind::Dense));
        let taint = if is_read && !is_literal { Taint::Stated } else { Taint::Unread };
        let body = self.builder.body();
        self.tainted.extend(body.results(body.op(op)).map(|result| (result, taint)));
    }

    /// Checks the rules of an op. Returns whether it satisfies them.
    fn verify(&mut self, op: OpId, places: &OpSpans) -> bool {
        if !self.context.options.rules {
            return true;
        }
        let mut found = Vec::new();
        verify::op(&self.cx(places), op, &mut found);
        let sound = found.iter().all(|found| found.severity != Severity::Error);
        self.report_rules(found, &places.name);
        sound
    }

    /// Checks the rules about an op and its regions, which have been lowered now.
    fn verify_regions(&mut self, op: OpId, places: &OpSpans) {
        if !self.context.options.rules {
            return;
        }
        let mut found = Vec::new();
        verify::regions(&self.cx(places), op, &mut found);
        if !found.is_empty() {
            return self.report_rules(found, &places.name);
        }
        verify::contents(&self.cx(places), op, &mut found);
        self.report_all(found);
    }

    fn cx<'c>(&'c self, places: &'c OpSpans) -> verify::Cx<'c> {
        verify::Cx { body: self.builder.body(), context: self.context, places, spans: &self.spans, text: self.text }
    }

    /// Whether there is a syntax error in the op itself rather than in its regions.
    pub(super) fn has_header_error(&self, whole: &Range<u32>, parts: &OpSyntax) -> bool {
        if !self.has_syntax_error(whole) {
            return false;
        }
        let in_region = |at: u32| {
            parts.regions.iter().any(|(_, region)| {
                let range = self.range(*region);
                range.start < at && at < range.end
            })
        };
        let mut starts = self.problems.syntax_errors_in(whole).map(|number| self.problems.syntax_place(number).start);
        starts.any(|start| start >= whole.start && !in_region(start))
    }

    /// Reports every operand whose type differs from the one that the op states. Returns whether there was none.
    fn compare_uses(&mut self, row: &'static OpRow, signature: &Signature) -> bool {
        let mut agreed = true;
        let mut found: Vec<(Value, TypeMismatch)> = Vec::new();
        let groups = row.operands.iter().enumerate();
        let operands = groups.flat_map(|(index, row)| signature.operand_group(index).map(move |at| (row.class, at)));
        for (class, at) in operands {
            let operand = &signature.operands[at];
            let Some(stated) = operand.stated else { continue };
            if operand.actual.is_unknown() && !self.names.undeclared.is_empty() {
                self.expect_type(operand.value, stated);
            }
            if stated == operand.actual || stated.is_unknown() || operand.actual.is_unknown() {
                continue;
            }
            agreed = false;
            // Several uses of a value with the same wrong type are reported together.
            let same = found.iter_mut().take(8).find(|(value, it)| *value == operand.value && it.stated == stated);
            if let Some((_, same)) = same {
                same.others.push(operand.place.clone());
                continue;
            }
            let definition = self.spans.definitions.get(operand.value.0 as usize).cloned().unwrap_or(0..0);
            let name = &self.text[operand.place.start as usize..operand.place.end as usize];
            let (place, actual) = (operand.place.clone(), operand.actual);
            let op = row.name;
            let mismatch = TypeMismatch { name, place, others: Vec::new(), stated, class, op, actual, definition };
            found.push((operand.value, mismatch));
        }
        for (value, found) in found {
            let taint = self.tainted.get(&value).copied();
            let params = &self.builder.body().region(BodyBuilder::ENTRY).args;
            let is_parameter = params.last().is_some_and(|last| value <= *last);
            let kind = Kind::Mismatch { found, is_parameter, taint };
            self.report(Problem { is_tainted: taint.is_some(), ..kind.into() });
        }
        agreed
    }

    /// Reports a wrong number of result names.
    fn check_names_count(&mut self, draft: &Draft) {
        let names = &draft.syntax.results;
        let (Some(first), Some(last)) = (names.first(), names.last()) else { return };
        let named: u32 = names.iter().map(|(_, count)| count).sum();
        let has = draft.signature.results.len() as u32;
        if named != has && !draft.spans.name.is_empty() {
            let place = self.token_range(first.0).start..self.token_range(last.0).end;
            self.report(d::result_count(place, draft.named.row.name, has, named));
        }
    }

    fn push(&mut self, draft: &Draft, attrs: SmallVec<[Attr; 4]>, region: RegionId) -> OpId {
        let Draft { syntax, signature, .. } = draft;
        let row = draft.named.row;
        let regions: SmallVec<[RegionId; 2]> =
            syntax.regions.iter().take(row.regions.len()).map(|_| self.builder.add_region(&[])).collect();
        let values: SmallVec<[Value; 8]> = signature.operands.iter().map(|operand| operand.value).collect();
        let groups: SmallVec<[&[Value]; 8]> =
            (0..row.operands.len()).map(|index| &values[signature.operand_group(index)]).collect();
        let results: SmallVec<[Type; 4]> = signature.results.iter().map(|ty| ty.unwrap_or(Type::unknown())).collect();
        let op = self.builder.push_op(region, row.op, &groups, attrs, &results, &regions);
        self.spans.op_names.push(draft.spans.name.clone());
        self.spans.statements.push(self.range(draft.node));
        self.locate_op(op, syntax.location);
        op
    }

    fn op_regions(&mut self, op: OpId, draft: &Draft, is_sound: bool) {
        let Draft { syntax, header, spans, named: Named { row, .. }, .. } = draft;
        if syntax.regions.is_empty() {
            return;
        }
        let body = self.builder.body();
        let results = body.results(body.op(op)).map(|value| body.ty(value)).collect();
        let carried = self.carried_types(op, row, header);
        let regions: Vec<RegionId> = body.regions_of(body.op(op)).collect();
        let mut is_sound = is_sound;
        self.frames.push(Frame {
            op: row.op,
            name: spans.name.clone(),
            results,
            carried: carried.clone(),
            is_tainted: !is_sound,
        });
        for (&(slot, node), &region) in syntax.regions.iter().zip(&regions) {
            let region_row = row.regions.get(usize::from(slot));
            let mark = self.names.scope.mark();
            match region_row.map(|row| row.args) {
                Some(RegionArgs::Listed) => self.listed_args(Some(region), &syntax.block_args),
                Some(RegionArgs::Header) => {
                    self.header_args(row.op, region, &syntax.block_args, header.induction, &carried)
                }
                _ => {}
            }
            if !is_sound {
                // The error may be in the types that the header states for them.
                let args = &self.builder.body().region(region).args;
                self.tainted.extend(args.iter().map(|&arg| (arg, Taint::Stated)));
            }
            // Custom form can omit terminators, generic form cannot.
            if let Some(region_row) = region_row.filter(|row| is_sound && spans.generic && !row.optional)
                && self.is_blank(node)
            {
                is_sound = false;
                self.report(d::empty_region(spans.name.clone(), row.name, region_row.name));
            }
            self.region(node, region, region_row);
            self.names.scope.leave(mark);
        }
        self.frames.pop();
        if is_sound {
            self.verify_regions(op, spans);
        }
    }

    /// The types of the carried values of a loop: those that its header states, otherwise those of the initial values.
    fn carried_types(&self, op: OpId, row: &'static OpRow, header: &Header) -> Vec<Type> {
        let body = self.builder.body();
        let Some((index, _)) = row.operand(OperandName::InitValues) else { return Vec::new() };
        let first = body.group(body.op(op), index);
        let count = first.len().max(header.carried.len());
        let actual = |at: usize| first.get(at).map_or(Type::unknown(), |&value| body.ty(value));
        (0..count).map(|at| header.carried.get(at).copied().unwrap_or_else(|| actual(at))).collect()
    }
}
