//! E0103: result count.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0103.
pub(super) static PAGE: Page = Page {
    code: "E0103",
    name: "result-count",
    severity: Severity::Error,
    text: r#"The names on the left of `=` must match the number of results of the op. A pack such as `%a:2` names
two results at once: `%a#0` and `%a#1`."#,
    fix: r#"Name every result, including the ones that you do not use, or use a pack. To ignore all results,
omit the names and the `=`."#,
    see: &["E0009", "E0101", "value", "get_tile_block_id"],
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

/// `1 is`, `2 are`.
fn are(count: u32) -> String {
    if count == 1 { "1 is".to_string() } else { format!("{count} are") }
}

/// A statement that does not name all results, or names too many.
pub(crate) fn result_count(range: Range<u32>, op: &str, has: u32, named: u32) -> Diagnostic {
    let message = match has {
        0 => format!("`{op}` has no results, but {} named", are(named)),
        _ => format!("`{op}` has {}, but {} named", counted(has.into(), "result"), are(named)),
    };
    let found = Diagnostic::new(&PAGE, range, message);
    match has {
        0 | 1 => found,
        2 => found.note("name both, as in `%a, %b = …`, or `%a:2 = …` for `%a#0` and `%a#1`"),
        _ => found.note(format!("name all, as in `%a, %b, %c = …`, or `%a:{has} = …` for `%a#0` to `%a#{}`", has - 1)),
    }
}

/// A number after `#` beyond the end of the pack.
pub(crate) fn result_number(
    range: Range<u32>,
    name: &str,
    rank: u32,
    count: u32,
    definition: Range<u32>,
) -> Diagnostic {
    let message =
        format!("`%{name}#{rank}` does not exist: `%{name}` has {}, counted from 0", counted(count.into(), "value"));
    Diagnostic::new(&PAGE, range, message).label(definition, "defined here")
}

/// A shape query in generic form whose result count is not the rank.
pub(crate) fn shape_results(range: Range<u32>, op: &str, view: Type, rank: usize, found: usize) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("`{op}` of a `{view}` has {}, one for each dimension, found {found}", counted(rank as i64, "result")),
    )
}
