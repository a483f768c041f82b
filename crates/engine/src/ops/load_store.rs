//! Loads and stores through pointers, globals, scratch memory.

use crate::findings::not_supported;
use crate::memory::access::Nearby;
use crate::memory::unit::Unit;
use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult};
use crate::ops::order::Order;
use crate::ops::window::unspecified;
use crate::simd::arch;
use crate::values::pool::vector;
use crate::values::tile::{Scalar, ScalarKind, Tile, at, full, with_kind};
use crate::values::value::Value;
use pulp::{Simd, WithSimd};
use tile_analysis::ir::Attr;
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[(M::Alloca, alloca), (M::GetGlobal, get_global), (M::LoadPtrTko, load), (M::StorePtrTko, store)],
    elementwise: false,
};

fn get_global(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let Attr::Symbol(name) = cx.attr(AttrName::Name) else { return Err(not_supported::op(cx.op.op)) };
    let (name, unit) = (name.clone(), Unit::of(cx.result(0).pointee.unwrap_or(Element::I8)));
    if !cx.module.globals.iter().any(|global| global.name == name) {
        return Err(not_supported::global(&name));
    }
    Ok(Box::new(move |context, _, results| {
        let id = context.memory.global(&name).ok_or_else(|| not_supported::global(&name))?;
        results.push(Tile::splat(ScalarKind::U64, unit.pointer(context.memory.address(id))).into());
        Ok(())
    }))
}

/// The limit of a tile block's scratch memory.
const MAX_SCRATCH: u64 = 1 << 30;

fn alloca(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let element = cx.result(0).pointee.unwrap_or(Element::I8);
    let count = cx.int(AttrName::NumElem).max(0) as u64;
    let alignment = cx.int(AttrName::Alignment).max(1) as u64;
    let bytes = count.saturating_mul(element.nibbles()).div_ceil(2);
    if bytes > MAX_SCRATCH || alignment > MAX_SCRATCH {
        return Err(not_supported::scratch(count, element, MAX_SCRATCH));
    }
    Ok(Box::new(move |context, _, results| {
        if context.memory.scratch_bytes() + bytes > MAX_SCRATCH {
            return Err(not_supported::scratch_together(count, element, MAX_SCRATCH));
        }
        let address = context.memory.allocate_scratch(context.op, element, count as usize, alignment);
        results.push(Tile::splat(ScalarKind::U64, Unit::of(element).pointer(address)).into());
        Ok(())
    }))
}

/// Unmasked elements at consecutive addresses.
pub(crate) struct Runs<'a> {
    addresses: &'a [u64],
    mask: &'a [bool],
    count: usize,
    size: u64,
    next: usize,
    /// The number of elements of every run, if known.
    row: Option<usize>,
}

impl<'a> Runs<'a> {
    pub(crate) fn new(addresses: &'a [u64], mask: &'a [bool], count: usize, size: usize) -> Runs<'a> {
        let size = size as u64;
        let whole = addresses.len() == count && mask.iter().all(|&takes_part| takes_part);
        let row = if whole { rows(addresses, size) } else { None };
        Runs { addresses, mask, count, size, next: 0, row }
    }
}

/// The first element of a run, its address, and its number of elements.
impl Iterator for Runs<'_> {
    type Item = (usize, u64, usize);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64, usize)> {
        if let Some(row) = self.row {
            let start = self.next;
            self.next += row;
            return self.addresses.get(start).map(|&first| (start, first, row));
        }
        let start = (self.next..self.count).find(|&index| at(self.mask, index))?;
        let first = at(self.addresses, start);
        let mut end = start + 1;
        let mut expected = first.wrapping_add(self.size);
        while end < self.count && at(self.mask, end) && at(self.addresses, end) == expected {
            end += 1;
            expected = expected.wrapping_add(self.size);
        }
        self.next = end;
        Some((start, first, end - start))
    }
}

/// The number of addresses that are compared at once.
const TOGETHER: usize = 16;

/// The length of the rows of contiguous addresses, as in most programs; there is at least one address. `None` if rows
/// are short or have different lengths.
fn rows(addresses: &[u64], size: u64) -> Option<usize> {
    let expected = |index: usize| addresses[0].wrapping_add(index as u64 * size);
    let end = (TOGETHER..addresses.len()).step_by(TOGETHER).find(|&index| addresses[index] != expected(index));
    let row = end.unwrap_or(addresses.len());
    let whole = row.is_multiple_of(TOGETHER) && addresses.len().is_multiple_of(row);
    (whole && arch().dispatch(Rows { addresses, row, size })).then_some(row)
}

/// Whether addresses form contiguous rows.
struct Rows<'a> {
    addresses: &'a [u64],
    row: usize,
    size: u64,
}

impl WithSimd for Rows<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let mut difference = 0;
        for row in self.addresses.chunks_exact(self.row) {
            let mut expected = row[0];
            for address in row {
                difference |= address ^ expected;
                expected = expected.wrapping_add(self.size);
            }
        }
        difference == 0
    }
}

/// The mask of an op without mask.
pub(crate) const ALL: &[bool] = &[true];

fn load(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (mask, padding) = (cx.optional(OperandName::Mask), cx.optional(OperandName::PaddingValue));
    let (result, order) = (cx.result(0), Order::of(cx));
    let unspecified = Tile::splat(result.kind, unspecified(result.element));
    Ok(Box::new(move |context, inputs, results| {
        let padding = padding.map_or(&unspecified, |place| inputs[place].tile());
        let mask = mask.map_or(ALL, |place| bool::of(inputs[place].tile()));
        let addresses = u64::of(inputs[0].tile());
        // A single address for all elements is read once.
        let count = if addresses.len() == 1 && mask.len() == 1 && padding.stored() == 1 { 1 } else { result.count };
        let tile = with_kind!(result.kind, T => {
            let mut out = vector::<T>(count);
            let padding = T::of(padding);
            if mask != ALL {
                out.iter_mut().enumerate().for_each(|(index, out)| *out = at(padding, index));
            }
            load_runs(context.memory.nearby_of(result.element), Runs::new(addresses, mask, count, T::BYTES), &mut out)?;
            T::tile(out)
        });
        order.after();
        results.push(tile.into());
        results.push(Value::Token);
        Ok(())
    }))
}

fn load_runs<T: Scalar>(mut memory: Nearby<'_>, runs: Runs<'_>, out: &mut [T]) -> OpResult<()> {
    for (start, address, count) in runs {
        memory.read_row(address, &mut out[start..][..count])?;
    }
    Ok(())
}

fn store(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let mask = cx.optional(OperandName::Mask);
    let (value, order) = (cx.operand(OperandName::Value), Order::of(cx));
    Ok(Box::new(move |context, inputs, results| {
        let mask = mask.map_or(ALL, |place| bool::of(inputs[place].tile()));
        let addresses = u64::of(inputs[0].tile());
        order.before();
        with_kind!(value.kind, T => {
            let elements = full(T::of(inputs[1].tile()), value.count);
            let mut memory = context.memory.nearby_of(value.element);
            for (start, address, count) in Runs::new(addresses, mask, value.count, T::BYTES) {
                memory.write_row(address, &elements[start..][..count])?;
            }
        });
        results.push(Value::Token);
        Ok(())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs of 4-byte elements.
    fn runs(addresses: &[u64], mask: &[bool]) -> Vec<(usize, u64, usize)> {
        Runs::new(addresses, mask, addresses.len(), 4).collect()
    }

    #[test]
    fn runs_end_where_addresses_or_masks_break() {
        let rows: Vec<u64> = (0..64).map(|index| index / 32 * 1000 + index % 32 * 4).collect();
        assert_eq!(runs(&rows, ALL), [(0, 0, 32), (32, 1000, 32)]);
        assert_eq!(runs(&rows, &[true; 64]), [(0, 0, 32), (32, 1000, 32)]);
        let mut broken = rows.clone();
        broken[40] = 8;
        assert_eq!(runs(&broken, ALL), [(0, 0, 32), (32, 1000, 8), (40, 8, 1), (41, 1036, 23)]);
        let mut masked = [true; 64];
        masked[5] = false;
        assert_eq!(runs(&rows, &masked), [(0, 0, 5), (6, 24, 26), (32, 1000, 32)]);
        let whole: Vec<u64> = (0..64).map(|index| index * 4).collect();
        assert_eq!(runs(&whole, ALL), [(0, 0, 64)]);
        assert_eq!(runs(&[0, 4, 16], ALL), [(0, 0, 2), (2, 16, 1)]);
        assert_eq!(runs(&[0; 3], &[false; 3]), []);
    }
}
