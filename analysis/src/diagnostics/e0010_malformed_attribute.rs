//! E0010: malformed attribute.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use std::ops::Range;

/// The page of E0010.
pub(super) static PAGE: Page = Page {
    code: "E0010",
    name: "malformed-attribute",
    severity: Severity::Error,
    text: r#"The value of an attribute is not written in the form that this attribute requires. Each attribute
has its own kind of value: a number, a keyword, a list, a dictionary or a type."#,
    fix: "Write the value in the form that the message names. `tile doc OP` lists the attributes of an op.",
    see: &["E0004", "E0011", "E0013", "generic form"],
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

/// An attribute whose value cannot be read.
pub(crate) fn malformed_attribute(range: Range<u32>, what: &str, found: &str) -> Diagnostic {
    // A string may be as long as the program.
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
            .note("infinity is written by its bits: `0x7F800000` in `f32`, and `0xFF800000` for the negative one"),
        ("a number", "nan" | "NaN") => diagnostic.note("NaN is written by its bits, as in `0x7FC00000` for `f32`"),
        ("`>`", "f" | "F" | "h" | "u" | "L") => {
            diagnostic.note("numbers have no suffix; write the element type before them")
        }
        ("`{`", _) => diagnostic.note("hints are grouped by architecture, as in `<sm_100 = {occupancy = 2}>`"),
        _ => diagnostic,
    }
}

/// Wrong group lengths in a dictionary, where the form of the op determines them.
pub(crate) fn segment_sizes(range: Range<u32>, name: &str, found: &[usize]) -> Diagnostic {
    let found: Vec<String> = found.iter().map(usize::to_string).collect();
    Diagnostic::new(&PAGE, range, format!("`{name}` does not belong here"))
        .note(format!("the numbers of operands follow from the form of the op: {}", found.join(", ")))
}

/// A name that a dictionary holds twice.
pub(crate) fn duplicate_entry(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` is already in this dictionary"))
}

/// An attribute of a dialect other than this one.
pub(crate) fn foreign_attribute(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("unknown attribute `{name}`"))
        .note("attributes of Tile IR are written `#cuda_tile.…`")
}

/// A name that no attribute of the dialect has.
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
        .note("other attributes go into the dictionary after the operands: `{name = 1}`")
}

/// A name alone, where the attribute is more than there or not.
pub(crate) fn missing_value(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("expected a value for `{name}`, as in `{name} = …`"))
}

/// A backslash in a string that starts nothing known.
pub(crate) fn bad_escape(range: Range<u32>, escape: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("unknown escape `{escape}`"))
        .note("a string has the escapes `\\n`, `\\t`, `\\\"`, `\\\\`, and two hexadecimal digits, as in `\\0A`")
}
