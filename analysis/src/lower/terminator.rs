//! Terminators: where they are allowed, and the types of their operands.

use super::problem::Kind;
use super::{Frame, Lowerer};
use crate::diagnostics as d;
use crate::ir::OpId;
use crate::types::Type;
use std::ops::Range;
use tile_dialect::{Mnemonic as M, Version};

impl Lowerer<'_> {
    /// Checks a terminator that has just been lowered.
    pub(super) fn terminator(&mut self, id: OpId) {
        let body = self.builder.body();
        let op = body.op(id);
        let found: Vec<Type> = body.operands(op).iter().map(|&value| body.ty(value)).collect();
        let (kind, name) = (op.op, op.op.row().name);
        let place = self.spans.op_names[id.0 as usize].clone();
        if self.frames.iter().any(|frame| frame.op == M::Module) {
            return; // inside an op that could not be read
        }
        let version = self.context.options.version;
        let Some(target) = self.target(kind, version) else {
            return self.report(Kind::MisplacedTerminator(d::MisplacedTerminator {
                place,
                terminator: name,
                home: home(kind),
                around: self.around(kind),
                has_operands: !found.is_empty(),
                too_old: self.target(kind, Version::NEWEST).map(|_| version),
            }));
        };
        let frame = &self.frames[target];
        // `yield` is checked with the enclosing op. Inside a tainted op, nothing is compared.
        if kind == M::Yield || self.frames[target..].iter().any(|frame| frame.is_tainted) {
            return;
        }
        let expected = passed_types(kind, frame);
        let agrees = expected.len() == found.len()
            && expected.iter().zip(&found).all(|(a, b)| a == b || a.is_unknown() || b.is_unknown());
        if !agrees {
            let around = frame.op.row().name;
            self.report(d::terminator_types(place, name, around, &expected, &found));
        }
    }

    /// Marks missing types of a terminator as a consequence if the op that determines them is tainted.
    pub(super) fn taint_missing_types(&mut self, kind: M, whole: &Range<u32>) {
        let target = self.target(kind, self.context.options.version);
        if target.is_some_and(|target| self.frames[target].is_tainted) {
            self.problems.taint_missing_text(self.problems.syntax_errors_in(whole));
        }
    }

    /// The op whose region or iteration the terminator ends, as an index into the enclosing frames.
    fn target(&self, kind: M, version: Version) -> Option<usize> {
        let depth = ended_by(kind, self.frames.iter().rev().map(|frame| frame.op), version)?;
        Some(self.frames.len() - 1 - depth)
    }

    /// The op whose region a misplaced terminator seems to end.
    fn around(&self, kind: M) -> &'static str {
        let mut around = self.frames.iter().rev().map(|frame| frame.op);
        around.find(|&op| kind == M::Yield || op != M::If).unwrap_or(M::Entry).row().name
    }
}

/// The types of the values that a terminator passes on to the op that it ends.
pub(super) fn passed_types(kind: M, frame: &Frame) -> Vec<Type> {
    // The function of a reduction combines single elements.
    let element = |ty: &Type| ty.as_tile().map_or(Type::unknown(), |tile| Type::tile_of(&[], tile.element));
    match (kind, frame.op) {
        (M::Continue, _) => frame.carried.clone(),
        (M::Return, M::Entry) => Vec::new(),
        (M::Yield, M::Reduce | M::Scan) => frame.results.iter().map(element).collect(),
        _ => frame.results.clone(),
    }
}

/// Which of the enclosing ops, innermost first, a terminator ends; `None` if it is not allowed there.
pub(crate) fn ended_by(kind: M, around: impl Iterator<Item = M>, version: Version) -> Option<usize> {
    let mut around = around.enumerate();
    match kind {
        M::Yield => around.next().filter(|(_, op)| matches!(op, M::If | M::Reduce | M::Scan)),
        M::Break => around.find(|(_, op)| *op != M::If).filter(|(_, op)| *op == M::Loop),
        M::Continue => around.find(|(_, op)| *op != M::If).filter(|(_, op)| matches!(op, M::For | M::Loop)),
        _ => {
            let out_of_loops = version >= Version::V13_4;
            around
                .find(|(_, op)| *op != M::If && !(out_of_loops && *op == M::Loop))
                .filter(|(_, op)| matches!(op, M::Entry | M::TestingFunc))
        }
    }
    .map(|(depth, _)| depth)
}

/// The ops in which a terminator is allowed.
fn home(kind: M) -> &'static str {
    match kind {
        M::Yield => "`if`, `reduce` or `scan`",
        M::Break => "`loop`",
        M::Continue => "`for` or `loop`",
        _ => "an entry",
    }
}
