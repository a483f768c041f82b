//! Reading and writing memory: what lies at an address, and what is wrong where nothing does.

use super::cells::Cells;
use super::kernel::Outcome;
use super::memory::{Allocation, FIRST, Memory};
use super::ops::strip::Rows;
use super::tile::{Tile, Word};
use crate::findings::{
    Fault, constant_store, freed_memory, misaligned_pointer, null_pointer, pointer_outside_allocation as outside,
};
use tile_dialect::Element;

impl Memory {
    /// For accesses that follow each other.
    #[inline]
    pub(crate) fn nearby(&self) -> Nearby<'_> {
        Nearby { memory: self, last: None }
    }

    /// The bits of the element of some bytes at an address, if there is one.
    pub(crate) fn bits_at(&self, address: u64, bytes: usize) -> Option<u64> {
        let mut nearby = self.nearby();
        match bytes {
            1 => nearby.read::<u8>(address).map(u64::from).ok(),
            2 => nearby.read::<u16>(address).map(u64::from).ok(),
            4 => nearby.read::<u32>(address).map(u64::from).ok(),
            _ => nearby.read::<u64>(address).ok(),
        }
    }

    /// Replaces the element at an address in one atomic step, unless `f` declines. Gives what was there.
    pub(crate) fn update<T: Word>(&self, address: u64, f: impl Fn(T) -> Option<T>) -> Outcome<T> {
        // What is missing or misaligned is missing for reading first.
        let mut nearby = self.nearby();
        let access = if nearby.cells::<T>(address, 1, Use::Read).is_some() { Use::Write } else { Use::Read };
        match nearby.cells::<T>(address, 1, access) {
            Some((cells, start)) => Ok(cells.update(start, f)),
            None => Err(self.fault(address, T::BYTES, access)),
        }
    }

    /// The element at an address inside an allocation, in words: ``element 3 of `%a```.
    pub(crate) fn element_at(&self, address: u64) -> String {
        let Some(allocation) = self.nearest(address) else { return "memory".to_string() };
        let index = address.wrapping_sub(allocation.base) as usize / allocation.element.bytes();
        format!("element {index} of `{}`", allocation.name)
    }

    /// What is wrong with an access that failed.
    pub(crate) fn fault(&self, address: u64, size: usize, access: Use) -> Box<Fault> {
        if let Some((name, element)) = self.freed_at(address) {
            return freed_memory::fault(name, element, access);
        }
        let Some(allocation) = self.nearest(address) else {
            return null_pointer::fault(address, access);
        };
        if address < FIRST / 2 {
            return null_pointer::fault(address, access);
        }
        let offset = address.wrapping_sub(allocation.base) as i64;
        let inside = offset >= 0 && offset as u64 + size as u64 <= allocation.cells.len() as u64;
        let count = allocation.cells.len() / allocation.element.bytes();
        if !inside {
            return outside::fault(&allocation.name, allocation.element, count, offset, size, access);
        }
        if !address.is_multiple_of(size as u64) {
            return misaligned_pointer::fault(&allocation.name, offset, size, access);
        }
        constant_store::fault(&allocation.name)
    }
}

/// Memory, and the allocation that the last access met: the next one most likely meets it too.
pub(crate) struct Nearby<'a> {
    memory: &'a Memory,
    last: Option<&'a Allocation>,
}

impl<'a> Nearby<'a> {
    /// The cells of `count` elements at an address, which are aligned and permit the use, and where they begin.
    #[inline]
    fn cells<T: Word>(&mut self, address: u64, count: usize, access: Use) -> Option<(&'a Cells, usize)> {
        let bytes = count.checked_mul(T::BYTES)?;
        let (allocation, start) = match self.last.and_then(|last| Some((last, within(last, address, bytes)?))) {
            Some(found) => found,
            None => self.find(address, bytes)?,
        };
        let permitted = access == Use::Read || !allocation.constant;
        (permitted && address.is_multiple_of(T::BYTES as u64)).then_some((&allocation.cells, start))
    }

    /// The cells of rows of elements, which permit the use, and where they begin.
    pub(super) fn rows<T: Word>(&mut self, rows: &Rows, access: Use) -> Option<(&'a Cells, usize)> {
        let between = usize::try_from(rows.step).ok()?.checked_mul(rows.rows - 1)?;
        let count = (between / T::BYTES).checked_add(rows.count)?;
        self.cells::<T>(rows.first, count, access)
    }

    /// The allocation in which so many bytes at an address lie, and how far from its beginning.
    fn find(&mut self, address: u64, bytes: usize) -> Option<(&'a Allocation, usize)> {
        let allocation = &*self.memory.allocations[self.memory.below(address)?];
        let start = within(allocation, address, bytes)?;
        self.last = Some(allocation);
        Some((allocation, start))
    }

    /// The element at an address.
    #[inline]
    pub(crate) fn read<T: Word>(&mut self, address: u64) -> Outcome<T> {
        match self.cells::<T>(address, 1, Use::Read) {
            Some((cells, start)) => Ok(cells.read(start)),
            None => Err(self.memory.fault(address, T::BYTES, Use::Read)),
        }
    }

    /// Writes the element at an address.
    #[inline]
    pub(crate) fn write<T: Word>(&mut self, address: u64, value: T) -> Outcome<()> {
        let Some((cells, start)) = self.cells::<T>(address, 1, Use::Write) else {
            return Err(self.memory.fault(address, T::BYTES, Use::Write));
        };
        cells.write(start, value);
        Ok(())
    }

    /// Reads elements that lie one after another.
    pub(crate) fn read_row<T: Word>(&mut self, address: u64, into: &mut [T]) -> Outcome<()> {
        if let Some((cells, start)) = self.cells::<T>(address, into.len(), Use::Read) {
            cells.read_row(start, into);
            return Ok(());
        }
        into.iter_mut().enumerate().try_for_each(|(index, into)| {
            *into = self.read(address.wrapping_add((index * T::BYTES) as u64))?;
            Ok(())
        })
    }

    /// Writes elements one after another.
    pub(crate) fn write_row<T: Word>(&mut self, address: u64, from: &[T]) -> Outcome<()> {
        if let Some((cells, start)) = self.cells::<T>(address, from.len(), Use::Write) {
            cells.write_row(start, from);
            return Ok(());
        }
        from.iter()
            .enumerate()
            .try_for_each(|(index, &value)| self.write(address.wrapping_add((index * T::BYTES) as u64), value))
    }
}

/// How far from the beginning of an allocation an address lies, where so many bytes at it lie inside.
#[inline]
fn within(allocation: &Allocation, address: u64, bytes: usize) -> Option<usize> {
    let start = usize::try_from(address.checked_sub(allocation.base)?).ok()?;
    (start.checked_add(bytes)? <= allocation.cells.len()).then_some(start)
}

/// What is done with memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// It is read.
    Read,
    /// It is written.
    Write,
}

impl Use {
    /// `reads` or `writes`.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Use::Read => "reads",
            Use::Write => "writes",
        }
    }
}

/// The bits of memory that an element does not use: a 4-bit element uses half of its byte.
pub(crate) fn clean(element: Element, tile: Tile) -> Tile {
    if element.bits() != 4 {
        return tile;
    }
    super::lanes::map(&tile, |byte: u8| byte & 0xF)
}
