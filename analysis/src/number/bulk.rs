//! Reads and writes elements in little-endian byte buffers, one or many at a time.

use super::{decode, encode};
use tile_dialect::Element;

/// Returns the bits of the element at `index` of a buffer, or `None` past the end. Bits above the element's width are
/// zero; `i1` is 0 or 1.
pub fn read(element: Element, buffer: &[u8], index: usize) -> Option<u64> {
    let size = element.bytes();
    let start = index.checked_mul(size)?;
    let bytes = buffer.get(start..start.checked_add(size)?)?;
    let mut word = [0; 8];
    word[..size].copy_from_slice(bytes);
    Some(canonical(element, u64::from_le_bytes(word)))
}

/// Writes the low bits of `bits` as the element at `index`. Returns false past the end of the buffer.
#[must_use]
pub fn write(element: Element, buffer: &mut [u8], index: usize, bits: u64) -> bool {
    let size = element.bytes();
    let Some(start) = index.checked_mul(size) else { return false };
    let Some(place) = start.checked_add(size).and_then(|end| buffer.get_mut(start..end)) else { return false };
    place.copy_from_slice(&canonical(element, bits).to_le_bytes()[..size]);
    true
}

/// Normalizes bits read from memory: any nonzero byte is a true `i1`, and the upper half of a 4-bit element's byte is
/// ignored.
fn canonical(element: Element, bits: u64) -> u64 {
    match element {
        Element::I1 => u64::from(bits != 0),
        Element::I4 | Element::F4E2M1FN => bits & 0xF,
        _ => bits,
    }
}

/// Returns the values of all elements of a buffer, ignoring an incomplete element at its end.
pub fn decode_all(element: Element, buffer: &[u8]) -> Vec<f64> {
    match element {
        Element::F64 => chunks(buffer, f64::from_le_bytes),
        Element::F32 => chunks(buffer, |bytes| f32::from_le_bytes(bytes).into()),
        Element::I64 => chunks(buffer, |bytes| i64::from_le_bytes(bytes) as f64),
        Element::I32 => chunks(buffer, |bytes| i32::from_le_bytes(bytes).into()),
        Element::I16 => chunks(buffer, |bytes| i16::from_le_bytes(bytes).into()),
        Element::F16 | Element::BF16 => chunks(buffer, |bytes| decode(element, u16::from_le_bytes(bytes).into())),
        Element::TF32 => chunks(buffer, |bytes| decode(element, u32::from_le_bytes(bytes).into())),
        _ => decode_bytes(element, buffer),
    }
}

/// Decodes one-byte elements with a table of all 256 bytes.
fn decode_bytes(element: Element, buffer: &[u8]) -> Vec<f64> {
    let table: Vec<f64> = (0..256).map(|byte| decode(element, canonical(element, byte))).collect();
    buffer.iter().map(|&byte| table[usize::from(byte)]).collect()
}

fn chunks<const N: usize>(buffer: &[u8], decode: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    buffer.as_chunks::<N>().0.iter().map(|&bytes| decode(bytes)).collect()
}

/// Encodes `values` into a buffer, each rounded as by [`encode`].
pub fn encode_all(element: Element, values: &[f64]) -> Vec<u8> {
    match element {
        Element::F64 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        _ => {
            let size = element.bytes();
            let mut buffer = Vec::with_capacity(values.len().saturating_mul(size));
            for &value in values {
                buffer.extend_from_slice(&encode(element, value).to_le_bytes()[..size]);
            }
            buffer
        }
    }
}
