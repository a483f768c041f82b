//! P0201: unstated alignment.

use super::entry::{Entry, in_every_launch};
use crate::access::{Access, memory_bits};
use crate::divisibility::is_stated;
use crate::point::Point;
use crate::symbolic::Poly;
use tile_analysis::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use tile_analysis::diagnostics::accesses::UNSTATED_ALIGNMENT;
use tile_analysis::ir::{Op, OpId, Value};
use tile_analysis::range_analysis::NamedLaunch;
use tile_analysis::suggest::unused;
use tile_analysis::types::Scalar;
use tile_dialect::{Mnemonic, PADDING};

/// The alignment that TMA requires, in bits.
const ALIGNMENT: i64 = 128;

/// The size of a tile from which on TMA is worth a hint, in bits.
const MIN_TILE: i64 = 2048 * 8;

/// A number or an address, and what it must be divisible by: in elements, or in bytes for a pointer.
type Promise = (Value, u64);

/// Reports the tensor view that an access uses if only a promise about alignment is missing.
pub(super) fn unstated(entry: &Entry<'_>, access: &Access) -> Option<Diagnostic> {
    let bits = access.tile.iter().product::<i64>() * i64::from(memory_bits(access.element));
    let tensor = tensor_view(entry, access)?;
    if bits < MIN_TILE || entry.launches.is_empty() {
        return None;
    }
    let promises = missing(entry, access, tensor)?;
    let body = entry.names.body;
    let id = body.defining_op(Value(tensor.results.start))?;
    let said = |&(value, divisor): &Promise| {
        let name = entry.names.value(value);
        let is_pointer = body.ty(value).as_tile().is_some_and(|tile| matches!(tile.element, Scalar::Pointer(_)));
        if is_pointer {
            format!("`{name}` is aligned to {divisor} bytes")
        } else {
            format!("`{name}` is a multiple of {divisor}")
        }
    };
    let all: Vec<String> = promises.iter().map(said).collect();
    let message = format!("the compiler cannot use TMA, because it does not know that {}", all.join(" and that "));
    let found = Diagnostic::new(&UNSTATED_ALIGNMENT, entry.name(id), message);
    let found = found.note(format!("this holds {}", in_every_launch(entry)));
    Some(found.with_fix(Fix::new("state it with `assume`", Applicability::Unsafe, edits(entry, id.0, &promises))))
}

/// The op that makes the tensor view of an access to a slice.
fn tensor_view<'a>(entry: &Entry<'a>, access: &Access) -> Option<&'a Op> {
    let body = entry.names.body;
    let operands = body.operands(body.op(access.op)).iter();
    let (tiles, ty) = operands.filter_map(|&value| Some((value, body.ty(value).as_tile_view()?))).next()?;
    if ty.padding.is_some_and(|padding| PADDING.values[usize::from(padding)].name != "zero") {
        return None;
    }
    let tensor = body.operand(body.op(body.defining_op(tiles)?), 0)?;
    Some(body.op(body.defining_op(tensor)?)).filter(|op| op.op == Mnemonic::MakeTensorView)
}

/// The promises that are missing and hold in every launch; `None` if there is none, or if TMA is impossible anyway.
fn missing(entry: &Entry<'_>, access: &Access, tensor: &Op) -> Option<Vec<Promise>> {
    let body = entry.names.body;
    let ty = body.ty(Value(tensor.results.start)).as_tensor_view()?;
    let element = i64::from(memory_bits(access.element));
    let mut promises = Vec::new();
    let base = body.operand(tensor, 0)?;
    if !is_stated(body, base, ALIGNMENT as u64 / 8) {
        // The start of a buffer.
        let index = body.param(base)?;
        let is_start = |launch: &NamedLaunch| !launch.values.addresses.contains(&index);
        entry.launches.iter().all(is_start).then(|| promises.push((base, ALIGNMENT as u64 / 8)))?;
    }
    if !ty.strides.contains(&Some(1)) {
        return None;
    }
    let mut dynamic = body.group(tensor, 2).iter();
    for (stride, known) in access.strides.iter().zip(&ty.strides) {
        let divisor = ALIGNMENT / element;
        match known {
            Some(1) => {}
            Some(number) if number % divisor == 0 => {}
            Some(_) => return None,
            None => {
                let value = *dynamic.next()?;
                if is_stated(body, value, divisor as u64) {
                    continue;
                }
                let is_met = |launch: &NamedLaunch| divides(entry, launch, stride, divisor);
                entry.launches.iter().all(is_met).then(|| promises.push((value, divisor as u64)))?;
            }
        }
    }
    promises.dedup();
    (!promises.is_empty()).then_some(promises)
}

fn divides(entry: &Entry<'_>, launch: &NamedLaunch, number: &Poly, divisor: i64) -> bool {
    let point = Point::of_block(entry.names.body, &launch.values, [0; 3]);
    point.evaluate(number).is_some_and(|number| number % divisor == 0)
}

/// Defines a value with each promise above the op, and uses it there.
fn edits(entry: &Entry<'_>, op: u32, promises: &[Promise]) -> Vec<Edit> {
    let (spans, body) = (entry.names.spans, entry.names.body);
    let statement = spans.statements[op as usize].clone();
    let before = &entry.names.text[..statement.start as usize];
    let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
    let indent = &before[before.len() - indent..];
    let mut edits = Vec::new();
    let mut definitions = String::new();
    // Other views can get a promise about the same value, so the new name includes that of the view.
    let view = entry.names.value(Value(body.op(OpId(op)).results.start));
    for &(value, divisor) in promises {
        let name = entry.names.value(value);
        let stem = format!("{}_of_{}", name.replace('#', "_"), view.trim_start_matches('%'));
        let new = unused(&stem, |name| entry.names.text.contains(name));
        definitions += &format!("{new} = assume div_by<{divisor}>, {name} : {}\n{indent}", body.ty(value));
        let uses = spans
            .uses
            .iter()
            .filter(|(range, used)| *used == value && statement.start <= range.start && range.end <= statement.end);
        edits.extend(uses.map(|(range, _)| Edit { range: range.clone(), content: new.clone() }));
    }
    edits.push(Edit { range: statement.start..statement.start, content: definitions });
    Edit::sort(&mut edits);
    edits
}
