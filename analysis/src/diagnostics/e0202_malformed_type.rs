//! E0202: malformed type.

use super::e0201_unknown_type::unknown_word;
use crate::diagnostic::{Diagnostic, Edit, Page, Severity};
use crate::foreign;
use crate::suggest::closest;
use std::ops::Range;

/// The page of E0202.
pub(super) static PAGE: Page = Page {
    code: "E0202",
    name: "malformed-type",
    severity: Severity::Error,
    text: r#"A part of the type is missing, misspelled or in the wrong place. Types are written as follows, with
their parts in this order:

- `tile<4x8xf32>`, `tile<f32>`, `tile<4xptr<f32>>`
- `tensor_view<?x8xf32, strides=[?,1]>`
- `partition_view<tile=(4x8), padding_value = zero, tensor_view<…>, dim_map=[1, 0]>`
- `strided_view<tile=(4x8), traversal_strides=[2,4], tensor_view<…>>`
- `gather_scatter_view<tile=(4x8), tensor_view<…>, sparse_dim=0>`
- `token`"#,
    fix: r#"Write the type as in the list. A `tensor_view` states its strides unless it has rank 0. The
parameter `padding_value` precedes the tensor view; `dim_map` and `sparse_dim` follow it."#,
    see: &["E0201", "E0208", "tile", "tensor_view", "partition_view"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
  }
}
"#,
};

/// A type that cannot be parsed.
pub(crate) fn malformed_type(range: Range<u32>, what: &str, found: &str) -> Diagnostic {
    if let ("a type", Some(element)) = (what, foreign::element(found)) {
        return unknown_word(range.start..range.start + found.len() as u32, found).note(format!(
            "integer types have a width but no sign: write `{element}`, and `signed` or `unsigned` on ops such as `divi`"
        ));
    }
    let message = match found {
        "" => format!("expected {what}"),
        _ => format!("expected {what}, found `{found}`"),
    };
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), message);
    let diagnostic = match (what, found.chars().next()) {
        ("a type", Some('(')) => {
            diagnostic.note("write types without parentheses around them, and shapes as in `tile<8x16xf32>`")
        }
        ("a type", Some('[' | '-' | '0'..='9')) => {
            diagnostic.note("a tile type consists of its extents and its element type, joined by `x`: `tile<8x16xf32>`")
        }
        ("`(`", Some('[')) | ("`)`", Some(',')) => {
            diagnostic.note("write the extents of a view's tile as `tile=(8x16)`")
        }
        ("`<`", Some('>')) => diagnostic.note("a pointer type names what it points to: `ptr<f32>`"),
        _ => diagnostic,
    };
    let keyword = what.trim_start_matches(['`', ',', ' ']).split_once('=').map(|(keyword, _)| keyword);
    match keyword.and_then(|keyword| closest(found, [keyword])) {
        Some(close) => diagnostic.fix(format!("write `{close}`"), range, close),
        None => diagnostic,
    }
}

/// A pointer attribute without its brackets: `ptr<f32, multicast>`.
pub(crate) fn bare_pointer_attr(range: Range<u32>, word: &str) -> Diagnostic {
    let full = format!("<{word}>");
    Diagnostic::new(&PAGE, range.clone(), format!("expected `{full}`, found `{word}`"))
        .here("a pointer attribute needs `<` and `>`")
        .safe_fix(format!("write `{full}`"), range, full)
}

/// A type followed by `*`, as in C.
pub(crate) fn pointer_star(range: Range<u32>, word: &str) -> Diagnostic {
    let pointee = word.trim_matches(['*', ' ']);
    let element = foreign::element(pointee).unwrap_or(pointee);
    let pointer = format!("tile<ptr<{element}>>");
    Diagnostic::new(
        &PAGE,
        range.clone(),
        format!("`{word}` is not a type: a pointer to `{element}` is written `{pointer}`"),
    )
    .fix(format!("write `{pointer}`"), range, pointer)
}

/// A parameter whose type precedes its name: `float* x`.
pub(crate) fn type_first(range: Range<u32>, text: &str) -> Diagnostic {
    let split = text.rfind(|c: char| c.is_whitespace() || matches!(c, '*' | '>')).map_or(0, |at| at + 1);
    let (ty, name) = (text[..split].trim_end(), text[split..].trim_start_matches('%'));
    let pointee = ty.trim_end_matches(['*', ' ']);
    let element = foreign::element(pointee).unwrap_or(pointee);
    let ty = match (ty.ends_with('*'), pointee.contains('<')) {
        (true, _) => format!("tile<ptr<{element}>>"),
        (false, true) => element.to_string(),
        (false, false) => format!("tile<{element}>"),
    };
    let parameter = format!("%{name}: {ty}");
    Diagnostic::new(&PAGE, range.clone(), "the type of a parameter follows its name, after a colon").fix(
        format!("write `{parameter}`"),
        range,
        parameter,
    )
}

/// An unknown parameter of a view type.
pub(crate) fn unknown_parameter(range: Range<u32>, found: &str) -> Diagnostic {
    const KNOWN: [&str; 5] = ["padding_value", "traversal_strides", "dim_map", "sparse_dim", "tile"];
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("unknown view parameter `{found}`"));
    let prefix = || KNOWN.into_iter().find(|known| found.len() > 2 && known.starts_with(found));
    let padding = (found == "padding_mode" || found == "padding").then_some(KNOWN[0]);
    match padding.or_else(|| closest(found, KNOWN)).or_else(prefix) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic,
    }
}

/// `view=` before the tensor view, as in older documentation.
pub(crate) fn view_keyword(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range.clone(), "unexpected `view=` before the tensor view").fix("remove `view=`", range, "")
}

/// `padding_value` after the tensor view. `text` is the parameter, which belongs at `place`.
pub(crate) fn late_padding(range: Range<u32>, with_comma: Range<u32>, text: &str, place: u32) -> Diagnostic {
    let edits = vec![
        Edit { range: place..place, content: format!("{text}, ") },
        Edit { range: with_comma, content: String::new() },
    ];
    Diagnostic::new(&PAGE, range, "`padding_value` belongs before the tensor view, directly after `tile=(…)`")
        .fix_all("move `padding_value` before the tensor view", edits)
}

/// A space between a type's name and its `<`.
pub(crate) fn blank_in_type(range: Range<u32>, name: &str) -> Diagnostic {
    let message = format!("`<` must follow `{name}` without a space");
    Diagnostic::new(&PAGE, range.clone(), message).fix("remove the space", range, "<")
}
