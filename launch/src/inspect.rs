//! Formulas of a debugger, over the values of a stopped run.

use crate::error::LaunchError;
use crate::expect::least_precise_in;
use crate::expr::{Array, Data, Expr, Scope};
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
