//! The checks before each op, planned from the program.

use crate::findings::{Finding, OpResult};
use crate::ops;
use crate::ops::assume;
use crate::ops::context::{Mode, OpContext, Tiled};
use crate::ops::precondition::Precondition;
use crate::ops::preconditions;
use crate::sanitize::access::{Access, Need, is_used};
use crate::sanitize::loop_state;
use crate::sanitize::propagate::Propagation;
use rustc_hash::FxHashMap;
use tile_analysis::ir::{Body, Module, OpId};
use tile_analysis::types::Type;
use tile_dialect::{Class, Effect, Mnemonic, OperandName};

/// The checks of all ops of an entry.
pub(crate) struct Checks {
    checks: Vec<Option<Check>>,
    /// For each `loop`, which of its values decide how it continues.
    deciding: FxHashMap<OpId, Vec<bool>>,
}

impl Checks {
    /// The checks of the ops that have a kernel.
    pub(crate) fn new(module: &Module, body: &Body) -> Result<Checks, Box<Finding>> {
        let check = |id: OpId| {
            let cx = OpContext { module, body, op: body.op(id), id, mode: Mode::Sanitized };
            let check = ops::has_kernel(cx.op.op).then(|| Check::of(&cx)).transpose();
            check.map_err(|fault| Box::new(fault.at(Some(id), [0; 3])))
        };
        let ids = || (0..body.ops.len() as u32).map(OpId);
        let loops = ids().filter(|&id| body.op(id).op == Mnemonic::Loop);
        Ok(Checks {
            checks: ids().map(check).collect::<Result<_, _>>()?,
            deciding: loops.map(|id| (id, loop_state::deciding(body, body.op(id)))).collect(),
        })
    }

    /// For each value that a `loop` carries, whether it decides how the loop continues.
    pub(crate) fn deciding(&self, op: OpId) -> &[bool] {
        self.deciding.get(&op).map_or(&[], Vec::as_slice)
    }

    /// The check of an op.
    pub(crate) fn of(&self, op: OpId) -> Option<&Check> {
        self.checks[op.0 as usize].as_ref()
    }
}

/// The check of an op, and how it computes the shadows of the results.
pub(crate) struct Check {
    /// Operands of which all elements must be specified.
    pub(crate) whole: Vec<Need>,
    /// The preconditions on elements.
    pub(crate) preconditions: Vec<Precondition>,
    /// The assumption of an `assume`.
    pub(crate) assumed: Option<assume::Assumption>,
    /// Whether it divides, and so fails for some operands by itself.
    pub(crate) divides: bool,
    /// Whether it is an alias fence.
    pub(crate) fences: bool,
    /// Whether its result is used.
    pub(crate) used: bool,
    pub(crate) effect: ShadowEffect,
    /// The indices of the operands that are tokens.
    pub(crate) token_operands: Vec<usize>,
    /// For each result, whether it is a token.
    pub(crate) token_results: Vec<bool>,
}

/// The effect of an op on shadow memory and on the shadows of its results.
pub(crate) enum ShadowEffect {
    /// It accesses memory.
    Access(Box<Access>),
    /// It computes.
    Propagation(Propagation),
}

impl Check {
    /// The check of an op that has a kernel.
    fn of(cx: &OpContext<'_>) -> OpResult<Check> {
        let row = cx.op.op.row();
        let access = Access::of(cx)?;
        let makes_view = row.results.iter().any(|result| result.class == Class::TensorView);
        let demands_all = access.is_none() && (row.effect == Effect::Memory || makes_view);
        let operands = cx.body.operands(cx.op);
        let mut whole = Vec::new();
        let index_of = |name| row.operand(name).map(|(index, _)| index);
        let mask = access.as_ref().and_then(|_| index_of(OperandName::Mask));
        let indices = index_of(OperandName::Index).or_else(|| index_of(OperandName::Indices));
        for operand in 0..row.operands.len() {
            let (place, count) = cx.group(operand);
            let purpose = match Some(operand) {
                operand if operand == mask => "uses an unspecified mask",
                operand if operand == indices => "uses an unspecified index",
                _ if demands_all => "uses an unspecified value",
                _ => continue,
            };
            whole.extend(operands[place..place + count].iter().zip(place..).map(|(&value, place)| {
                let shape = Tiled::of(cx.body.ty(value)).shape;
                Need { place, purpose, shape }
            }));
        }
        let effect = match access {
            Some(access) => ShadowEffect::Access(Box::new(access)),
            None => ShadowEffect::Propagation(Propagation::of(cx)),
        };
        let is_token = |value| cx.body.ty(value) == Type::token();
        let preconditions = preconditions::of(cx);
        Ok(Check {
            whole,
            used: preconditions.is_empty() || is_used(cx.body, cx.op.results.clone()),
            preconditions,
            assumed: if cx.op.op == Mnemonic::Assume { assume::assumption(cx) } else { None },
            fences: cx.op.op == Mnemonic::MemoryFenceAliasTko,
            divides: matches!(cx.op.op, Mnemonic::Divi | Mnemonic::Remi),
            effect,
            token_operands: (0..operands.len()).filter(|&place| is_token(operands[place])).collect(),
            token_results: cx.body.results(cx.op).map(is_token).collect(),
        })
    }
}

impl Check {
    /// Whether only the memory that the op accesses can be a problem, if its operands are specified and pointers do not
    /// overflow 64 bits.
    pub(crate) fn is_about_memory(&self, op: Mnemonic) -> bool {
        let has_no_conditions = self.assumed.is_none() && (op == Mnemonic::Offset || self.preconditions.is_empty());
        has_no_conditions && (self.token_operands.is_empty() || matches!(self.effect, ShadowEffect::Access(_)))
    }
}
