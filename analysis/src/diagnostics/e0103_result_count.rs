//! E0103: result count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0103.
pub(super) static PAGE: Page = Page {
    code: "E0103",
    name: "result-count",
    severity: Severity::Error,
    text: r#"The names on the left of `=` must be as many as the op has results. A pack such as `%a:2` names two at once; `%a#1` is the
second of them."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %x, %y = get_tile_block_id : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %x, %y, %z = get_tile_block_id : tile<i32>
  }
}
"#,
};

/// More or fewer names than results.
pub(crate) fn result_count(range: Range<u32>, op: &str, has: u32, named: u32) -> Diagnostic {
    let results = if has == 1 { "one result".to_string() } else { format!("{has} results") };
    let names = if named == 1 { "one name stands".to_string() } else { format!("{named} names stand") };
    Diagnostic::new(&PAGE, range, format!("`{op}` has {results}, but {names} on the left of `=`"))
}

/// `%a#3` of a pack that has fewer values.
pub(crate) fn result_number(
    range: Range<u32>,
    name: &str,
    rank: u32,
    count: u32,
    definition: Range<u32>,
) -> Diagnostic {
    let message = format!("`%{name}` has no value number {rank}: it stands for {count}, counted from 0");
    Diagnostic::new(&PAGE, range, message).label(definition, "it is defined here")
}

/// Another number of extents than there are dimensions.
pub(crate) fn shape_results(range: Range<u32>, op: &str, view: Type, rank: usize, found: usize) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("`{op}` of a `{view}` has {rank} results, one for each dimension, not {found}"),
    )
}
