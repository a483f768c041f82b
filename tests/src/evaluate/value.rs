//! Values of the evaluator.

use tile_dialect::Element;

/// The value of an operand.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// The bits of each element, in row-major order.
    Numbers(Vec<u64>),
    Pointers(Vec<Pointer>),
    /// A tensor view, or a view of its tiles.
    Tensor(Tensor),
    Token,
}

/// An address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub(super) buffer: usize,
    /// The distance from the start of the buffer, in bytes.
    pub(super) offset: i64,
}

/// The base, the extents and the strides of a tensor view.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub(super) base: Pointer,
    pub(super) shape: Vec<i64>,
    pub(super) strides: Vec<i64>,
}

impl Value {
    pub(super) fn numbers(&self) -> Option<&[u64]> {
        if let Value::Numbers(bits) = self { Some(bits) } else { None }
    }

    pub(super) fn pointers(&self) -> Option<&[Pointer]> {
        if let Value::Pointers(all) = self { Some(all) } else { None }
    }

    /// The elements at these places.
    pub(super) fn at(&self, places: impl Iterator<Item = usize>) -> Value {
        match self {
            Value::Numbers(bits) => Value::Numbers(places.map(|place| bits[place]).collect()),
            Value::Pointers(all) => Value::Pointers(places.map(|place| all[place]).collect()),
            other => other.clone(),
        }
    }
}

/// The bits of an integer in an element.
pub(super) fn wrap(element: Element, value: i128) -> u64 {
    value as u64 & (u64::MAX >> (64 - element.bits()))
}

/// The unsigned or the signed number with these bits.
pub(super) fn number(element: Element, bits: u64, is_signed: bool) -> i128 {
    let unused = 64 - element.bits();
    if is_signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits) }
}

/// Every index of a shape, in row-major order.
pub(super) fn indices(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in shape {
        let extend = |index: Vec<i64>| (0..extent).map(move |next| [index.as_slice(), &[next]].concat());
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// The place of an index in row-major order.
pub(super) fn place(shape: &[i64], index: &[i64]) -> usize {
    shape.iter().zip(index).fold(0, |place, (extent, index)| place * *extent as usize + *index as usize)
}
