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
defined inside a loop or a branch is not visible after it."#,
    fix: r#"- Correct the name, or move the definition up.
- Pass a value out of a loop or a branch with `continue`, `break` or `yield`, and use the result of
  the loop or branch."#,
    see: &["E0102", "E0602", "value", "yield"],
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
    Diagnostic::new(&PAGE, range, format!("`%{name}` is a result of this op, which cannot use it"))
}

/// A use of a name that stands for no value there.
#[derive(Debug)]
pub(crate) struct UndeclaredValue<'t> {
    /// The name without `%`.
    pub(crate) name: &'t str,
    pub(crate) place: Range<u32>,
    /// The type implied by the first use that states one.
    pub(crate) expected: Option<Type>,
    /// The visible value that was probably meant, with its `%`.
    pub(crate) meant: Option<String>,
    /// Where else the item defines the name.
    pub(crate) definition: Option<(Definition, Range<u32>)>,
}

/// How a definition relates to a use that cannot see it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Definition {
    /// In a region that has ended.
    Ended,
    /// Below the use.
    Later,
    /// Below the use, with another type than the use expects.
    OfType(Type),
    /// An argument of the region that follows.
    Argument,
}

impl UndeclaredValue<'_> {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let (name, place) = (self.name, self.place.clone());
        let Some((relation, definition)) = &self.definition else { return self.unknown() };
        let definition = definition.clone();
        match relation {
            Definition::Ended => {
                Diagnostic::new(&PAGE, place, format!("`%{name}` is defined in a region that has ended"))
                    .label(definition, "defined here")
                    .note(PASS_ON)
            }
            Definition::Later => Diagnostic::new(&PAGE, place, format!("`%{name}` is used before it is defined"))
                .label(definition, "defined here"),
            Definition::OfType(ty) => {
                let used = self.expected.map_or(String::new(), |expected| format!(", as a `{expected}`"));
                let message = format!("`%{name}` is defined here as a `{ty}`, but used before{used}");
                Diagnostic::new(&PAGE, definition, message).label(place, "used here")
            }
            Definition::Argument => {
                let message = format!("`%{name}` is an argument of this region, but used before it");
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

const PASS_ON: &str = "pass it on at the end of the region, with `yield` in an `if`, `continue` in a `for` or `break` in a `loop`, and use the result of that op";

/// The visible value that a name was probably meant to be, with its `%`: `%pack#1` for `%pack.1`.
pub(crate) fn meant_value<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    match name.split_once('.') {
        Some((pack, rank)) if known.clone().any(|it| it == pack) && rank.parse::<u32>().is_ok() => {
            Some(format!("%{pack}#{rank}"))
        }
        _ => closest(name, known).map(|close| format!("%{close}")),
    }
}
