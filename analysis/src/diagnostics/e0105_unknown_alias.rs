//! E0105: unknown alias.

use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::TYPE_NAMES;

/// The page of E0105.
pub(super) static PAGE: Page = Page {
    code: "E0105",
    name: "unknown-alias",
    severity: Severity::Error,
    text: r#"A type that starts with `!` and has no dialect prefix is an alias, and so is a location or another
attribute that starts with `#`. An alias must be defined at the top level, before its uses. Only a
location by itself, `loc(#name)`, can be defined later, because disassemblers list the locations
after the program."#,
    fix: r#"Define the alias at the top level, as in `!t = !cuda_tile.tile<8xf32>`. Write a type of Tile IR
without `!`: `tile<8xf32>`."#,
    see: &["E0012", "E0106", "E0201", "alias", "location"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : !t
  }
}
"#,
    right: r#"!t = !cuda_tile.tile<4xi32>
cuda_tile.module @m {
  entry @k() {
    %a = iota : !t
  }
}
"#,
};

/// A type alias that the file does not define.
pub(crate) fn unknown_alias<'a>(range: Range<u32>, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let own = TYPE_NAMES.contains(&name).then(|| name.to_string());
    match own.or_else(|| closest(name, known).map(|close| format!("!{close}"))) {
        Some(close) => {
            let message = format!("unknown type alias `!{name}`; did you mean `{close}`?");
            Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `{close}`"), range, close)
        }
        None => Diagnostic::new(&PAGE, range, format!("unknown type alias `!{name}`"))
            .note("define the alias at the top level, as in `!t = !cuda_tile.tile<8xf32>`"),
    }
}

/// An attribute alias that the file does not define.
pub(crate) fn unknown_attr_alias(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("unknown attribute alias `#{name}`"))
}

/// The use of an alias above its definition.
pub(crate) fn early_use(range: Range<u32>, name: &str, definition: Range<u32>, moved: Vec<Edit>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range, format!("`{name}` is used before it is defined"))
        .label(definition, "defined here")
        .note("only a location by itself, as in `loc(#name)`, can be defined after its use");
    if moved.is_empty() {
        diagnostic
    } else {
        diagnostic.fix_all(format!("move the definition of `{name}` before its first use"), moved)
    }
}

/// An alias whose definition uses itself.
pub(crate) fn circular_alias(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the alias `{name}` is defined in terms of itself"))
}
