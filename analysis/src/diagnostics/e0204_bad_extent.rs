//! E0204: bad extent.

use super::e0203_power_of_two::power_of_two;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0204.
pub(super) static PAGE: Page = Page {
    code: "E0204",
    name: "bad-extent",
    severity: Severity::Error,
    text: r#"The shape of a tile is fixed when the program is compiled, so every extent must be a number of at
least 1. Only a tensor view can have extents that are not known until run time, written `?`."#,
    fix: r#"Choose a fixed extent, and process data of other sizes tile by tile through a view.
`get_index_space_shape` returns the number of tiles."#,
    see: &["E0203", "tile sizes", "dynamic extent", "get_index_space_shape"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<?xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<8xi32>
  }
}
"#,
};

/// An extent that a type cannot have.
#[derive(Debug)]
pub(crate) struct BadExtent {
    pub(crate) place: Range<u32>,
    /// `None` for `?`.
    pub(crate) extent: Option<i64>,
    /// The same extent in other types of the program.
    pub(crate) others: Vec<Range<u32>>,
}

impl BadExtent {
    pub(crate) fn new(place: Range<u32>, extent: Option<i64>) -> Self {
        BadExtent { place, extent, others: Vec::new() }
    }

    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let place = self.place.clone();
        let found = match self.extent {
            None => Diagnostic::new(&PAGE, place, "a tile dimension must be a number, found `?`")
                .note("only a tensor view can have dimensions that are not known until run time"),
            Some(extent) if extent < 1 => {
                Diagnostic::new(&PAGE, place, format!("an extent must be at least 1, found {extent}"))
            }
            Some(extent) => power_of_two(place, extent),
        };
        self.others.iter().fold(found, |found, other| found.label(other.clone(), "and here"))
    }
}
