//! Reading and writing memory: what lies at an address, and what is wrong where nothing does.

use super::kernel::Outcome;
use super::memory::{FIRST, Memory};
use super::tile::{Tile, Word};
use crate::findings::{Fault, constant_store, misaligned_pointer, null_pointer, pointer_outside_allocation as outside};
use tile_dialect::Element;

impl Memory {
    /// The elements `T` at one address after another; `None` where they do not all lie in one allocation.
    pub(crate) fn run(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        let allocation = &self.allocations[self.below(address)?];
        let start = usize::try_from(address - allocation.base).ok()?;
        allocation.bytes.get(start..start.checked_add(bytes)?)
    }

    /// As [`Memory::run`], for writing; `None` for constants too.
    pub(crate) fn run_mut(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let index = self.below(address)?;
        let allocation = &mut self.allocations[index];
        let start = usize::try_from(address - allocation.base).ok()?;
        if allocation.constant { None } else { allocation.bytes.get_mut(start..start.checked_add(bytes)?) }
    }

    /// The element at an address.
    #[inline]
    pub(crate) fn read<T: Word>(&self, address: u64) -> Result<T, Box<Fault>> {
        match self.run(address, T::BYTES) {
            Some(bytes) if address.is_multiple_of(T::BYTES as u64) => Ok(T::read(bytes)),
            _ => Err(self.fault(address, T::BYTES, Use::Read)),
        }
    }

    /// Writes the element at an address.
    #[inline]
    pub(crate) fn write<T: Word>(&mut self, address: u64, value: T) -> Result<(), Box<Fault>> {
        if address.is_multiple_of(T::BYTES as u64)
            && let Some(bytes) = self.run_mut(address, T::BYTES)
        {
            value.write(bytes);
            return Ok(());
        }
        Err(self.fault(address, T::BYTES, Use::Write))
    }

    /// Reads elements that lie one after another.
    pub(crate) fn read_row<T: Word>(&self, address: u64, into: &mut [T]) -> Outcome<()> {
        if into.is_empty() {
            return Ok(());
        }
        match self.run(address, into.len() * T::BYTES) {
            Some(bytes) if address.is_multiple_of(T::BYTES as u64) => {
                into.iter_mut().zip(bytes.chunks_exact(T::BYTES)).for_each(|(into, bytes)| *into = T::read(bytes));
                Ok(())
            }
            _ => {
                let addresses = (0..into.len()).map(|index| address.wrapping_add((index * T::BYTES) as u64));
                into.iter_mut().zip(addresses).try_for_each(|(into, address)| {
                    *into = self.read(address)?;
                    Ok(())
                })
            }
        }
    }

    /// Writes elements that lie one after another.
    pub(crate) fn write_row<T: Word>(&mut self, address: u64, from: &[T]) -> Outcome<()> {
        if from.is_empty() {
            return Ok(());
        }
        let aligned = address.is_multiple_of(T::BYTES as u64);
        if let Some(bytes) = self.run_mut(address, size_of_val(from)).filter(|_| aligned) {
            bytes.chunks_exact_mut(T::BYTES).zip(from).for_each(|(bytes, value)| value.write(bytes));
            return Ok(());
        }
        from.iter()
            .enumerate()
            .try_for_each(|(index, &value)| self.write(address.wrapping_add((index * T::BYTES) as u64), value))
    }

    /// The element at an address inside an allocation, in words: ``element 3 of `%a```.
    pub(crate) fn element_at(&self, address: u64) -> String {
        let Some(allocation) = self.nearest(address) else { return "memory".to_string() };
        let index = address.wrapping_sub(allocation.base) as usize / allocation.element.bytes();
        format!("element {index} of `{}`", allocation.name)
    }

    /// What is wrong with an access that failed.
    pub(crate) fn fault(&self, address: u64, size: usize, access: Use) -> Box<Fault> {
        let Some(allocation) = self.nearest(address) else {
            return null_pointer::fault(address, access);
        };
        if address < FIRST / 2 {
            return null_pointer::fault(address, access);
        }
        let offset = address.wrapping_sub(allocation.base) as i64;
        let inside = offset >= 0 && offset as u64 + size as u64 <= allocation.bytes.len() as u64;
        let count = allocation.bytes.len() / allocation.element.bytes();
        if !inside {
            return outside::fault(&allocation.name, allocation.element, count, offset, size, access);
        }
        if !address.is_multiple_of(size as u64) {
            return misaligned_pointer::fault(&allocation.name, offset, size, access);
        }
        constant_store::fault(&allocation.name)
    }
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
