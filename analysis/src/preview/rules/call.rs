//! The rules of calls.

use super::{Rule, counted, word};
use crate::ir::Function;
use crate::preview::expr::{is_expr, is_integer};
use crate::preview::print;
use crate::types::{PreviewType, PreviewValue, Scalar, Type, TypeKind};
use tile_dialect::{PreviewAttr, PreviewWord};

/// A call, as far as its rules know it.
pub(crate) struct Call<'c> {
    /// The function that it calls, where the module declares it.
    pub(crate) declared: Option<&'c Function>,
    pub(crate) const_args: &'c [PreviewValue],
    pub(crate) operands: &'c [Type],
    pub(crate) results: &'c [Type],
}

/// Checks a call; the error is the part at fault and the message.
pub(crate) fn check_call(call: &Call) -> Result<(), (CallPart, String)> {
    if let Some(wrong) = call.const_args.iter().find(|arg| !is_expr(arg.attr)) {
        let message = format!("expected a symbolic expression, found `{}`", print::compact(wrong));
        return Err((CallPart::ConstArgs, message));
    }
    // NVIDIA's verifier checks the rest against the declaration, so it accepts anything for a function of a library.
    let Some(declared) = call.declared else { return Ok(()) };
    let params = declared.const_params();
    if params.len() != call.const_args.len() {
        let (name, count) = (declared.name(), params.len());
        let found = counted(call.const_args.len(), "argument");
        let message = format!("`@{name}` has {}, found {found}", counted(count, "constant parameter"));
        return Err((CallPart::ConstArgs, message));
    }
    for (param, arg) in params.iter().zip(call.const_args) {
        const_arg(arg, param).map_err(|message| (CallPart::ConstArgs, message))?;
    }
    let is_value = |ty: &&Type| !matches!(ty.kind(), TypeKind::Token);
    if let Some(wrong) = call.operands.iter().chain(call.results).find(|ty| is_value(ty) && !is_concrete_tile(**ty)) {
        return Err((CallPart::Name, format!("a call takes and returns tiles and tokens, found `{wrong}`")));
    }
    let values = |types: &[Type]| types.iter().filter(is_value).copied().collect::<Vec<_>>();
    let (operands, results) = (values(call.operands), values(call.results));
    let params: Vec<Type> = declared.params.iter().map(|param| param.ty).collect();
    let lists =
        [("argument", &params[..], operands, call.operands), ("result", &declared.results, results, call.results)];
    for (what, expected, found, all) in lists {
        if expected.len() != found.len() {
            let what = counted(expected.len(), what);
            let message = format!("`@{}` has {what}, found {}", declared.name(), found.len());
            return Err((CallPart::Name, message));
        }
        for (index, (&expected, found)) in expected.iter().zip(found).enumerate() {
            if !is_instance(found, expected) {
                let (name, number) = (declared.name(), index + 1);
                let message = format!("{what} {number} of `@{name}` must be `{expected}`, found `{found}`");
                let at = all.iter().enumerate().filter(|(_, ty)| is_value(ty)).nth(index).map_or(0, |(at, _)| at);
                return Err((if what == "argument" { CallPart::Operand(at) } else { CallPart::Result(at) }, message));
            }
        }
    }
    Ok(())
}

/// A part of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallPart {
    Name,
    ConstArgs,
    /// An operand, counted with the tokens.
    Operand(usize),
    /// A result, counted with the tokens.
    Result(usize),
}

fn is_concrete_tile(ty: Type) -> bool {
    ty.is_unknown() || ty.as_tile().is_some()
}

fn const_arg(arg: &PreviewValue, param: &PreviewValue) -> Rule {
    let what = format!("the constant argument for `{}`", param.text().unwrap_or(""));
    if let Some(name) = arg.variables().first() {
        return Err(format!("{what} must be known when the program is compiled, but names `{name}`"));
    }
    let is_list = arg.attr == PreviewAttr::Tuple;
    if is_list && arg.list(0).is_empty() {
        return Err(format!("{what} must not be an empty tuple"));
    }
    let Some(wanted) = param.ty().and_then(word) else { return Ok(()) };
    let (fits, expected) = match wanted {
        PreviewWord::Index => (is_integer(arg), "a number"),
        PreviewWord::Shape => (is_list && is_shape(arg), "a tuple of numbers"),
        PreviewWord::Datatype => (arg.attr == PreviewAttr::ConcreteType, "a type"),
        PreviewWord::String => (arg.attr == PreviewAttr::ConstStr, "a string"),
        PreviewWord::None => (true, ""),
    };
    if fits { Ok(()) } else { Err(format!("{what} must be {expected}, found `{}`", print::compact(arg))) }
}

fn is_shape(value: &PreviewValue) -> bool {
    match value.attr {
        PreviewAttr::Tuple => value.list(0).iter().all(is_shape),
        _ => is_integer(value),
    }
}

/// Whether a call may pass or take a value of a type. The extents of a symbolic tile are not computed, as in NVIDIA's
/// verifier: they match tiles of every shape.
fn is_instance(found: Type, expected: Type) -> bool {
    match (expected.as_preview(), found.as_tile()) {
        _ if found.is_unknown() || expected.is_unknown() => true,
        (Some(PreviewType::Tile { element, .. }), Some(tile)) => match (element.kind(), tile.element) {
            (TypeKind::Number(wanted), Scalar::Number(found)) => *wanted == found,
            (TypeKind::Pointer(wanted), Scalar::Pointer(found)) => *wanted == found,
            (kind, _) => matches!(kind, TypeKind::Preview(_)),
        },
        _ => found == expected,
    }
}
