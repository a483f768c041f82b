//! Arrays, the values of formulas.

use crate::buffer::{Buffer, Value};
use crate::literal::{Number, encode_real};
use crate::shape::{bracketed, count, offsets};
use tile_analysis::number::{decode, decode_all, decode_int, encode, encode_whole, read};
use tile_dialect::Element;

/// Numbers in row-major order and their shape; the number of elements is the product of the extents.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    shape: Vec<usize>,
    data: Data,
}

/// The numbers of an array.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// Floating-point numbers.
    Real(Vec<f64>),
    /// Integers, which stay exact and wrap at 64 bits.
    Whole(Vec<i64>),
}

impl Data {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Data::Real(values) => values.len(),
            Data::Whole(values) => values.len(),
        }
    }

    /// Whether the array is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers as `f64`.
    pub fn into_real(self) -> Vec<f64> {
        match self {
            Data::Real(values) => values,
            Data::Whole(values) => values.into_iter().map(|value| value as f64).collect(),
        }
    }

    /// Decodes dense little-endian memory.
    pub(in super::super) fn from_memory(element: Element, memory: &[u8]) -> Data {
        if element.is_float() {
            return Data::Real(decode_all(element, memory));
        }
        let bits = (0..memory.len() / element.bytes()).map_while(|index| read(element, memory, index));
        Data::Whole(bits.map(|bits| decode_int(element, bits)).collect())
    }

    /// Rounds each number to the element type as [`encode_real`] does; integer types drop the fraction and wrap.
    pub(in super::super) fn round_to(self, element: Element) -> Data {
        if element.is_int() {
            let wrap = |value: i64| decode_int(element, encode_whole(element, value.into()));
            return Data::Whole(match self {
                Data::Whole(values) => values.into_iter().map(wrap).collect(),
                Data::Real(values) => {
                    values.into_iter().map(|value| decode_int(element, encode(element, value))).collect()
                }
            });
        }
        Data::Real(match self {
            Data::Real(values) => {
                values.into_iter().map(|value| decode(element, encode_real(element, value))).collect()
            }
            Data::Whole(values) => {
                values.into_iter().map(|value| decode(element, encode_whole(element, value.into()))).collect()
            }
        })
    }

    /// Whether each number is a value of the element type.
    pub(in super::super) fn is_exact_in(&self, element: Element) -> bool {
        let rounded = self.clone().round_to(element).into_real();
        let numbers = self.clone().into_real();
        numbers.iter().zip(&rounded).all(|(number, rounded)| number == rounded || number.is_nan() && rounded.is_nan())
    }

    /// The numbers at these positions, which must be in range.
    pub(super) fn gather(&self, places: impl Iterator<Item = usize>) -> Data {
        match self {
            Data::Real(values) => Data::Real(places.map(|place| values[place]).collect()),
            Data::Whole(values) => Data::Whole(places.map(|place| values[place]).collect()),
        }
    }
}

impl Array {
    /// Creates an array; `None` if the number of elements of `data` is not that of `shape`.
    pub fn new(shape: Vec<usize>, data: Data) -> Option<Array> {
        (count(&shape, usize::MAX)? == data.len()).then_some(Array { shape, data })
    }

    /// An array of rank 0.
    pub fn scalar(number: Number) -> Array {
        let data = match number {
            Number::Whole(value) => Data::Whole(vec![value as i64]),
            Number::Real(value) => Data::Real(vec![value]),
        };
        Array { shape: vec![], data }
    }

    /// The contents of an argument; `None` if a buffer's memory is too short, or for an address.
    pub fn of(value: &Value) -> Option<Array> {
        match value {
            Value::Scalar(number) => Some(Array::scalar(*number)),
            Value::Buffer(buffer) => Array::of_buffer(buffer),
            Value::Address => None,
        }
    }

    /// The contents of a buffer; `None` if its memory is too short.
    pub fn of_buffer(buffer: &Buffer) -> Option<Array> {
        let shape = buffer.shape.iter().map(|extent| usize::try_from(*extent).ok()).collect::<Option<Vec<_>>>()?;
        Array::new(shape, Data::from_memory(buffer.element, &buffer.dense()?))
    }

    /// The extents, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The numbers in row-major order.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The numbers in row-major order.
    pub fn into_data(self) -> Data {
        self.data
    }

    pub(super) fn rank(&self) -> usize {
        self.shape.len()
    }

    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    /// The same numbers in another shape with the same number of elements.
    pub(super) fn with_shape(self, shape: Vec<usize>) -> Array {
        debug_assert_eq!(count(&shape, usize::MAX), Some(self.data.len()));
        Array { shape, data: self.data }
    }

    /// Creates an array from a shape and data with the same number of elements.
    pub(super) fn with_data(shape: Vec<usize>, data: Data) -> Array {
        debug_assert_eq!(count(&shape, usize::MAX), Some(data.len()));
        Array { shape, data }
    }

    /// The elements that `shape` and `strides` select, beginning at position `start`.
    pub(in super::super) fn view(&self, start: usize, shape: Vec<usize>, strides: &[isize]) -> Array {
        let data = self.data.gather(offsets(start, &shape, strides));
        Array { shape, data }
    }

    /// The shape as text, such as `[2, 3]`.
    pub(super) fn describe(&self) -> String {
        bracketed(&self.shape)
    }
}

/// The number of elements of `shape`, or an error if it exceeds `most`.
pub(in super::super) fn size_of(shape: &[usize], most: usize) -> Result<usize, String> {
    count(shape, most).ok_or_else(|| format!("an array of {} has more than {most} elements", bracketed(shape)))
}
