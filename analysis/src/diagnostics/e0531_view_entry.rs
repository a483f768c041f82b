//! E0531: view entry.

use super::words::{counted, entries};
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0531.
pub(super) static PAGE: Page = Page {
    code: "E0531",
    name: "view-entry",
    severity: Severity::Error,
    text: r#"The lists `shape` and `strides` of `make_tensor_view` must agree with the type of the view: a number
where the type has this number, and a value where the type has `?`. A fixed extent and one that is
known at run time are different types, even if the numbers turn out to be equal."#,
    fix: r#"Write the same number in the list and in the type, or a value in the list and `?` in the type. For
an extent that is a `constant`, write its number in the list."#,
    see: &["E0208", "E0532", "make_tensor_view", "dynamic extent", "strides"],
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

/// A list whose length is not the rank.
pub(crate) fn view_list_length(range: Range<u32>, what: &str, rank: usize, count: usize) -> Diagnostic {
    let message = format!("`{what}` must have {}, one for each dimension, found {count}", entries(rank));
    Diagnostic::new(&PAGE, range, message)
}

/// An entry that disagrees with the type.
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
        None => diagnostic.note("write `?` in the type of the view for a value known at run time"),
        Some(_) => diagnostic,
    };
    match (written, stated) {
        (Some(_), Some(stated)) => diagnostic.fix(format!("write `{stated}`"), range, stated.to_string()),
        _ => diagnostic,
    }
}

/// A number of values that differs from the number of `?` in the type, in generic form.
pub(crate) fn view_open_entries(range: Range<u32>, what: &str, open: usize, given: usize) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("expected {} for the `?` in `{what}`, found {given}", counted(open as i64, "value")),
    )
}
