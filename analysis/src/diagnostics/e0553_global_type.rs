//! E0553: global type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TileType, Type};
use std::ops::Range;

/// The page of E0553.
pub(super) static PAGE: Page = Page {
    code: "E0553",
    name: "global-type",
    severity: Severity::Error,
    text: r#"A global is a tile of numbers of rank 1. `get_global` returns a pointer to its first element, so the
pointer has the element type of the global."#,
    fix: r#"Use the element type of the global in the pointer. To access its bytes as another type, convert the
pointer with `ptr_to_ptr`. Define a scalar as a tile of one element, such as `tile<1xi32>`."#,
    see: &["E0104", "global", "get_global", "ptr_to_ptr"],
    wrong: r#"cuda_tile.module @m {
  global @g <f32: 0.0> : tile<4xf32>
  entry @k() {
    %p = get_global @g : tile<ptr<i32>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  global @g <f32: 0.0> : tile<4xf32>
  entry @k() {
    %p = get_global @g : tile<ptr<f32>>
  }
}
"#,
};

/// A pointer whose element type is not that of the global.
pub(crate) fn global_type(range: Range<u32>, name: &str, held: &TileType, pointer: &TileType) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`@{name}` has type `{held}`, so a pointer to it cannot be `{pointer}`"))
}

/// A global that is not of rank 1.
pub(crate) fn global_rank(range: Range<u32>, ty: &TileType) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range, format!("a global must be a tile of rank 1, found `{ty}`"));
    if ty.rank() == 0 { found.note(format!("write `{}`", Type::tile_of(&[1], ty.element))) } else { found }
}

/// A global whose type is not a tile of numbers.
pub(crate) fn global_class(range: Range<u32>, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("a global must be a rank-1 tile of numbers, found `{ty}`"))
}
