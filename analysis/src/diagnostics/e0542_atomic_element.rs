//! E0542: atomic element.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::Element;

/// The page of E0542.
pub(super) static PAGE: Page = Page {
    code: "E0542",
    name: "atomic-element",
    severity: Severity::Error,
    text: r#"An atomic op does not support this element type. The hardware implements atomic integer ops on `i32`
and `i64`, `addf` on `f16`, `bf16`, `f32` and `f64`, and exchange and compare-and-swap of 32 or 64
bits."#,
    fix: "Use one of these types, or store a wider copy for the atomic updates.",
    see: &["E0545", "E0547", "atomic_rmw_tko", "atomic mode"],
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

/// A mode that the element type lacks.
pub(crate) fn atomic_element(range: Range<u32>, mode: &str, element: Element) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("atomic `{mode}` is not supported for `{element}`"));
    if mode == "add" && element.is_float() { diagnostic.fix("write `addf`", range, "addf") } else { diagnostic }
}
