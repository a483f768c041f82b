//! Loads and stores through pointers, globals, scratch memory.

use super::Chapter;
use super::order::Order;
use super::window::unspecified;
use crate::cpu::access::clean;
use crate::cpu::kernel::{Kernel, Outcome};
use crate::cpu::memory::Memory;
use crate::cpu::reuse::vector;
use crate::cpu::site::Site;
use crate::cpu::tile::{Kind, Tile, Word, at, with_kind};
use crate::cpu::value::Value;
use crate::findings::not_supported;
use tile_analysis::ir::Attr;
use tile_dialect::{Element, Mnemonic as M};

pub(super) static CHAPTER: Chapter = Chapter {
    ops: &[(M::Alloca, alloca), (M::GetGlobal, get_global), (M::LoadPtrTko, load), (M::StorePtrTko, store)],
    elementwise: false,
};

fn get_global(site: &Site<'_>) -> Outcome<Kernel> {
    let Attr::Symbol(name) = site.attr("name") else { return Err(not_supported::op(site.op.op)) };
    let name = name.clone();
    if !site.module.globals.iter().any(|global| global.name == name) {
        return Err(not_supported::global(&name));
    }
    Ok(Box::new(move |context, _, results| {
        let id = context.memory.global(&name).ok_or_else(|| not_supported::global(&name))?;
        results.push(Tile::splat(Kind::Long, context.memory.address(id)).into());
        Ok(())
    }))
}

/// A tile block that wants more scratch memory than this is refused.
const MOST_SCRATCH: u64 = 1 << 30;

fn alloca(site: &Site<'_>) -> Outcome<Kernel> {
    let element = site.result(0).pointee.unwrap_or(Element::I8);
    let count = site.int("num_elem").max(0) as u64;
    let alignment = site.int("alignment").max(1) as u64;
    if count.saturating_mul(element.bytes() as u64) > MOST_SCRATCH || alignment > MOST_SCRATCH {
        return Err(not_supported::scratch(count, element, MOST_SCRATCH));
    }
    Ok(Box::new(move |context, _, results| {
        if context.memory.scratch_bytes() + count * element.bytes() as u64 > MOST_SCRATCH {
            return Err(not_supported::scratch_together(count, element, MOST_SCRATCH));
        }
        let address = context.memory.allocate_scratch(element, count as usize, alignment);
        results.push(Tile::splat(Kind::Long, address).into());
        Ok(())
    }))
}

/// Elements at consecutive addresses that all take part.
pub(super) struct Runs<'a> {
    addresses: &'a [u64],
    mask: &'a [bool],
    count: usize,
    size: u64,
    next: usize,
}

impl<'a> Runs<'a> {
    pub(super) fn new(addresses: &'a [u64], mask: &'a [bool], count: usize, size: usize) -> Runs<'a> {
        Runs { addresses, mask, count, size: size as u64, next: 0 }
    }
}

/// The first element of a run, its address, and how many elements it has.
impl Iterator for Runs<'_> {
    type Item = (usize, u64, usize);

    fn next(&mut self) -> Option<(usize, u64, usize)> {
        let start = (self.next..self.count).find(|&index| at(self.mask, index))?;
        let first = at(self.addresses, start);
        let mut end = start + 1;
        if self.mask == ALL && self.addresses.len() == self.count {
            end += neighbours(&self.addresses[end..], first.wrapping_add(self.size), self.size);
        }
        let mut expected = first.wrapping_add((end - start) as u64 * self.size);
        while end < self.count && at(self.mask, end) && at(self.addresses, end) == expected {
            end += 1;
            expected = expected.wrapping_add(self.size);
        }
        self.next = end;
        Some((start, first, end - start))
    }
}

/// How many addresses from the beginning lie so many bytes apart, or fewer: they are compared some at a time.
fn neighbours(addresses: &[u64], first: u64, size: u64) -> usize {
    const TOGETHER: usize = 16;
    let mut expected: [u64; TOGETHER] = std::array::from_fn(|index| first.wrapping_add(index as u64 * size));
    let mut found = 0;
    for group in addresses.as_chunks::<TOGETHER>().0 {
        let difference = group.iter().zip(&expected).fold(0, |difference, (a, b)| difference | (a ^ b));
        if difference != 0 {
            break;
        }
        found += TOGETHER;
        expected.iter_mut().for_each(|address| *address = address.wrapping_add(TOGETHER as u64 * size));
    }
    found
}

/// The mask of an op that has none.
pub(super) const ALL: &[bool] = &[true];

fn load(site: &Site<'_>) -> Outcome<Kernel> {
    let (mask, padding) = (site.optional("mask"), site.optional("paddingValue"));
    let (result, order) = (site.result(0), Order::of(site));
    let unspecified = Tile::splat(result.kind, unspecified(result.element));
    Ok(Box::new(move |context, inputs, results| {
        let padding = padding.map_or(&unspecified, |place| inputs[place].tile());
        let mask = mask.map_or(ALL, |place| bool::of(inputs[place].tile()));
        let addresses = u64::of(inputs[0].tile());
        // One address for all elements is read once.
        let count = if addresses.len() == 1 && mask.len() == 1 && padding.stored() == 1 { 1 } else { result.count };
        let tile = with_kind!(result.kind, T => {
            let mut out = vector::<T>(count);
            let padding = T::of(padding);
            if mask != ALL {
                out.iter_mut().enumerate().for_each(|(index, out)| *out = at(padding, index));
            }
            load_runs(&context.memory, Runs::new(addresses, mask, count, T::BYTES), &mut out)?;
            T::tile(out)
        });
        order.after();
        results.push(clean(result.element, tile).into());
        results.push(Value::Token);
        Ok(())
    }))
}

fn load_runs<T: Word>(memory: &Memory, runs: Runs<'_>, out: &mut [T]) -> Outcome<()> {
    for (start, address, count) in runs {
        memory.read_row(address, &mut out[start..][..count])?;
    }
    Ok(())
}

fn store(site: &Site<'_>) -> Outcome<Kernel> {
    let mask = site.optional("mask");
    let (value, order) = (site.operand("value"), Order::of(site));
    Ok(Box::new(move |context, inputs, results| {
        let mask = mask.map_or(ALL, |place| bool::of(inputs[place].tile()));
        let addresses = u64::of(inputs[0].tile());
        order.before();
        with_kind!(value.kind, T => {
            let elements = crate::cpu::tile::full(T::of(inputs[1].tile()), value.count);
            for (start, address, count) in Runs::new(addresses, mask, value.count, T::BYTES) {
                context.memory.write_row(address, &elements[start..][..count])?;
            }
        });
        results.push(Value::Token);
        Ok(())
    }))
}
