//! Stores that go past the caches. A plain store first loads the cache line around it; where whole lines are written that
//! nobody reads soon, that is a third of what moves between a sum of two vectors and memory.

use std::sync::atomic::AtomicU64;

/// Memory from this size on is not in the caches anyway when it is read again.
pub(super) const LARGE: usize = 32 << 20;

/// Stores a word, as a relaxed store does, but for stores that follow: [`finish`] must come before whatever tells other
/// threads of it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code)]
pub(super) fn store(word: &AtomicU64, bits: u64) {
    // SAFETY: the word is aligned and may be written through a shared reference. It is written by a single access of 8
    // bytes, so that other threads see the old or the new value, as with an atomic store.
    unsafe {
        std::arch::asm!("movnti [{}], {}", in(reg) word.as_ptr(), in(reg) bits, options(nostack, preserves_flags));
    }
}

/// Waits until all words are stored that this thread has stored.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(super) fn finish() {
    // SAFETY: the instruction orders stores and does nothing else. Every processor of this kind has it.
    unsafe { std::arch::asm!("sfence", options(nostack, preserves_flags)) }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn store(word: &AtomicU64, bits: u64) {
    word.store(bits, std::sync::atomic::Ordering::Relaxed);
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn finish() {}
