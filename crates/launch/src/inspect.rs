//! Formulas of a debugger, over the values of a stopped run.

use crate::buffer::{Buffer, Value, row_major};
use crate::error::LaunchError;
use crate::expect::least_precise_in;
use crate::expr::{Array, Data, Expr, Scope};
use crate::shape::unravel;
use tile_dialect::Element;

/// The value of a formula, and the element type to write it with.
pub struct Inspected {
    /// The value.
    pub array: Array,
    /// The element type of the named value for a slice. Otherwise the least precise one in the formula, if it holds
    /// the result exactly, or else `f64` or `i64`.
    pub element: Element,
}

impl Inspected {
    /// Evaluates a formula.
    pub fn of(formula: &Expr, scope: &Scope<'_>) -> Result<Inspected, LaunchError> {
        let array = formula.eval(scope)?;
        let element = match array.data() {
            _ if formula.as_argument().is_some() => least_precise_in(formula, scope.args),
            Data::Whole(_) => None,
            data @ Data::Real(_) => {
                let element = least_precise_in(formula, scope.args).filter(|element| element.is_float());
                element.filter(|&element| data.is_exact_in(element))
            }
        };
        let widest = if matches!(array.data(), Data::Whole(_)) { Element::I64 } else { Element::F64 };
        Ok(Inspected { array, element: element.unwrap_or(widest) })
    }
}

/// An element of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selected {
    /// The indices, outermost first.
    pub index: Vec<usize>,
    /// The position in the buffer's memory, in elements.
    pub position: usize,
}

/// The elements that a formula selects: a buffer, or a slice of one.
pub fn selected(slice: &Expr, buffer: &Buffer) -> Result<Vec<Selected>, LaunchError> {
    let error = |message: String| LaunchError::new(slice.range(), message);
    let name = slice.as_argument().ok_or_else(|| error(format!("`{slice}` is not a buffer or a slice of one")))?;
    let positions: Vec<usize> = buffer.positions().collect();
    let numbers = (0..positions.len() as u64).flat_map(u64::to_le_bytes).collect();
    let (shape, strides) = (buffer.shape.clone(), row_major(&buffer.shape).unwrap_or_default());
    let numbers = Buffer { element: Element::I64, shape, strides, bytes: numbers };
    let args = [(name.to_string(), Value::Buffer(numbers))];
    let no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let array = slice.eval(&Scope { args: &args, files: &no_files, max_elements: positions.len() })?;
    let extents: Vec<usize> = buffer.shape.iter().map(|&extent| extent as usize).collect();
    let one =
        |number: f64| Selected { index: unravel(number as usize, &extents), position: positions[number as usize] };
    Ok(array.into_data().into_real().into_iter().map(one).collect())
}
