//! Printing and assertions.

use crate::findings::{Fault, assertion_failed, print_conversion};
use crate::memory::unit::Unit;
use crate::ops::chapter::Chapter;
use crate::ops::context::{Mode, OpContext, Tiled};
use crate::ops::kernel::{Kernel, OpResult};
use crate::ops::printf::{Number, number};
use crate::values::tile::Tile;
use crate::values::value::Value;
use tile_analysis::ir::Attr;
use tile_analysis::number::{decode, decode_int};
use tile_analysis::print_format::{Conversion, Length, Operand, SegmentKind, parse};
use tile_analysis::types::Type;
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName};

pub(crate) static CHAPTER: Chapter = Chapter { ops: &[(M::Assert, assert), (M::PrintTko, print)], elementwise: false };

fn text(attr: &Attr) -> &[u8] {
    match attr {
        Attr::Str(text) => text,
        _ => &[],
    }
}

fn assert(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let message = String::from_utf8_lossy(text(cx.attr(AttrName::Message))).into_owned();
    let shape = cx.operand(OperandName::Condition).shape;
    Ok(Box::new(move |_, inputs, _| match crate::simd::find(inputs[0].tile(), |holds: bool| !holds) {
        Some(index) => Err(assertion_failed::fault(&message, index, &shape)),
        None => Ok(()),
    }))
}

/// The parts of a format, printed one after another.
enum Piece {
    Text(Vec<u8>),
    Operand { conversion: Conversion, place: usize, tile: Tiled },
}

fn print(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let format = text(cx.attr(AttrName::Str));
    let operands = cx.body.group(cx.op, 0);
    let mut places = 0..operands.len();
    let (mut pieces, mut misfit) = (Vec::new(), None);
    for segment in parse(format) {
        let conversion = segment.conversion();
        // Without an operand left, a conversion is printed as text.
        let operand = conversion.and_then(|conversion| Some((conversion, places.next()?)));
        pieces.push(match operand {
            Some((conversion, place)) => {
                let ty = cx.body.ty(operands[place]);
                let fitting = Operand::of(ty).map_or(conversion, |operand| operand.fit(conversion));
                misfit = misfit.or_else(|| crate::ops::print::misfit(conversion, fitting, place, ty));
                Piece::Operand { conversion: fitting, place, tile: Tiled::of(ty) }
            }
            None if segment.kind == SegmentKind::Percent => Piece::Text(b"%".to_vec()),
            None => Piece::Text(format[segment.range].to_vec()),
        });
    }
    let returns_token = cx.body.results(cx.op).len() > 0;
    let misfit = misfit.filter(|_| cx.mode == Mode::Sanitized);
    Ok(Box::new(move |context, inputs, results| {
        if let Some(misfit) = &misfit {
            return Err(Box::new(misfit.clone()));
        }
        let mut out = Vec::new();
        for piece in &pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text),
                Piece::Operand { conversion, place, tile } => {
                    write_tile(&mut out, *conversion, inputs[*place].tile(), tile);
                }
            }
        }
        context.printer.print(context.op, context.block, out);
        if returns_token {
            results.push(Value::Token);
        }
        Ok(())
    }))
}

/// The finding for a conversion whose letter does not fit its operand. A lint reports a bare `%`.
fn misfit(conversion: Conversion, fitting: Conversion, place: usize, ty: Type) -> Option<Fault> {
    let is_misfit = conversion.letter.is_some() && conversion != fitting;
    is_misfit.then(|| *print_conversion::fault(&conversion.suffix(), place, &ty.to_string(), &fitting.suffix()))
}

/// Writes a tile in nested brackets, and a scalar without.
fn write_tile(out: &mut Vec<u8>, conversion: Conversion, value: &Tile, tile: &Tiled) {
    write_level(out, conversion, value, tile, &tile.extents(), 0);
}

fn write_level(out: &mut Vec<u8>, conversion: Conversion, value: &Tile, tile: &Tiled, extents: &[usize], start: usize) {
    let [extent, inner @ ..] = extents else {
        return number(out, conversion, element(value, tile, start, conversion.length));
    };
    let size: usize = inner.iter().product();
    out.push(b'[');
    for index in 0..*extent {
        if index > 0 {
            out.extend_from_slice(b", ");
        }
        write_level(out, conversion, value, tile, inner, start + index * size);
    }
    out.push(b']');
}

fn element(value: &Tile, tile: &Tiled, index: usize, length: Length) -> Number {
    let bits = value.bits(if value.stored() == 1 { 0 } else { index });
    match (tile.pointee, tile.element) {
        (Some(pointee), _) => Number::Pointer(Unit::of(pointee).address(bits)),
        (_, element) if element.is_int() => integer(element, bits, length),
        (_, element) => Number::Float(decode(element, bits)),
    }
}

/// As in C, a narrow integer is sign-extended to 32 bits, and an unsigned conversion prints all of these bits unless a
/// length modifier limits them. An `i1` has no sign.
fn integer(element: Element, bits: u64, length: Length) -> Number {
    let signed = decode_int(element, bits);
    let unsigned = match length {
        Length::Char => u64::from(signed as u8),
        Length::Short => u64::from(signed as u16),
        _ if (2..32).contains(&element.bits()) => u64::from(signed as u32),
        _ => bits,
    };
    Number::Int { signed, unsigned }
}
