//! Reads and writes memory, and reports invalid accesses.

use crate::findings::{
    Fault, OpResult, constant_store, freed_memory, misaligned_pointer, multicast_address, null_pointer,
    pointer_outside_allocation as outside,
};
use crate::memory::atomic_buffer::AtomicBuffer;
use crate::memory::rows::Rows;
use crate::memory::unit::Unit;
use crate::memory::{Allocation, FIRST, Memory};
use crate::values::tile::Scalar;
use tile_dialect::Element;

impl Memory {
    /// An accessor for consecutive accesses.
    #[inline]
    pub(crate) fn nearby(&self) -> Nearby<'_> {
        Nearby { memory: self, unit: Unit::Byte, last: None }
    }

    /// An accessor for pointers to this element type.
    #[inline]
    pub(crate) fn nearby_of(&self, element: Element) -> Nearby<'_> {
        Nearby { memory: self, unit: Unit::of(element), last: None }
    }

    /// The bits of the element at a position; size and position are in nibbles. `None` if there is no such element.
    pub(crate) fn bits_at(&self, place: u64, nibbles: usize) -> Option<u64> {
        let (mut nearby, address) = (self.nearby(), place / 2);
        match nibbles {
            1 => Nearby { unit: Unit::Nibble, ..nearby }.read::<u8>(place).map(u64::from).ok(),
            2 => nearby.read::<u8>(address).map(u64::from).ok(),
            4 => nearby.read::<u16>(address).map(u64::from).ok(),
            8 => nearby.read::<u32>(address).map(u64::from).ok(),
            _ => nearby.read::<u64>(address).ok(),
        }
    }

    /// Atomically replaces the element at an address, unless `f` declines. Returns the old element.
    pub(crate) fn update<T: Scalar>(&self, address: u64, f: impl Fn(T) -> Option<T>) -> OpResult<T> {
        // A missing or misaligned address is reported as that of a read.
        let mut nearby = self.nearby();
        let access = if nearby.cells::<T>(address, 1, Use::Read).is_some() { Use::Write } else { Use::Read };
        match nearby.cells::<T>(address, 1, access) {
            Some((cells, start)) => Ok(cells.update(start, f)),
            None => Err(self.fault(address, T::BYTES, access, Unit::Byte)),
        }
    }

    /// Describes the element at a position (in nibbles) of an allocation: ``element 3 of `%a```.
    pub(crate) fn element_at(&self, place: u64) -> String {
        let Some(allocation) = self.nearest(place / 2) else { return "memory".to_string() };
        let index = place.wrapping_sub(allocation.base * 2) / allocation.element.nibbles();
        format!("element {index} of `{}`", allocation.name)
    }

    /// The finding for a failed access of `size` units.
    fn fault(&self, pointer: u64, size: usize, access: Use, unit: Unit) -> Box<Fault> {
        let (address, place) = (unit.address(pointer), unit.nibbles(pointer));
        if let Some((name, op, element)) = self.freed_at(place) {
            return freed_memory::fault(name, op, element, access);
        }
        let Some(allocation) = self.nearest(address) else {
            return null_pointer::fault(address, access);
        };
        if address < FIRST / 2 {
            return null_pointer::fault(address, access);
        }
        if allocation.is_multicast() {
            return multicast_address::plain_access(&self.element_at(place), access);
        }
        let offset = address.wrapping_sub(allocation.base) as i64;
        if within(allocation, pointer, size, unit).is_none() {
            let half = if unit == Unit::Nibble { (pointer & 1) as i64 } else { 0 };
            let nibbles = offset.saturating_mul(2).saturating_add(half);
            let fault = outside::fault(allocation, nibbles, unit.nibbles(size as u64), access);
            return match allocation.op {
                Some(op) => fault.other(op, "it is allocated here"),
                None => fault,
            };
        }
        if !address.is_multiple_of(size as u64) {
            return misaligned_pointer::fault(&allocation.name, offset, size, access);
        }
        constant_store::fault(&allocation.name)
    }
}

/// Memory, and the last accessed allocation, which the next access most likely uses too.
pub(crate) struct Nearby<'a> {
    memory: &'a Memory,
    /// The unit of the pointers.
    unit: Unit,
    last: Option<&'a Allocation>,
}

impl<'a> Nearby<'a> {
    /// The memory of `count` elements at a pointer, if they are aligned and the use is permitted, and their offset in
    /// units.
    #[inline]
    fn cells<T: Scalar>(&mut self, pointer: u64, count: usize, access: Use) -> Option<(&'a AtomicBuffer, usize)> {
        let units = count.checked_mul(T::BYTES)?;
        let last = self.last.and_then(|last| Some((last, within(last, pointer, units, self.unit)?)));
        let (allocation, start) = match last {
            Some(found) => found,
            None => self.find(pointer, units)?,
        };
        let permitted = access == Use::Read || !allocation.constant;
        let granted = permitted && pointer.is_multiple_of(T::BYTES as u64);
        if granted && access == Use::Write {
            allocation.mark_written();
        }
        granted.then_some((&allocation.cells, start))
    }

    /// The memory of rows of elements, if the use is permitted, and their offset.
    pub(crate) fn rows<T: Scalar>(&mut self, rows: &Rows, access: Use) -> Option<(&'a AtomicBuffer, usize)> {
        let between = usize::try_from(rows.step).ok()?.checked_mul(rows.rows - 1)?;
        let count = (between / T::BYTES).checked_add(rows.count)?;
        self.cells::<T>(rows.first, count, access)
    }

    /// The allocation that contains this many units at a pointer, and their offset from its start.
    fn find(&mut self, pointer: u64, units: usize) -> Option<(&'a Allocation, usize)> {
        let allocation = &*self.memory.allocations[self.memory.below(self.unit.address(pointer))?];
        let start = within(allocation, pointer, units, self.unit)?;
        self.last = Some(allocation);
        Some((allocation, start))
    }

    /// The memory of the elements at two pointers and everything between them, if they are aligned and the use is
    /// permitted.
    pub(crate) fn between<T: Scalar>(&mut self, least: u64, greatest: u64, access: Use) -> Option<Stretch<'a>> {
        let count = usize::try_from(greatest - least).ok()? / T::BYTES + 1;
        self.stretch::<T>(least, count, access)
    }

    /// The memory of `count` elements at a pointer.
    #[inline]
    fn stretch<T: Scalar>(&mut self, pointer: u64, count: usize, access: Use) -> Option<Stretch<'a>> {
        let (cells, start) = self.cells::<T>(pointer, count, access)?;
        Some(Stretch { cells, unit: self.unit, base: pointer.wrapping_sub(start as u64) })
    }

    /// The element at a pointer.
    #[inline]
    pub(crate) fn read<T: Scalar>(&mut self, pointer: u64) -> OpResult<T> {
        match self.stretch::<T>(pointer, 1, Use::Read) {
            Some(memory) => Ok(memory.read(pointer)),
            None => Err(self.memory.fault(pointer, T::BYTES, Use::Read, self.unit)),
        }
    }

    /// Writes the element at a pointer.
    #[inline]
    pub(crate) fn write<T: Scalar>(&mut self, pointer: u64, value: T) -> OpResult<()> {
        match self.stretch::<T>(pointer, 1, Use::Write) {
            Some(memory) => memory.write(pointer, value),
            None => return Err(self.memory.fault(pointer, T::BYTES, Use::Write, self.unit)),
        }
        Ok(())
    }

    /// Reads consecutive elements.
    pub(crate) fn read_row<T: Scalar>(&mut self, pointer: u64, into: &mut [T]) -> OpResult<()> {
        if let Some(memory) = self.stretch::<T>(pointer, into.len(), Use::Read) {
            memory.read_row(pointer, into);
            return Ok(());
        }
        into.iter_mut().enumerate().try_for_each(|(index, into)| {
            *into = self.read(pointer.wrapping_add((index * T::BYTES) as u64))?;
            Ok(())
        })
    }

    /// Writes consecutive elements.
    pub(crate) fn write_row<T: Scalar>(&mut self, pointer: u64, from: &[T]) -> OpResult<()> {
        if let Some(memory) = self.stretch::<T>(pointer, from.len(), Use::Write) {
            memory.write_row(pointer, from);
            return Ok(());
        }
        from.iter()
            .enumerate()
            .try_for_each(|(index, &value)| self.write(pointer.wrapping_add((index * T::BYTES) as u64), value))
    }
}

/// A part of an allocation for which the access was checked. Pointers passed to its methods must point into it.
pub(crate) struct Stretch<'a> {
    cells: &'a AtomicBuffer,
    unit: Unit,
    /// The pointer to the first unit of the allocation.
    base: u64,
}

impl Stretch<'_> {
    #[inline]
    fn offset(&self, pointer: u64) -> usize {
        pointer.wrapping_sub(self.base) as usize
    }

    #[inline]
    fn read<T: Scalar>(&self, pointer: u64) -> T {
        match self.unit {
            Unit::Byte => self.cells.read(self.offset(pointer)),
            Unit::Nibble => T::of_bits(self.cells.read_nibble(self.offset(pointer)).into()),
        }
    }

    #[inline]
    fn write<T: Scalar>(&self, pointer: u64, value: T) {
        match self.unit {
            Unit::Byte => self.cells.write(self.offset(pointer), value),
            Unit::Nibble => self.cells.write_nibble(self.offset(pointer), value.bits() as u8),
        }
    }

    #[inline]
    pub(crate) fn read_row<T: Scalar>(&self, pointer: u64, into: &mut [T]) {
        match self.unit {
            Unit::Byte => self.cells.read_row(self.offset(pointer), into),
            Unit::Nibble => self.cells.read_nibbles(self.offset(pointer), into),
        }
    }

    #[inline]
    pub(crate) fn write_row<T: Scalar>(&self, pointer: u64, from: &[T]) {
        match self.unit {
            Unit::Byte => self.cells.write_row(self.offset(pointer), from),
            Unit::Nibble => self.cells.write_nibbles(self.offset(pointer), from),
        }
    }
}

/// The offset of a pointer in an allocation, in units, if this many units after it are inside.
#[inline]
fn within(allocation: &Allocation, pointer: u64, units: usize, unit: Unit) -> Option<usize> {
    let start = usize::try_from(pointer.checked_sub(unit.pointer(allocation.base))?).ok()?;
    let length = match unit {
        Unit::Byte => allocation.cells.len(),
        Unit::Nibble => allocation.nibbles(),
    };
    (start.checked_add(units)? <= length).then_some(start)
}

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// A read.
    Read,
    /// A write.
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
