//! The rules of the preview. They apply to text and bytecode alike, so violations refer to parts of the program rather
//! than to positions. This module contains the rules of attributes and types.

mod call;
mod function;

pub(crate) use call::{Call, CallPart, check_call};
pub use function::{Broken, FunctionPart, check_functions};

use super::expr::{constant, is_expr, is_extent, is_integer};
use super::print;
use crate::types::Layout;
use crate::types::{Field, PreviewValue};
use crate::types::{Fragment, PreviewType};
use crate::types::{Type, TypeKind};
use tile_dialect::{FieldKind, PREVIEW_PREFIX, PreviewAttr, PreviewWord};

pub(super) type Rule = Result<(), String>;

/// A count with its noun: `1 argument`, `2 arguments`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn word(ty: Type) -> Option<PreviewWord> {
    match ty.as_preview() {
        Some(PreviewType::Word(word)) => Some(*word),
        _ => None,
    }
}

/// Checks one attribute, but not its parts.
pub(super) fn attribute(value: &PreviewValue) -> Rule {
    let row = value.attr.row();
    let fits = |(field, row): (&Field, FieldKind)| {
        matches!(
            (field, row),
            (Field::Int(_), FieldKind::Int)
                | (Field::Text(_), FieldKind::Text)
                | (Field::Keyword(_), FieldKind::Keyword(_))
                | (Field::Type(_), FieldKind::Type)
                | (Field::One(_), FieldKind::One)
                | (Field::List(_), FieldKind::List | FieldKind::Tuple)
        )
    };
    let kinds = row.fields.iter().map(|field| field.kind);
    if value.fields.len() != row.fields.len() || !value.fields.iter().zip(kinds).all(fits) {
        return Err(format!("the fields of `{PREVIEW_PREFIX}{}` have the wrong kinds", row.name));
    }
    if let Some(other) = value.children().find(|inner| !is_expr(inner.attr)) {
        return Err(format!("expected a symbolic expression, found `{}`", print::long(other)));
    }
    let text = value.text().unwrap_or("");
    match value.attr {
        PreviewAttr::Var => variable_name(text),
        PreviewAttr::Builtin => builtin(text, value.ty()),
        PreviewAttr::ConstParam => const_param(text, value.ty()),
        PreviewAttr::Div | PreviewAttr::FloorDiv | PreviewAttr::CeilDiv => {
            let is_zero = value.children().nth(1).and_then(constant) == Some(0);
            if is_zero { Err("division by zero in a symbolic expression".to_string()) } else { Ok(()) }
        }
        PreviewAttr::Layout => Layout::of(value).map_or(Ok(()), |layout| layout.check()),
        PreviewAttr::ScratchRequest => scratch(value),
        _ => Ok(()),
    }
}

fn variable_name(name: &str) -> Rule {
    match name {
        "" => Err("the name of a symbolic variable must not be empty".to_string()),
        _ if name.contains('.') => Err(format!(
            "`{name}` is not a valid variable name; only builtins such as `context.num_warps` contain a dot"
        )),
        _ => Ok(()),
    }
}

fn builtin(name: &str, ty: Option<Type>) -> Rule {
    if !name.starts_with("context.") {
        return Err(format!("the name of a builtin must start with `context.`, found `{name}`"));
    }
    match ty {
        Some(ty) if word(ty) != Some(PreviewWord::Index) => Err(format!("a builtin must be an `index`, found `{ty}`")),
        _ => Ok(()),
    }
}

fn const_param(name: &str, ty: Option<Type>) -> Rule {
    if name.is_empty() {
        return Err("the name of a constant parameter must not be empty".to_string());
    }
    match ty.and_then(word) {
        Some(PreviewWord::None) | None => Err(format!(
            "the constant parameter `{name}` must be an `index`, a shape, a datatype or a string, found `{}`",
            ty.unwrap_or(Type::unknown())
        )),
        Some(_) => Ok(()),
    }
}

fn scratch(value: &PreviewValue) -> Rule {
    let mut parts = value.children();
    if let Some(wrong) = value.children().find(|part| !is_integer(part)) {
        let found = print::compact(wrong);
        return Err(format!("the size and alignment of scratch memory must be integer expressions, found `{found}`"));
    }
    let (size, alignment) = (parts.next(), parts.next());
    if let Some(size) = size.and_then(constant).filter(|&size| size < 0) {
        return Err(format!("the size of scratch memory must not be negative, found {size}"));
    }
    match alignment.and_then(constant) {
        Some(alignment) => power_of_two("the alignment of scratch memory", alignment),
        None => Ok(()),
    }
}

pub(super) fn power_of_two(subject: &str, value: i64) -> Rule {
    if value > 0 && value.count_ones() == 1 {
        Ok(())
    } else {
        Err(format!("{subject} must be a power of two, found {value}"))
    }
}

fn element_type(ty: Type) -> Rule {
    match ty.kind() {
        TypeKind::Number(_) | TypeKind::Pointer(_) | TypeKind::Preview(PreviewType::Symbol(_)) => Ok(()),
        _ => Err(format!("expected an element type, found `{ty}`")),
    }
}

/// Checks a tile with symbolic extents.
pub fn tile(shape: &[PreviewValue], element: Type) -> Rule {
    for (index, extent) in shape.iter().enumerate() {
        if !is_extent(extent) {
            return Err(format!(
                "extent {index} must be an integer expression without divisions, found `{}`",
                print::compact(extent)
            ));
        }
        if let Some(extent) = extent.as_int() {
            power_of_two(&format!("extent {index}"), extent)?;
        }
    }
    element_type(element)
}

/// Checks a fragment independently of its function.
pub fn fragment(fragment: &Fragment) -> Rule {
    element_type(fragment.element)?;
    if let Some(extent) = fragment.shape.iter().find(|extent| !is_integer(extent)) {
        return Err(format!(
            "an extent of a fragment must be an integer expression, found `{}`",
            print::compact(extent)
        ));
    }
    if let Some(extent) = fragment.shape.iter().filter_map(constant).find(|&extent| extent < 1) {
        return Err(format!("an extent of a fragment must be positive, found {extent}"));
    }
    fragment.mem_layout.check()?;
    fragment.fragmap.check()?;
    if !is_integer(&fragment.alignment) {
        let found = print::compact(&fragment.alignment);
        return Err(format!("the alignment of a fragment must be an integer expression, found `{found}`"));
    }
    if let Some(alignment) = constant(&fragment.alignment) {
        power_of_two("the alignment of a fragment, in elements,", alignment)?;
    }
    if let (Some(elements), Some(places)) = (elements(fragment), fragment.mem_layout.size())
        && elements != places
    {
        return Err(format!("`mem_layout` has {places} elements, but the fragment has {elements}"));
    }
    fragment.mem_layout.check_bijection()
}

/// The number of elements of a fragment; `None` if it depends on a variable.
pub(super) fn elements(fragment: &Fragment) -> Option<i64> {
    fragment.shape.iter().try_fold(1i64, |size, extent| size.checked_mul(constant(extent)?))
}
