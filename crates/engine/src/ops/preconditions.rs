//! The preconditions of ops on single elements, for the sanitizer.

use crate::findings::{at_element, negative_scale};
use crate::ops::context::OpContext;
use crate::ops::convert;
use crate::ops::integer_check as check;
use crate::ops::precondition::Precondition;
use crate::ops::shape;
use crate::ops::view;
use crate::simd;
use crate::values::value::Value;
use tile_analysis::number::decode;
use tile_dialect::{Element, Mnemonic as M, OperandName};

/// The preconditions of an op.
pub(crate) fn of(cx: &OpContext<'_>) -> Vec<Precondition> {
    match cx.op.op {
        M::Shli => check::shift(cx).into_iter().chain(check::overflow(cx)).collect(),
        M::Shri => check::shift(cx).into_iter().collect(),
        M::Addi | M::Subi | M::Muli | M::Negi => check::overflow(cx).into_iter().collect(),
        M::Trunci => convert::no_loss(cx).into_iter().collect(),
        M::Ftoi => convert::in_range(cx).into_iter().collect(),
        M::Offset => vec![shape::address(cx)],
        M::MakeTensorView => view::positive_strides(cx),
        M::MmafScaled => [(OperandName::LhsScale, "left"), (OperandName::RhsScale, "right")]
            .into_iter()
            .filter_map(|(name, side)| scale(cx, name, side))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether the violation of an op's precondition makes only its result undefined.
pub(crate) fn may_be_late(op: M) -> bool {
    matches!(op, M::Shli | M::Shri | M::Ftoi | M::Offset)
}

/// The precondition that scales are not negative.
fn scale(cx: &OpContext<'_>, name: OperandName, side: &'static str) -> Option<Precondition> {
    let (place, scale) = (cx.place(name), cx.operand(name));
    let negative = |bits: u8| decode(Element::F8E4M3FN, bits.into()) < 0.0;
    let broken = move |inputs: &[Value]| simd::map(inputs[place].tile(), negative);
    let fault = move |inputs: &[Value], index: usize| {
        let value = decode(scale.element, inputs[place].tile().bits(index));
        negative_scale::fault(value, side, &at_element(index, &scale.shape))
    };
    let is_signed = cx.operand(name).element == Element::F8E4M3FN;
    is_signed.then(|| Precondition { operand: Some(place), ..Precondition::strict(broken, fault) })
}
