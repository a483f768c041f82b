//! E0303: types disagree.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;

/// The page of E0303.
pub(super) static PAGE: Page = Page {
    code: "E0303",
    name: "types-disagree",
    severity: Severity::Error,
    text: r#"Two operands or results of an op must have the same type, shape, rank or element type. The message
says what must be the same. For example, `select` chooses element by element, so its condition has
the shape of its other operands."#,
    fix: r#"Correct one of the types, or convert the value first: `reshape` and `broadcast` change the shape,
and conversions such as `ftof` change the element type."#,
    see: &["E0301", "E0302", "reshape", "broadcast", "ftof"],
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

/// Two operands or results of an op whose types violate a rule.
#[derive(Debug)]
pub(crate) struct Disagreement {
    pub(crate) op: &'static str,
    /// What the two must have, such as "the same shape".
    pub(crate) rule: &'static str,
    pub(crate) first: NamedType,
    pub(crate) second: NamedType,
}

/// An operand or a result with its type.
#[derive(Debug)]
pub(crate) struct NamedType {
    /// Its name in the row of the op.
    pub(crate) name: &'static str,
    pub(crate) ty: Type,
    pub(crate) place: Range<u32>,
}

impl NamedType {
    fn label(&self) -> String {
        format!("`{}` is `{}`", self.name, self.ty)
    }
}

impl Disagreement {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let Disagreement { op, rule, first, second } = self;
        let message = format!("`{}` and `{}` of `{op}` must have {rule}", first.name, second.name);
        let found = Diagnostic::new(&PAGE, second.place.clone(), message)
            .here(second.label())
            .label(first.place.clone(), first.label());
        match hint(op, first.ty, second.ty) {
            Some(hint) => found.note(hint),
            None => found,
        }
    }
}

/// Suggests the ops that give an operand the right rank.
fn hint(op: &str, from: Type, to: Type) -> Option<String> {
    let (a, b) = (from.as_tile()?, to.as_tile()?);
    let missing = b.rank().checked_sub(a.rank()).filter(|&missing| missing > 0)?;
    match op {
        "broadcast" => {
            let shape: Vec<i64> = std::iter::repeat_n(1, missing).chain(a.shape.iter().copied()).collect();
            let wide = Type::tile_of(&shape, a.element);
            Some(format!(
                "add dimensions first, with `reshape … : {from} -> {wide}`; then `broadcast` repeats those of extent 1"
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

/// Two tiles that differ in a dimension other than the one along which `cat` joins them.
pub(crate) fn cat_extent(range: Range<u32>, dim: i64, other: usize, a: &TileType, b: &TileType) -> Diagnostic {
    let (first, second) = (a.shape[other], b.shape[other]);
    let message = format!(
        "tiles joined along dimension {dim} must have equal extents in the others, but dimension {other} has {first} and {second}"
    );
    Diagnostic::new(&PAGE, range, message)
}
