//! E0531: view entry.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0531.
pub(super) static PAGE: Page = Page {
    code: "E0531",
    name: "view-entry",
    severity: Severity::Error,
    text: r#"The lists of `make_tensor_view` contradict its type. They repeat what the type says: a number where
the type has this number, and a value where it has `?`."#,
    fix: "Change the list or the type so that both agree.",
    see: &["E0532", "E0208", "make_tensor_view", "dynamic extent"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<16xf32, strides=[1]>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
  }
}
"#,
};

/// A list of another length than the rank.
pub(crate) fn view_list_length(range: Range<u32>, what: &str, rank: usize, count: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{what}` must have one entry for each of {rank} dimensions, found {count}"))
}

/// An entry that differs from the type's.
pub(crate) fn view_entry(
    range: Range<u32>,
    what: &str,
    dim: usize,
    written: Option<i64>,
    stated: Option<i64>,
    place: Range<u32>,
) -> Diagnostic {
    let words =
        |entry: Option<i64>| entry.map_or("a value known at run time".to_string(), |number| format!("`{number}`"));
    let message = format!("`{what}` has {} for dimension {dim}, but the type has {}", words(written), words(stated));
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), message).label(place, "the view's type");
    let diagnostic = match written {
        None => diagnostic.note("the type of a view writes `?` for a value known at run time"),
        Some(_) => diagnostic,
    };
    match (written, stated) {
        (Some(_), Some(stated)) => diagnostic.fix(format!("write `{stated}`"), range, stated.to_string()),
        _ => diagnostic,
    }
}

/// Another number of values than the type leaves open, in generic form.
pub(crate) fn view_open_entries(range: Range<u32>, what: &str, open: usize, given: usize) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("the type leaves {open} entries of `{what}` open, but {given} values are given"),
    )
}
