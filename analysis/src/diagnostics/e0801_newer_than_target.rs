//! E0801: newer than target.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use std::ops::Range;
use tile_dialect::Version;

/// The page of E0801.
pub(super) static PAGE: Page = Page {
    code: "E0801",
    name: "newer-than-target",
    severity: Severity::Error,
    text: r#"The program uses an op, a type, an attribute, a keyword or a spelling that the target version does
not have. A driver runs programs of every version up to its own, so an older target version makes a
program run in more places. The first program below has this error with `--target-version 13.4`."#,
    fix: r#"Choose the version in the message with `--target-version`, or do without the feature. The default is
the newest released version."#,
    see: &["E0805", "L0001", "L0006", "versions"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %i = constant <i32: 0> : tile<i32>
    %x = constant <i32: 1> : tile<8xi32>
    %t = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %k = atomic_red_view_tko relaxed device %v[%i], add, %x inbounds = [true] : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %i = constant <i32: 0> : tile<i32>
    %x = constant <i32: 1> : tile<8xi32>
    %t = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %k = atomic_red_view_tko relaxed device %v[%i], add, %x : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
};

/// Something that only a later version has.
pub(crate) fn newer(range: Range<u32>, what: &str, since: Version, target: Version) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("{what} needs version {since}, but the target is {target}"))
        .note(format!("choose {since} or newer as the target version, or do without it"))
}

/// A name that the target version spells differently. `edits` is empty if more than the name must change.
pub(crate) fn new_spelling(range: Range<u32>, new: &str, old: &str, since: Version, edits: Vec<Edit>) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range, format!("`{new}` is called `{old}` before {since}"));
    if edits.is_empty() { found } else { found.fix_all(format!("write `{old}`"), edits) }
}
