//! E0001: missing text.

use super::keywords;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::{AttrKind, AttrRow, OpRow};
use tile_syntax::Expected;

/// The page of E0001.
pub(super) static PAGE: Page = Page {
    code: "E0001",
    name: "missing-text",
    severity: Severity::Error,
    text: r#"Something is missing: a punctuation mark, a keyword, an operand or a type. The message says what, and the place is
where it belongs. Every op is written in one fixed form; `tile doc OP` shows it."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
  }
}
"#,
};

/// Whether it says that something is missing.
pub(crate) fn is_missing_text(diagnostic: &Diagnostic) -> bool {
    *diagnostic.page == PAGE
}

/// What the parser found. `place` is where the missing thing would stand; a missing type is reported at the token behind
/// it, as in NVIDIA's checker, which may be on a later line.
pub(crate) fn missing_text(missing: Expected, range: Range<u32>, place: Range<u32>, text: &str) -> Diagnostic {
    let is_on_another_line = text.get(place.end as usize..range.start as usize).is_some_and(|it| it.contains('\n'));
    let what = match missing {
        Expected::Text(text) if text.starts_with("an ") || text.starts_with("a ") => text.to_string(),
        Expected::Text(text) => format!("`{text}`"),
        Expected::Operand(op, index) => {
            let row = op.row();
            let operand = &row.operands[index as usize];
            format!("a value for the operand `{}` of `{}`", operand.name, row.name)
        }
        Expected::Attr(op, index) => attribute(op.row(), &op.row().attrs[index as usize]),
        Expected::Value => "a value, such as `%a`".to_string(),
        Expected::Type => "a type".to_string(),
        Expected::Region => "a region in braces".to_string(),
        Expected::AttrValue => "a value for the attribute".to_string(),
        Expected::OpName => "the name of an op".to_string(),
    };
    let fix = what.strip_prefix('`').and_then(|what| what.strip_suffix('`')).map(str::to_string);
    // A type may be missing at the end of a line; the place is the next token.
    let where_ = if matches!(missing, Expected::Type) { "in front of this" } else { "here" };
    let mut diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("{what} is missing {where_}"));
    if is_on_another_line {
        diagnostic = diagnostic.label(place, format!("{what} belongs here"));
    }
    match fix.filter(|text| !text.contains('{') && !text.contains('}')) {
        Some(text) => {
            let content = if text == "<" {
                text.clone()
            } else if text == "," || text == ")" || text == "]" || text == ">" {
                format!("{text} ")
            } else {
                format!(" {text} ")
            };
            let content = content.trim_start_matches(if text == "," { ' ' } else { '\0' }).to_string();
            diagnostic.fix(format!("insert `{text}`"), range.start..range.start, content)
        }
        None => diagnostic,
    }
}

fn attribute(row: &OpRow, attr: &AttrRow) -> String {
    match attr.kind {
        AttrKind::Enum { of, only, .. } => format!("the {} of `{}`, one of {}", of.title, row.name, keywords(of, only)),
        AttrKind::SymbolName | AttrKind::SymbolRef => format!("the name of the {}, such as `@name`,", row.name),
        AttrKind::Str => format!("a string for `{}` of `{}`", attr.name, row.name),
        AttrKind::Predicate => "a predicate, such as `div_by<16>`,".to_string(),
        AttrKind::Dense => "a constant, such as `<f32: 0.0>`,".to_string(),
        _ => format!("the attribute `{}` of `{}`", attr.name, row.name),
    }
}
