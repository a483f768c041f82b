//! The memory that an op will access, for the sanitizer.

use crate::memory::rows::Span;
use crate::memory::unit::Unit;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::kernel::OpResult;
use crate::ops::load_store::{ALL, Runs};
use crate::ops::window::{Reach, Row};
use crate::values::tile::{Scalar, at};
use crate::values::value::Value;
use tile_dialect::{Class, Element, OperandName};

/// Lists the accesses of an op with these operands.
type List = Box<dyn Fn(&[Value], &mut Vec<Span>) -> OpResult<()> + Send + Sync>;

/// The accesses of an op.
pub(crate) struct Reached {
    /// The extents of the loaded or stored tile.
    pub(crate) extents: Vec<usize>,
    /// The size of one element in nibbles.
    pub(crate) size: usize,
    /// Whether elements outside the tensor are padded.
    pub(crate) padded: bool,
    /// Lists the accessed elements.
    pub(crate) list: List,
}

/// The accesses of an op through a view or through pointers; `None` if it has neither.
pub(crate) fn of(cx: &OpContext<'_>) -> OpResult<Option<Reached>> {
    let operands = cx.op.op.row().operands;
    if operands.iter().any(|operand| operand.class == Class::TileView) {
        return through_view(cx).map(Some);
    }
    let pointers = operands.iter().position(|operand| operand.class == Class::Pointers);
    Ok(pointers.map(|operand| through_pointers(cx, operand)))
}

fn through_view(cx: &OpContext<'_>) -> OpResult<Reached> {
    let reach = Reach::of(cx)?;
    let (extents, unit) = (reach.extents.clone(), Unit::of(reach.element));
    let (padded, size) = (reach.is_padded(), reach.element.bytes());
    let nibbles = reach.element.nibbles() as usize;
    let list = move |inputs: &[Value], spans: &mut Vec<Span>| {
        reach.window(inputs)?.rows(&reach.extents, size, &mut |Row { place, address, step, count, .. }| {
            spans.push(Span { place, address: unit.nibbles(address), step: unit.nibbles(step), count });
            Ok(())
        })
    };
    Ok(Reached { extents, size: nibbles, padded, list: Box::new(list) })
}

fn through_pointers(cx: &OpContext<'_>, operand: usize) -> Reached {
    let pointers: Tiled = cx.operand(operand);
    let place = cx.place(operand);
    let mask = cx.optional(OperandName::Mask);
    let element = pointers.pointee.unwrap_or(Element::I8);
    let (unit, size, nibbles) = (Unit::of(element), element.bytes(), element.nibbles());
    let (extents, count) = (pointers.extents(), pointers.count);
    let list = move |inputs: &[Value], spans: &mut Vec<Span>| {
        let addresses = u64::of(inputs[place].tile());
        let mask = mask.map_or(ALL, |place| bool::of(inputs[place].tile()));
        if addresses.len() == 1 {
            // All elements have one address.
            let address = unit.nibbles(addresses[0]);
            let taking = (0..count).filter(|&index| at(mask, index));
            spans.extend(taking.map(|place| Span { place, address, step: nibbles, count: 1 }));
            return Ok(());
        }
        let runs = Runs::new(addresses, mask, count, size);
        let span = |(place, first, count)| Span { place, address: unit.nibbles(first), step: nibbles, count };
        spans.extend(runs.map(span));
        Ok(())
    };
    Reached { extents, size: nibbles as usize, padded: false, list: Box::new(list) }
}
