//! `.npy` files.
//!
//! Element types that NumPy has are stored as such. The others are stored as raw bits: `bf16` as `uint16`, 8-bit and
//! 4-bit floats and `i4` as `uint8`, one element per byte; `tf32` is stored as `float32` and `i1` as `bool`. Integers
//! are written signed, as the language prints them.
//!
//! Reading also accepts integers of the other signedness, `uint8` for `i1`, the void types that `ml_dtypes` writes for
//! the raw bits, either byte order, and Fortran order. It never converts numbers.

mod header;

use super::buffer::Buffer;
use super::expr::{Array, Data};
use super::shape::{bracketed, offsets};
use header::{Dtype, Header};
use tile_analysis::number::{encode, read as read_bits, write as write_bits};
use tile_dialect::Element;

/// Reads a file with this element type and shape. Returns the elements in row-major order, as the memory of a dense
/// buffer.
pub fn read(file: &[u8], element: Element, shape: &[u64]) -> Result<Vec<u8>, String> {
    let (header, data) = header::parse(file)?;
    if !accepts(element, header.dtype) || header.shape != shape {
        return Err(format!(
            "the file holds {}{}, but {element}{} ({}) is required",
            header.dtype,
            bracketed(&header.shape),
            bracketed(shape),
            stored_as(element)
        ));
    }
    let mut dense = dense(&header, data)?;
    canonicalize(element, &mut dense)?;
    Ok(dense)
}

/// The values of a file for a formula. `element` is the type of raw bits; without it, numbers have their NumPy type.
/// Returns an error for more than `most` elements.
pub fn read_array(file: &[u8], element: Option<Element>, most: usize) -> Result<Array, String> {
    let (header, data) = header::parse(file)?;
    let shape = header.sizes().filter(|(_, count)| *count <= most).map(|(shape, _)| shape);
    let shape =
        shape.ok_or_else(|| format!("the file holds {}, more than {most} elements", bracketed(&header.shape)))?;
    let element = match element {
        Some(element) if accepts(element, header.dtype) => element,
        Some(element) => {
            return Err(format!("the file holds {}, but {element} is {}", header.dtype, stored_as(element)));
        }
        None if header.dtype.kind == b'u' => return unsigned(&header, shape, &dense(&header, data)?),
        None => natural(header.dtype)?,
    };
    let mut dense = dense(&header, data)?;
    canonicalize(element, &mut dense)?;
    Array::new(shape, Data::from_memory(element, &dense)).ok_or_else(|| "the file is damaged".to_string())
}

/// Encodes the elements of a buffer, without gaps, as a file.
pub fn write(buffer: &Buffer) -> Result<Vec<u8>, String> {
    let dense = buffer.dense().ok_or("the buffer's memory is shorter than its shape")?;
    let mut file = header(buffer.element, &buffer.shape);
    file.extend_from_slice(&dense);
    Ok(file)
}

/// The bytes of a file before its elements.
pub fn header(element: Element, shape: &[u64]) -> Vec<u8> {
    header::write(stored_as(element), shape)
}

/// The NumPy type that stores an element type.
fn stored_as(element: Element) -> Dtype {
    let (kind, size) = match element {
        Element::I1 => (b'b', 1),
        Element::I8 | Element::I16 | Element::I32 | Element::I64 => (b'i', element.bytes()),
        Element::F16 | Element::TF32 | Element::F32 | Element::F64 => (b'f', element.bytes()),
        _ => (b'u', element.bytes()),
    };
    Dtype { kind, size, big_endian: false }
}

/// Whether a file of this type can be read as `element`.
fn accepts(element: Element, dtype: Dtype) -> bool {
    let own = stored_as(element);
    let raw = own.kind == b'u';
    dtype.size == own.size
        && match dtype.kind {
            b'V' => raw,
            // `ml_dtypes` stores float8_e5m2 as a one-byte float.
            b'f' => own.kind == b'f' || (raw && dtype.size == 1),
            b'u' => own.kind != b'f',
            b'i' => own.kind == b'i',
            _ => dtype.kind == own.kind,
        }
}

/// The element type that corresponds to a NumPy type.
fn natural(dtype: Dtype) -> Result<Element, String> {
    let elements =
        [Element::I1, Element::I8, Element::I16, Element::I32, Element::I64, Element::F16, Element::F32, Element::F64];
    let own = |element: &Element| stored_as(*element).kind == dtype.kind && stored_as(*element).size == dtype.size;
    elements.into_iter().find(own).ok_or_else(|| {
        format!("the file holds {dtype}, whose meaning is unknown; say which element it is: npy(\"…\", bf16)")
    })
}

fn unsigned(header: &Header, shape: Vec<usize>, dense: &[u8]) -> Result<Array, String> {
    let words = dense
        .chunks_exact(header.dtype.size)
        .map(|bytes| bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte)) as i64);
    Array::new(shape, Data::Whole(words.collect())).ok_or_else(|| "the file is damaged".to_string())
}

/// The file's elements in row-major order, little-endian.
fn dense(header: &Header, data: &[u8]) -> Result<Vec<u8>, String> {
    let size = header.dtype.size;
    let (shape, count) = header.sizes().ok_or("the file's shape is larger than memory")?;
    let needed = count.checked_mul(size).ok_or("the file's shape is larger than memory")?;
    let data = data.get(..needed).ok_or_else(|| format!("the file ends after {} of {needed} bytes", data.len()))?;
    let mut dense = if header.fortran { from_fortran(&shape, size, data) } else { data.to_vec() };
    if header.dtype.big_endian {
        dense.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    Ok(dense)
}

fn from_fortran(shape: &[usize], size: usize, data: &[u8]) -> Vec<u8> {
    let mut strides = vec![1isize; shape.len()];
    for dim in 1..shape.len() {
        strides[dim] = strides[dim - 1] * shape[dim - 1] as isize;
    }
    let mut dense = Vec::with_capacity(data.len());
    for offset in offsets(0, shape, &strides) {
        dense.extend_from_slice(&data[offset * size..(offset + 1) * size]);
    }
    dense
}

/// Normalizes equivalent bit patterns, and rejects invalid ones.
fn canonicalize(element: Element, dense: &mut [u8]) -> Result<(), String> {
    match element {
        Element::I1 => dense.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0)),
        Element::I4 | Element::F4E2M1FN => {
            if let Some(index) = dense.iter().position(|byte| *byte > 0xF) {
                return Err(format!(
                    "element {index} is {:#x}, which has more than the 4 bits of {element}",
                    dense[index]
                ));
            }
        }
        Element::TF32 => {
            for index in 0..dense.len() / 4 {
                let bits = read_bits(Element::F32, dense, index).unwrap_or(0);
                let value = f32::from_bits(bits as u32);
                let _ = write_bits(element, dense, index, encode(element, value.into()));
            }
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests;
