//! The types of an op's operands and results: stating, inferring and comparing them.

use super::Lowerer;
use super::op_syntax::{OpSpans, OpSyntax};
use super::problem::{Kind, Problem};
use super::rules::{self, Relation, RulePart};
use crate::diagnostics as d;
use crate::diagnostics::{Disagreement, NamedType, WrongClass};
use crate::ir::Value;
use crate::types::{Pointer, Scalar, Type};
use smallvec::SmallVec;
use std::ops::Range;
use tile_dialect::form::Slot;
use tile_dialect::{Arity, Class, Element, OpRow};

/// An operand value.
#[derive(Clone)]
pub(super) struct Operand {
    pub(super) value: Value,
    pub(super) place: Range<u32>,
    /// The type from its definition.
    pub(super) actual: Type,
    /// The type that the op states for it, or that follows from other stated types.
    pub(super) stated: Option<Type>,
}

/// The types of an op.
#[derive(Clone)]
pub(super) struct Signature {
    pub(super) operands: SmallVec<[Operand; 4]>,
    operand_ends: SmallVec<[u32; 6]>,
    pub(super) results: SmallVec<[Option<Type>; 3]>,
    result_ends: SmallVec<[u32; 3]>,
    /// The type of a constant that is not a result.
    pub(super) constant: Option<Type>,
    /// The type of all results, if the text states a single type for any number of them.
    pub(super) result_default: Option<Type>,
}

impl Signature {
    pub(super) fn new(row: &'static OpRow) -> Signature {
        let mut signature = Signature {
            operands: SmallVec::new(),
            operand_ends: SmallVec::new(),
            results: SmallVec::new(),
            result_ends: SmallVec::new(),
            constant: None,
            result_default: None,
        };
        for result in row.results {
            if result.arity == Arity::One {
                signature.results.push(only_type(result.class));
            }
            signature.result_ends.push(signature.results.len() as u32);
        }
        signature
    }

    pub(super) fn push_operand(&mut self, value: Value, actual: Type, place: Range<u32>) {
        self.operands.push(Operand { value, place, actual, stated: None });
    }

    /// Whether all types are known, so that rules can be checked.
    pub(super) fn is_known(&self) -> bool {
        let known = |ty: Option<Type>| ty.is_some_and(|ty| !ty.is_unknown());
        self.operands.iter().all(|operand| known(operand.stated) && known(Some(operand.actual)))
            && self.results.iter().all(|&ty| known(ty))
    }

    /// Sets the type that the text states for the operand pushed last.
    pub(super) fn state_last(&mut self, ty: Option<Type>) {
        if let Some(operand) = self.operands.last_mut() {
            operand.stated = ty;
        }
    }

    /// The stated types of a group of operands.
    pub(super) fn operand_types(&self, index: usize) -> Vec<Type> {
        let operands = &self.operands[self.operand_group(index)];
        operands.iter().map(|operand| operand.stated.unwrap_or(Type::unknown())).collect()
    }

    pub(super) fn end_group(&mut self) {
        self.operand_ends.push(self.operands.len() as u32);
    }

    pub(super) fn operand_group(&self, index: usize) -> Range<usize> {
        let start = if index == 0 { 0 } else { self.operand_ends[index - 1] };
        start as usize..self.operand_ends[index] as usize
    }

    pub(super) fn result_group(&self, index: usize) -> Range<usize> {
        let start = if index == 0 { 0 } else { self.result_ends[index - 1] };
        start as usize..self.result_ends[index] as usize
    }

    /// The number of values of a result group, if a rule makes it equal to that of an operand group.
    pub(super) fn mirrored(&self, row: &'static OpRow, result: u8) -> Option<usize> {
        rules::of(row).iter().find_map(|relation| match relation {
            Relation::SameTypes(RulePart::Operand(from), RulePart::Result(to)) if *to == result => {
                Some(self.operand_group(*from as usize).len())
            }
            _ => None,
        })
    }

    /// Sets the length of a variadic group of results. An op has at most one.
    pub(super) fn set_result_count(&mut self, index: usize, count: usize) {
        let group = self.result_group(index);
        if group.len() != count {
            let after: SmallVec<[Option<Type>; 3]> = self.results[group.end..].into();
            self.results.truncate(group.start);
            self.results.resize(group.start + count, None);
            self.results.extend(after);
            for end in &mut self.result_ends[index..] {
                *end = *end + count as u32 - group.len() as u32;
            }
        }
    }

    pub(super) fn declare(&mut self, slot: Slot, position: usize, ty: Type) {
        match slot {
            Slot::Operand(index) => {
                let at = self.operand_group(index as usize).start + position;
                self.operands[at].stated = Some(ty);
            }
            Slot::Result(index) => {
                let at = self.result_group(index as usize).start + position;
                self.results[at] = Some(ty);
            }
            Slot::Attr(_) => {}
        }
    }

    /// Sets the type of the first result; of all results, one for each dimension of the operand, if their number is not
    /// fixed.
    pub(super) fn state_result(&mut self, row: &'static OpRow, ty: Type) {
        let Some(first) = row.results.first() else { return };
        if first.arity == Arity::Variadic {
            let rank = self.operands.first().and_then(|operand| rank_of_view(operand.actual));
            self.set_result_count(0, rank.unwrap_or(1));
            self.result_default = Some(ty);
        }
        for position in 0..self.result_group(0).len() {
            self.declare(Slot::Result(0), position, ty);
        }
    }

    /// The types of a part that consists of any number of values.
    fn part_types(&self, part: RulePart) -> Vec<Type> {
        match part {
            RulePart::Operand(index) => self.operand_types(index as usize),
            RulePart::Result(index) => {
                let results = &self.results[self.result_group(index as usize)];
                results.iter().map(|ty| ty.unwrap_or(Type::unknown())).collect()
            }
        }
    }

    /// The type of a part that consists of a single value.
    fn get(&self, part: RulePart) -> Option<Type> {
        match part {
            RulePart::Operand(index) => {
                let group = self.operand_group(index as usize);
                if group.len() == 1 { self.operands[group.start].stated } else { None }
            }
            RulePart::Result(index) => {
                let group = self.result_group(index as usize);
                if group.len() == 1 { self.results[group.start] } else { None }
            }
        }
    }

    fn set_if_open(&mut self, part: RulePart, ty: Type) {
        if !self.is_open(part) {
            return;
        }
        match part {
            RulePart::Operand(index) => {
                let at = self.operand_group(index as usize).start;
                self.operands[at].stated = Some(ty);
            }
            RulePart::Result(index) => {
                let at = self.result_group(index as usize).start;
                self.results[at] = Some(ty);
            }
        }
    }

    /// Infers types from the rules of the row and the types that are known.
    pub(super) fn infer(&mut self, row: &'static OpRow) {
        for relation in rules::of(row) {
            match relation {
                Relation::SameType(parts) => {
                    let known = parts.iter().find_map(|&part| self.get(part).filter(|ty| !ty.is_unknown()));
                    if let Some(ty) = known {
                        parts.iter().for_each(|&part| self.set_if_open(part, ty));
                    }
                }
                Relation::TruthOf(truth, of) if self.is_open(*truth) => {
                    if let Some(tile) = self.get(*of).and_then(Type::as_tile) {
                        self.set_if_open(*truth, Type::tile(&tile.shape, Element::I1));
                    }
                }
                Relation::PointsTo(pointers, values) => self.infer_pointee(*pointers, *values),
                Relation::TileOfView(tile, view) if self.is_open(*tile) => {
                    if let Some(view) = self.get(*view).and_then(Type::as_tile_view) {
                        self.set_if_open(*tile, view.tile_type());
                    }
                }
                Relation::SameTypes(from, to) => self.infer_list(*from, *to),
                _ => {}
            }
        }
    }

    /// Whether a part that consists of a single value has no type yet.
    fn is_open(&self, part: RulePart) -> bool {
        let single = |group: Range<usize>| (group.len() == 1).then_some(group.start);
        match part {
            RulePart::Operand(index) => {
                single(self.operand_group(index as usize)).is_some_and(|at| self.operands[at].stated.is_none())
            }
            RulePart::Result(index) => {
                single(self.result_group(index as usize)).is_some_and(|at| self.results[at].is_none())
            }
        }
    }

    fn infer_pointee(&mut self, pointers: RulePart, values: RulePart) {
        if self.is_open(values)
            && let Some(tile) = self.get(pointers).and_then(Type::as_tile)
            && let Some(pointee) = tile.pointee()
        {
            self.set_if_open(values, Type::tile(&tile.shape, pointee));
        }
        if self.is_open(pointers)
            && let Some(tile) = self.get(values).and_then(Type::as_tile)
            && let Some(element) = tile.number()
        {
            self.set_if_open(pointers, Type::tile_of(&tile.shape, Scalar::Pointer(Pointer::to(element))));
        }
    }

    /// Infers the types of a loop's results from those of its initial values, and vice versa.
    fn infer_list(&mut self, from: RulePart, to: RulePart) {
        let (RulePart::Operand(from), RulePart::Result(to)) = (from, to) else { return };
        let (from, to) = (from as usize, to as usize);
        if self.result_group(to).is_empty() {
            self.set_result_count(to, self.operand_group(from).len());
        }
        let (operands, results) = (self.operand_group(from), self.result_group(to));
        for (operand, result) in operands.zip(results) {
            let (first, second) = (self.operands[operand].stated, self.results[result]);
            self.operands[operand].stated = first.or(second);
            self.results[result] = second.or(first);
        }
    }

    /// Types inferred from the operands, using the stated types only where nothing can be inferred. `None` if these
    /// break a rule too.
    pub(super) fn derived(&self, row: &'static OpRow) -> Option<Signature> {
        let mut derived = self.clone();
        for operand in &mut derived.operands {
            operand.stated = Some(operand.actual);
        }
        for (index, result) in row.results.iter().enumerate() {
            for at in derived.result_group(index) {
                derived.results[at] = only_type(result.class);
            }
        }
        derived.infer(row);
        for (derived, stated) in derived.results.iter_mut().zip(&self.results) {
            *derived = derived.or(*stated);
        }
        let places = OpSpans::nowhere(row);
        let is_sound =
            || check_classes(row, &derived, &places).is_none() && check_relations(row, &derived, &places).is_none();
        (derived.is_known() && is_sound()).then_some(derived)
    }

    /// Whether the operands fit another op.
    pub(super) fn suits(&self, row: &'static OpRow) -> bool {
        row.operands.len() == self.operand_ends.len()
            && row.operands.iter().enumerate().all(|(index, operand)| {
                let group = &self.operands[self.operand_group(index)];
                group.iter().all(|found| !found.actual.is_unknown() && found.actual.is_a(operand.class))
            })
    }

    /// The types of the values of a slot, as far as they are known.
    pub(super) fn slot_types(&self, slot: Slot) -> Vec<Option<Type>> {
        match slot {
            Slot::Operand(index) => {
                self.operands[self.operand_group(index as usize)].iter().map(|operand| operand.stated).collect()
            }
            Slot::Result(index) => self.results[self.result_group(index as usize)].to_vec(),
            Slot::Attr(_) => Vec::new(),
        }
    }

    /// Fills in what the text does not state: operand types from their definitions, and result types from the rules.
    pub(super) fn complete(&mut self, row: &'static OpRow, syntax: &OpSyntax) {
        for operand in &mut self.operands {
            operand.stated = operand.stated.or(Some(operand.actual).filter(|ty| !ty.is_unknown()));
        }
        self.infer(row);
        self.count_results(row, syntax);
    }

    /// Sets the number of results if the form does not determine it: the rank of the operand, or the number of names in
    /// the text.
    fn count_results(&mut self, row: &'static OpRow, syntax: &OpSyntax) {
        let (Some(default), [only]) = (self.result_default, row.results) else { return };
        if only.arity != Arity::Variadic {
            return;
        }
        let named: u32 = syntax.results.iter().map(|(_, count)| count).sum();
        let rank = self.operands.first().and_then(|operand| rank_of_view(operand.actual));
        self.set_result_count(0, rank.unwrap_or(named as usize));
        for position in 0..self.result_group(0).len() {
            self.declare(Slot::Result(0), position, default);
        }
    }
}

/// The number of dimensions of a view.
fn rank_of_view(view: Type) -> Option<usize> {
    let tensor = view.as_tensor_view().map(|view| view.shape.len());
    tensor.or_else(|| view.as_tile_view().map(|view| view.tile.len()))
}

/// The type of a class that contains only one.
fn only_type(class: Class) -> Option<Type> {
    match class {
        Class::Token => Some(Type::token()),
        Class::ScalarOf([element]) => Some(Type::tile(&[], *element)),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Checks classes and rules, and reports the first violation. Returns whether there was none.
    pub(super) fn check_types(&mut self, row: &'static OpRow, signature: &Signature, places: &OpSpans) -> bool {
        if !self.context.options.rules {
            return true;
        }
        let class = check_classes(row, signature, places).map(|found| Kind::WrongClass(found).into());
        let found: Option<Problem> = class.or_else(|| check_relations(row, signature, places));
        let sound = found.is_none();
        self.report_rules(found, &places.name);
        sound
    }
}

/// The range of a part's type in the text, otherwise that of the operand's use, otherwise that of the op's name.
fn place(part: RulePart, position: usize, signature: &Signature, places: &OpSpans) -> Range<u32> {
    let slot = match part {
        RulePart::Operand(index) => Slot::Operand(index),
        RulePart::Result(index) => Slot::Result(index),
    };
    let mut written = places.types.iter().filter(|(of, _)| *of == slot).map(|(_, range)| range.clone());
    if let Some(range) = written.nth(position) {
        return range;
    }
    match part {
        RulePart::Operand(index) => {
            signature.operands[signature.operand_group(index as usize).start + position].place.clone()
        }
        RulePart::Result(_) => places.name.clone(),
    }
}

pub(super) fn check_classes(row: &'static OpRow, signature: &Signature, places: &OpSpans) -> Option<WrongClass> {
    let wrong = |place, part, class, actual, position| WrongClass {
        op: row.name,
        part,
        position,
        place,
        class,
        actual,
        swapped: None,
    };
    for (index, operand) in row.operands.iter().enumerate() {
        for (position, at) in signature.operand_group(index).enumerate() {
            let ty = signature.operands[at].stated.unwrap_or(Type::unknown());
            if !ty.is_a(operand.class) {
                let place = signature.operands[at].place.clone();
                return Some(wrong(place, operand.name, operand.class, ty, position));
            }
        }
    }
    for (index, result) in row.results.iter().enumerate() {
        for (position, at) in signature.result_group(index).enumerate() {
            let ty = signature.results[at].unwrap_or(Type::unknown());
            if !ty.is_a(result.class) {
                let place = place(RulePart::Result(index as u8), position, signature, places);
                return Some(wrong(place, result.name, result.class, ty, position));
            }
        }
    }
    None
}

pub(super) fn check_relations<'a>(row: &'static OpRow, signature: &Signature, places: &OpSpans) -> Option<Problem<'a>> {
    rules::of(row).iter().find_map(|relation| check_relation(row, relation, signature, places))
}

fn check_relation<'a>(
    row: &'static OpRow,
    relation: &Relation,
    signature: &Signature,
    places: &OpSpans,
) -> Option<Problem<'a>> {
    let (rule, (first, second)) = match relation {
        Relation::SameType(parts) => ("the same type", odd_one(parts, signature, |a, b| a == b)?),
        Relation::SameShape(parts) => ("the same shape", odd_one(parts, signature, |a, b| shape(a) == shape(b))?),
        Relation::SameRank(parts) => {
            let rank = |ty| shape(ty).map(<[_]>::len);
            ("the same rank", odd_one(parts, signature, |a, b| rank(a) == rank(b))?)
        }
        Relation::SameElement(parts) => {
            ("the same element type", odd_one(parts, signature, |a, b| element(a) == element(b))?)
        }
        Relation::TruthOf(truth, of) => {
            ("the same shape", odd_one(&[*truth, *of], signature, |a, b| shape(a) == shape(b))?)
        }
        Relation::PointsTo(pointers, values) => {
            let rule = "matching types: a tile of pointers and a tile of their pointees";
            (rule, odd_one(&[*pointers, *values], signature, points_to)?)
        }
        Relation::TileOfView(tile, view) => {
            let holds = |tile, view: Type| view.as_tile_view().is_none_or(|view| view.holds(tile));
            (
                "matching types: a view and the tile that it loads and stores",
                odd_one(&[*tile, *view], signature, holds)?,
            )
        }
        Relation::SameTypes(from, to) => return check_lists(row, *from, *to, signature, places),
    };
    let named = |(part, ty)| NamedType { name: rules::name(row, part), ty, place: place(part, 0, signature, places) };
    let found = Disagreement { op: row.name, rule, first: named(first), second: named(second) };
    Some(Kind::Disagreement(found).into())
}

/// The first of the parts, and the first other one that does not agree with it. Parts that do not consist of a single
/// value of a known type are ignored.
fn odd_one(
    parts: &[RulePart],
    signature: &Signature,
    agree: impl Fn(Type, Type) -> bool,
) -> Option<((RulePart, Type), (RulePart, Type))> {
    let known = |&part: &RulePart| Some((part, signature.get(part).filter(|ty| !ty.is_unknown())?));
    let mut typed = parts.iter().filter_map(known);
    let first = typed.next()?;
    Some((first, typed.find(|&(_, ty)| !agree(first.1, ty))?))
}

fn points_to(pointers: Type, values: Type) -> bool {
    match (pointers.as_tile(), values.as_tile()) {
        (Some(from), Some(to)) => from.shape == to.shape && from.pointee() == to.number(),
        _ => true,
    }
}

/// Checks that two lists of types are equal.
fn check_lists<'a>(
    row: &'static OpRow,
    from: RulePart,
    to: RulePart,
    signature: &Signature,
    places: &OpSpans,
) -> Option<Problem<'a>> {
    let (first, second) = (signature.part_types(from), signature.part_types(to));
    if first.len() != second.len() {
        let found = d::value_count(places.name.clone(), row.name, "result types", first.len(), second.len());
        return Some(found.into());
    }
    let differ = |(a, b): (&Type, &Type)| a != b && !a.is_unknown() && !b.is_unknown();
    let at = first.iter().zip(&second).position(differ)?;
    let named = |part, ty| NamedType { name: rules::name(row, part), ty, place: place(part, at, signature, places) };
    let (first, second) = (named(from, first[at]), named(to, second[at]));
    Some(Kind::Disagreement(Disagreement { op: row.name, rule: "the same types", first, second }).into())
}

fn shape(ty: Type) -> Option<&'static [i64]> {
    ty.as_tile().map(|tile| &*tile.shape)
}

fn element(ty: Type) -> Option<Scalar> {
    ty.as_tile().map(|tile| tile.element)
}
