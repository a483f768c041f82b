//! Lowering an op in custom form.

use super::Lowerer;
use super::generic_attr::generic_value;
use super::infer::Signature;
use super::op::{Draft, Header};
use super::op_syntax::{OpSpans, OpSyntax};
use super::problem::Kind;
use crate::diagnostic::{Applicability, Edit, Fix};
use crate::diagnostics as d;
use crate::diagnostics::WrongTypeCount;
use crate::ir::Attr;
use crate::preview;
use crate::read::attr::{AttrReader, Read};
use crate::read::dict::{Entry, entries_of};
use crate::types::Type;
use smallvec::{SmallVec, smallvec};
use tile_dialect::form::{Form, Slot, TypeCount, TypePiece};
use tile_dialect::{Arity, AttrKind, AttrRow, Mnemonic, Named, OpRow, OperandName, TYPE_NAMES};
use tile_syntax::Node;

/// The types that the text states for a piece of a form, with their nodes.
type Stated = SmallVec<[(Type, Node); 4]>;

impl Lowerer<'_> {
    /// Assigns the parts of an op in custom form to those of its row.
    pub(super) fn custom_form<'s>(&mut self, node: Node, named: Named, syntax: &'s mut OpSyntax) -> Draft<'s> {
        let row = named.row;
        self.skip_omitted_operands(row, named.form(), syntax);
        settle_pointer_type(named.form(), syntax);
        let is_broken = self.has_header_error(&self.range(node), syntax);
        let mut spans = self.spans_of(row, named.form(), syntax);
        if row.op == Mnemonic::PreviewCall {
            self.missing_prefixes(syntax);
        }
        let attrs = self.attrs(row, syntax, &mut spans);
        self.hint_absent(row, syntax);
        let mut signature = self.signature_of(row, syntax);
        let problems = self.problems.len();
        let is_counted = self.declare(named, syntax, &mut signature, is_broken);
        signature.infer(row);
        let header = self.header_types(row, named.form(), syntax);
        Draft { node, named, syntax, spans, attrs, signature, header, is_broken, is_counted, problems }
    }

    /// Reports types that lack their prefix in a function type, where MLIR requires it.
    fn missing_prefixes(&mut self, parts: &OpSyntax) {
        for &(.., node) in &parts.types {
            let (name, start) = (self.tree.first_text(node, self.text), self.range(node).start);
            if TYPE_NAMES.contains(&name) && !self.has_syntax_error(&self.range(node)) {
                self.report(d::lost_prefix(start..start + name.len() as u32, name, "in a function type"));
            }
        }
    }

    fn spans_of(&self, row: &'static OpRow, form: &Form, parts: &OpSyntax) -> OpSpans {
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
            let range = self.range(node);
            let is_broken = match attr_row.kind {
                AttrKind::Hints | AttrKind::Dense => self.has_syntax_error(&range),
                // Missing text next to a single word does not make it unreadable.
                AttrKind::Enum { wrapper: "", .. } => self.is_error(&range),
                _ => self.is_unreadable(&range),
            };
            if tokens.is_empty() || is_broken {
                continue;
            }
            let read = self.read_value(node, |reader| match attr_row.kind {
                AttrKind::ConstArgs => {
                    preview::attribute(attr_row, &mut preview::PreviewReader::new(*reader, self.context))
                }
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

    /// The op's own attributes in its dictionary. They are written as in generic form, and override those written in
    /// the custom form.
    fn dict_attrs(&mut self, row: &'static OpRow, parts: &OpSyntax, attrs: &mut [Attr], places: &mut OpSpans) {
        let Some(dict) = parts.dict else { return };
        let reported = self.problems.len();
        if !self.check_dict(dict) {
            return self.offer_full_keywords(row, dict, reported);
        }
        for Entry { name, node: entry, value } in entries_of(self.tree, self.text, dict) {
            if let ("operandSegmentSizes" | "operand_segment_sizes", Some(value)) = (name, value) {
                self.dict_segments(row, parts, name, value);
            }
            let Some((index, attr_row)) = row.attr_named(name) else { continue };
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
            let Some((_, AttrRow { kind: AttrKind::Enum { of, .. }, .. })) = row.attr_named(name) else { continue };
            let Some(value) = value.filter(|&value| self.tree.tokens_of(value).len() == 1) else { continue };
            let word = self.tree.first_text(value, self.text);
            if let Some(keyword) = of.value(word) {
                fixes.push((self.range(value), of.literal(keyword)));
            }
        }
        let [(place, full)] = &fixes[..] else { return };
        let edits = vec![Edit { range: place.clone(), content: full.clone() }];
        let fix = Fix::new(format!("write `{full}`"), Applicability::Safe, edits);
        self.problems.since(reported).iter_mut().for_each(|problem| problem.fixes.push(fix.clone()));
    }

    /// Checks the sizes of the operand groups in the dictionary of an op in custom form, which must equal the actual
    /// ones. NVIDIA's parser of `make_tensor_view` adds `operandSegmentSizes` itself. A list of another length is
    /// ignored.
    fn dict_segments(&mut self, row: &'static OpRow, parts: &OpSyntax, name: &str, value: Node) {
        if row.operands.iter().filter(|operand| operand.arity != Arity::One).count() < 2 {
            return;
        }
        let count = |index| parts.operands.iter().filter(|(slot, ..)| *slot as usize == index).count();
        let counts: Vec<usize> = (0..row.operands.len()).map(count).collect();
        let stated = self.read_value(value, |reader| reader.array("i32", AttrReader::integer)).ok().flatten();
        let is_other = stated.is_some_and(|stated| {
            stated.len() == counts.len() && !stated.iter().zip(&counts).all(|(&size, &count)| size == count as i64)
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

    /// The operands in the order of the row, with the types from their definitions.
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

    /// Adds the types that the text states to the signature. Returns whether their number is right.
    fn declare(&mut self, named: Named, parts: &OpSyntax, signature: &mut Signature, broken: bool) -> bool {
        let (row, form) = (named.row, named.form());
        let mut is_counted = true;
        for (number, piece) in form.types.iter().enumerate() {
            let of_piece = parts.types.iter().filter(|(slot, ..)| *slot as usize == number);
            let stated: Stated = of_piece.map(|&(_, ty, node)| (ty, node)).collect();
            let Some(&(_, node)) = stated.first() else {
                is_counted &= broken || self.check_missing_types(row, piece, signature);
                continue;
            };
            if let Some(index) = absent_operand(piece, signature) {
                is_counted = false;
                if !broken {
                    let (part, place) = (row.operands[index as usize].name, self.range(node));
                    let found = WrongTypeCount { place, op: row.name, part, values: 0, types: stated.len() };
                    self.report(Kind::TypeCount(found));
                }
                continue;
            }
            for &slot in &piece.slots {
                let wrong = self.declare_slot(row, piece, slot, &stated, signature);
                is_counted &= wrong.is_none();
                if let Some(wrong) = wrong.filter(|_| !broken) {
                    let name = parts.name.map_or(0..0, |name| self.range(name));
                    self.report_rules([Kind::TypeCount(wrong)], &name);
                }
            }
        }
        is_counted
    }

    /// Adds the stated types of one operand or result to the signature. Returns the problem if their number is wrong.
    fn declare_slot(
        &self,
        row: &'static OpRow,
        piece: &TypePiece,
        slot: Slot,
        stated: &Stated,
        signature: &mut Signature,
    ) -> Option<WrongTypeCount> {
        let (first, last) = (stated.first()?, stated.last()?);
        let (count, part) = match slot {
            Slot::Operand(index) => (signature.operand_group(index as usize).len(), row.operands[index as usize].name),
            Slot::Result(index) => {
                let is_list = row.results[index as usize].arity == Arity::Variadic;
                if is_list && piece.count == TypeCount::Each {
                    let count = signature.mirrored(row, index).unwrap_or(stated.len());
                    signature.set_result_count(index as usize, count);
                }
                (signature.result_group(index as usize).len(), row.results[index as usize].name)
            }
            Slot::Attr(_) => {
                signature.constant = Some(first.0);
                return None;
            }
        };
        let all_same = matches!(piece.count, TypeCount::One | TypeCount::Attributed)
            || piece.count == TypeCount::OneOrEach && stated.len() == 1;
        for position in 0..count {
            if let Some(&(ty, _)) = if all_same { Some(first) } else { stated.get(position) } {
                signature.declare(slot, position, ty);
            }
        }
        if matches!(slot, Slot::Result(_)) && piece.count == TypeCount::One {
            signature.result_default = Some(first.0);
        }
        (!all_same && stated.len() != count).then(|| {
            let place = self.range(first.1).start..self.range(last.1).end;
            WrongTypeCount { place, op: row.name, part, values: count, types: stated.len() }
        })
    }

    /// Reports that types are missing although there are operands of them. Returns whether there were none.
    fn check_missing_types(&mut self, row: &'static OpRow, piece: &TypePiece, signature: &Signature) -> bool {
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
        self.report(Kind::TypeCount(WrongTypeCount {
            place: first.place.clone(),
            op: row.name,
            part: row.operands[index as usize].name,
            values: signature.operand_group(index as usize).len(),
            types: 0,
        }));
        false
    }

    /// The types that the header of a loop states. They are used even if an operand is missing or unknown.
    fn header_types(&self, row: &'static OpRow, form: &Form, parts: &OpSyntax) -> Header {
        if row.regions.is_empty() {
            return Header::default();
        }
        let stated = |wanted: &dyn Fn(Slot) -> bool| -> Vec<Type> {
            let of_slot = |number: u8| {
                form.types.get(number as usize).is_some_and(|piece| piece.slots.iter().any(|&slot| wanted(slot)))
            };
            parts.types.iter().filter(|(number, ..)| of_slot(*number)).map(|&(_, ty, _)| ty).collect()
        };
        let first_values = row.operand(OperandName::InitValues).map(|(index, _)| index as u8);
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

/// Assigns a type alias before the arrow to the pointer if it is a pointer type, which the parser cannot know.
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

/// The operand whose types a piece of a form contains, if the op has none of these operands.
fn absent_operand(piece: &TypePiece, signature: &Signature) -> Option<u8> {
    let is_absent = |slot: &Slot| match *slot {
        Slot::Operand(index) => signature.operand_group(index as usize).is_empty(),
        _ => false,
    };
    match piece.slots.first() {
        Some(&Slot::Operand(index)) if piece.slots.iter().all(is_absent) => Some(index),
        _ => None,
    }
}
