//! Cache lines that are read at once. Rust has no atomic accesses wider than a word. But who reads a line only asks for its
//! words, each as it is before or after somebody writes it.

use super::tile::Word;
use std::sync::atomic::AtomicU64;

/// The words of a cache line.
pub(super) const LINE: usize = 8;

/// Copies a line to elements that take as many bytes and are in memory just as they are here. Tells whether it can.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code)]
pub(super) fn read<T: Word>(line: &[AtomicU64; LINE], into: &mut [T]) -> bool {
    assert!(T::IS_PLAIN && size_of_val(into) == size_of_val(line));
    // SAFETY: there are 64 bytes to read, and 64 to write of a type that any bits are a value of. The words are aligned, and
    // these instructions, which every processor of this kind has, read none of them in parts: each is read as by a relaxed
    // load.
    unsafe {
        std::arch::asm!(
            "movups {a}, [{line}]",
            "movups {b}, [{line} + 16]",
            "movups {c}, [{line} + 32]",
            "movups {d}, [{line} + 48]",
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
    true
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn read<T: Word>(_: &[AtomicU64; LINE], _: &mut [T]) -> bool {
    false
}
