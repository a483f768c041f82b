//! Loads of whole cache lines.
//!
//! Tile blocks share memory, so every access is atomic per word, and Rust has no wider atomic accesses. Processors with
//! AVX guarantee that an aligned 16-byte load is atomic (Intel SDM volume 3, section "Guaranteed Atomic Operations";
//! AMD gives the same guarantee), which is more than word-wise atomicity requires. Saxpy in two dimensions
//! (`benches/engine.rs`) takes 1.13 times as long without it.

use crate::values::tile::Scalar;
use std::sync::atomic::AtomicU64;

/// The words of a cache line.
pub(crate) const LINE: usize = 8;

/// Whether [`read`] can be used for lines that start here: they are 16-byte aligned and the processor has AVX.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn can_read(words: &[AtomicU64]) -> bool {
    let is_aligned = words.as_ptr().addr().is_multiple_of(16);
    #[cfg(not(miri))]
    let is_aligned = is_aligned && std::arch::is_x86_feature_detected!("avx");
    is_aligned
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn can_read(_: &[AtomicU64]) -> bool {
    false
}

/// Copies a line for which [`can_read`] holds to elements of the same size and memory representation.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn read<T: Scalar>(line: &[AtomicU64; LINE], into: &mut [T]) {
    assert!(T::IS_PLAIN && size_of_val(into) == size_of_val(line) && line.as_ptr().addr().is_multiple_of(16));
    // Miri, which executes no assembly, checks the same accesses.
    #[cfg(miri)]
    for (index, word) in line.iter().enumerate() {
        let bytes = word.load(std::sync::atomic::Ordering::Relaxed).to_le_bytes();
        // SAFETY: as below.
        unsafe { into.as_mut_ptr().cast::<u8>().add(index * bytes.len()).copy_from(bytes.as_ptr(), bytes.len()) };
    }
    // SAFETY: 64 bytes can be read, and 64 bytes can be written to a type for which all bit patterns are valid.
    // `movaps` requires the alignment that was checked; with AVX it is atomic, so each word is read as by a relaxed
    // load.
    #[cfg(not(miri))]
    unsafe {
        std::arch::asm!(
            "movaps {a}, [{line}]",
            "movaps {b}, [{line} + 16]",
            "movaps {c}, [{line} + 32]",
            "movaps {d}, [{line} + 48]",
            "movups [{into}], {a}",
            "movups [{into} + 16], {b}",
            "movups [{into} + 32], {c}",
            "movups [{into} + 48], {d}",
            line = in(reg) line.as_ptr(),
            into = in(reg) into.as_mut_ptr(),
            a = out(xmm_reg) _,
            b = out(xmm_reg) _,
            c = out(xmm_reg) _,
            d = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn read<T: Scalar>(_: &[AtomicU64; LINE], _: &mut [T]) {
    unreachable!("`can_read` is false");
}
