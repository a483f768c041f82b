//! L0012: parameter type.

use crate::context::Options;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use crate::types::{Type, TypeKind};
use std::ops::Range;
use tile_dialect::Version;

/// The page of L0012.
pub(super) static PAGE: Page = Page {
    code: "L0012",
    name: "parameter-type",
    severity: Severity::Warning,
    text: r#"The host passes scalars and pointers to an entry, and Tile IR writes both as tiles of rank 0:
`tile<i32>`, `tile<ptr<f32>>`. Before 13.5, NVIDIA's checker accepts a parameter of another type,
such as `ptr<f32>`, `i32` or a view, but its compiler does not. From 13.5 on, this is the error
E0606, also in bytecode of older versions. The first program below has this warning with
`--target-version 13.4`."#,
    fix: r#"Write scalars and pointers as tiles of rank 0. Make a view in the entry, from a pointer."#,
    see: &["E0606", "entry", "ptr", "make_tensor_view", "versions"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: ptr<f32>) {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
  }
}
"#,
};

/// A parameter that is not a tile, which is an error since 13.5.
pub(crate) fn parameter_type(range: Range<u32>, name: &str, ty: Type, options: &Options) -> Diagnostic {
    let message = format!("the parameter `{name}` must be a tile of rank 0, found `{ty}`");
    let error = Diagnostic::new(&super::e0606_entry_parameter::PAGE, range.clone(), message);
    let found = if options.has_rules_of_13_5() { error } else { error.error_since(&PAGE, Version::V13_5) };
    match ty.kind() {
        TypeKind::Number(_) | TypeKind::Pointer(_) => {
            found.fix(format!("write `tile<{ty}>`"), range, format!("tile<{ty}>"))
        }
        TypeKind::Foreign(other) => {
            let word = other.split(['<', '!']).next().unwrap_or("");
            found.note(foreign::ty(word).unwrap_or("types of other dialects are not part of Tile IR"))
        }
        TypeKind::TensorView(_) | TypeKind::TileView(_) => {
            found.note("pass a pointer, `tile<ptr<f32>>`, and make the view in the entry")
        }
        _ => found.note("make the token in the entry, with `make_token`"),
    }
}
