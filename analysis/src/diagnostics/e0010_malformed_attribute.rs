//! E0010: malformed attribute.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use std::ops::Range;

/// The page of E0010.
pub(super) static PAGE: Page = Page {
    code: "E0010",
    name: "malformed-attribute",
    severity: Severity::Error,
    text: r#"The value of an attribute is missing or does not have the syntax of this attribute. Constants,
lists, dictionaries, strings and optimization hints each have their own syntax."#,
    fix: r#"Write what the message expects:

- A constant starts with its element type: `<f32: 1.0>`.
- Infinity and NaN are written as their bits, such as `0x7F800000` for infinity in `f32`.
- Hints are grouped by architecture: `<sm_100 = {occupancy = 2}>`.
- The escapes in a string are `\n`, `\t`, `\"`, `\\` and two hexadecimal digits, as in `\0A`."#,
    see: &["E0004", "E0013", "E0401", "literal", "optimization_hints"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: > : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<i32>
  }
}
"#,
};

/// An attribute value that cannot be parsed.
pub(crate) fn malformed_attribute(range: Range<u32>, what: &str, found: &str) -> Diagnostic {
    // A string can be as long as the program.
    let shown = match found.char_indices().nth(40) {
        Some((end, _)) => format!("`{}…`", &found[..end]),
        None => format!("`{found}`"),
    };
    let message = match found {
        "" => format!("expected {what}"),
        _ => format!("expected {what}, found {shown}"),
    };
    let diagnostic = Diagnostic::new(&PAGE, range, message);
    match (what, found) {
        ("a number", "inf" | "infinity" | "Infinity") => diagnostic
            .note("write infinity as its bits: for `f32`, `0x7F800000`, or `0xFF800000` for negative infinity"),
        ("a number", "nan" | "NaN") => diagnostic.note("write NaN as its bits, such as `0x7FC00000` for `f32`"),
        ("`>`", "f" | "F" | "h" | "u" | "L") => {
            diagnostic.note("numbers have no suffix: write the element type before them, as in `<f32: 1.0>`")
        }
        ("`{`", _) => diagnostic.note("group hints by architecture, as in `<sm_100 = {occupancy = 2}>`"),
        _ => diagnostic,
    }
}

/// Operand counts in the dictionary of an op in custom form, where they follow from the operands.
pub(crate) fn segment_sizes(range: Range<u32>, name: &str, found: &[usize]) -> Diagnostic {
    let found: Vec<String> = found.iter().map(usize::to_string).collect();
    Diagnostic::new(&PAGE, range, format!("`{name}` is not allowed in custom form"))
        .note(format!("the operand counts follow from the operands: {}", found.join(", ")))
}

/// A name that occurs twice in a dictionary.
pub(crate) fn duplicate_entry(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("duplicate `{name}` in this dictionary"))
}

/// An attribute of another dialect.
pub(crate) fn foreign_attribute(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("unknown attribute `{name}`"))
        .note("the names of Tile IR attributes start with `#cuda_tile.`")
}

/// An unknown attribute of the dialect.
pub(crate) fn unknown_attribute<'a>(range: Range<u32>, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("unknown attribute `{name}`"));
    match closest(name, known) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic,
    }
}

/// Properties of an op that has no attributes.
pub(crate) fn no_properties(range: Range<u32>, op: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` has no properties"))
        .note("put other attributes in the dictionary after the operands: `{name = 1}`")
}

/// A name without a value, for an attribute that is not a flag.
pub(crate) fn missing_value(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("expected a value for `{name}`, as in `{name} = …`"))
}

/// An unknown escape sequence in a string.
pub(crate) fn bad_escape(range: Range<u32>, escape: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("unknown escape `{escape}`"))
        .note("the escapes are `\\n`, `\\t`, `\\\"`, `\\\\`, and a backslash with two hexadecimal digits, as in `\\0A`")
}
