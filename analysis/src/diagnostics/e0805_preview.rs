//! E0805: preview not enabled.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::preview::Refusal;
use std::ops::Range;
use tile_dialect::{PREVIEW_FEATURE, PREVIEW_VERSION};

/// The page of E0805.
pub(super) static PAGE: Page = Page {
    code: "E0805",
    name: "preview-not-enabled",
    severity: Severity::Error,
    text: r#"The program uses the SIMT preview: `preview$call`, `preview$func`, `preview$extern_impl`, or one of
their types and attributes. NVIDIA can change them in any release, so they have to be enabled
explicitly, and they are only valid in version 13.5."#,
    fix: r#"Enable the preview with `--preview simt`, or with `preview = ["simt"]` in `tile.toml`. For other
versions, remove the preview ops."#,
    see: &["E0561", "E0801", "SIMT preview", "preview$func", "preview$call"],
    wrong: r#"cuda_tile.module @m {
  preview$func extern @f(%x: tile<32xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<in>>})
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
  }
}
"#,
};

/// Part of a preview that is not enabled; `what` is its name or description.
pub(crate) fn preview_refused(range: Range<u32>, what: &str, why: Refusal) -> Diagnostic {
    let what = if what.contains(' ') { what.to_string() } else { format!("`{what}`") };
    match why {
        Refusal::NotEnabled => {
            Diagnostic::new(&PAGE, range, format!("{what} belongs to the SIMT preview, which is not enabled")).note(
                format!(
                    "enable it with `--preview {PREVIEW_FEATURE}`, or `preview = [\"{PREVIEW_FEATURE}\"]` in tile.toml"
                ),
            )
        }
        Refusal::Version(target) => {
            let message = format!("{what} is only valid in version {PREVIEW_VERSION}, but the target is {target}");
            Diagnostic::new(&PAGE, range, message).note(format!("choose {PREVIEW_VERSION} as the target version"))
        }
    }
}
