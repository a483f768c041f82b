//! Device memory: allocations at 64-bit addresses that are far apart, so that stray pointers hit none of them.
//!
//! The replicas of a buffer are separate allocations. A multicast object over them has addresses but no memory: each
//! address stands for the same offset in every replica. As on a GPU, its addresses differ from those of the replicas.

pub(crate) mod access;
pub(crate) mod atomic_buffer;
pub(crate) mod recorded_views;
pub(crate) mod rows;
pub(crate) mod unit;

use crate::memory::atomic_buffer::AtomicBuffer;
use crate::memory::recorded_views::{RecordedView, RecordedViews};
use crate::values::pool::PoolElement;
use crate::values::tile::{Scalar, ScalarKind, with_kind};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tile_analysis::ir::{Global, Module, OpId};
use tile_analysis::number::nibbles;
use tile_dialect::Element;

/// The address space of a device.
#[derive(Debug, Default)]
pub struct Memory {
    /// In ascending order of address. Concurrent tile blocks share the same ones, followed by separate scratch memory.
    pub(crate) allocations: Vec<Arc<Allocation>>,
    globals: HashMap<Box<str>, AllocationId>,
    /// Recently freed scratch memory.
    freed: VecDeque<Freed>,
    /// The number of allocations that are shared.
    shared: usize,
    /// The tensor views that were created, if they are recorded.
    views: RecordedViews,
    /// The minimum address of the next allocation. Addresses are not reused, so that pointers to freed memory hit
    /// nothing.
    next: u64,
}

/// Freed memory.
#[derive(Debug)]
struct Freed {
    name: String,
    op: Option<OpId>,
    element: Element,
    base: u64,
    bytes: u64,
}

/// How many freed allocations are remembered.
const MAX_FREED: usize = 256;

/// One allocation, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AllocationId(usize);

/// An allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    /// Its name in messages: `%a`, `@counter`.
    pub(crate) name: String,
    /// Its element type.
    pub(crate) element: Element,
    /// The address of its first byte.
    pub(crate) base: u64,
    /// Its memory.
    pub(crate) cells: AtomicBuffer,
    /// The number of its elements.
    pub(crate) count: usize,
    /// Whether it is never written.
    pub(crate) constant: bool,
    /// Whether it was written since the launch began.
    written: AtomicBool,
    /// The op that allocated it, if it is scratch memory.
    pub(crate) op: Option<OpId>,
    /// The replicas of a multicast object, by their numbers; such an object has no contents.
    pub(crate) replicas: Box<[usize]>,
}

impl Allocation {
    /// The size of its address range in bytes.
    pub(crate) fn extent(&self) -> u64 {
        (self.nibbles() as u64).div_ceil(2)
    }

    /// Marks it as written. An access calls this before it writes, so that a read that is ordered after the write sees
    /// the mark.
    #[inline]
    pub(crate) fn mark_written(&self) {
        if !self.is_written() {
            self.written.store(true, Ordering::Relaxed);
        }
    }

    /// Whether anything wrote it since the launch began.
    #[inline]
    pub(crate) fn is_written(&self) -> bool {
        self.written.load(Ordering::Relaxed)
    }

    /// Whether its addresses stand for memory of all replicas.
    pub(crate) fn is_multicast(&self) -> bool {
        !self.replicas.is_empty()
    }

    /// The total size of its elements in nibbles.
    pub(crate) fn nibbles(&self) -> usize {
        self.count * self.element.nibbles() as usize
    }
}

/// The minimum alignment of allocations.
const ALIGNMENT: u64 = 256;
/// The minimum address of allocations: null pointers and small offsets from them hit nothing.
pub(crate) const FIRST: u64 = 1 << 40;
/// The distance between allocations: more than any 32-bit offset.
const GAP: u64 = 1 << 36;
/// An address that is at most this far past the end of an allocation is assumed to be meant for it.
const NEAR: u64 = GAP / 2;
/// The maximum address at which allocations begin while there is free space elsewhere.
const LAST: u64 = 1 << 62;

impl Memory {
    /// Memory without allocations.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Memory that shares the existing allocations: writes through one are visible through the other. Later allocations
    /// belong to only one of them.
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

    /// Begins a launch: so far, it has written nothing.
    pub(crate) fn begin_launch(&mut self) {
        self.allocations.iter().for_each(|allocation| allocation.written.store(false, Ordering::Relaxed));
    }

    /// The allocation of the device that contains both addresses, each of which is inside an allocation.
    pub(crate) fn of_both(&self, least: u64, greatest: u64) -> Option<&Arc<Allocation>> {
        let index = self.below(least)?;
        (index < self.shared && self.below(greatest)? == index).then(|| &self.allocations[index])
    }

    /// Starts recording the tensor views of runs.
    pub fn record_views(&mut self) {
        self.views = RecordedViews::begin();
    }

    /// Whether tensor views are recorded.
    pub(crate) fn records_views(&self) -> bool {
        self.views.is_wanted()
    }

    /// Records that an op created a tensor view.
    pub(crate) fn makes_view(&self, view: impl FnOnce() -> RecordedView) {
        self.views.add(view);
    }

    /// The recorded tensor views.
    pub fn recorded_views(&self) -> Vec<RecordedView> {
        self.views.all()
    }

    /// Allocates memory with the contents `bytes`: elements in little-endian order. 4-bit elements have one byte each
    /// in `bytes` and share bytes in memory. `name`, including its `%` or `@`, is used in messages.
    pub fn allocate(&mut self, name: impl Into<String>, element: Element, bytes: impl AsRef<[u8]>) -> AllocationId {
        self.add(name.into(), element, bytes.as_ref(), ALIGNMENT)
    }

    /// Allocates memory that consists of the first `bytes` bytes of `words`, which a run reads and writes in place:
    /// elements in little-endian order. 4-bit elements share bytes.
    pub fn lend(
        &mut self,
        name: impl Into<String>,
        element: Element,
        words: &'static [AtomicU64],
        bytes: usize,
    ) -> AllocationId {
        let cells = AtomicBuffer::lent(words, bytes);
        let count = bytes * 2 / element.nibbles() as usize;
        self.insert(name.into(), element, cells, count, ALIGNMENT)
    }

    /// Makes an allocation read-only: a run that writes to it stops with a finding.
    pub fn protect(&mut self, id: AllocationId) {
        if let Some(allocation) = Arc::get_mut(&mut self.allocations[id.0]) {
            allocation.constant = true;
        }
    }

    /// The contents of an allocation, in the format of [`Memory::allocate`].
    pub fn bytes(&self, id: AllocationId) -> Vec<u8> {
        let Allocation { element, cells, count, .. } = &*self.allocations[id.0];
        nibbles::unpack(*element, cells.to_bytes(), *count)
    }

    /// The bits of one element of an allocation.
    pub fn element_bits(&self, id: AllocationId, index: usize) -> u64 {
        let Allocation { element, cells, .. } = &*self.allocations[id.0];
        if element.bits() == 4 {
            return cells.read_nibble(index).into();
        }
        with_kind!(ScalarKind::of(*element), T => cells.read::<T>(index * T::BYTES).bits())
    }

    /// The number of elements of an allocation.
    pub fn count(&self, id: AllocationId) -> usize {
        self.allocations[id.0].count
    }

    /// The size of an allocation in bytes.
    pub fn size(&self, id: AllocationId) -> usize {
        self.allocations[id.0].cells.len()
    }

    /// Writes eight bytes at an offset that is a multiple of eight.
    pub fn put(&self, id: AllocationId, offset: usize, bits: u64) {
        self.allocations[id.0].cells.write(offset, bits);
    }

    /// Creates a multicast object over allocations of the same element and size, each of which becomes a replica: an
    /// address in it stands for the same offset in each of them. There must be at least one.
    pub fn bind_multicast(&mut self, name: impl Into<String>, replicas: &[AllocationId]) -> AllocationId {
        let first = &self.allocations[replicas[0].0];
        let (element, count, extent) = (first.element, first.count, first.extent());
        let base = self.reserve(extent, ALIGNMENT);
        let replicas = replicas.iter().map(|id| id.0).collect();
        let (name, cells) = (name.into(), AtomicBuffer::new(&[]));
        self.allocations.push(Arc::new(Allocation {
            name,
            element,
            base,
            cells,
            count,
            constant: false,
            written: AtomicBool::new(false),
            op: None,
            replicas,
        }));
        AllocationId(self.allocations.len() - 1)
    }

    /// The distances from an address in a multicast object to the same element of each replica; `None` for other
    /// addresses.
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

    /// The allocation of the global `name` (without `@`), once the module is loaded.
    pub fn global(&self, name: &str) -> Option<AllocationId> {
        self.globals.get(name).copied()
    }

    /// Allocates the globals of a module. Existing ones keep their contents: launches share them.
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
        let id = self.add(format!("@{}", global.name), element, &bytes, alignment);
        if global.constant {
            self.protect(id);
        }
        id
    }

    /// Allocates scratch memory for an op; [`Memory::release`] frees it.
    pub(crate) fn allocate_scratch(&mut self, op: OpId, element: Element, count: usize, alignment: u64) -> u64 {
        let name = match count {
            1 => "the scratch memory of one element".to_string(),
            _ => format!("the scratch memory of {count} elements"),
        };
        let id = self.add(name, element, &vec![UNINITIALIZED; count * element.bytes()], alignment.max(ALIGNMENT));
        if let Some(allocation) = self.allocations.last_mut().and_then(Arc::get_mut) {
            allocation.op = Some(op);
        }
        self.address(id)
    }

    /// The size of the scratch memory in bytes.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        self.allocations[self.shared..].iter().map(|allocation| allocation.cells.len() as u64).sum()
    }

    /// The number of allocations, for [`Memory::release`].
    pub(crate) fn mark(&self) -> usize {
        self.allocations.len()
    }

    /// Frees the allocations made since the mark.
    pub(crate) fn release(&mut self, mark: usize) {
        for allocation in self.allocations.drain(mark.min(self.allocations.len())..) {
            let Allocation { ref name, op, element, base, .. } = *allocation;
            self.freed.truncate(MAX_FREED - 1);
            self.freed.push_front(Freed {
                name: name.clone(),
                op,
                element,
                base,
                bytes: allocation.cells.len() as u64,
            });
        }
    }

    /// The freed allocation at a position in nibbles: its name, the op that allocated it, and the element.
    pub(crate) fn freed_at(&self, place: u64) -> Option<(&str, Option<OpId>, i64)> {
        let lies_in = |freed: &&Freed| (freed.base..freed.base + freed.bytes).contains(&(place / 2));
        let freed = self.freed.iter().find(lies_in)?;
        Some((&freed.name, freed.op, ((place - freed.base * 2) / freed.element.nibbles()) as i64))
    }

    fn add(&mut self, name: String, element: Element, bytes: &[u8], alignment: u64) -> AllocationId {
        let cells = AtomicBuffer::new(&nibbles::pack(element, bytes));
        self.insert(name, element, cells, bytes.len() / element.bytes(), alignment)
    }

    fn insert(
        &mut self,
        name: String,
        element: Element,
        cells: AtomicBuffer,
        count: usize,
        alignment: u64,
    ) -> AllocationId {
        let base = self.reserve((count * element.bytes()) as u64, alignment);
        let (constant, written, op, replicas) = (false, AtomicBool::new(false), None, Box::default());
        let allocation = Allocation { name, element, base, cells, count, constant, written, op, replicas };
        self.allocations.push(Arc::new(allocation));
        AllocationId(self.allocations.len() - 1)
    }

    /// Finds free addresses for this many bytes.
    fn reserve(&mut self, bytes: u64, alignment: u64) -> u64 {
        let end = self.allocations.last().map_or(FIRST, |last| last.base + last.extent() + GAP);
        // Addresses of freed memory are only reused when there are no others.
        let start = if self.next < LAST { self.next.max(end) } else { end };
        let base = start.next_multiple_of(alignment.max(1));
        self.next = base + bytes + GAP;
        base
    }

    /// The last allocation that begins at or below an address.
    pub(crate) fn below(&self, address: u64) -> Option<usize> {
        self.allocations.partition_point(|allocation| allocation.base <= address).checked_sub(1)
    }

    /// The allocation that an address was most likely meant for.
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

/// The initial contents of scratch memory: floats are NaN and integers -1.
const UNINITIALIZED: u8 = 0xFF;

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
    fn lent_memory_is_changed_in_place_unless_it_is_protected() {
        let words: &'static [AtomicU64] =
            Box::leak(Box::new([AtomicU64::new(u64::from_le_bytes([1, 0, 0, 0, 2, 0, 0, 0]))]));
        let mut memory = Memory::new();
        let id = memory.lend("%a", Element::I32, words, 8);
        assert_eq!((memory.count(id), memory.bytes(id)), (2, vec![1, 0, 0, 0, 2, 0, 0, 0]));
        let part = memory.lend("%b", Element::I16, words, 2);
        assert!(memory.nearby().write(memory.address(part) + 2, 3u16).is_err());
        assert!(memory.nearby().write(memory.address(id) + 4, 3u32).is_ok());
        assert_eq!(words[0].load(std::sync::atomic::Ordering::Relaxed).to_le_bytes(), [1, 0, 0, 0, 3, 0, 0, 0]);
        memory.protect(id);
        let fault = memory.nearby().write(memory.address(id), 4u32).unwrap_err().at(None, [0; 3]);
        assert_eq!(fault.message, "this writes to `%a`, which is constant");
    }

    #[test]
    fn stray_pointers_are_reported_with_their_argument() {
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
    fn scratch_memory_is_freed() {
        let mut memory = Memory::new();
        let mark = memory.mark();
        let address = memory.allocate_scratch(OpId(0), Element::I32, 4, 16);
        assert_eq!(memory.nearby().read::<u32>(address), Ok(u32::MAX));
        memory.release(mark);
        assert!(memory.nearby().read::<u32>(address).is_err());
        assert_ne!(memory.allocate_scratch(OpId(0), Element::I32, 4, 16), address);
        assert!(memory.nearby().read::<u32>(address).is_err());
    }
}
