//! The memory of arrays as memory of the engine.
//!
//! Arrays that overlap become one allocation, so that the engine sees that they do. An allocation that starts at an
//! aligned word is used in place; another one, and 4-bit elements, which Python stores in one byte each, are copied
//! before the run and back after it.

use std::sync::atomic::AtomicU64;
use tile_dialect::Element;
use tile_engine::{AllocationId, Memory};

/// The bytes of a word.
const WORD: usize = size_of::<AtomicU64>();

const _: () = assert!(cfg!(target_endian = "little"), "arrays are used in place, in the byte order of the processor");

/// The memory of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// Its name in messages.
    pub(crate) name: String,
    /// Its element type.
    pub(crate) element: Element,
    /// The address of its first byte.
    pub(crate) address: usize,
    /// Its size in bytes. 4-bit elements have one byte each.
    pub(crate) bytes: usize,
    /// Whether a kernel may write it.
    pub(crate) is_writable: bool,
}

/// Arrays in the memory of the engine.
pub(crate) struct Regions {
    /// The allocation of each array, and the offset of its first byte.
    pub(crate) places: Vec<(AllocationId, i64)>,
    /// Copied memory that is copied back, with its address.
    copied: Vec<(AllocationId, usize)>,
}

impl Regions {
    /// Runs a kernel with arrays in memory of the engine.
    ///
    /// Python creates the extents, so this cannot be checked: the memory of every array is valid for reads, and for
    /// writes if the array is writable, until this returns. Threads of Python that access it meanwhile race with the
    /// kernel, as they would with a GPU, and can see any mixture of old and new bytes.
    #[allow(unsafe_code)]
    pub(crate) fn with<R>(arrays: &[Extent], run: impl FnOnce(&Regions, &mut Memory) -> R) -> R {
        let mut memory = Memory::new();
        // SAFETY: see above.
        let regions = unsafe { Regions::place(arrays, &mut memory) };
        let result = run(&regions, &mut memory);
        // SAFETY: see above.
        unsafe { regions.copy_back(&memory) };
        result
    }

    /// Places arrays.
    ///
    /// # Safety
    ///
    /// The memory of every array must be valid for reads, and for writes if the array is writable, until `memory` is
    /// dropped and [`Regions::copy_back`] has returned.
    #[allow(unsafe_code)]
    unsafe fn place(arrays: &[Extent], memory: &mut Memory) -> Regions {
        let mut order: Vec<usize> = (0..arrays.len()).collect();
        order.sort_by_key(|&index| arrays[index].address);
        let mut places = vec![None; arrays.len()];
        let mut copied = Vec::new();
        let mut rest = &order[..];
        while let [first, ..] = rest {
            let (count, region) = overlapping(arrays, rest);
            // SAFETY: the region consists of the memory of arrays.
            let id = unsafe { allocate(&region, memory) };
            if region.is_writable && !is_used_in_place(&region) {
                copied.push((id, region.address));
            }
            let start = arrays[*first].address;
            for &index in &rest[..count] {
                places[index] = Some((id, (arrays[index].address - start) as i64));
            }
            rest = &rest[count..];
        }
        Regions { places: places.into_iter().flatten().collect(), copied }
    }

    /// Copies the results of a run to arrays that were copied.
    ///
    /// # Safety
    ///
    /// As for [`Regions::place`], with which the arrays were placed in `memory`.
    #[allow(unsafe_code)]
    unsafe fn copy_back(&self, memory: &Memory) {
        for &(id, address) in &self.copied {
            let bytes = memory.bytes(id);
            // SAFETY: the array has as many bytes, and is writable.
            unsafe { std::ptr::with_exposed_provenance_mut::<u8>(address).copy_from(bytes.as_ptr(), bytes.len()) };
        }
    }
}

/// How many of the arrays, in the order of their addresses, overlap the ones before, and the memory of all of them. It
/// has the name and the element type of the array that is the first argument.
fn overlapping(arrays: &[Extent], order: &[usize]) -> (usize, Extent) {
    let mut region = arrays[order[0]].clone();
    let mut named = order[0];
    let mut count = 1;
    for &index in &order[1..] {
        let array = &arrays[index];
        let end = region.address + region.bytes;
        if array.address >= end || array.bytes == 0 {
            break;
        }
        region.bytes = end.max(array.address + array.bytes) - region.address;
        region.is_writable |= array.is_writable;
        if index < named {
            named = index;
            (region.name, region.element) = (array.name.clone(), array.element);
        }
        count += 1;
    }
    (count, region)
}

fn is_used_in_place(region: &Extent) -> bool {
    region.element.nibbles() > 1 && region.address.is_multiple_of(WORD) && region.bytes > 0
}

/// # Safety
///
/// As for [`Regions::place`].
#[allow(unsafe_code)]
unsafe fn allocate(region: &Extent, memory: &mut Memory) -> AllocationId {
    let Extent { name, element, address, bytes, is_writable } = region;
    let id = if is_used_in_place(region) {
        let words = std::ptr::with_exposed_provenance::<AtomicU64>(*address);
        // SAFETY: the words are aligned, and belong to the array, whose memory outlives `memory`. The last one can
        // extend past the array: an aligned word lies in one page, and the engine changes it by compare-and-swap, so
        // that the bytes after the array keep what others write there. It does not write to a protected allocation.
        let words = unsafe { std::slice::from_raw_parts(words, bytes.div_ceil(WORD)) };
        memory.lend(name.as_str(), *element, words, *bytes)
    } else {
        let start = std::ptr::with_exposed_provenance::<u8>(*address);
        let empty = *bytes == 0;
        // SAFETY: the bytes are those of the array. An empty array can have any address.
        let contents = if empty { &[] } else { unsafe { std::slice::from_raw_parts(start, *bytes) } };
        memory.allocate(name.as_str(), *element, contents)
    };
    if !is_writable {
        memory.protect(id);
    }
    id
}
