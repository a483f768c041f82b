//! E0101: undeclared value.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use crate::types::Type;
use std::ops::Range;

/// The page of E0101.
pub(super) static PAGE: Page = Page {
    code: "E0101",
    name: "undeclared-value",
    severity: Severity::Error,
    text: r#"No value of this name is visible here. A value is visible from its definition to the end of the
region that contains it. A value that is defined further down is not visible yet, and one that is
defined in a loop or a branch is not visible after it, since that region does not have to run."#,
    fix: r#"Correct the name, or move the definition before the use. To use a value after its region, pass it
out with `yield` in an `if`, `continue` in a `for` or `break` in a `loop`, and use the result of
that op."#,
    see: &["E0102", "E0602", "value", "yield", "break"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = addi %a, %aa : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = addi %a, %a : tile<4xi32>
  }
}
"#,
};

/// An op that uses its own result.
pub(crate) fn own_result(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`%{name}` is used by the op that defines it"))
}

/// A use of a name that is not visible.
#[derive(Debug)]
pub(crate) struct UndeclaredValue<'t> {
    /// The name without `%`.
    pub(crate) name: &'t str,
    pub(crate) place: Range<u32>,
    /// The type implied by the first use that states one.
    pub(crate) expected: Option<Type>,
    /// The visible value that was probably meant, with its `%`.
    pub(crate) meant: Option<String>,
    /// Where the entry defines the name, if it does.
    pub(crate) definition: Option<(Definition, Range<u32>)>,
}

/// Why a use cannot see a definition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Definition {
    /// The definition is in a region that has ended.
    Ended,
    /// The definition is below the use.
    Later,
    /// The definition is below the use and has this type, which the use does not expect.
    OfType(Type),
    /// The name is an argument of the region that follows.
    Argument,
}

impl UndeclaredValue<'_> {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let (name, place) = (self.name, self.place.clone());
        let Some((relation, definition)) = &self.definition else { return self.unknown() };
        let definition = definition.clone();
        match relation {
            Definition::Ended => Diagnostic::new(
                &PAGE,
                place,
                format!("`%{name}` is out of scope: the region that defines it has ended"),
            )
            .label(definition, "defined here")
            .note(PASS_ON),
            Definition::Later => Diagnostic::new(&PAGE, place, format!("`%{name}` is used before it is defined"))
                .label(definition, "defined here"),
            Definition::OfType(ty) => {
                let used = self.expected.map_or(String::new(), |expected| format!(" as `{expected}`"));
                let message = format!("`%{name}` is defined here as `{ty}`, but used earlier{used}");
                Diagnostic::new(&PAGE, definition, message).label(place, "used here")
            }
            Definition::Argument => {
                let message = format!("`%{name}` is an argument of this region, but is used before it");
                Diagnostic::new(&PAGE, definition, message).label(place, "used here")
            }
        }
    }

    fn unknown(&self) -> Diagnostic {
        let (name, place) = (self.name, self.place.clone());
        match &self.meant {
            Some(meant) => {
                let message = format!("unknown value `%{name}`; did you mean `{meant}`?");
                Diagnostic::new(&PAGE, place.clone(), message).fix(format!("write `{meant}`"), place, meant)
            }
            None => Diagnostic::new(&PAGE, place, format!("unknown value `%{name}`")),
        }
    }
}

const PASS_ON: &str = "pass it out of the region with `yield` in an `if`, `continue` in a `for` or `break` in a `loop`, and use the result of that op";

/// The visible value closest to a name, with its `%`: `%pack#1` for `%pack.1`.
pub(crate) fn meant_value<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    match name.split_once('.') {
        Some((pack, rank)) if known.clone().any(|it| it == pack) && rank.parse::<u32>().is_ok() => {
            Some(format!("%{pack}#{rank}"))
        }
        _ => closest(name, known).map(|close| format!("%{close}")),
    }
}
