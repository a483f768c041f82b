//! E0303: types disagree.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;

/// The page of E0303.
pub(super) static PAGE: Page = Page {
    code: "E0303",
    name: "types-disagree",
    severity: Severity::Error,
    text: r#"Two parts of an op must agree in type, shape, rank or element type, and they do not. Element-wise
ops do not broadcast implicitly: all operands have the same shape."#,
    fix: "Use `reshape` and `broadcast` to match shapes, and a conversion to match element types.",
    see: &["E0301", "E0302", "broadcast", "reshape"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<8xi1>
    %a = iota : tile<4xi32>
    %b = select %c, %a, %a : tile<8xi1>, tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<4xi1>
    %a = iota : tile<4xi32>
    %b = select %c, %a, %a : tile<4xi1>, tile<4xi32>
  }
}
"#,
};

/// Two parts that must have something in common, each with its name, type and place.
pub(crate) fn relation(
    op: &str,
    what: &str,
    first: (&str, Type, Range<u32>),
    second: (&str, Type, Range<u32>),
) -> Diagnostic {
    let message = format!("`{}` and `{}` of `{op}` must have {what}", first.0, second.0);
    let found = Diagnostic::new(&PAGE, second.2, message)
        .here(format!("`{}` is `{}`", second.0, second.1))
        .label(first.2, format!("`{}` is `{}`", first.0, first.1));
    match hint(op, first.1, second.1) {
        Some(hint) => found.note(hint),
        None => found,
    }
}

/// How to convert an operand first.
fn hint(op: &str, from: Type, to: Type) -> Option<String> {
    let (a, b) = (from.as_tile()?, to.as_tile()?);
    let missing = b.rank().checked_sub(a.rank()).filter(|&missing| missing > 0)?;
    match op {
        "broadcast" => {
            let shape: Vec<i64> = std::iter::repeat_n(1, missing).chain(a.shape.iter().copied()).collect();
            let wide = Type::tile_of(&shape, a.element);
            Some(format!(
                "add dimensions first, with `reshape … : {from} -> {wide}`; `broadcast` then repeats those of extent 1"
            ))
        }
        "offset" if a.rank() == 0 => {
            let one = Type::tile_of(&vec![1; b.rank()], a.element);
            Some(format!(
                "make a tile of pointers first, with `reshape … : {from} -> {one}` and `broadcast … : {one} -> {to}`"
            ))
        }
        _ => None,
    }
}

/// Two tiles that differ in a dimension along which they are not joined.
pub(crate) fn cat_extent(range: Range<u32>, dim: i64, other: usize, a: &TileType, b: &TileType) -> Diagnostic {
    let (first, second) = (a.shape[other], b.shape[other]);
    let message = format!(
        "tiles joined along dimension {dim} must agree in all others, but dimension {other} has {first} and {second}"
    );
    Diagnostic::new(&PAGE, range, message)
}
