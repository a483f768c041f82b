//! Shadow memory: for each piece of memory, its last accesses.

use crate::memory::Memory;
use crate::memory::rows::Span;
use crate::sanitize::clock::EventId;
use crate::sanitize::lists::ListId;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The last accesses of one piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ShadowCell {
    /// The last write.
    pub(crate) write: EventId,
    /// Other accesses, which are unordered among each other.
    pub(crate) others: ListId,
}

/// The shadow of all allocations, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct ShadowMemory {
    allocations: Vec<Pages>,
}

/// The shadow of one allocation. Memory is counted in nibbles here, but no piece is smaller than a byte: writing one
/// nibble of a byte touches the other.
#[derive(Debug)]
struct Pages {
    /// The size of a piece in nibbles: that of the smallest accessed element.
    piece: usize,
    pages: Vec<Page>,
    /// The origins of unspecified bytes that were written, by offset.
    unspecified: FxHashMap<u64, u32>,
}

/// Adjacent pieces, which are mostly accessed together.
#[derive(Clone, Debug)]
enum Page {
    /// All pieces have equal cells, stored once.
    Uniform(ShadowCell),
    /// Each has a separate cell.
    Mixed(Box<[ShadowCell; PAGE]>),
}

/// The number of nibbles in a byte.
const BYTE: usize = 2;

/// The number of pieces in a page.
const PAGE: usize = 64;

/// Elements in memory with a constant stride, counted in nibbles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The address of the first one.
    pub(crate) address: u64,
    /// The size of one.
    pub(crate) size: usize,
    /// The stride.
    pub(crate) step: u64,
    /// The number of elements.
    pub(crate) count: usize,
}

impl Row {
    /// The memory of a span of elements.
    pub(crate) fn of(span: &Span, size: usize) -> Row {
        Row { address: span.address, size, step: span.step, count: span.count }
    }
}

/// Calls `visit` for the memory of spans. Interleaved spans, such as those of a column-major tensor, are turned into
/// contiguous rows.
pub(crate) fn rows<E>(spans: &[Span], size: usize, visit: &mut impl FnMut(Row) -> Result<(), E>) -> Result<(), E> {
    let is_beside = |a: &Span, b: &Span| {
        a.step != size as u64
            && (a.step, a.count) == (b.step, b.count)
            && b.address.wrapping_sub(a.address) == size as u64
    };
    spans.chunk_by(is_beside).try_for_each(|spans| match spans {
        [span] => visit(Row::of(span, size)),
        [span, ..] => (0..span.count as u64).try_for_each(|index| {
            let address = span.address.wrapping_add(index.wrapping_mul(span.step));
            visit(Row { address, size, step: size as u64, count: spans.len() })
        }),
        [] => Ok(()),
    })
}

/// Receives pieces: the address of the first one and the size of each, in nibbles, and their cells, or the common cell.
type Visitor<'a, E> = dyn FnMut(u64, usize, &mut [ShadowCell]) -> Result<(), E> + 'a;

impl ShadowMemory {
    /// Drops the allocations from a number on.
    pub(crate) fn release(&mut self, mark: usize) {
        self.allocations.truncate(mark);
    }

    /// Calls `change` for all cells; once for pieces with equal cells.
    pub(crate) fn change(&mut self, change: &mut dyn FnMut(&mut ShadowCell)) {
        for page in self.allocations.iter_mut().flat_map(|shadow| &mut shadow.pages) {
            match page {
                Page::Uniform(cell) => change(cell),
                Page::Mixed(cells) => cells.iter_mut().for_each(&mut *change),
            }
        }
    }

    /// Visits the cells of a row. Memory outside allocations has none. If `whole_pages`, a page of equal cells is
    /// visited once instead of piece by piece.
    pub(crate) fn visit<E>(
        &mut self,
        memory: &Memory,
        row: Row,
        whole_pages: bool,
        visitor: &mut Visitor<'_, E>,
    ) -> Result<(), E> {
        let Row { address, size, step, count } = row;
        let found = memory.below(address / 2).filter(|_| address.is_multiple_of(size as u64));
        let Some(index) = found else { return Ok(()) };
        let allocation = &memory.allocations[index];
        let (base, length) = (2 * allocation.base, 2 * allocation.cells.len() as u64);
        let shadow = self.shadow(memory, index);
        shadow.split(size.max(BYTE));
        let mut part = |start: u64, extent: u64| {
            // Memory after the end has no cells, not even the rest of a piece.
            let end = start.saturating_add(extent).min(length);
            if start < end { shadow.visit(base, start as usize..end as usize, whole_pages, visitor) } else { Ok(()) }
        };
        let start = address - base;
        if step == size as u64 {
            return part(start, (count as u64).saturating_mul(step));
        }
        let starts = (0..count as u64).map(|index| start.saturating_add(index.saturating_mul(step)));
        starts.take_while(|start| *start < length).try_for_each(|start| part(start, size as u64))
    }

    /// Records the origin of the element of `size` nibbles that was written at an address; 0 if it is specified.
    pub(crate) fn write_origin(&mut self, memory: &Memory, address: u64, size: usize, origin: u32) {
        let Some((index, bytes)) = bytes_of(memory, address, size) else { return };
        let unspecified = &mut self.shadow(memory, index).unspecified;
        if origin != 0 {
            unspecified.extend(bytes.map(|byte| (byte, origin)));
        } else if !unspecified.is_empty() {
            for byte in bytes {
                unspecified.remove(&byte);
            }
        }
    }

    /// The origin of the element of `size` nibbles at an address, as far as it was written; 0 if it is specified.
    pub(crate) fn origin(&self, memory: &Memory, address: u64, size: usize) -> u32 {
        let Some((index, bytes)) = bytes_of(memory, address, size) else { return 0 };
        let unspecified = self.allocations.get(index).map(|shadow| &shadow.unspecified);
        let Some(unspecified) = unspecified.filter(|all| !all.is_empty()) else { return 0 };
        bytes.filter_map(|byte| unspecified.get(&byte).copied()).next().unwrap_or(0)
    }

    fn shadow(&mut self, memory: &Memory, index: usize) -> &mut Pages {
        while self.allocations.len() <= index {
            let piece = BYTE.max(memory.allocations[self.allocations.len()].element.nibbles() as usize);
            self.allocations.push(Pages { piece, pages: Vec::new(), unspecified: FxHashMap::default() });
        }
        &mut self.allocations[index]
    }
}

/// The allocation that contains an element, and the offsets of its bytes.
fn bytes_of(memory: &Memory, address: u64, size: usize) -> Option<(usize, Range<u64>)> {
    let index = memory.below(address / 2)?;
    let base = 2 * memory.allocations[index].base;
    Some((index, (address - base) / 2..(address + size as u64 - base).div_ceil(2)))
}

impl Pages {
    /// Visits the cells of some nibbles.
    fn visit<E>(
        &mut self,
        base: u64,
        range: Range<usize>,
        whole_pages: bool,
        visitor: &mut Visitor<'_, E>,
    ) -> Result<(), E> {
        let (mut at, end) = (range.start / self.piece, range.end.div_ceil(self.piece));
        while at < end {
            let within = at % PAGE;
            let count = (end - at).min(PAGE - within);
            let address = base + (at * self.piece) as u64;
            let piece = self.piece;
            match self.page(at / PAGE) {
                Page::Uniform(cell) if whole_pages && count == PAGE => {
                    visitor(address, piece, std::slice::from_mut(cell))?
                }
                page => visitor(address, piece, &mut page.cells()[within..][..count])?,
            }
            at += count;
        }
        Ok(())
    }

    /// Splits pieces until they are as small as an accessed element.
    fn split(&mut self, size: usize) {
        let Some(parts) = self.piece.checked_div(size).filter(|parts| *parts > 1) else { return };
        let split = |page: Page| -> Vec<Page> {
            let Page::Mixed(cells) = page else { return vec![page; parts] };
            let cells: Vec<ShadowCell> = cells.iter().flat_map(|&cell| std::iter::repeat_n(cell, parts)).collect();
            cells.as_chunks().0.iter().map(|&cells| Page::Mixed(Box::new(cells))).collect()
        };
        self.pages = std::mem::take(&mut self.pages).into_iter().flat_map(split).collect();
        self.piece = size;
    }

    fn page(&mut self, index: usize) -> &mut Page {
        if self.pages.len() <= index {
            self.pages.resize(index + 1, Page::Uniform(ShadowCell::default()));
        }
        &mut self.pages[index]
    }
}

impl Page {
    /// The cell of each piece.
    fn cells(&mut self) -> &mut [ShadowCell; PAGE] {
        if let Page::Uniform(cell) = *self {
            *self = Page::Mixed(Box::new([cell; PAGE]));
        }
        match self {
            Page::Mixed(cells) => cells,
            Page::Uniform(_) => unreachable!("the page was just expanded"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::Element;

    fn set(cells: &mut ShadowMemory, memory: &Memory, address: u64, size: usize, count: usize, id: EventId) {
        let mut write = |_: u64, _: usize, cells: &mut [ShadowCell]| -> Result<(), ()> {
            cells.iter_mut().for_each(|cell| cell.write = id);
            Ok(())
        };
        let row = Row { address: 2 * address, size: 2 * size, step: 2 * size as u64, count };
        cells.visit(memory, row, true, &mut write).unwrap();
    }

    fn get(cells: &mut ShadowMemory, memory: &Memory, address: u64, count: usize) -> Vec<EventId> {
        let mut found = Vec::new();
        let mut read = |_: u64, _: usize, cells: &mut [ShadowCell]| -> Result<(), ()> {
            found.extend(cells.iter().map(|cell| cell.write));
            Ok(())
        };
        let row = Row { address: 2 * address, size: 2, step: 2, count };
        cells.visit(memory, row, false, &mut read).unwrap();
        found
    }

    #[test]
    fn pieces_are_split_for_smaller_accesses() {
        let mut memory = Memory::new();
        let id = memory.allocate("%a", Element::F32, vec![0; 4 * 5000]);
        let (mut cells, base) = (ShadowMemory::default(), memory.address(id));
        set(&mut cells, &memory, base + 4 * 1023, 4, 2, 7);
        set(&mut cells, &memory, base + 4 * 1024 + 1, 1, 1, 8);
        assert_eq!(get(&mut cells, &memory, base + 4 * 1023 - 1, 10), [0, 7, 7, 7, 7, 7, 8, 7, 7, 0]);
        // The end of the allocation ends the visit.
        assert_eq!(get(&mut cells, &memory, base + 4 * 5000 - 2, 10), [0, 0]);
        assert_eq!(get(&mut cells, &memory, 16, 10), [0; 0]);
        // Whole pages, and every second element.
        set(&mut cells, &memory, base, 4, 256, 9);
        assert_eq!(get(&mut cells, &memory, base + 4 * 256 - 2, 4), [9, 9, 0, 0]);
        let row = Row { address: 2 * (base + 4 * 3000), size: 8, step: 16, count: 1 << 40 };
        let mut write = |_: u64, _: usize, cells: &mut [ShadowCell]| -> Result<(), ()> {
            cells.iter_mut().for_each(|cell| cell.write = 5);
            Ok(())
        };
        cells.visit(&memory, row, true, &mut write).unwrap();
        assert_eq!(get(&mut cells, &memory, base + 4 * 3000 + 3, 6), [5, 0, 0, 0, 0, 5]);
        cells.release(0);
        assert_eq!(get(&mut cells, &memory, base + 4 * 1023, 4), [0; 4]);
    }
}
