//! E0201: unknown type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::{ACCESS, DIALECT_PREFIX, ELEMENTS, TYPE_NAMES};

/// The page of E0201.
pub(super) static PAGE: Page = Page {
    code: "E0201",
    name: "unknown-type",
    severity: Severity::Error,
    text: r#"There is no type with this name. Element types are case-sensitive, such as `f8E4M3FN`, `bf16` and
`i32`. Types need the prefix `!cuda_tile.` in generic form, in function types and in aliases."#,
    fix: r#"Correct the spelling; the message suggests the closest name. Element types of other languages have
other names here: `int32` is `i32`, and `float` is `f32`. Signed and unsigned integers share a type,
and ops such as `divi` take `signed` or `unsigned`."#,
    see: &["E0105", "E0202", "E0207", "tile", "signedness"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xint32>
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

/// Text in the position of a type that is not the name of one.
#[derive(Debug)]
pub(crate) struct UnknownType {
    /// The word, without the `!` of a type of another dialect.
    pub(crate) name: Box<str>,
    pub(crate) word: Range<u32>,
    pub(crate) form: UnknownTypeForm,
}

/// How an unknown type is written, which determines the message.
#[derive(Debug)]
pub(crate) enum UnknownTypeForm {
    Word,
    /// A word at the end of its line that does not resemble a type, with the next token. Like NVIDIA's checker, this is
    /// reported at that token, where the type is still missing.
    EndOfLine(Range<u32>),
    /// The type of another dialect.
    OtherDialect,
    /// A type with its dialect prefix but without the `!`.
    WithoutMark,
}

impl UnknownType {
    /// The range that is reported.
    pub(crate) fn place(&self) -> &Range<u32> {
        match &self.form {
            UnknownTypeForm::EndOfLine(next) => next,
            _ => &self.word,
        }
    }

    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let (word, name) = (self.word.clone(), &*self.name);
        match &self.form {
            UnknownTypeForm::Word => unknown_word(word, name),
            UnknownTypeForm::EndOfLine(next) => {
                let message = format!("expected a type before this, found `{name}`");
                with_hint(Diagnostic::new(&PAGE, next.clone(), message).label(word, "not a type"), name)
            }
            UnknownTypeForm::OtherDialect => foreign_type(word, name),
            UnknownTypeForm::WithoutMark => without_mark(word, name),
        }
    }
}

/// Reports whether a name resembles that of a type.
pub(crate) fn resembles_a_type(name: &str) -> bool {
    like(name).is_some()
}

/// The type that a name probably means: the equivalent of another language's element type, or the closest name.
fn like(name: &str) -> Option<&'static str> {
    let known = ELEMENTS.iter().map(|row| row.name).chain(TYPE_NAMES);
    foreign::element(name).or_else(|| closest(name, known))
}

fn with_hint(found: Diagnostic, name: &str) -> Diagnostic {
    match foreign::ty(name) {
        Some(hint) => found.note(hint),
        None => found,
    }
}

/// A word that is not the name of a type.
pub(super) fn unknown_word(range: Range<u32>, name: &str) -> Diagnostic {
    if let Some(found) = of_preview(&range, name) {
        return found;
    }
    match like(name) {
        Some(close) => {
            let message = format!("unknown type `{name}`; did you mean `{close}`?");
            Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `{close}`"), range, close)
        }
        None => with_hint(Diagnostic::new(&PAGE, range, format!("unknown type `{name}`")), name),
    }
}

/// Near misses of preview syntax: an access without its attribute, or a symbolic extent without brackets.
fn of_preview(range: &Range<u32>, name: &str) -> Option<Diagnostic> {
    let found = || Diagnostic::new(&PAGE, range.clone(), format!("unknown type `{name}`"));
    if ACCESS.value(name).is_some() {
        let full = format!("#cuda_tile<{}<{name}>>", ACCESS.name);
        return Some(found().fix(format!("write `{full}`"), range.clone(), full));
    }
    let (extent, element) = name.rsplit_once('x')?;
    let is_name = extent.starts_with(|first: char| first.is_ascii_alphabetic());
    (is_name && ELEMENTS.iter().any(|row| row.name == element)).then(|| {
        found().note(format!(
            "the extents of a tile are numbers; write a constant parameter of the SIMT preview in brackets: `[{extent}]x{element}`"
        ))
    })
}

fn foreign_type(range: Range<u32>, name: &str) -> Diagnostic {
    let found = Diagnostic::new(&PAGE, range, format!("unknown type `!{name}`"));
    match name.rsplit('.').next() {
        Some("ptr") => found.note("a pointer is a tile of rank 0: write `tile<ptr<f32>>`"),
        _ => found.note("types of other dialects are not part of Tile IR"),
    }
}

fn without_mark(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range.clone(),
        format!("expected `!{name}`, found `{name}`: a type with a dialect prefix starts with `!`"),
    )
    .fix(format!("write `!{name}`"), range, format!("!{name}"))
}

/// A type without the dialect prefix, in generic form, a function type or an alias; `where_` says which.
pub(crate) fn lost_prefix(range: Range<u32>, name: &str, where_: &str) -> Diagnostic {
    let full = format!("!{DIALECT_PREFIX}{name}");
    Diagnostic::new(
        &PAGE,
        range.clone(),
        format!("expected `{full}`, found `{name}`: types need the dialect prefix {where_}"),
    )
    .fix(format!("write `{full}`"), range, full)
}
