//! Checks statements that are not in the text, such as those that completion offers.

use super::infer::{Signature, check_classes, check_relations};
use super::op_syntax::OpSpans;
use super::scope::Binding;
use super::terminator::{ended_by, passed_types};
use super::{Frame, KnownTypes, Lowered, Lowerer};
use crate::build::BodyBuilder;
use crate::context::Context;
use crate::ir::{Op, Value};
use crate::types::Type;
use std::sync::Arc;
use tile_dialect::{Mnemonic, OpRow, Version};
use tile_syntax::{NodeKind, Tree, parse_item};

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

/// Reports whether a statement that uses these values, and no others, has no errors inside these ops. Names include
/// `%`.
pub(crate) fn is_valid(
    statement: &str,
    values: &[(String, Type)],
    enclosing: &Enclosing,
    context: &Arc<Context>,
) -> bool {
    let tree = parse_item(statement);
    if !tree.errors.is_empty() {
        return false;
    }
    KnownTypes::with(context, |known| {
        let mut lowerer = Lowerer::new(statement, &tree, context, known);
        lowerer.frames.clone_from(&enclosing.0);
        for (name, ty) in values {
            lowerer.assume_value(&name[1..], *ty);
        }
        lowerer.statements_at_top(&tree);
        !lowerer.problems.have_errors()
    })
}

impl<'a> Lowerer<'a> {
    /// Defines a value without a definition in the text.
    fn assume_value(&mut self, name: &'a str, ty: Type) {
        let first = self.builder.add_arg(BodyBuilder::ENTRY, ty);
        self.place_value(first, 0..0);
        self.names.scope.define(name, Binding { first, count: 1 });
    }

    fn statements_at_top(&mut self, tree: &Tree) {
        for node in tree.children(tile_syntax::Node::ROOT).filter(|&node| tree.kind(node) == NodeKind::Op) {
            self.op(node, BodyBuilder::ENTRY);
        }
    }
}
