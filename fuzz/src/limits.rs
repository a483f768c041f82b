//! Limits of time and memory. Exceeding one is a failure, as a panic is.

use rustix::time::{ClockId, clock_gettime};
use std::alloc::{GlobalAlloc, Layout, System};
use std::str;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::Duration;

/// The processor time for an input, which has at most 64 kB.
const TIME: Duration = Duration::from_secs(1);

/// The memory for each byte of an input, in bytes.
const MEMORY_PER_BYTE: usize = 50;

/// The memory for any input, in bytes.
const MEMORY: usize = 1 << 20;

/// The bytes that are allocated, and the largest number of them since the last call of [`limited`].
static ALLOCATED: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The system's allocator, counting the allocated bytes.
struct Counting;

fn count(change: isize) {
    let now = ALLOCATED.fetch_add(change, Ordering::Relaxed) + change;
    if change > 0 {
        PEAK.fetch_max(now, Ordering::Relaxed);
    }
}

// SAFETY: every method calls the system's allocator with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// The processor time of this process.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Runs `check` on an input and limits its processor time.
pub fn timed(bytes: &[u8], check: impl FnOnce(&[u8])) {
    let began = now();
    check(bytes);
    let took = now().saturating_sub(began);
    assert!(took <= TIME, "{} bytes took {took:?}", bytes.len());
}

/// Runs `check` on an input and limits its processor time and its memory.
pub fn limited(bytes: &[u8], check: impl FnOnce(&[u8])) {
    limited_to(MEMORY_PER_BYTE, bytes, check);
}

/// Like [`limited`], with other memory for each byte.
pub fn limited_to(memory_per_byte: usize, bytes: &[u8], check: impl FnOnce(&[u8])) {
    let before = ALLOCATED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    timed(bytes, check);
    let used = (PEAK.load(Ordering::Relaxed) - before).max(0) as usize;
    let most = MEMORY + memory_per_byte * bytes.len();
    assert!(used <= most, "{} bytes took {used} bytes of memory, more than {most}", bytes.len());
}

/// Like [`limited`], for text. Other bytes become replacement characters.
pub fn text(bytes: &[u8], check: impl Fn(&str)) {
    match str::from_utf8(bytes) {
        Ok(text) => limited(bytes, |_| check(text)),
        Err(_) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            limited(text.as_bytes(), |_| check(&text));
        }
    }
}

/// Passes text to `check` without limits, for targets whose work is not proportional to the input.
pub fn unlimited_text(bytes: &[u8], check: impl Fn(&str)) {
    check(&String::from_utf8_lossy(bytes));
}
