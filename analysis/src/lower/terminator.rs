//! The ops that end regions: where they may stand and what they must hand on.

use super::{Frame, Lowerer};
use crate::diagnostics as d;
use crate::ir::OpId;
use crate::types::Type;
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
            return; // inside an op that could not be read, where nothing is known
        }
        let Some(frame) = self.target(kind) else {
            return self.report(d::terminator_place(place, name, home(kind)));
        };
        let expected = self.handed_on(kind, frame);
        let agrees = expected.len() == found.len()
            && expected.iter().zip(&found).all(|(a, b)| a == b || a.is_unknown() || b.is_unknown());
        if !agrees && !frame.has_loose_ends {
            let around = frame.op.row().name;
            self.report(d::terminator_types(place, name, around, &expected, &found));
        }
    }

    /// The op whose region or iteration the terminator ends.
    fn target(&self, kind: M) -> Option<&Frame> {
        let mut frames = self.frames.iter().rev();
        match kind {
            M::Yield => frames.next().filter(|frame| matches!(frame.op, M::If | M::Reduce | M::Scan)),
            M::Break => frames.find(|frame| frame.op != M::If).filter(|frame| frame.op == M::Loop),
            M::Continue => frames.find(|frame| frame.op != M::If).filter(|frame| matches!(frame.op, M::For | M::Loop)),
            _ => {
                let newest = self.context.options.version >= Version::V13_4;
                frames
                    .find(|frame| frame.op != M::If && !(newest && frame.op == M::Loop))
                    .filter(|frame| matches!(frame.op, M::Entry | M::TestingFunc))
            }
        }
    }

    fn handed_on(&self, kind: M, frame: &Frame) -> Vec<Type> {
        match (kind, frame.op) {
            (M::Continue, _) => frame.carried.clone(),
            (M::Return, M::Entry) => Vec::new(),
            (M::Yield, M::Reduce | M::Scan) => frame.results.iter().map(|&ty| element_of(ty)).collect(),
            _ => frame.results.clone(),
        }
    }
}

/// One element of a tile.
fn element_of(ty: Type) -> Type {
    ty.as_tile().map_or(Type::unknown(), |tile| Type::tile_of(&[], tile.element))
}

/// Where a terminator belongs, in words.
fn home(kind: M) -> &'static str {
    match kind {
        M::Yield => "`if`, `reduce` or `scan`",
        M::Break => "`loop`",
        M::Continue => "`for` or `loop`",
        _ => "an entry",
    }
}
