//! `.npy` files: a file that can be read is the same after writing and reading it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tile_dialect::ELEMENTS;
use tile_fuzz::{limits, seeds};
use tile_launch::Buffer;
use tile_launch::buffer::row_major;
use tile_launch::npy::{read, read_array, write};

/// The most elements of an array.
const MAX_ELEMENTS: usize = 1 << 16;

fuzz_target!(init: tile_fuzz::start(seeds::npy_files), |bytes: &[u8]| {
    limits::limited(bytes, |bytes| {
        let _ = read_array(bytes, None, MAX_ELEMENTS);
        for row in &ELEMENTS {
            let element = row.element;
            let Ok(array) = read_array(bytes, Some(element), MAX_ELEMENTS) else { continue };
            let shape: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
            let memory = read(bytes, element, &shape).expect("the shape and the type are those of the file");
            let strides = row_major(&shape).expect("the array is small");
            let buffer = Buffer { element, strides, shape: shape.clone(), bytes: memory };
            let written = write(&buffer).expect("the buffer has the size of its shape");
            assert_eq!(read(&written, element, &shape).as_ref(), Ok(&buffer.bytes), "{element}");
        }
    });
});
