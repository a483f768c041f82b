//! R0601: argument mismatch.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::types::Type;
use tile_dialect::Element;

/// The page of R0601.
pub(crate) static PAGE: Page = Page {
    code: "R0601",
    name: "argument-mismatch",
    severity: Severity::Error,
    text: r#"The launch does not fit the entry: it has too many or too few arguments, a number for a pointer or
the other way around, a buffer with another element type, or a grid with no blocks or too many. The
engine checks this before it runs anything, because a GPU would read the arguments in the wrong way."#,
    fix: r#"Give each parameter of the entry one line: a buffer for a pointer, as in `%a = f32[64] zeros`, with
the pointer's element type, and a number for a scalar, as in `%n = 64`."#,
    see: &["L0101", "launch", "argument"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = i32[4] zeros
  entry @k(%p: tile<ptr<f32>>) {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[4] zeros
  entry @k(%p: tile<ptr<f32>>) {
  }
}
"#,
};

/// A grid whose extents are not all between 1 and 2^24 - 1.
pub(crate) fn grid(grid: [u32; 3]) -> Box<Fault> {
    Fault::new(&PAGE, format!("the grid {grid:?} has an extent that is not between 1 and 16777215"))
}

/// Too few or too many arguments.
pub(crate) fn count(entry: &str, parameters: usize, arguments: usize) -> Box<Fault> {
    let plural = if parameters == 1 { "" } else { "s" };
    Fault::new(&PAGE, format!("`@{entry}` takes {parameters} argument{plural}, but the launch gives {arguments}"))
}

/// A buffer of another element type.
pub(crate) fn element(name: &str, expected: Element, found: Element) -> Box<Fault> {
    Fault::new(&PAGE, format!("`%{name}` points to {expected}, but the launch gives a buffer of {found}"))
}

/// A number passed for a pointer.
pub(crate) fn number_for_pointer(name: &str, ty: Type) -> Box<Fault> {
    Fault::new(&PAGE, format!("`%{name}` is a {ty} and takes a buffer, but the launch gives a number"))
}

/// A buffer passed for a number.
pub(crate) fn pointer_for_number(name: &str, ty: Type) -> Box<Fault> {
    Fault::new(&PAGE, format!("`%{name}` is a {ty} and takes a number, but the launch gives a buffer"))
}

/// A parameter of a type that launches cannot pass.
pub(crate) fn parameter(name: &str, ty: Type) -> Box<Fault> {
    Fault::new(&PAGE, format!("`%{name}` is a {ty}; a launch can only pass scalars and pointers"))
}
