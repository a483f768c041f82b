//! Device memory as a kernel sees it: allocations at 64-bit addresses, far apart, so that a stray pointer meets none.
//!
//! The replicas of a buffer are allocations of their own. A multicast object over them has addresses and no memory: each
//! address stands for the same offset in every replica. As on a GPU, its addresses differ from those of the replicas.

pub(crate) mod access;
pub(crate) mod atomic_buffer;
pub(crate) mod line_loads;
pub(crate) mod recorded_views;
pub(crate) mod rows;
pub(crate) mod unit;

use crate::memory::atomic_buffer::AtomicBuffer;
use crate::memory::recorded_views::{RecordedView, RecordedViews};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tile_analysis::ir::{Global, Module};
use tile_analysis::number::nibbles;
use tile_dialect::Element;

/// The address space of a device.
#[derive(Debug, Default)]
pub struct Memory {
    /// In ascending order of their addresses. Tile blocks that run at the same time have the same ones, and each its own
    /// scratch memory behind them.
    pub(crate) allocations: Vec<Arc<Allocation>>,
    globals: HashMap<Box<str>, AllocationId>,
    /// Scratch memory that has ended, the last of it.
    freed: VecDeque<Freed>,
    /// How many of the allocations others have too.
    shared: usize,
    /// The tensor views that were made, if they are recorded.
    views: RecordedViews,
    /// Where the next allocation may begin. Addresses are not used again, so that a pointer to freed memory meets none.
    next: u64,
}

/// Memory that a pointer may no longer point into.
#[derive(Debug)]
struct Freed {
    name: String,
    element: Element,
    base: u64,
    bytes: u64,
}

/// How much of what has ended is known.
const MAX_FREED: usize = 256;

/// One allocation, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AllocationId(usize);

/// Memory that a pointer may point into.
#[derive(Debug)]
pub(crate) struct Allocation {
    /// What a message calls it: `%a`, `@counter`.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) element: Element,
    /// The address of its first byte.
    pub(crate) base: u64,
    /// Its memory.
    pub(crate) cells: AtomicBuffer,
    /// How many elements it holds.
    pub(crate) count: usize,
    /// Whether it is never written.
    pub(crate) constant: bool,
    /// The replicas that it names, by their numbers, if it is a multicast object; it holds nothing itself then.
    pub(crate) replicas: Box<[usize]>,
}

impl Allocation {
    /// How many addresses it takes.
    pub(crate) fn extent(&self) -> u64 {
        (self.nibbles() as u64).div_ceil(2)
    }

    /// Whether its addresses name memory of all replicas.
    pub(crate) fn is_multicast(&self) -> bool {
        !self.replicas.is_empty()
    }

    /// How many nibbles its elements take.
    pub(crate) fn nibbles(&self) -> usize {
        self.count * self.element.nibbles() as usize
    }
}

/// Every address is a multiple of this, at the least.
const ALIGNMENT: u64 = 256;
/// No allocation lies below: a null pointer and what is a little off from it point nowhere.
pub(crate) const FIRST: u64 = 1 << 40;
/// How far apart two allocations are: more than any offset of 32 bits reaches.
const GAP: u64 = 1 << 36;
/// Addresses this far past the end of an allocation were meant to point into it.
const NEAR: u64 = GAP / 2;
/// No allocation begins behind it while there is room elsewhere.
const LAST: u64 = 1 << 62;

impl Memory {
    /// Memory without allocations.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Memory with the same allocations: what is written through one of the two is read through the other. Those that
    /// are made later belong to one of them.
    pub(crate) fn share(&self) -> Memory {
        Memory {
            allocations: self.allocations.clone(),
            globals: self.globals.clone(),
            freed: VecDeque::new(),
            shared: self.allocations.len(),
            views: self.views.clone(),
            next: self.next,
        }
    }

    /// Records the tensor views that runs make from now on.
    pub fn record_views(&mut self) {
        self.views = RecordedViews::begin();
    }

    /// Whether tensor views are recorded.
    pub(crate) fn records_views(&self) -> bool {
        self.views.is_wanted()
    }

    /// An op makes a tensor view.
    pub(crate) fn makes_view(&self, view: impl FnOnce() -> RecordedView) {
        self.views.add(view);
    }

    /// The tensor views that were recorded.
    pub fn recorded_views(&self) -> Vec<RecordedView> {
        self.views.all()
    }

    /// Allocates memory that holds `bytes`: elements in little-endian order. Those of four bits come in a byte each;
    /// in memory two share one. Messages call it `name`, which has its `%` or `@`.
    pub fn allocate(&mut self, name: impl Into<String>, element: Element, bytes: impl AsRef<[u8]>) -> AllocationId {
        self.add(name.into(), element, bytes.as_ref(), ALIGNMENT, false)
    }

    /// What an allocation holds, as [`Memory::allocate`] takes it.
    pub fn bytes(&self, id: AllocationId) -> Vec<u8> {
        let Allocation { element, cells, count, .. } = &*self.allocations[id.0];
        nibbles::unpack(*element, cells.to_bytes(), *count)
    }

    /// How many bytes an allocation takes.
    pub fn size(&self, id: AllocationId) -> usize {
        self.allocations[id.0].cells.len()
    }

    /// Writes eight bytes at an offset that is a multiple of eight.
    pub fn put(&self, id: AllocationId, offset: usize, bits: u64) {
        self.allocations[id.0].cells.write(offset, bits);
    }

    /// Makes a multicast object over allocations of the same element and size, each of which becomes one replica: an
    /// address in it names the same offset in each of them. There must be at least one.
    pub fn bind_multicast(&mut self, name: impl Into<String>, replicas: &[AllocationId]) -> AllocationId {
        let first = &self.allocations[replicas[0].0];
        let (element, count, extent) = (first.element, first.count, first.extent());
        let base = self.reserve(extent, ALIGNMENT);
        let replicas = replicas.iter().map(|id| id.0).collect();
        let (name, cells) = (name.into(), AtomicBuffer::new(&[]));
        self.allocations.push(Arc::new(Allocation { name, element, base, cells, count, constant: false, replicas }));
        AllocationId(self.allocations.len() - 1)
    }

    /// How far the same element of each replica lies from an address in a multicast object; `None` elsewhere.
    pub(crate) fn replicas(&self, address: u64) -> Option<impl ExactSizeIterator<Item = u64> + '_> {
        let object = &*self.allocations[self.below(address)?];
        let distance = |&replica: &usize| self.allocations[replica].base.wrapping_sub(object.base);
        (object.is_multicast() && address - object.base <= object.extent() + NEAR)
            .then(|| object.replicas.iter().map(distance))
    }

    /// The address of an allocation's first byte.
    pub fn address(&self, id: AllocationId) -> u64 {
        self.allocations[id.0].base
    }

    /// The element type of an allocation.
    pub fn element(&self, id: AllocationId) -> Element {
        self.allocations[id.0].element
    }

    /// The allocation of the global `name`, without `@`, once the module is loaded.
    pub fn global(&self, name: &str) -> Option<AllocationId> {
        self.globals.get(name).copied()
    }

    /// Allocates the globals of a module. Those that are there already keep what they hold: launches share them.
    pub fn load(&mut self, module: &Module) {
        for global in &module.globals {
            if !self.globals.contains_key(&global.name) {
                let id = self.add_global(global);
                self.globals.insert(global.name.clone(), id);
            }
        }
    }

    fn add_global(&mut self, global: &Global) -> AllocationId {
        let element = global.value.element;
        let count = global.ty.as_tile().map_or(1, |tile| tile.len());
        let size = element.bytes();
        let mut bytes = Vec::with_capacity(count * size);
        for index in 0..count {
            let bits = crate::values::tile::at(&global.value.bits, index);
            bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
        }
        let alignment = u64::try_from(global.alignment).unwrap_or(0).max(ALIGNMENT);
        self.add(format!("@{}", global.name), element, &bytes, alignment, global.constant)
    }

    /// Allocates scratch memory; [`Memory::release`] ends its life.
    pub(crate) fn allocate_scratch(&mut self, element: Element, count: usize, alignment: u64) -> u64 {
        let name = match count {
            1 => "the scratch memory of one element".to_string(),
            _ => format!("the scratch memory of {count} elements"),
        };
        let id =
            self.add(name, element, &vec![UNINITIALISED; count * element.bytes()], alignment.max(ALIGNMENT), false);
        self.address(id)
    }

    /// How many bytes the scratch memory takes.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        self.allocations[self.shared..].iter().map(|allocation| allocation.cells.len() as u64).sum()
    }

    /// How many allocations there are, for [`Memory::release`].
    pub(crate) fn mark(&self) -> usize {
        self.allocations.len()
    }

    /// Frees the allocations made since the mark.
    pub(crate) fn release(&mut self, mark: usize) {
        for allocation in self.allocations.drain(mark.min(self.allocations.len())..) {
            let (name, element, base) = (allocation.name.clone(), allocation.element, allocation.base);
            self.freed.truncate(MAX_FREED - 1);
            self.freed.push_front(Freed { name, element, base, bytes: allocation.cells.len() as u64 });
        }
    }

    /// What lay at a place, counted in nibbles, before it was freed, and which element of it.
    pub(crate) fn freed_at(&self, place: u64) -> Option<(&str, i64)> {
        let lies_in = |freed: &&Freed| (freed.base..freed.base + freed.bytes).contains(&(place / 2));
        let freed = self.freed.iter().find(lies_in)?;
        Some((&freed.name, ((place - freed.base * 2) / freed.element.nibbles()) as i64))
    }

    fn add(&mut self, name: String, element: Element, bytes: &[u8], alignment: u64, constant: bool) -> AllocationId {
        let base = self.reserve(bytes.len() as u64, alignment);
        let count = bytes.len() / element.bytes();
        let (cells, replicas) = (AtomicBuffer::new(&nibbles::pack(element, bytes)), Box::default());
        self.allocations.push(Arc::new(Allocation { name, element, base, cells, count, constant, replicas }));
        AllocationId(self.allocations.len() - 1)
    }

    /// Free addresses for so many bytes.
    fn reserve(&mut self, bytes: u64, alignment: u64) -> u64 {
        let end = self.allocations.last().map_or(FIRST, |last| last.base + last.extent() + GAP);
        // Only where addresses run out those of freed memory are used again.
        let start = if self.next < LAST { self.next.max(end) } else { end };
        let base = start.next_multiple_of(alignment.max(1));
        self.next = base + bytes + GAP;
        base
    }

    /// The last allocation that begins at or below an address.
    pub(crate) fn below(&self, address: u64) -> Option<usize> {
        self.allocations.partition_point(|allocation| allocation.base <= address).checked_sub(1)
    }

    /// The allocation that an address most likely was meant to point into.
    pub(crate) fn nearest(&self, address: u64) -> Option<&Allocation> {
        let Some(index) = self.below(address) else { return self.allocations.first().map(|first| &**first) };
        let found = &self.allocations[index];
        let past = (address - found.base).saturating_sub(found.extent());
        match self.allocations.get(index + 1) {
            Some(next) if past > 0 && next.base - address < past => Some(&**next),
            _ => Some(found),
        }
    }
}

/// What scratch memory is filled with: it makes floats NaN and integers -1.
const UNINITIALISED: u8 = 0xFF;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Fault;

    #[test]
    fn allocations_are_aligned_and_far_apart() {
        let mut memory = Memory::new();
        let a = memory.allocate("%a", Element::F32, vec![0; 4096]);
        let b = memory.allocate("%b", Element::I8, vec![0; 1]);
        let c = memory.allocate("%c", Element::I64, vec![0; 8]);
        for id in [a, b, c] {
            assert!(memory.address(id).is_multiple_of(256));
        }
        assert!(memory.address(b) - memory.address(a) > 1 << 35);
        assert!(memory.nearby().write(memory.address(c), 7u64).is_ok());
        assert_eq!(memory.bytes(c), 7u64.to_le_bytes());
    }

    #[test]
    fn a_stray_pointer_is_told_by_its_argument() {
        let mut memory = Memory::new();
        let a = memory.allocate("%a", Element::F32, vec![0; 64]);
        let b = memory.allocate("%b", Element::F32, vec![0; 64]);
        let message = |fault: Box<Fault>| fault.at(None, [0; 3]).message;
        let end = memory.nearby().read::<f32>(memory.address(a) + 64).unwrap_err();
        assert_eq!(message(end), "this reads element 16 of `%a`, which has 16 elements of f32");
        let before = memory.nearby().write(memory.address(b) - 4, 0f32).unwrap_err();
        assert_eq!(message(before), "this writes element -1 of `%b`, which has 16 elements of f32");
        let null = memory.nearby().read::<f32>(8).unwrap_err();
        assert_eq!(null.at(None, [0; 3]).page.name, "null-pointer");
        let odd = memory.nearby().read::<f32>(memory.address(b) + 2).unwrap_err();
        assert_eq!(odd.at(None, [0; 3]).page.name, "misaligned-pointer");
    }

    #[test]
    fn scratch_memory_ends() {
        let mut memory = Memory::new();
        let mark = memory.mark();
        let address = memory.allocate_scratch(Element::I32, 4, 16);
        assert_eq!(memory.nearby().read::<u32>(address), Ok(u32::MAX));
        memory.release(mark);
        assert!(memory.nearby().read::<u32>(address).is_err());
        assert_ne!(memory.allocate_scratch(Element::I32, 4, 16), address);
        assert!(memory.nearby().read::<u32>(address).is_err());
    }
}
