//! E0001: missing text.

use super::words::{alternatives, article, keyword_list};
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;
use tile_dialect::form::{Form, Piece, Punct, Slot};
use tile_dialect::{AttrKind, Class, Named, OpRow};
use tile_syntax::{Expected, NodeKind, Tree};

/// The page of E0001.
pub(super) static PAGE: Page = Page {
    code: "E0001",
    name: "missing-text",
    severity: Severity::Error,
    text: r#"A punctuation mark, a keyword, an operand or a type is missing. Every op has one fixed syntax, and
the parser reports the first part that it does not find. A missing type is reported at the token
after it, as NVIDIA's checker does."#,
    fix: r#"Insert the missing part, which the message names. `tile doc OP` prints the syntax of an op."#,
    see: &["E0003", "E0004", "E0202", "E0304"],
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

/// Replaces a missing punctuation mark by the types that follow from the operands.
pub(crate) fn missing_types(mut found: Diagnostic, types: &str) -> Diagnostic {
    found.notes.clear();
    match found.labels.first_mut() {
        // NVIDIA's checker reports it on another line; the label marks where the types belong.
        Some(label) => label.message = format!("`{types}` belongs here"),
        None => found.message = format!("`{types}` is missing here"),
    }
    found
}

/// Replaces a missing comma before a token by the missing keyword `token =`.
pub(crate) fn missing_token_keyword(mut found: Diagnostic) -> Diagnostic {
    let start = found.range.start;
    found.message = "`token =` is missing here".to_string();
    found.here("this is a token").fix("insert `token=`", start..start, "token=")
}

/// Something that the parser expected. `place` is where it belongs; like NVIDIA's checker, a missing type is reported
/// at the next token, which can be on a later line.
pub(crate) fn missing_text(missing: Expected, range: Range<u32>, place: Range<u32>, text: &str) -> Diagnostic {
    let is_on_another_line = text.get(place.end as usize..range.start as usize).is_some_and(|it| it.contains('\n'));
    let what = match missing {
        Expected::Text(text) if text.starts_with("an ") || text.starts_with("a ") => text.to_string(),
        Expected::Text(text) => format!("`{text}`"),
        Expected::Operand(op, index) => {
            let row = op.row();
            let word = &text[range.start as usize..range.end as usize];
            if is_keyword_after_operands(row, word) {
                let message = format!("`{word}` belongs after the operands of `{}`", row.name);
                return Diagnostic::new(&PAGE, range, message);
            }
            let operand = &row.operands[index as usize];
            format!("a value for the operand `{}` of `{}`", operand.name, row.name)
        }
        Expected::Attr(op, index) => return attribute(range, op.row(), index),
        Expected::Value => "a value such as `%a`".to_string(),
        Expected::Type => "a type".to_string(),
        Expected::Types(op, mark) => return types(range, op.row(), mark),
        Expected::Clause(op, word) => return clause(range, op.row(), word),
        Expected::Region => "a region in braces".to_string(),
        Expected::AttrValue => "a value for the attribute".to_string(),
        Expected::OpName => "the name of an op".to_string(),
    };
    // The range of a missing type is the next token.
    let message = match missing {
        Expected::Type => "expected a type before this".to_string(),
        _ => format!("{what} is missing here"),
    };
    let diagnostic = Diagnostic::new(&PAGE, range, message);
    if is_on_another_line { diagnostic.label(place, format!("{what} belongs here")) } else { diagnostic }
}

/// A missing `}`, and the `{` that it should close.
pub(crate) fn unclosed_brace(range: Range<u32>, tree: &Tree, text: &str, brace: usize) -> Diagnostic {
    let op = tree.path_to(brace).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op);
    let name = op.and_then(|op| tree.child(op, NodeKind::OpName)).map(|name| tree.text(name, text));
    let message = match name {
        Some(name) => format!("`}}` is missing here, which closes the region of `{}`", name.trim_matches('"')),
        None => "`}` is missing here".to_string(),
    };
    let opening = tree.tokens.start(brace)..tree.tokens.end(brace);
    Diagnostic::new(&PAGE, range, message).label(opening, "this brace is not closed".to_string())
}

/// A missing required attribute, and whether it precedes or follows the operands.
fn attribute(range: Range<u32>, row: &'static OpRow, index: u8) -> Diagnostic {
    let attr = &row.attrs[index as usize];
    let (op, side) = (row.name, side(row, index));
    let message = match attr.kind {
        AttrKind::Enum { of, only, .. } => {
            let keywords = keyword_list(of, only);
            match keywords.len() {
                ..=2 => format!("`{op}` needs {}{side}", alternatives(&keywords)),
                _ => format!("`{op}` needs {} {}{side}: {}", article(of.title), of.title, alternatives(&keywords)),
            }
        }
        AttrKind::SymbolName => format!("the name of the {op}, such as `@name`, is missing here"),
        AttrKind::SymbolRef => {
            let what = if row.is_preview() { "a function" } else { "a global" };
            format!("`{op}` needs the name of {what}, such as `@name`")
        }
        AttrKind::Str => format!("`{op}` needs a string for `{}`{side}", attr.name),
        AttrKind::Bool => format!("`{}` of `{op}` must be `true` or `false`", attr.name),
        AttrKind::IntList => format!("`{op}` needs a list in brackets{side}, such as `[1, 0]`"),
        AttrKind::BoolList(_) => format!("`{}` of `{op}` needs a list in brackets, such as `[true, false]`", attr.name),
        AttrKind::Preview(of) => {
            let name = of.row().name;
            format!("`{}` of `{op}` needs an attribute: `#cuda_tile<preview${name}<…>>`", attr.name)
        }
        AttrKind::Predicate => format!("`{op}` needs a predicate{side}, such as `div_by<16>`"),
        AttrKind::Dense => format!("`{op}` needs a value with its element type, such as `<f32: 0.0>`"),
        _ => format!("the attribute `{}` of `{op}` is missing here", attr.name),
    };
    Diagnostic::new(&PAGE, range, message)
}

/// ` before its operands` or ` after its operands`; empty if the op has no operands or the attribute is between them.
fn side(row: &'static OpRow, index: u8) -> &'static str {
    let pieces = &form(row).pieces;
    let is_operand = |piece: &Piece| matches!(piece, Piece::Operand(_));
    let at = pieces.iter().position(|piece| matches!(piece, Piece::Attr { index: at, .. } if *at == index));
    let first = pieces.iter().position(is_operand);
    let last = pieces.iter().rposition(is_operand);
    match (at, first, last) {
        (Some(at), Some(first), _) if at < first => " before its operands",
        (Some(at), _, Some(last)) if at > last => " after its operands",
        _ => "",
    }
}

fn form(row: &'static OpRow) -> &'static Form {
    Named { row, spelling: None }.form()
}

/// Reports whether a word is a keyword that follows the operands of an op.
fn is_keyword_after_operands(row: &'static OpRow, word: &str) -> bool {
    let introduces = |piece: &Piece| matches!(piece, Piece::Group(pieces) if matches!(pieces[0], Piece::Word(first) if first == word));
    if form(row).pieces.iter().any(introduces) {
        return true;
    }
    row.attrs.iter().enumerate().any(|(index, attr)| {
        let is_value = matches!(attr.kind, AttrKind::Enum { of, .. } if of.value(word).is_some());
        is_value && side(row, index as u8) == " after its operands"
    })
}

/// The missing types of an op, and the `:` or `->` that introduces them.
fn types(range: Range<u32>, row: &'static OpRow, mark: Punct) -> Diagnostic {
    let starts = |piece: &&Piece| matches!(piece, Piece::Punct { mark: Punct::Colon | Punct::Arrow, .. });
    let pieces = form(row).pieces.iter().skip_while(|piece| !starts(piece));
    let words: Vec<&str> = pieces.filter_map(|piece| type_word(row, piece)).collect();
    let pattern = words.join(" ").replace(" ,", ",");
    let missing = match mark {
        Punct::Arrow if row.results.len() == 1 => "result type",
        Punct::Arrow => "result types",
        _ => "types",
    };
    let verb = if missing.ends_with('s') { "are" } else { "is" };
    let found = Diagnostic::new(&PAGE, range, format!("the {missing} of `{}` {verb} missing here", row.name));
    // The types of `return` are part of a group, for which there is no pattern.
    if pattern.is_empty() { found } else { found.note(format!("`{}` ends with `{pattern}`", row.name)) }
}

/// One piece of an op's types, with `…` for what depends on the program.
fn type_word(row: &'static OpRow, piece: &Piece) -> Option<&'static str> {
    let index = match piece {
        Piece::Punct { mark, .. } => return Some(mark.text()),
        Piece::Type(index) | Piece::TypeArrow { after: index, .. } => *index,
        _ => return None,
    };
    let class = match form(row).types[index as usize].slots.first()? {
        Slot::Operand(operand) => row.operands[*operand as usize].class,
        Slot::Result(result) => row.results[*result as usize].class,
        Slot::Attr(_) => Class::Tile,
    };
    Some(match class {
        Class::Token => "token",
        Class::TensorView => "tensor_view<…>",
        Class::TileView | Class::PartitionView => "partition_view<…>",
        Class::StridedView => "strided_view<…>",
        Class::GatherScatterView => "gather_scatter_view<…>",
        _ => "tile<…>",
    })
}

/// A missing clause: a keyword and its value.
fn clause(range: Range<u32>, row: &'static OpRow, word: &str) -> Diagnostic {
    let pieces = &form(row).pieces;
    let at = pieces.iter().position(|piece| matches!(piece, Piece::Word(found) if *found == word));
    let is_list =
        at.is_some_and(|at| matches!(pieces.get(at + 2), Some(Piece::Punct { mark: Punct::LeftBracket, .. })));
    let takes_mark = at.is_some_and(|at| matches!(pieces.get(at + 1), Some(Piece::Punct { mark: Punct::Equal, .. })));
    let clause = match (takes_mark, is_list) {
        (true, true) => format!("{word} = […]"),
        (true, false) => format!("{word} = …"),
        (false, _) => format!("{word} …"),
    };
    Diagnostic::new(&PAGE, range, format!("`{}` needs `{clause}` here", row.name))
}
