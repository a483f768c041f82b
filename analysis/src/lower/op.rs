//! Lowering one op in custom form.

use super::generic_attr::generic_value;
use super::infer::{Operand, Signature};
use super::op_syntax::{OpSpans, OpSyntax};
use super::{Frame, Lowerer};
use crate::build::BodyBuilder;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::diagnostics as d;
use crate::ir::{Attr, OpId, RegionId, Value};
use crate::preview;
use crate::read::attr::{Read, Reader};
use crate::read::dict::{Entry, entries_of};
use crate::types::Type;
use crate::verify;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;
use tile_dialect::form::{Form, Slot, TypeCount, TypePiece};
use tile_dialect::{Arity, AttrKind, AttrRow, Mnemonic, Named, OpRow, RegionArgs, TYPE_NAMES, lookup, ops};
use tile_syntax::{NO_SLOT, Node, NodeKind, Token};

/// The types that the header of a loop states.
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
        // What an unknown op defines in its header is unknown too.
        let is_refused = self.is_refused(node, slot);
        let is_unknown = slot == NO_SLOT || is_refused;
        self.broken_headers += u32::from(is_unknown);
        let mut parts = self.parts(node);
        let is_generic = parts.name.is_some_and(|name| self.tree.token(name, 0) == Token::String);
        match ops().get(slot as usize) {
            _ if is_refused => self.unknown_op(node, region, &parts),
            _ if is_generic => self.generic_op(node, region, &mut parts),
            Some(row) if slot != NO_SLOT => {
                let written = parts.name.map_or(row.name, |name| self.tree.text(name, self.text));
                let usual = Named { row, spelling: None };
                let named = if written == row.name { usual } else { lookup(written).unwrap_or(usual) };
                self.known_op(node, region, named, &mut parts);
            }
            _ => self.unknown_op(node, region, &parts),
        }
        self.broken_headers -= u32::from(is_unknown);
    }

    /// Reports an op of the preview that is not allowed here. Returns whether it did.
    fn is_refused(&mut self, node: Node, slot: u8) -> bool {
        let Some(row) = ops().get(slot as usize).filter(|row| row.is_preview()) else { return false };
        let name = self.tree.child(node, NodeKind::OpName).unwrap_or(node);
        let place = self.range(name);
        match preview::refusal(&self.context.options) {
            Some(refused) => self.report(d::preview_refused(place, row.name, refused)),
            None if preview::is_item(row.op) => {
                self.report(d::preview_rule(place, format!("`{}` belongs next to entries, not inside one", row.name)))
            }
            None => return false,
        }
        true
    }

    /// The results of a wrong op are not compared with their uses.
    pub(super) fn doubt(&mut self, op: OpId) {
        let body = self.builder.body();
        self.doubtful.extend(body.results(body.op(op)));
    }

    /// An op that the table lacks: its results have unknown types, and what its regions hold is lowered all the same.
    pub(super) fn unknown_op(&mut self, node: Node, region: RegionId, parts: &OpSyntax) {
        for &(token, count) in &parts.results {
            let first = self.unknown_value(self.token_range(token));
            for _ in 1..count {
                self.unknown_value(self.token_range(token));
            }
            self.define(token, first, count);
        }
        self.frames.push(Frame::unread(Mnemonic::Module));
        for child in self.tree.descendants(node).skip(1) {
            if self.tree.kind(child) == NodeKind::Region && self.is_outermost_region(node, child) {
                self.loose_region(child, region);
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

    pub(super) fn known_op(&mut self, node: Node, region: RegionId, named: Named, parts: &mut OpSyntax) {
        let row = named.row;
        self.skip_left_out(row, named.form(), parts);
        settle_pointer_type(named.form(), parts);
        let parts = &*parts;
        let whole = self.range(node);
        let broken = self.has_header_error(&whole, parts);
        let mut places = self.places(row, named.form(), parts);
        if row.op == Mnemonic::PreviewCall {
            self.lost_prefixes(parts);
        }
        let attrs = self.attrs(row, parts, &mut places);
        self.hint_absent(row, parts);
        let mut signature = self.signature_of(row, parts);
        let told = self.diagnostics.len();
        let counted = self.declare(named, parts, &mut signature, broken);
        signature.infer(row);
        // The parser may have taken what it found for something else.
        let agreed = broken || self.compare_uses(&signature);
        signature.adopt_actual_types();
        signature.infer(row);
        count_results(row, parts, &mut signature);
        if counted && !broken {
            self.check_names_count(row, parts, &signature, &places);
        }
        let mut sound = agreed && counted && !broken && self.check_types(row, &signature, &places);
        sound = sound && signature.is_known();
        if broken {
            self.offer_repair(node, named, parts, &signature.with_shape(row, &attrs));
        } else if self.diagnostics.len() > told {
            self.offer_types(node, named, parts, &signature, told);
            self.offer_sibling(row, parts, &signature, told);
            self.offer_swap(row, named.form(), parts, &signature, told);
        }
        if !broken {
            self.check_version(node, named, parts, (&attrs, &places.attrs), &signature);
        }
        let header = self.header_types(row, named.form(), parts);
        let op = self.push(row, region, parts, signature, attrs, &places, whole);
        sound = sound && self.verify(op, &places);
        if row.is_terminator() && agreed {
            match broken {
                true => self.forgive_missing_types(row.op, &self.range(node)),
                false => self.terminator(op),
            }
        }
        if !sound {
            self.doubt(op);
            // Literals are compared with the type behind them, so that the type of a constant is what it says.
            let is_literal = row.attrs.iter().any(|attr| matches!(attr.kind, AttrKind::Dense));
            if agreed && counted && !broken && !is_literal {
                let body = self.builder.body();
                self.disputable.extend(body.results(body.op(op)));
            }
        }
        self.broken_headers += u32::from(broken || !counted);
        self.with_pending(op, parts, |this| this.op_regions(op, row, parts, &header, &places, !sound));
        self.broken_headers -= u32::from(broken || !counted);
    }

    /// Reports types without a prefix in a function type, where MLIR reads them.
    fn lost_prefixes(&mut self, parts: &OpSyntax) {
        for &(.., node) in &parts.types {
            let (name, start) = (self.tree.first_text(node, self.text), self.range(node).start);
            if TYPE_NAMES.contains(&name) && !self.has_syntax_error(&self.range(node)) {
                self.report(d::lost_prefix(start..start + name.len() as u32, name, "in a function type"));
            }
        }
    }

    /// Checks the rules of an op. Whether it keeps them.
    pub(super) fn verify(&mut self, op: OpId, places: &OpSpans) -> bool {
        if !self.context.options.rules {
            return true;
        }
        let mut found = Vec::new();
        verify::op(&self.cx(places), op, &mut found);
        let sound = found.iter().all(|found| found.severity != Severity::Error);
        self.report_rules(found, &places.name);
        sound
    }

    /// Checks the rules about an op and what its regions hold, which are known by now.
    pub(super) fn verify_regions(&mut self, op: OpId, places: &OpSpans) {
        if !self.context.options.rules {
            return;
        }
        let mut found = Vec::new();
        verify::regions(&self.cx(places), op, &mut found);
        if !found.is_empty() {
            return self.report_rules(found, &places.name);
        }
        verify::contents(&self.cx(places), op, &mut found);
        self.diagnostics.append(&mut found);
    }

    fn cx<'c>(&'c self, places: &'c OpSpans) -> verify::Cx<'c> {
        verify::Cx { body: self.builder.body(), context: self.context, places, spans: &self.spans, text: self.text }
    }

    /// Whether the parser found something wrong with the op itself rather than with what its regions hold.
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
        let mut errors = self.syntax_errors[self.errors_in(whole)].iter();
        errors.any(|error| error.start >= whole.start && !in_region(error.start))
    }

    fn places(&self, row: &'static OpRow, form: &Form, parts: &OpSyntax) -> OpSpans {
        let name = parts.name.map_or(0..0, |name| self.range(name));
        let mut attrs = smallvec![name.clone(); row.attrs.len()];
        for &(slot, node) in &parts.attrs {
            attrs[slot as usize] = self.range(node);
        }
        let types = parts.types.iter().filter(|(slot, ..)| (*slot as usize) < form.types.len());
        let types = types.flat_map(|&(slot, _, node)| {
            form.types[slot as usize].slots.iter().map(move |&part| (part, self.range(node)))
        });
        let mixed =
            parts.mixed.iter().map(|(slot, number)| (*slot, number.map(|(value, node)| (value, self.range(node)))));
        OpSpans { name, attrs, types: types.collect(), literal: None, mixed: mixed.collect(), generic: false }
    }

    fn attrs(&mut self, row: &'static OpRow, parts: &OpSyntax, places: &mut OpSpans) -> SmallVec<[Attr; 4]> {
        let mut attrs: SmallVec<[Attr; 4]> = row.attrs.iter().map(Attr::default_of).collect();
        for &(slot, node) in &parts.attrs {
            let tokens = self.tree.tokens_of(node);
            let attr_row = &row.attrs[slot as usize];
            let is_list = matches!(attr_row.kind, AttrKind::Hints | AttrKind::Dense);
            let range = self.range(node);
            let is_broken = if is_list { self.has_syntax_error(&range) } else { self.is_unreadable(&range) };
            if tokens.is_empty() || is_broken {
                continue;
            }
            let read = self.read_value(node, |reader| match attr_row.kind {
                AttrKind::ConstArgs => preview::attribute(attr_row, &mut preview::Reader::new(*reader, self.context)),
                AttrKind::Dense => reader.literal().map(|literal| {
                    places.literal = Some(literal.written);
                    Attr::Dense(Box::new(literal.dense))
                }),
                AttrKind::Hints => reader.hints(Some(self.context)).map(|hints| Attr::Hints(Box::new(hints))),
                _ => reader.attr(attr_row),
            });
            match read {
                Ok(Some(value)) => attrs[slot as usize] = value,
                Ok(None) => {}
                Err(diagnostic) => self.report(*diagnostic),
            }
        }
        self.dict_attrs(row, parts, &mut attrs, places);
        attrs
    }

    /// The op's own attributes in its dictionary. They are written as in generic form, and what they say counts, whatever
    /// the form says.
    fn dict_attrs(&mut self, row: &'static OpRow, parts: &OpSyntax, attrs: &mut [Attr], places: &mut OpSpans) {
        let Some(dict) = parts.dict else { return };
        let reported = self.diagnostics.len();
        if !self.check_dict(dict) {
            return self.offer_full_keywords(row, dict, reported);
        }
        for Entry { name, node: entry, value } in entries_of(self.tree, self.text, dict) {
            if let ("operandSegmentSizes" | "operand_segment_sizes", Some(value)) = (name, value) {
                self.dict_segments(row, parts, name, value);
            }
            let Some((index, attr_row)) = row.attr(name) else { continue };
            if matches!(attr_row.kind, AttrKind::Dense | AttrKind::Type | AttrKind::DictList) {
                continue;
            }
            places.attrs[index] = self.range(value.unwrap_or(entry));
            match self.dict_attr(attr_row, entry, value) {
                Ok(Some(value)) => attrs[index] = value,
                Ok(None) => {}
                Err(diagnostic) => self.report(*diagnostic),
            }
        }
    }

    /// Offers the full form of a keyword that is the bare value of an entry: `reduction = add`.
    fn offer_full_keywords(&mut self, row: &OpRow, dict: Node, reported: usize) {
        let mut fixes = Vec::new();
        for Entry { name, value, .. } in entries_of(self.tree, self.text, dict) {
            let Some((_, AttrRow { kind: AttrKind::Enum { of, .. }, .. })) = row.attr(name) else { continue };
            let Some(value) = value.filter(|&value| self.tree.tokens_of(value).len() == 1) else { continue };
            let word = self.tree.first_text(value, self.text);
            if let Some(keyword) = of.value(word) {
                fixes.push((self.range(value), of.literal(keyword)));
            }
        }
        let [(place, full)] = &fixes[..] else { return };
        for found in self.diagnostics[reported..].iter_mut() {
            *found = found.clone().safe_fix(format!("write `{full}`"), place.clone(), full.clone());
        }
    }

    /// How many operands stand in which group, which the dictionary of an op in custom form may only repeat. NVIDIA's reader
    /// of `make_tensor_view` writes one of the two names itself. A list of another length is nobody's.
    fn dict_segments(&mut self, row: &'static OpRow, parts: &OpSyntax, name: &str, value: Node) {
        if row.operands.iter().filter(|operand| operand.arity != Arity::One).count() < 2 {
            return;
        }
        let count = |index| parts.operands.iter().filter(|(slot, ..)| *slot as usize == index).count();
        let counts: Vec<usize> = (0..row.operands.len()).map(count).collect();
        let said = self.read_value(value, |reader| reader.array("i32", Reader::integer)).ok().flatten();
        let is_other = said.is_some_and(|said| {
            said.len() == counts.len() && !said.iter().zip(&counts).all(|(&said, &count)| said == count as i64)
        });
        if is_other || row.op == Mnemonic::MakeTensorView && name == "operandSegmentSizes" {
            self.report(d::segment_sizes(self.range(value), name, &counts));
        }
    }

    fn dict_attr(&self, row: &AttrRow, entry: Node, value: Option<Node>) -> Read<Option<Attr>> {
        match (value, row.kind) {
            (Some(value), _) => self.read_value(value, |reader| generic_value(reader, row, self.context)),
            (None, AttrKind::Flag(_)) => Ok(Some(Attr::Flag)),
            (None, _) => Err(Box::new(d::missing_value(self.range(entry), row.name))),
        }
    }

    /// The operands in the order of the row, with the types that their definitions gave them.
    fn signature_of(&self, row: &'static OpRow, parts: &OpSyntax) -> Signature {
        let mut signature = Signature::new(row);
        for index in 0..row.operands.len() {
            let group = parts.operands.iter().filter(|(slot, ..)| *slot as usize == index);
            for &(_, node, value) in group {
                signature.push_operand(value, self.builder.body().ty(value), self.range(node));
            }
            signature.end_group();
        }
        signature
    }

    /// Takes over the types that the text states. Whether there are as many as there should be.
    fn declare(&mut self, named: Named, parts: &OpSyntax, signature: &mut Signature, broken: bool) -> bool {
        let (row, form) = (named.row, named.form());
        let mut counted = true;
        for (number, piece) in form.types.iter().enumerate() {
            let stated: SmallVec<[(Type, Node); 4]> = parts
                .types
                .iter()
                .filter(|(slot, ..)| *slot as usize == number)
                .map(|&(_, ty, node)| (ty, node))
                .collect();
            let Some(&(first, node)) = stated.first() else {
                counted &= broken || self.check_types_left_out(row, piece, signature);
                continue;
            };
            let is_about_nothing = |slot: &Slot| match *slot {
                Slot::Operand(index) => signature.operand_group(index as usize).is_empty(),
                _ => false,
            };
            if let Some(Slot::Operand(index)) = piece.slots.first()
                && piece.slots.iter().all(is_about_nothing)
            {
                counted = false;
                if !broken {
                    let what = row.operands[*index as usize].name;
                    self.report(d::type_count(self.range(node), row.name, what, 0, stated.len()));
                }
                continue;
            }
            for &slot in &piece.slots {
                let (count, what) = match slot {
                    Slot::Operand(index) => {
                        (signature.operand_group(index as usize).len(), row.operands[index as usize].name)
                    }
                    Slot::Result(index) => {
                        let is_list = row.results[index as usize].arity == Arity::Variadic;
                        if is_list && piece.count == TypeCount::Each {
                            let first = signature.mirrored(row, index).unwrap_or(stated.len());
                            signature.set_result_count(index as usize, first);
                        }
                        (signature.result_group(index as usize).len(), row.results[index as usize].name)
                    }
                    Slot::Attr(_) => {
                        signature.constant = Some(first);
                        continue;
                    }
                };
                let all_same = matches!(piece.count, TypeCount::One | TypeCount::Attributed)
                    || piece.count == TypeCount::OneOrEach && stated.len() == 1;
                if !all_same && stated.len() != count {
                    let range = self.range(node).start..self.range(stated[stated.len() - 1].1).end;
                    counted = false;
                    if !broken {
                        let name = parts.name.map_or(0..0, |name| self.range(name));
                        self.report_rules([d::type_count(range, row.name, what, count, stated.len())], &name);
                    }
                }
                for position in 0..count {
                    let stated = if all_same { stated.first() } else { stated.get(position) };
                    if let Some(&(ty, _)) = stated {
                        signature.declare(slot, position, ty);
                    }
                }
                if matches!(slot, Slot::Result(_)) && piece.count == TypeCount::One {
                    signature.result_default = Some(first);
                }
            }
        }
        counted
    }

    /// Types that may be left out only where there is no value that they are about. Whether that is so.
    fn check_types_left_out(&mut self, row: &'static OpRow, piece: &TypePiece, signature: &Signature) -> bool {
        let values = piece.slots.iter().find_map(|slot| match *slot {
            Slot::Operand(index) => {
                let group = signature.operand_group(index as usize);
                Some((signature.operands.get(group.start).filter(|_| !group.is_empty())?, index))
            }
            _ => None,
        });
        let Some((first, index)) = values else { return true };
        if piece.count == TypeCount::Attributed && !first.actual.has_pointer_attr() {
            return true;
        }
        let found = d::type_left_out(first.place.clone(), row.name, row.operands[index as usize].name);
        self.report(found);
        false
    }

    /// Reports every operand that is used with another type than it has. Whether there was none.
    pub(super) fn compare_uses(&mut self, signature: &Signature) -> bool {
        let mut agreed = true;
        let told = self.diagnostics.len();
        for (index, operand) in signature.operands.iter().enumerate() {
            let Some(stated) = operand.stated else { continue };
            if operand.actual.is_unknown() && !self.undeclared.is_empty() {
                self.take(operand.value, stated);
            }
            if stated != operand.actual && !stated.is_unknown() && !operand.actual.is_unknown() {
                agreed = false;
                if self.doubtful.contains(&operand.value) && !self.is_first_dispute(operand.value) {
                    continue;
                }
                let params = &self.builder.body().region(BodyBuilder::ENTRY).args;
                if params.last().is_some_and(|last| operand.value <= *last) {
                    self.disputed.insert(operand.value);
                }
                // A value that is taken for the wrong type twice is one mistake.
                let same = |before: &Operand| before.value == operand.value && before.stated == operand.stated;
                if signature.operands[..index.min(8)].iter().any(same)
                    && let Some(last) = self.diagnostics[told..].last_mut()
                {
                    last.labels.push(Label { range: operand.place.clone(), message: "here too".into() });
                    continue;
                }
                let definition = self.spans.definitions.get(operand.value.0 as usize).cloned().unwrap_or(0..0);
                let name = &self.text[operand.place.start as usize..operand.place.end as usize];
                self.diagnostics.push(d::type_mismatch(
                    operand.place.clone(),
                    name,
                    stated,
                    operand.actual,
                    definition,
                ));
            }
        }
        agreed
    }

    /// Keeps the type that the first use of an undeclared name gives it, and suggests only values of that type.
    fn take(&mut self, value: Value, stated: Type) {
        let mut names = self.undeclared.iter_mut();
        let Some((&name, undeclared)) = names.find(|(_, name)| name.stand_in == value && !stated.is_unknown()) else {
            return;
        };
        if undeclared.taken.is_some() {
            return;
        }
        undeclared.taken = Some(stated);
        if let Some(told) = undeclared.told {
            let range = self.diagnostics[told].range.clone();
            self.diagnostics[told] = self.undeclared_value(range, name, stated);
        }
    }

    /// Whether this is the first use of a value with another type than an op states that breaks a rule by it. Which of the
    /// two is wrong cannot be told; NVIDIA's checker tells of the use.
    fn is_first_dispute(&mut self, value: Value) -> bool {
        self.disputable.contains(&value) && !std::mem::replace(&mut self.has_disputed, true)
    }

    /// Whether as many names stand on the left as there are results.
    fn check_names_count(&mut self, row: &'static OpRow, parts: &OpSyntax, signature: &Signature, places: &OpSpans) {
        let named: u32 = parts.results.iter().map(|(_, count)| count).sum();
        let has = signature.results.len() as u32;
        let optional_token = has > named && parts.results.len() == named as usize && has == 0;
        if named != 0 && named != has && !optional_token && !places.name.is_empty() {
            let first = self.token_range(parts.results[0].0).start;
            let last = self.token_range(parts.results[parts.results.len() - 1].0).end;
            self.report(d::result_count(first..last, row.name, has, named));
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn push(
        &mut self,
        row: &'static OpRow,
        region: RegionId,
        parts: &OpSyntax,
        signature: Signature,
        attrs: impl IntoIterator<Item = Attr>,
        places: &OpSpans,
        whole: Range<u32>,
    ) -> OpId {
        let regions: SmallVec<[RegionId; 2]> =
            parts.regions.iter().take(row.regions.len()).map(|_| self.builder.add_region(&[])).collect();
        let values: SmallVec<[Value; 8]> = signature.operands.iter().map(|operand| operand.value).collect();
        let groups: SmallVec<[&[Value]; 8]> =
            (0..row.operands.len()).map(|index| &values[signature.operand_group(index)]).collect();
        let results: SmallVec<[Type; 4]> = signature.results.iter().map(|ty| ty.unwrap_or(Type::unknown())).collect();
        let op = self.builder.push_op(region, row.op, &groups, attrs, &results, &regions);
        self.spans.op_names.push(places.name.clone());
        self.spans.statements.push(whole);
        self.locate_op(op, parts.location);
        op
    }

    /// Gives the names on the left of `=` to the results. Names that have no result stand for an unknown value, so
    /// that their uses are not reported too.
    pub(super) fn name_results(&mut self, op: OpId, parts: &OpSyntax) {
        let results = self.builder.body().op(op).results.clone();
        let name = self.spans.op_names[op.0 as usize].clone();
        for value in results.clone() {
            self.place_value(Value(value), name.clone());
        }
        let mut next = results.start;
        let told = self.diagnostics.len();
        for &(token, count) in &parts.results {
            let first = if next + count <= results.end {
                Value(next)
            } else {
                let first = self.unknown_value(self.token_range(token));
                for _ in 1..count {
                    self.unknown_value(self.token_range(token));
                }
                first
            };
            next += count;
            self.define(token, first, count);
        }
        // A statement that stands twice is one mistake, however many names it gives.
        if self.diagnostics.len() > told + 1 {
            let more = self.diagnostics.split_off(told + 1);
            let so_is = |found: Diagnostic| Label { range: found.range, message: "so is this".into() };
            self.diagnostics[told].labels.extend(more.into_iter().map(so_is));
        }
    }

    fn op_regions(
        &mut self,
        op: OpId,
        row: &'static OpRow,
        parts: &OpSyntax,
        header: &Header,
        places: &OpSpans,
        loose: bool,
    ) {
        if parts.regions.is_empty() {
            return;
        }
        let body = self.builder.body();
        let results = body.results(body.op(op)).map(|value| body.ty(value)).collect();
        let carried = self.carried_types(op, row, header);
        let name = places.name.clone();
        self.frames.push(Frame { op: row.op, name, results, carried: carried.clone(), has_loose_ends: loose });
        let regions: Vec<RegionId> = self.builder.body().regions_of(self.builder.body().op(op)).collect();
        for (index, &(slot, node)) in parts.regions.iter().enumerate().take(regions.len()) {
            let region = regions[index];
            let mark = self.scope.mark();
            match row.regions.get(slot as usize).map(|row| row.args) {
                Some(RegionArgs::Listed) => self.listed_args(region, &parts.block_args),
                Some(RegionArgs::Header) => {
                    self.header_args(row.op, region, &parts.block_args, header.induction, &carried)
                }
                _ => {}
            }
            if loose {
                // What the header says of them may be what is wrong with it.
                let args = &self.builder.body().region(region).args;
                self.doubtful.extend(args.iter().copied());
                self.disputable.extend(args.iter().copied());
            }
            self.region(node, region, row.regions.get(slot as usize));
            self.scope.leave(mark);
        }
        self.frames.pop();
        if !loose {
            self.verify_regions(op, places);
        }
    }

    /// What a loop carries from one iteration to the next: as many values as it has first values, of the types that its
    /// header states or else of theirs.
    fn carried_types(&self, op: OpId, row: &'static OpRow, header: &Header) -> Vec<Type> {
        let body = self.builder.body();
        let Some((index, _)) = row.operand("initValues") else { return Vec::new() };
        let first = body.group(body.op(op), index);
        let count = first.len().max(header.carried.len());
        let actual = |at: usize| first.get(at).map_or(Type::unknown(), |&value| body.ty(value));
        (0..count).map(|at| header.carried.get(at).copied().unwrap_or_else(|| actual(at))).collect()
    }

    /// The types that the header of a loop states. They hold even where an operand is missing or unknown.
    fn header_types(&self, row: &'static OpRow, form: &Form, parts: &OpSyntax) -> Header {
        if row.regions.is_empty() {
            return Header { induction: None, carried: Vec::new() };
        }
        let stated = |wanted: &dyn Fn(Slot) -> bool| -> Vec<Type> {
            let of_slot = |number: u8| {
                form.types.get(number as usize).is_some_and(|piece| piece.slots.iter().any(|&slot| wanted(slot)))
            };
            parts.types.iter().filter(|(number, ..)| of_slot(*number)).map(|&(_, ty, _)| ty).collect()
        };
        let first_values = row.operand("initValues").map(|(index, _)| index as u8);
        let is_for = row.op == Mnemonic::For;
        Header {
            induction: if is_for { stated(&|slot| slot == Slot::Operand(0)).first().copied() } else { None },
            carried: stated(&|slot| match slot {
                Slot::Operand(index) => Some(index) == first_values,
                Slot::Result(_) => is_for,
                Slot::Attr(_) => false,
            }),
        }
    }
}

/// How many results there are, for ops whose form does not say it: as many as their operand has dimensions, or as the text
/// names.
fn count_results(row: &'static OpRow, parts: &OpSyntax, signature: &mut Signature) {
    let (Some(default), [only]) = (signature.result_default, row.results) else { return };
    if only.arity != Arity::Variadic {
        return;
    }
    let named: u32 = parts.results.iter().map(|(_, count)| count).sum();
    let operand = signature.operands.first().map_or(Type::unknown(), |operand| operand.actual);
    let rank = operand
        .as_tensor_view()
        .map(|view| view.shape.len())
        .or_else(|| operand.as_tile_view().map(|view| view.tile.len()));
    signature.set_result_count(0, rank.unwrap_or(named as usize));
    for position in 0..signature.result_group(0).len() {
        signature.declare(Slot::Result(0), position, default);
    }
}

/// The parser cannot see whether an alias alone in front of an arrow stands for a pointer; its type says so.
fn settle_pointer_type(form: &Form, parts: &mut OpSyntax) {
    let Some(pointer) = form.types.iter().position(|piece| piece.count == TypeCount::Attributed) else { return };
    let pointer = pointer as u8;
    if parts.types.iter().any(|(slot, ..)| *slot == pointer) {
        return;
    }
    let is_operand = |slot: u8| matches!(form.types[slot as usize].slots.first(), Some(Slot::Operand(_)));
    let mut types =
        parts.types.iter_mut().filter(|(slot, ..)| (*slot as usize) < form.types.len() && is_operand(*slot));
    if let Some((slot, ty, _)) = types.next()
        && ty.as_tile().is_some_and(|tile| tile.pointee().is_some())
    {
        *slot = pointer;
    }
}
