//! A stand-in for the CUDA driver, with only the functions that `tile` calls. Tests compile it and put it where a
//! worker finds it, to test the worker without a GPU.
//!
//! Device memory is memory of the process. Code is a list of commands, one per line: `print TEXT`, `add A B C` (adds
//! the f32 buffers of parameters A and B into that of C), `vary A` (adds a number from 0 to 3 to the first f32 of A,
//! another one in each launch), `time N` (the run takes N microseconds instead of 250), `gather A B` (loads the f32 at
//! each address in A into B), `fail CODE`, `hang`. The variable `CUDA_STAND_IN_GPU` configures the GPU, such as
//! `driver=13010 capability=9.0 count=1`; with `exit=hang`, a process that has opened the GPU hangs at exit; with
//! `hang=N`, its launch number N hangs. Calls that tests count are logged to `CUDA_STAND_IN_LOG`.
#![allow(non_snake_case, clippy::missing_safety_doc)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

type Status = i32;
const OK: Status = 0;
const NO_DEVICE: Status = 100;
const INVALID_DEVICE: Status = 101;
const INVALID_IMAGE: Status = 200;
const ILLEGAL_ADDRESS: Status = 700;
const MISALIGNED_ADDRESS: Status = 716;

/// The status of a failed kernel after a synchronization: every later call returns it too.
static FAILED: AtomicI32 = AtomicI32::new(OK);

/// The status that the running kernels will return at the next synchronization.
static FAILING: AtomicI32 = AtomicI32::new(OK);

/// The time that the last kernel took, in microseconds.
static TIME: AtomicU32 = AtomicU32::new(250);

/// The number of launches.
static LAUNCHES: AtomicI32 = AtomicI32::new(0);

/// The output of kernels since the last synchronization.
static PRINTED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The address and size of each allocation.
static MEMORY: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// A setting in `CUDA_STAND_IN_GPU`.
fn set(name: &str, default: &str) -> String {
    let all = std::env::var("CUDA_STAND_IN_GPU").unwrap_or_default();
    let found = all.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    found.unwrap_or(default).to_string()
}

fn number(name: &str, default: &str) -> i32 {
    set(name, default).parse().expect("a number")
}

fn log(call: &str) {
    if let Ok(path) = std::env::var("CUDA_STAND_IN_LOG") {
        let mut file = std::fs::File::options().append(true).create(true).open(path).expect("the log can be written");
        // One write, because several workers append to the file.
        file.write_all(format!("{call}\n").as_bytes()).expect("the log can be written");
    }
}

/// The status that calls return: success, or the status of a failed kernel.
fn answer() -> Status {
    FAILED.load(Ordering::SeqCst)
}

macro_rules! idle {
    ($($name:ident($($type:ty),*);)*) => {
        $(#[no_mangle] pub unsafe extern "C" fn $name($(_: $type),*) -> Status { answer() })*
    };
}

type Handle = *mut c_void;

idle! {
    cuInit(u32);
    cuCtxSetCurrent(Handle);
    cuCtxSetLimit(c_int, usize);
    cuFuncSetAttribute(Handle, c_int, c_int);
    cuDevicePrimaryCtxRelease_v2(c_int);
    cuModuleUnload(Handle);
    cuEventRecord(Handle, Handle);
    cuEventDestroy_v2(Handle);
    cuStreamWaitEvent(Handle, Handle, u32);
}

#[no_mangle]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> Status {
    *version = number("driver", "13010");
    OK
}

#[no_mangle]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> Status {
    *count = number("count", "1");
    if *count == 0 { NO_DEVICE } else { OK }
}

#[no_mangle]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> Status {
    *device = ordinal;
    if ordinal < number("count", "1") { OK } else { INVALID_DEVICE }
}

#[no_mangle]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, length: c_int, _: c_int) -> Status {
    let text = set("name", "Stand-in");
    let count = text.len().min(length as usize - 1);
    std::ptr::copy_nonoverlapping(text.as_ptr(), name.cast(), count);
    *name.add(count) = 0;
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _: c_int) -> Status {
    *bytes = 1 << 30;
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, _: c_int) -> Status {
    let capability = set("capability", "9.0");
    let (major, minor) = capability.split_once('.').expect("two numbers");
    *value = match attribute {
        75 => major.parse().expect("a number"),
        76 => minor.parse().expect("a number"),
        13 => 1_980_000,  // clock rate, in kHz
        16 => 132,        // multiprocessors
        36 => 3_201_000,  // memory clock rate, in kHz
        37 => 6144,       // width of the memory bus, in bits
        _ => 0,
    };
    answer()
}

extern "C" fn hang() {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

#[no_mangle]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> Status {
    extern "C" {
        fn atexit(handler: extern "C" fn()) -> c_int;
    }
    log(&format!("open {device}"));
    if set("exit", "") == "hang" {
        assert_eq!(atexit(hang), 0);
    }
    *context = (device as usize + 1) as Handle;
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuCtxGetCurrent(context: *mut Handle) -> Status {
    *context = std::ptr::null_mut();
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuModuleLoadData(module: *mut Handle, image: *const c_char) -> Status {
    let text = CStr::from_ptr(image).to_bytes().to_vec();
    *module = Box::into_raw(Box::new(text)).cast();
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuModuleGetFunction(function: *mut Handle, module: Handle, _: *const c_char) -> Status {
    *function = module;
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> Status {
    let memory = Box::leak(vec![0u8; bytes].into_boxed_slice());
    *address = memory.as_mut_ptr() as u64;
    MEMORY.lock().expect("no thread panics").push((*address as usize, bytes));
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuMemFree_v2(address: u64) -> Status {
    MEMORY.lock().expect("no thread panics").retain(|(start, _)| *start != address as usize);
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuMemsetD8Async(address: u64, value: u8, count: usize, _: Handle) -> Status {
    std::ptr::write_bytes(address as *mut u8, value, count);
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(to: u64, from: *const u8, bytes: usize, _: Handle) -> Status {
    std::ptr::copy_nonoverlapping(from, to as *mut u8, bytes);
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut u8, from: u64, bytes: usize, _: Handle) -> Status {
    std::ptr::copy_nonoverlapping(from as *const u8, to, bytes);
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, _: Handle) -> Status {
    std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes);
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuEventCreate(event: *mut Handle, _: u32) -> Status {
    *event = 1 as Handle;
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuEventElapsedTime(milliseconds: *mut f32, _: Handle, _: Handle) -> Status {
    *milliseconds = TIME.load(Ordering::SeqCst) as f32 / 1000.0;
    answer()
}

#[no_mangle]
pub unsafe extern "C" fn cuEventElapsedTime_v2(milliseconds: *mut f32, a: Handle, b: Handle) -> Status {
    cuEventElapsedTime(milliseconds, a, b)
}

#[no_mangle]
pub unsafe extern "C" fn cuEventSynchronize(_: Handle) -> Status {
    cuStreamSynchronize(std::ptr::null_mut())
}

#[no_mangle]
pub unsafe extern "C" fn cuStreamSynchronize(_: Handle) -> Status {
    let text = std::mem::take(&mut *PRINTED.lock().expect("no thread panics"));
    // Like the driver, write to the standard output of the process.
    extern "C" {
        fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
    }
    assert_eq!(write(1, text.as_ptr().cast(), text.len()), text.len() as isize);
    FAILED.store(FAILING.load(Ordering::SeqCst), Ordering::SeqCst);
    answer()
}

#[no_mangle]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: Handle, x: u32, y: u32, z: u32, _: u32, _: u32, _: u32, _: u32, _: Handle, arguments: *mut *mut c_void,
    _: *mut *mut c_void,
) -> Status {
    log(&format!("launch {x} {y} {z}"));
    if LAUNCHES.fetch_add(1, Ordering::SeqCst) + 1 == number("hang", "0") {
        log("hangs");
        hang();
    }
    let text = &*function.cast::<Vec<u8>>();
    TIME.store(250, Ordering::SeqCst);
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let status = execute(line, arguments);
        if status != OK {
            return status;
        }
    }
    answer()
}

unsafe fn execute(line: &[u8], arguments: *mut *mut c_void) -> Status {
    if let Some(text) = line.strip_prefix(b"print ") {
        let mut printed = PRINTED.lock().expect("no thread panics");
        printed.extend(text);
        printed.push(b'\n');
        return OK;
    }
    let words: Vec<&str> = std::str::from_utf8(line).expect("the code is UTF-8").split(' ').collect();
    match words[..] {
        ["add", ref parameters @ ..] => {
            let address = |name: &&str| *(*arguments.add(name.parse().expect("a number"))).cast::<usize>();
            let all: Vec<usize> = parameters.iter().map(address).collect();
            let sizes = MEMORY.lock().expect("no thread panics");
            let size = sizes.iter().find(|(start, _)| *start == all[2]).expect("the address is allocated").1;
            for index in 0..size / 4 {
                let at = |start: usize| (start as *mut f32).add(index);
                *at(all[2]) = *at(all[0]) + *at(all[1]);
            }
            OK
        }
        ["gather", ref parameters @ ..] => {
            let address = |name: &&str| *(*arguments.add(name.parse().expect("a number"))).cast::<usize>();
            let [list, out] = [address(&parameters[0]), address(&parameters[1])];
            let sizes = MEMORY.lock().expect("no thread panics");
            let size = sizes.iter().find(|(start, _)| *start == out).expect("the address is allocated").1;
            for index in 0..size / 4 {
                let from = *(list as *const usize).add(index);
                let contains = |(start, size): &(usize, usize)| (*start..start + size).contains(&from);
                if !sizes.iter().any(contains) {
                    FAILING.store(ILLEGAL_ADDRESS, Ordering::SeqCst);
                    return OK;
                }
                *(out as *mut f32).add(index) = *(from as *const f32);
            }
            OK
        }
        ["vary", parameter] => {
            let start = *(*arguments.add(parameter.parse().expect("a number"))).cast::<usize>();
            *(start as *mut f32) += (LAUNCHES.load(Ordering::SeqCst) % 4) as f32;
            OK
        }
        ["time", microseconds] => {
            TIME.store(microseconds.parse().expect("a number"), Ordering::SeqCst);
            OK
        }
        ["fail", code] => {
            FAILING.store(code.parse().expect("a number"), Ordering::SeqCst);
            OK
        }
        ["hang"] => {
            log("hangs");
            hang();
            OK
        }
        _ => INVALID_IMAGE,
    }
}

fn about(status: Status) -> (&'static CStr, &'static CStr) {
    match status {
        NO_DEVICE => (c"CUDA_ERROR_NO_DEVICE", c"no CUDA-capable device is detected"),
        INVALID_DEVICE => (c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
        INVALID_IMAGE => (c"CUDA_ERROR_INVALID_IMAGE", c"device kernel image is invalid"),
        ILLEGAL_ADDRESS => (c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
        MISALIGNED_ADDRESS => (c"CUDA_ERROR_MISALIGNED_ADDRESS", c"misaligned address"),
        710 => (c"CUDA_ERROR_ASSERT", c"device-side assert triggered"),
        719 => (c"CUDA_ERROR_LAUNCH_FAILED", c"unspecified launch failure"),
        _ => (c"CUDA_ERROR_UNKNOWN", c"unknown error"),
    }
}

#[no_mangle]
pub unsafe extern "C" fn cuGetErrorName(status: Status, text: *mut *const c_char) -> Status {
    *text = about(status).0.as_ptr();
    OK
}

#[no_mangle]
pub unsafe extern "C" fn cuGetErrorString(status: Status, text: *mut *const c_char) -> Status {
    *text = about(status).1.as_ptr();
    OK
}
