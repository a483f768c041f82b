//! The interface to WebAssembly. Texts are passed as an address and a length in the module's memory.

#![allow(unsafe_code)]

use crate::answer::Playground;
use std::cell::RefCell;

thread_local! {
    static PLAYGROUND: RefCell<Playground> = RefCell::new(Playground::new());
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Receives the answer to a request.
    fn respond(text: *const u8, length: usize);
    /// Receives an event of a run.
    fn event(text: *const u8, length: usize);
    /// Receives the message of a panic. The module must not be used after it.
    fn panicked(text: *const u8, length: usize);
}

unsafe extern "C" {
    /// Runs the constructors of statics, with which salsa registers its tables. Provided by the linker.
    fn __wasm_call_ctors();
}

/// Prepares the module. The page calls it once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    // SAFETY: the constructors have not run, because the page calls this function first and once.
    unsafe { __wasm_call_ctors() };
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the page copies the text before it returns.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
}

/// Allocates memory for a request.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Answers a request, and frees its memory.
///
/// # Safety
///
/// `request` and `length` must be from [`allocate`], and the memory must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(request: *mut u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, length)) };
    let request = String::from_utf8_lossy(&bytes);
    // SAFETY: the page copies the text before it returns.
    let events = |text: &str| unsafe { event(text.as_ptr(), text.len()) };
    let answer = PLAYGROUND.with_borrow_mut(|playground| playground.answer(&request, &events));
    // SAFETY: as above.
    unsafe { respond(answer.as_ptr(), answer.len()) };
}
