//! The shadow of memory: for each piece of it, who accessed it last.

use super::clock::EventId;
use crate::cpu::memory::Memory;

/// Who accessed one piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cell {
    /// The last write.
    pub(super) write: EventId,
    /// Other accesses that nothing orders with each other; the first ones where there are more.
    pub(super) others: [EventId; 2],
}

/// The shadow of all allocations, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Cells {
    allocations: Vec<Shadow>,
}

/// The shadow of one allocation. Pages that nobody accessed do not exist.
#[derive(Debug)]
struct Shadow {
    /// The bytes of one piece: those of the smallest element that was accessed.
    piece: usize,
    pages: Vec<Option<Box<[Cell]>>>,
}

/// The pieces of one page.
const PAGE: usize = 1024;

impl Cells {
    /// Forgets the allocations from a number on.
    pub(super) fn release(&mut self, mark: usize) {
        self.allocations.truncate(mark);
    }

    /// The cells of `count` elements of `size` bytes that lie one after another, as slices with the address of their
    /// first byte and the bytes of a piece. What lies in no allocation has none.
    pub(super) fn visit<E>(
        &mut self,
        memory: &Memory,
        address: u64,
        size: usize,
        count: usize,
        f: &mut impl FnMut(u64, usize, &mut [Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(index) = memory.below(address).filter(|_| address.is_multiple_of(size as u64)) else { return Ok(()) };
        let base = memory.allocations[index].base;
        let length = memory.allocations[index].cells.len();
        let shadow = self.shadow(memory, index);
        shadow.split(size);
        let (mut at, end) = ((address - base) as usize, ((address - base) as usize).saturating_add(size * count));
        let end = end.min(length);
        while at < end {
            let piece = at / shadow.piece;
            let within = piece % PAGE;
            let pieces = (end - at).div_ceil(shadow.piece).min(PAGE - within);
            f(base + at as u64, shadow.piece, &mut shadow.page(piece / PAGE)[within..][..pieces])?;
            at += pieces * shadow.piece;
        }
        Ok(())
    }

    fn shadow(&mut self, memory: &Memory, index: usize) -> &mut Shadow {
        while self.allocations.len() <= index {
            let piece = memory.allocations[self.allocations.len()].element.bytes();
            self.allocations.push(Shadow { piece, pages: Vec::new() });
        }
        &mut self.allocations[index]
    }
}

impl Shadow {
    /// Makes the pieces as small as an element that is accessed.
    fn split(&mut self, size: usize) {
        let Some(parts) = self.piece.checked_div(size).filter(|parts| *parts > 1) else { return };
        let pages = std::mem::take(&mut self.pages);
        for page in pages {
            let Some(page) = page else {
                self.pages.extend((0..parts).map(|_| None));
                continue;
            };
            let cells: Vec<Cell> = page.iter().flat_map(|&cell| std::iter::repeat_n(cell, parts)).collect();
            self.pages.extend(cells.chunks(PAGE).map(|cells| Some(cells.into())));
        }
        self.piece = size;
    }

    fn page(&mut self, index: usize) -> &mut [Cell] {
        if self.pages.len() <= index {
            self.pages.resize_with(index + 1, || None);
        }
        self.pages[index].get_or_insert_with(|| vec![Cell::default(); PAGE].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::Element;

    fn set(cells: &mut Cells, memory: &Memory, address: u64, size: usize, count: usize, id: EventId) {
        let mut write = |_: u64, _: usize, cells: &mut [Cell]| -> Result<(), ()> {
            cells.iter_mut().for_each(|cell| cell.write = id);
            Ok(())
        };
        cells.visit(memory, address, size, count, &mut write).unwrap();
    }

    fn get(cells: &mut Cells, memory: &Memory, address: u64, count: usize) -> Vec<EventId> {
        let mut found = Vec::new();
        let mut read = |_: u64, _: usize, cells: &mut [Cell]| -> Result<(), ()> {
            found.extend(cells.iter().map(|cell| cell.write));
            Ok(())
        };
        cells.visit(memory, address, 1, count, &mut read).unwrap();
        found
    }

    #[test]
    fn pieces_are_as_small_as_they_must_be() {
        let mut memory = Memory::new();
        let id = memory.allocate("%a", Element::F32, vec![0; 4 * 5000]);
        let (mut cells, base) = (Cells::default(), memory.address(id));
        set(&mut cells, &memory, base + 4 * 1023, 4, 2, 7);
        set(&mut cells, &memory, base + 4 * 1024 + 1, 1, 1, 8);
        assert_eq!(get(&mut cells, &memory, base + 4 * 1023 - 1, 10), [0, 7, 7, 7, 7, 7, 8, 7, 7, 0]);
        // The end of the allocation ends the visit.
        assert_eq!(get(&mut cells, &memory, base + 4 * 5000 - 2, 10), [0, 0]);
        assert_eq!(get(&mut cells, &memory, 16, 10), [0; 0]);
        cells.release(0);
        assert_eq!(get(&mut cells, &memory, base + 4 * 1023, 4), [0; 4]);
    }
}
