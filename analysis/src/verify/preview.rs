//! Checks calls of preview functions.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::{Attr, AttrValue, Op};
use crate::preview::{Call, CallPart, check_call};
use crate::print::attr_literal;
use crate::types::Type;
use std::ops::Range;
use tile_dialect::AttrName;
use tile_dialect::form::Slot;

/// Checks that a `preview$call` matches the declaration of its function, if the module has one.
pub(super) fn call(cx: &Cx, op: &Op, found: Diagnostics) {
    for name in [AttrName::ArgAttrs, AttrName::ResAttrs] {
        let Some((index, _)) = op.op.row().attr(name) else { continue };
        if let Attr::Value(value) = cx.body.attr(op, index)
            && let AttrValue::Array(list) = &**value
            && let Some(wrong) = list.iter().find(|value| !matches!(value, AttrValue::Dict(_)))
        {
            let message = format!("`{}` must contain dictionaries, found `{}`", name.text(), attr_literal(wrong));
            return found.push(d::preview_rule(cx.places.attrs[index].clone(), message));
        }
    }
    let attr = |name| op.op.row().attr(name).map_or((&Attr::Absent, 0), |(index, _)| (cx.body.attr(op, index), index));
    let ((callee, _), (const_args, place)) = (attr(AttrName::Callee), attr(AttrName::ConstArgs));
    let Attr::Symbol(callee) = callee else { return };
    let const_args = match const_args {
        Attr::Symbolic(values) => &**values,
        // The arguments are written, and their error has been reported.
        _ if cx.places.attrs[place] != cx.places.name => return,
        _ => &[],
    };
    let operands: Vec<Type> = cx.body.operands(op).iter().map(|&value| cx.body.ty(value)).collect();
    let results: Vec<Type> = cx.body.results(op).map(|value| cx.body.ty(value)).collect();
    let declared = cx.context.preview.get(callee);
    let call = Call { declared, const_args, operands: &operands, results: &results };
    if let Err((part, message)) = check_call(&call) {
        let place = match part {
            CallPart::Name => cx.places.name.clone(),
            CallPart::ConstArgs => cx.places.attrs[place].clone(),
            CallPart::Operand(index) => written_type(cx, Slot::Operand(0), index),
            CallPart::Result(index) => written_type(cx, Slot::Result(0), index),
        };
        found.push(d::preview_rule(place, message));
    }
}

/// The range of an operand or result type, or of the op's name if the type is not written.
fn written_type(cx: &Cx, slot: Slot, index: usize) -> Range<u32> {
    let mut places = cx.places.types.iter().filter(|(of, _)| *of == slot);
    places.nth(index).map_or(cx.places.name.clone(), |(_, place)| place.clone())
}
