//! E0542: atomic element.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0542.
pub(super) static PAGE: Page = Page {
    code: "E0542",
    name: "atomic-element",
    severity: Severity::Error,
    text: r#"The atomic op does not support this element type. Atomic ops support only the types for which the
hardware has atomic instructions:

| mode | element types |
|---|---|
| `add`, `and`, `or`, `xor`, `max`, `min`, `umax`, `umin` | `i32`, `i64` |
| `addf` | `f16`, `bf16`, `f32`, `f64` |
| `xchg`, and `atomic_cas_tko` | `i32`, `i64`, `f32`, `f64` |"#,
    fix: r#"Use `addf` to add floats. For another combination, such as the maximum of `f32`, compare and swap in
a loop with `atomic_cas_tko`."#,
    see: &["atomic mode", "atomic_rmw_tko", "atomic_cas_tko", "atomic_red_view_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>) {
    %a, %t = atomic_rmw_tko relaxed device %p, add, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>) {
    %a, %t = atomic_rmw_tko relaxed device %p, addf, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}
"#,
};

/// A mode that the element type does not support.
pub(crate) fn atomic_element(range: Range<u32>, mode: &str, element: Element) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("atomic `{mode}` is not supported for `{element}`"));
    if mode == "add" && element.is_float() { diagnostic.fix("write `addf`", range, "addf") } else { diagnostic }
}
