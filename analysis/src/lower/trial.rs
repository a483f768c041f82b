//! Checks statements that are not in the text, such as those that completion offers.

use super::infer::{Signature, check_classes, check_relations};
use super::op_syntax::OpSpans;
use super::scope::Binding;
use super::terminator::{ended_by, passed_types};
use super::{Frame, KnownTypes, Lowered, Lowerer};
use crate::build::BodyBuilder;
use crate::context::Context;
use crate::ir::{Body, Op, Value};
use crate::source::Spans;
use crate::types::Type;
use std::sync::Arc;
use tile_dialect::{Mnemonic, OpRow, Version};
use tile_syntax::{Node, NodeKind, Tree};

/// The most values of a pack that a statement can use.
const MAX_PACK: u32 = 1000;

/// The ops around a place in an item, outermost first.
#[derive(Default)]
pub(crate) struct Enclosing(Vec<Frame>);

impl Enclosing {
    /// The ops around an offset of an item.
    pub(crate) fn at(lowered: &Lowered, offset: u32) -> Enclosing {
        let entry = Frame { is_tainted: false, ..Frame::unread(lowered.op) };
        let around = lowered.body.ops.iter().zip(&lowered.spans.statements);
        let around = around.filter(|(_, range)| range.start < offset && offset <= range.end);
        let frames = around.filter(|(op, _)| !op.regions.is_empty()).map(|(op, _)| frame(lowered, op));
        Enclosing(std::iter::once(entry).chain(frames).collect())
    }

    /// The types of the values that a terminator must pass on here; `None` if it is not allowed.
    pub(crate) fn passed_types(&self, terminator: Mnemonic, version: Version) -> Option<Vec<Type>> {
        let depth = ended_by(terminator, self.0.iter().rev().map(|frame| frame.op), version)?;
        Some(passed_types(terminator, &self.0[self.0.len() - 1 - depth]))
    }

    /// Reports whether a place is in the function of a reduction, which must not access memory.
    pub(crate) fn is_in_reduction(&self) -> bool {
        self.0.iter().any(|frame| matches!(frame.op, Mnemonic::Reduce | Mnemonic::Scan))
    }
}

fn frame(lowered: &Lowered, op: &Op) -> Frame {
    let body = &lowered.body;
    let types = |values: &[Value]| values.iter().map(|&value| body.ty(value)).collect::<Vec<Type>>();
    let args = body.regions_of(op).next().map_or(&[][..], |region| &body.region(region).args);
    let carried = match op.op {
        // The first argument is the induction variable.
        Mnemonic::For => types(args.get(1..).unwrap_or_default()),
        Mnemonic::Loop => types(args),
        _ => Vec::new(),
    };
    let results = body.results(op).map(|value| body.ty(value)).collect();
    Frame { op: op.op, name: 0..0, results, carried, is_tainted: false }
}

/// Reports whether values of these types can be operands of an op together, as far as the table knows. There is one
/// type for each operand of the row; `None` is compatible with every other.
pub(crate) fn can_combine(row: &'static OpRow, operands: &[Option<Type>]) -> bool {
    let mut signature = Signature::new(row);
    for ty in operands {
        if let Some(ty) = *ty {
            signature.push_operand(Value(0), ty, 0..0);
            signature.state_last(Some(ty));
        }
        signature.end_group();
    }
    signature.infer(row);
    let places = OpSpans::nowhere(row);
    check_classes(row, &signature, &places).is_none() && check_relations(row, &signature, &places).is_none()
}

/// A statement that is not in the text.
pub(crate) struct Trial<'a> {
    pub(crate) text: &'a str,
    pub(crate) tree: &'a Tree,
    /// The values that it uses, named as in the text: `%a` or `%a#1`.
    pub(crate) values: &'a [(String, Type)],
    pub(crate) enclosing: &'a Enclosing,
    pub(crate) context: &'a Arc<Context>,
}

impl Trial<'_> {
    /// Reports whether the statement has no errors.
    pub(crate) fn is_valid(&self) -> bool {
        self.tree.errors.is_empty() && self.lower(|lowerer| !lowerer.problems.have_errors())
    }

    /// The statement as far as it can be lowered.
    pub(crate) fn body(&self) -> (Body, Spans) {
        self.lower(|lowerer| (lowerer.builder.finish(), lowerer.spans))
    }

    fn lower<T>(&self, result: impl FnOnce(Lowerer) -> T) -> T {
        KnownTypes::with(self.context, |known| {
            let mut lowerer = Lowerer::new(self.text, self.tree, self.context, known);
            lowerer.frames.clone_from(&self.enclosing.0);
            lowerer.assume_values(self.values);
            for node in self.tree.children_of(Node::ROOT, NodeKind::Op) {
                lowerer.op(node, BodyBuilder::ENTRY);
            }
            result(lowerer)
        })
    }
}

impl<'a> Lowerer<'a> {
    /// Defines values that the text does not define.
    fn assume_values(&mut self, values: &'a [(String, Type)]) {
        for (name, _) in values {
            let (name, _) = in_pack(name);
            if self.names.scope.find(name).is_some() {
                continue;
            }
            let pack = values.iter().map(|(other, ty)| (in_pack(other), *ty)).filter(|((of, _), _)| *of == name);
            let ranks: Vec<(u32, Type)> = pack.map(|((_, rank), ty)| (rank, ty)).collect();
            let count = ranks.iter().map(|(rank, _)| rank + 1).max().unwrap_or(1);
            let first = Value(self.builder.body().values.len() as u32);
            for rank in 0..count {
                let ty = ranks.iter().find(|(known, _)| *known == rank).map_or(Type::unknown(), |(_, ty)| *ty);
                let value = self.builder.add_arg(BodyBuilder::ENTRY, ty);
                self.place_value(value, 0..0);
            }
            self.names.scope.define(name, Binding { first, count });
        }
    }
}

/// The name of a value without its sign, and its index among the values of that name: `a` and 1 of `%a#1`.
fn in_pack(name: &str) -> (&str, u32) {
    let name = name.trim_start_matches('%');
    // Larger indices cannot be valid, and would take much memory.
    let rank = |rank: &str| rank.parse().ok().filter(|rank| *rank < MAX_PACK);
    name.split_once('#').map_or((name, 0), |(name, number)| (name, rank(number).unwrap_or(0)))
}
