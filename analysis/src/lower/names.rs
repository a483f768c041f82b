//! The names of values: what defines them, and what uses them.

use super::Lowerer;
use super::op_syntax::OpSyntax;
use super::problem::Kind;
use super::scope::{Binding, Undeclared};
use crate::diagnostics as d;
use crate::diagnostics::{Definition, Redefinition, UndeclaredValue, meant_value};
use crate::ir::{OpId, Value};
use crate::types::Type;
use std::ops::Range;
use tile_syntax::{Node, Token};

/// For how many undeclared names of an item the closest visible name is searched: in garbage, that takes longer than
/// everything else.
const MAX_CORRECTED: usize = 200;

impl<'a> Lowerer<'a> {
    /// The text of a value's name, without `%`.
    fn name_of(&self, token: usize) -> &'a str {
        &self.tree.tokens.text(token, self.text)[1..]
    }

    /// Gives a name to values.
    pub(super) fn define(&mut self, token: usize, first: Value, count: u32) {
        if let Some(again) = self.bind(token, first, count) {
            self.report(Kind::Redefinition(again));
        }
    }

    /// Gives the names on the left of `=` to the results of an op. Names without a result get an unknown value, so that
    /// their uses are not reported too.
    pub(super) fn name_results(&mut self, op: OpId, parts: &OpSyntax) {
        let results = self.builder.body().op(op).results.clone();
        let name = self.spans.op_names[op.0 as usize].clone();
        for value in results.clone() {
            self.place_value(Value(value), name.clone());
        }
        let mut next = results.start;
        // A statement that is written twice is one mistake, however many names it defines.
        let mut redefinition: Option<Redefinition> = None;
        for &(token, count) in &parts.results {
            let first = if next + count <= results.end { Value(next) } else { self.unknown_values(token, count) };
            next += count;
            let again = self.bind(token, first, count);
            match (&mut redefinition, again) {
                (Some(found), Some(again)) => found.others.push(again.place),
                (found @ None, again) => *found = again,
                (Some(_), None) => {}
            }
        }
        if let Some(found) = redefinition {
            self.report(Kind::Redefinition(found));
        }
    }

    /// Gives a name to values, unless it is taken.
    fn bind(&mut self, token: usize, first: Value, count: u32) -> Option<Redefinition<'a>> {
        let range = self.token_range(token);
        for rank in 0..count {
            let value = Value(first.0 + rank);
            self.place_value(value, range.clone());
            self.spans.ranks[value.0 as usize] = rank;
        }
        let name = self.name_of(token);
        if !self.names.undeclared.is_empty() {
            self.define_late(name, first, &range);
        }
        let taken = self.names.scope.define(name, Binding { first, count })?;
        self.spans.has_redefinition = true;
        let earlier = self.spans.definition(taken.first);
        Some(Redefinition { name, place: range, earlier, others: Vec::new() })
    }

    /// Gives a name to an argument of a region.
    pub(super) fn define_arg(&mut self, token: usize, value: Value) {
        let place = self.token_range(token);
        if let Some((found, _)) = self.take_undeclared(self.name_of(token)) {
            found.definition = Some((Definition::Argument, place));
        }
        self.define(token, value, 1);
    }

    /// Extends the problem of an undeclared name if it is defined later.
    fn define_late(&mut self, name: &str, first: Value, definition: &Range<u32>) {
        let (ty, around) = (self.builder.body().ty(first), self.frames.len());
        let from = self.frames.last().map_or(0, |frame| frame.name.start);
        let Some((found, depth)) = self.take_undeclared(name) else { return };
        let is_seen = around <= depth && !ty.is_unknown();
        let relation = match found.expected {
            Some(expected) if is_seen && expected != ty => Definition::OfType(ty),
            // Further out, the definition may have nothing to do with the use.
            _ if (from..definition.start).contains(&found.place.start) => Definition::Later,
            _ => return,
        };
        found.definition = Some((relation, definition.clone()));
    }

    /// Forgets an undeclared name that is defined now. Returns its problem, if it is reported, and how many regions are
    /// around its first use.
    fn take_undeclared(&mut self, name: &str) -> Option<(&mut UndeclaredValue<'a>, usize)> {
        let Undeclared { problem, depth, .. } = self.names.undeclared.remove(name)?;
        Some((self.problems.undeclared_mut(problem?)?, depth))
    }

    /// The value that an operand names, or a value of unknown type.
    pub(super) fn resolve(&mut self, node: Node) -> Value {
        let token = self.tree.tokens_of(node).start;
        let name = self.name_of(token);
        let rank = self.rank(node);
        let Some(binding) = self.names.scope.find(name).or_else(|| self.pending_result(name, token)) else {
            return self.resolve_undeclared(name, self.token_range(token));
        };
        if rank >= binding.count {
            let definition = self.spans.definition(binding.first);
            if !self.problems.are_too_many() {
                self.report(d::result_number(self.range(node), name, rank, binding.count, definition));
            }
            return self.unknown_value(self.range(node));
        }
        let value = Value(binding.first.0 + rank);
        self.spans.uses.push((self.range(node), value));
        value
    }

    /// The placeholder value of an undeclared name, which is reported at its first use.
    fn resolve_undeclared(&mut self, name: &'a str, place: Range<u32>) -> Value {
        if let Some(known) = self.names.undeclared.get(name) {
            return known.stand_in;
        }
        // Where a header cannot be read in full, the name may be one that is missing from it.
        let problem = (self.names.broken_headers == 0).then(|| self.report_undeclared(name, place.clone()));
        let stand_in = self.unknown_value(place);
        self.names.undeclared.insert(name, Undeclared { stand_in, problem, depth: self.frames.len() });
        stand_in
    }

    /// Reports a use of an undeclared name. Returns the number of the problem.
    fn report_undeclared(&mut self, name: &'a str, place: Range<u32>) -> usize {
        let mut found = UndeclaredValue { name, place, expected: None, meant: None, definition: None };
        if self.names.undeclared.len() < MAX_CORRECTED {
            let text = |place: &Range<u32>| &self.text[place.start as usize..place.end as usize];
            let is_it = |it: &&Range<u32>| it.start < found.place.start && text(it).strip_prefix('%') == Some(name);
            let ended = self.spans.definitions.iter().rev().find(is_it).cloned();
            found.definition = ended.map(|definition| (Definition::Ended, definition));
            found.meant = self.meant_value(name, Type::unknown());
        }
        self.spans.undeclared.push(found.place.clone());
        self.report(Kind::Undeclared(found));
        self.problems.len() - 1
    }

    /// The visible value of a type that an undeclared name was probably meant to be.
    fn meant_value(&self, name: &str, ty: Type) -> Option<String> {
        let body = self.builder.body();
        let fits = |value: Value| ty.is_unknown() || [ty, Type::unknown()].contains(&body.ty(value));
        let known = self.names.scope.bindings().filter(|(_, binding)| fits(binding.first)).map(|(name, _)| name);
        meant_value(name, known)
    }

    /// Adds to the problem of an undeclared name which type its first use with a type expects, and corrects it to a value
    /// of that type.
    pub(super) fn expect_type(&mut self, stand_in: Value, expected: Type) {
        let known = self.names.undeclared.iter().find(|(_, known)| known.stand_in == stand_in);
        let Some((&name, &Undeclared { problem: Some(number), .. })) = known else { return };
        let is_typed = |found: &UndeclaredValue| found.expected.is_some();
        if expected.is_unknown() || self.problems.undeclared_mut(number).is_none_or(|found| is_typed(found)) {
            return;
        }
        let is_worth_it = self.names.undeclared.len() < MAX_CORRECTED;
        let meant = if is_worth_it { self.meant_value(name, expected) } else { None };
        if let Some(found) = self.problems.undeclared_mut(number) {
            (found.expected, found.meant) = (Some(expected), meant);
        }
    }

    /// A result of an enclosing op, which its own region cannot use. Resolves the name anyway: if a brace is missing, uses
    /// after the op seem to be in its region.
    fn pending_result(&mut self, name: &str, used: usize) -> Option<Binding> {
        let (_, binding) = *self.names.pending.iter().rev().find(|(token, _)| self.name_of(*token) == name)?;
        // One op may have any number of operands.
        if self.names.broken_headers == 0 && !self.problems.are_too_many() {
            let place = self.token_range(used);
            self.spans.undeclared.push(place.clone());
            self.report(d::own_result(place, name));
        }
        Some(binding)
    }

    /// Lowers regions of an op that names its results after them.
    pub(super) fn with_pending(&mut self, op: OpId, parts: &OpSyntax, regions: impl FnOnce(&mut Self)) {
        let before = self.names.pending.len();
        if !parts.regions.is_empty() {
            let mut next = self.builder.body().op(op).results.start;
            let end = self.builder.body().op(op).results.end;
            for &(token, count) in &parts.results {
                if next + count <= end {
                    self.names.pending.push((token, Binding { first: Value(next), count }));
                }
                next += count;
            }
        }
        regions(self);
        self.names.pending.truncate(before);
        self.name_results(op, parts);
    }

    /// The `1` of `%a#1`.
    fn rank(&self, node: Node) -> u32 {
        let tokens = self.tree.tokens_of(node);
        let is_pack = tokens.len() > 1 && self.tree.tokens.kind(tokens.start + 1) == Token::AttrName;
        let number = || self.tree.tokens.text(tokens.start + 1, self.text)[1..].parse().ok();
        if is_pack { number().unwrap_or(u32::MAX) } else { 0 }
    }

    pub(super) fn unknown_value(&mut self, range: Range<u32>) -> Value {
        let value = self.builder.add_value(Type::unknown());
        self.place_value(value, range);
        value
    }

    /// Values of unknown type for a name and its pack. Returns the first.
    pub(super) fn unknown_values(&mut self, token: usize, count: u32) -> Value {
        let first = self.unknown_value(self.token_range(token));
        for _ in 1..count {
            self.unknown_value(self.token_range(token));
        }
        first
    }

    pub(super) fn place_value(&mut self, value: Value, range: Range<u32>) {
        let index = value.0 as usize;
        self.spans.definitions.resize(self.spans.definitions.len().max(index + 1), 0..0);
        self.spans.ranks.resize(self.spans.ranks.len().max(index + 1), 0);
        self.spans.definitions[index] = range;
    }
}
