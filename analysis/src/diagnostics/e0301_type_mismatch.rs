//! E0301: type mismatch.

use super::describe;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{Scalar, TileType, Type};
use std::ops::Range;
use tile_dialect::Class;

/// The page of E0301.
pub(super) static PAGE: Page = Page {
    code: "E0301",
    name: "type-mismatch",
    severity: Severity::Error,
    text: r#"An op states the types of its operands, and one of the operands was defined with another type. Types
must be equal, including every extent: values are never converted implicitly, and there are no
subtypes."#,
    fix: r#"Correct the stated type, or convert the value first:

- another shape: `reshape`, `broadcast`, `permute`
- another width: `exti` and `trunci` for integers, `ftof` for floats
- integers to floats and back: `itof`, `ftoi`
- pointers: `ptr_to_ptr`, `ptr_to_int`, `int_to_ptr`"#,
    see: &["E0302", "E0303", "broadcast", "exti", "ftof"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = absi %a : tile<8xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = absi %a : tile<4xi32>
  }
}
"#,
};

/// An operand whose type differs from the one that the op states.
#[derive(Debug)]
pub(crate) struct TypeMismatch<'t> {
    /// The operand as it is written.
    pub(crate) name: &'t str,
    pub(crate) place: Range<u32>,
    /// Other operands of the op with the same value and stated type.
    pub(crate) others: Vec<Range<u32>>,
    pub(crate) stated: Type,
    /// What the op takes there.
    pub(crate) class: Class,
    /// The name of the op.
    pub(crate) op: &'static str,
    pub(crate) actual: Type,
    /// Empty if the program does not define the value.
    pub(crate) definition: Range<u32>,
}

impl TypeMismatch<'_> {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let TypeMismatch { name, stated, class, op, actual, .. } = self;
        let message = format!("`{name}` has type `{actual}`, but this op expects `{stated}`");
        let mut found = Diagnostic::new(&PAGE, self.place.clone(), message).here(format!("expected `{stated}`"));
        if !self.definition.is_empty() {
            found = found.label(self.definition.clone(), format!("defined here as `{actual}`"));
        }
        found.notes.extend(match () {
            () if adds_to_pointers(*actual, *stated) => Some("use `offset` to add integers to pointers".to_string()),
            () if stated.is_a(*class) => conversion(name, *actual, *stated),
            () => Some(format!("correct the type: `{op}` takes {} here, not `{stated}`", describe(*class))),
        });
        self.others.iter().fold(found, |found, other| found.label(other.clone(), "here too"))
    }
}

/// Whether integers are used as pointers, as in `addi %p, %i`.
fn adds_to_pointers(from: Type, to: Type) -> bool {
    let (Some(from), Some(to)) = (from.as_tile(), to.as_tile()) else { return false };
    from.number().is_some_and(|number| !number.is_float()) && to.pointee().is_some()
}

/// Suggests the op that converts one type to another.
fn conversion(name: &str, from: Type, to: Type) -> Option<String> {
    let (a, b) = (from.as_tile()?, to.as_tile()?);
    if a.element == b.element && a.shape != b.shape {
        return reshaping(name, a, b);
    }
    let (Scalar::Number(x), Scalar::Number(y)) = (a.element, b.element) else { return None };
    if a.shape != b.shape {
        return None;
    }
    let (op, sign) = match (x.is_float(), y.is_float()) {
        (false, true) => ("itof", " signed"),
        (true, false) => ("ftoi", " signed"),
        (true, true) => ("ftof", ""),
        (false, false) if x.bits() < y.bits() => ("exti", " signed"),
        (false, false) => ("trunci", ""),
    };
    Some(format!("types are never converted implicitly: write `{op} {name}{sign} : {from} -> {to}`"))
}

fn reshaping(name: &str, from: &TileType, to: &TileType) -> Option<String> {
    let repeats =
        |from: &[i64]| from.len() == to.shape.len() && from.iter().zip(&*to.shape).all(|(a, b)| a == b || *a == 1);
    let ones = TileType { shape: vec![1; to.shape.len()].into(), ..from.clone() };
    if repeats(&from.shape) {
        return Some(format!("tiles are never repeated implicitly: write `broadcast {name} : {from} -> {to}`"));
    }
    (from.rank() == 0).then(|| {
        format!(
            "tiles are never repeated implicitly: write `reshape {name} : {from} -> {ones}`, then `broadcast` the result to `{to}`"
        )
    })
}
