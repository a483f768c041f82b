//! L0013: refused since 13.5.

use crate::context::Options;
use crate::diagnostic::{Diagnostic, Page, Severity};
use tile_dialect::Version;

/// The page of L0013.
pub(super) static PAGE: Page = Page {
    code: "L0013",
    name: "refused-since-13-5",
    severity: Severity::Warning,
    text: r#"The program follows the rules of its target version, but NVIDIA's tools of 13.5 added rules that
they also apply to bytecode of older versions. A newer driver or compiler therefore rejects the
program. With `--target-version 13.5`, the default, each rule has its own error:

| rule | error |
|---|---|
| an entry is public | E0612 |
| an access through an f4 view knows the packed dimension | E0535 |
| a tile of f4 pointers has rank 0 | E0212 |

A parameter that is not a tile is a similar case, with its own warning, L0012. The first program
below has this warning with `--target-version 13.4`."#,
    fix: r#"Follow the rule, as the page of its error explains, so that the program works with all versions."#,
    see: &["E0612", "E0535", "E0212", "L0012", "versions"],
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

/// Applies a rule that NVIDIA's tools introduced in 13.5: an error for that target, a warning for older targets and for
/// upstream's tests, which are older.
pub(crate) fn since_13_5(found: Diagnostic, options: &Options) -> Diagnostic {
    if options.has_rules_of_13_5() {
        return found;
    }
    found
        .error_since(&PAGE, Version::V13_5)
        .note("NVIDIA's tools have rejected this since 13.5, in bytecode of every version")
}
