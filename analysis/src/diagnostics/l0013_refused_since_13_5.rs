//! L0013: refused since 13.5.

use crate::context::Options;
use crate::diagnostic::{Diagnostic, Page, Severity};
use tile_dialect::Version;

/// The page of L0013.
pub(super) static PAGE: Page = Page {
    code: "L0013",
    name: "refused-since-13-5",
    severity: Severity::Warning,
    text: r#"The program is valid for the version it is checked against, but NVIDIA's tools since 13.5 have
additional rules, which they also apply to bytecode of older versions: a newer driver or compiler
refuses the program. With `--target-version 13.5`, the default, each of these is an error:

| rule | error |
|---|---|
| an entry is public | E0612 |
| a load or store through an f4 view knows the packed dimension | E0535 |
| a tile of f4 pointers has rank 0 | E0212 |

A parameter of an entry that is not a tile is treated in the same way, by L0012. The wrong program
has the warning with `--target-version 13.4`."#,
    fix: "Follow the new rule, as the page of the error explains.",
    see: &["E0212", "E0535", "E0612", "L0012"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f4E2M1FN>>) {
    %q = reshape %p : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f4E2M1FN>>) {
    %t = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
  }
}
"#,
};

/// A rule that NVIDIA's tools have since 13.5: an error for that target, a warning for older ones and for upstream's tests,
/// which are older.
pub(crate) fn since_13_5(found: Diagnostic, options: &Options) -> Diagnostic {
    if options.has_rules_of_13_5() {
        return found;
    }
    found.error_since(&PAGE, Version::V13_5).note("tools since 13.5 refuse this in bytecode of every version")
}
