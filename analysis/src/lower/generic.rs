//! Lowering an op in generic form.

use super::generic_attr::generic_value;
use super::infer::Signature;
use super::op::{Draft, Header};
use super::op_syntax::{OpSpans, OpSyntax};
use super::{Frame, Lowerer};
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{Attr, RegionId, Value};
use crate::read::attr::{AttrReader, Read, Written};
use crate::read::dict::{Entry, entries};
use crate::read::value::dict_mistake;
use crate::types::Type;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;
use tile_dialect::form::Slot;
use tile_dialect::{Arity, AttrKind, Mnemonic, Named, OpRow, OperandRow, Presence};
use tile_syntax::{Node, NodeKind, Token};

/// The types of an op in generic form, with their ranges.
struct FunctionType {
    operands: Vec<(Type, Range<u32>)>,
    results: Vec<(Type, Range<u32>)>,
}

impl<'a> Lowerer<'a> {
    /// Assigns the parts of an op in generic form to those of its row.
    pub(super) fn generic_form<'s>(&mut self, node: Node, named: Named, syntax: &'s mut OpSyntax) -> Draft<'s> {
        let row = named.row;
        let types = self.function_type(node);
        let is_broken = self.has_header_error(&self.range(node), syntax);
        if is_broken {
            self.offer_marks(node, syntax);
        }
        let region_count = syntax.regions.len();
        // Generic form writes an absent region as an empty one.
        let is_absent =
            |slot: u8, node| row.regions.get(slot as usize).is_some_and(|row| row.optional) && self.is_blank(node);
        syntax.regions.retain(|&mut (slot, node)| !is_absent(slot, node));
        self.group_operands(node, row, syntax);
        let mut spans = self.generic_spans(row, syntax, &types);
        let attrs = self.generic_attrs(node, row, &types, &mut spans, is_broken);
        let signature = self.generic_signature(row, syntax, &types);
        let problems = self.problems.len();
        let is_counted = is_broken
            || self.check_segments(node, row, syntax, &spans.name)
                && self.check_counts(row, syntax, &types, region_count, &spans.name);
        let header = Header::default();
        Draft { node, named, syntax, spans, attrs, signature, header, is_broken, is_counted, problems }
    }

    /// Checks the property that divides the operands into groups, if the op needs it. Returns whether it is valid.
    fn check_segments(&mut self, node: Node, row: &'static OpRow, parts: &OpSyntax, name: &Range<u32>) -> bool {
        const PROPERTY: &str = "operandSegmentSizes";
        let is_open = |operand: &&OperandRow| operand.arity != Arity::One;
        if row.operands.iter().filter(is_open).count() < 2 || parts.operands.is_empty() {
            return true;
        }
        let most = row.operands.len();
        let least = self.existing_operands(row).count();
        let diagnostic = match self.segment_sizes(node) {
            None if self.existing_operands(row).filter(is_open).count() < 2 => return true,
            None => d::missing_attribute(name.clone(), row.name, PROPERTY),
            Some(sizes) if !(least..=most).contains(&sizes.len()) => {
                d::value_count(name.clone(), row.name, &format!("sizes in `{PROPERTY}`"), least, sizes.len())
            }
            Some(sizes) => {
                let total = sizes.iter().fold(0usize, |total, &size| total.saturating_add(size));
                if total == parts.operands.len() {
                    return true;
                }
                d::value_count(
                    name.clone(),
                    row.name,
                    &format!("operands in `{PROPERTY}`"),
                    total,
                    parts.operands.len(),
                )
            }
        };
        self.report(diagnostic);
        false
    }

    /// The operand groups that exist in the target version.
    fn existing_operands(&self, row: &'static OpRow) -> impl Iterator<Item = &'static OperandRow> {
        let target = self.context.options.version;
        row.operands.iter().filter(move |operand| operand.since <= target)
    }

    /// Checks the numbers of operands, operand types, results and regions, and reports the first that is wrong. Returns
    /// whether all are right.
    fn check_counts(
        &mut self,
        row: &OpRow,
        parts: &OpSyntax,
        types: &FunctionType,
        regions: usize,
        name: &Range<u32>,
    ) -> bool {
        let count = |index| parts.operands.iter().filter(|(slot, ..)| *slot as usize == index).count();
        let single = row.operands.iter().enumerate().filter(|(_, operand)| operand.arity == Arity::One);
        let wrong = single.map(|(index, operand)| (operand.name, count(index))).find(|&(_, count)| count != 1);
        let target = self.context.options.version;
        let single = || row.results.iter().filter(|result| result.arity == Arity::One);
        let (least, most) = (single().filter(|result| result.since <= target).count(), single().count());
        let most = if row.results.len() > most { usize::MAX } else { most };
        let found = types.results.len();
        let (operands, stated) = (parts.operands.len(), types.operands.len());
        let doubled = row.operands.iter().enumerate().filter(|(_, operand)| operand.arity == Arity::Optional);
        let doubled = doubled.map(|(index, operand)| (operand.name, count(index))).find(|&(_, count)| count > 1);
        let diagnostic = if stated != operands {
            d::value_count(name.clone(), row.name, "operand types", operands, stated)
        } else if row.operands.is_empty() && operands > 0 {
            d::value_count(name.clone(), row.name, "operands", 0, operands)
        } else if let Some((operand, count)) = wrong.or(doubled) {
            d::value_count(name.clone(), row.name, &format!("values for `{operand}`"), 1, count)
        } else if !(least..=most).contains(&found) {
            d::value_count(name.clone(), row.name, "result types", least, found)
        } else if regions != row.regions.len() {
            d::value_count(name.clone(), row.name, "regions", row.regions.len(), regions)
        } else {
            return true;
        };
        self.report(diagnostic);
        false
    }

    /// Lowers an op of another dialect, whose results have the stated types.
    pub(super) fn foreign_op(&mut self, node: Node, region: RegionId, parts: &OpSyntax) {
        if !self.context.options.upstream_tests
            && let Some(name) = parts.name
        {
            self.report(d::foreign_op(self.range(name), self.tree.text(name, self.text)));
        }
        let mut types = self.function_type(node).results.into_iter();
        for &(token, count) in &parts.results {
            let values: Vec<Value> = (0..count)
                .map(|_| self.builder.add_value(types.next().map_or(Type::unknown(), |(ty, _)| ty)))
                .collect();
            values.iter().for_each(|&value| self.place_value(value, self.token_range(token)));
            self.define(token, values[0], count);
        }
        self.frames.push(Frame::unread(Mnemonic::TestingFunc));
        for &(_, child) in &parts.regions {
            self.nested_region(child, region);
        }
        self.frames.pop();
    }

    /// The operand and result types of `(T, …) -> (T, …)`.
    fn function_type(&mut self, node: Node) -> FunctionType {
        let (mut operands, mut results) = (Vec::new(), Vec::new());
        if let Some(types) = self.tree.child(node, NodeKind::FunctionType) {
            for child in self.tree.children_of(types, NodeKind::Type) {
                let typed = (self.ty(child), self.range(child));
                let name = self.tree.first_text(child, self.text);
                // In generic form, only the prefix identifies the dialect of a type.
                if tile_dialect::TYPE_NAMES.contains(&name) && !self.has_syntax_error(&typed.1) {
                    let place = typed.1.start..typed.1.start + name.len() as u32;
                    self.report(d::lost_prefix(place, name, "in generic form"));
                }
                if self.tree.slot(child) == 0 { operands.push(typed) } else { results.push(typed) }
            }
        }
        FunctionType { operands, results }
    }

    /// The ranges of the parts of the op. The range of an attribute is set later, when its entry is read.
    fn generic_spans(&self, row: &'static OpRow, parts: &OpSyntax, stated: &FunctionType) -> OpSpans {
        let name = parts.name.map_or(0..0, |name| self.range(name));
        let operands = parts.operands.iter().zip(&stated.operands);
        let mut types: SmallVec<[(Slot, Range<u32>); 4]> =
            operands.map(|((slot, ..), (_, place))| (Slot::Operand(*slot), place.clone())).collect();
        let last = row.results.len().saturating_sub(1);
        let results = stated.results.iter().enumerate();
        types.extend(results.map(|(index, (_, place))| (Slot::Result(index.min(last) as u8), place.clone())));
        let attrs = smallvec![name.clone(); row.attrs.len()];
        OpSpans { name, attrs, types, literal: None, mixed: SmallVec::new(), generic: true }
    }

    /// The operands with the types that the op states, and the results.
    fn generic_signature(&self, row: &'static OpRow, parts: &OpSyntax, types: &FunctionType) -> Signature {
        let mut signature = Signature::new(row);
        for index in 0..row.operands.len() {
            for (at, &(slot, place, value)) in parts.operands.iter().enumerate() {
                if slot as usize == index {
                    signature.push_operand(value, self.builder.body().ty(value), self.range(place));
                    signature.state_last(types.operands.get(at).map(|(ty, _)| *ty));
                }
            }
            signature.end_group();
        }
        if let Some(list) = row.results.iter().position(|result| result.arity == Arity::Variadic) {
            signature.set_result_count(list, types.results.len());
        }
        for (result, (ty, _)) in signature.results.iter_mut().zip(&types.results) {
            *result = Some(*ty);
        }
        signature
    }

    /// Assigns every operand to its group. With several groups of unknown length, the property `operandSegmentSizes`
    /// contains their lengths.
    fn group_operands(&self, node: Node, row: &'static OpRow, parts: &mut OpSyntax) {
        let fixed = row.operands.iter().filter(|operand| operand.arity == Arity::One).count();
        let open = self.existing_operands(row).filter(|operand| operand.arity != Arity::One).count();
        let target = self.context.options.version;
        let sizes = self.segment_sizes(node);
        let mut slots = Vec::with_capacity(parts.operands.len());
        for (index, operand) in row.operands.iter().enumerate() {
            let count = match (&sizes, operand.arity) {
                (Some(sizes), _) => sizes.get(index).copied().unwrap_or(0).min(parts.operands.len()),
                (None, Arity::One) => 1,
                (None, _) if open == 1 && operand.since <= target => parts.operands.len().saturating_sub(fixed),
                (None, _) => 0,
            };
            slots.extend(std::iter::repeat_n(index as u8, count));
        }
        let last = row.operands.len().saturating_sub(1) as u8;
        for (position, operand) in parts.operands.iter_mut().enumerate() {
            operand.0 = slots.get(position).copied().unwrap_or(last);
        }
    }

    fn segment_sizes(&self, node: Node) -> Option<Vec<usize>> {
        let sizes = self.entries(node).into_iter().find(|entry| entry.name == "operandSegmentSizes")?;
        let list = self.value_text(sizes.value?).split_once("i32:")?.1.trim_end_matches(['>', ' ']);
        list.split(',').map(|size| size.trim().parse().ok()).collect()
    }

    pub(super) fn entries(&self, node: Node) -> Vec<Entry<'a>> {
        entries(self.tree, self.text, node)
    }

    /// The attributes of the row, from the properties and the dictionary.
    fn generic_attrs(
        &mut self,
        node: Node,
        row: &'static OpRow,
        types: &FunctionType,
        places: &mut OpSpans,
        broken: bool,
    ) -> SmallVec<[Attr; 4]> {
        let mut attrs: SmallVec<[Attr; 4]> = row.attrs.iter().map(Attr::default_of).collect();
        let mut given = vec![false; row.attrs.len()];
        let mut found = Vec::new();
        for Entry { name, node: entry, value } in self.entries(node) {
            let Some((index, attr_row)) = row.attr_named(name) else { continue };
            // The properties come first and take precedence.
            if std::mem::replace(&mut given[index], true) {
                continue;
            }
            let Some(value) = value else {
                // A name alone is a unit attribute.
                match attr_row.kind {
                    AttrKind::Flag(_) => attrs[index] = Attr::Flag,
                    _ => found.push(d::missing_value(self.range(entry), name)),
                }
                continue;
            };
            places.attrs[index] = self.range(value);
            let result = types.results.first().map_or(Type::unknown(), |(ty, _)| *ty);
            let element = result.as_tile().and_then(|tile| tile.number());
            let read = self.read_value(value, |reader| match (attr_row.kind, element) {
                (AttrKind::Dense, Some(element)) => {
                    self.check_dense_type(reader, result)?;
                    let literal = reader.generic_dense(element)?;
                    let range = self.alias_name(value).map(|_| self.range(value));
                    let range = range.unwrap_or(literal.written.range);
                    places.literal = Some(Written { range, ..literal.written });
                    Ok(Attr::Dense(Box::new(literal.dense)))
                }
                _ => generic_value(reader, attr_row, self.context),
            });
            match read {
                Ok(Some(read)) => attrs[index] = read,
                Ok(None) => {}
                Err(diagnostic) => found.push(*diagnostic),
            }
        }
        if found.is_empty() {
            found = self.dict_mistakes(node, row);
        }
        for (attr_row, given) in row.attrs.iter().zip(given) {
            if !given && !broken && attr_row.presence == Presence::Required {
                found.push(d::missing_attribute(places.name.clone(), row.name, attr_row.name));
            }
        }
        self.report_rules(found, &places.name);
        attrs
    }

    /// Whether a dictionary is valid. Reports an entry without a readable value or with a duplicate name.
    pub(super) fn check_dict(&mut self, dict: Node) -> bool {
        let is_reported = |_: &str, value| self.has_syntax_error(&self.tree.range(value));
        let found = dict_mistake(self.tree, self.text, dict, self.context, is_reported);
        let is_sound = found.is_none();
        self.report_all(found);
        is_sound
    }

    /// The problems of the properties and the dictionary that do not depend on the op.
    fn dict_mistakes(&self, node: Node, row: &OpRow) -> Vec<Diagnostic> {
        let properties = self.tree.child(node, NodeKind::Properties);
        let has_none = row.attrs.is_empty() && row.operands.iter().filter(|row| row.arity != Arity::One).count() < 2;
        let needless = properties.filter(|_| has_none).map(|node| d::no_properties(self.range(node), row.name));
        // The literal of a constant is read separately.
        let is_read = |name: &str| row.attr_named(name).is_some_and(|(_, row)| matches!(row.kind, AttrKind::Dense));
        let is_reported = |name: &str, value| self.has_syntax_error(&self.range(value)) || is_read(name);
        let dicts = properties.into_iter().chain(self.tree.child(node, NodeKind::Dict));
        let wrong = dicts.filter_map(|dict| dict_mistake(self.tree, self.text, dict, self.context, is_reported));
        needless.into_iter().chain(wrong).collect()
    }

    /// Checks that the type after `dense<…> :` is that of the result.
    fn check_dense_type(&self, reader: &AttrReader<'_>, result: Type) -> Read<()> {
        let all = reader.tokens;
        let Some(end) = (reader.at..reader.end).find(|&token| all.kind(token) == Token::Greater) else {
            return Ok(());
        };
        let ty = end + 2..reader.end;
        if ty.is_empty() || all.kind(end + 1) != Token::Colon {
            return Ok(());
        }
        let place = all.start(ty.start)..all.end(ty.end - 1);
        let mut wrong = Vec::new();
        let stated = crate::read::ty::read(reader.text, all, ty, self.context, &mut wrong);
        match wrong.pop() {
            Some(wrong) => Err(Box::new(wrong)),
            None if stated == result || stated.is_unknown() || result.is_unknown() => Ok(()),
            None => reader.fail(d::constant_type(place, stated, result)),
        }
    }
}
