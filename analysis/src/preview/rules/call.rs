//! Rules of calls.

use super::{Rule, counted, word};
use crate::ir::Function;
use crate::preview::expr::{is_expr, is_integer};
use crate::preview::print;
use crate::types::{PreviewType, PreviewValue, Scalar, Type, TypeKind};
use tile_dialect::{PreviewAttr, PreviewWord};

/// The parts of a call that its rules depend on.
pub(crate) struct Call<'c> {
    /// The function that it calls, if the module declares it.
    pub(crate) declared: Option<&'c Function>,
    pub(crate) const_args: &'c [PreviewValue],
    pub(crate) operands: &'c [Type],
    pub(crate) results: &'c [Type],
}

/// Checks a call. Returns the first violation.
pub(crate) fn check_call(call: &Call) -> Result<(), (CallPart, String)> {
    if let Some(wrong) = call.const_args.iter().find(|arg| !is_expr(arg.attr)) {
        let message = format!("expected a symbolic expression, found `{}`", print::compact(wrong));
        return Err((CallPart::ConstArgs, message));
    }
    // NVIDIA's verifier checks the rest against the declaration, so without one it accepts anything.
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
        return Err((
            CallPart::Name,
            format!("the operands and results of a call must be tiles or tokens, found `{wrong}`"),
        ));
    }
    let values = |types: &[Type]| types.iter().filter(is_value).copied().collect::<Vec<_>>();
    let (operands, results) = (values(call.operands), values(call.results));
    let params: Vec<Type> = declared.params.iter().map(|param| param.ty).collect();
    let lists =
        [("argument", &params[..], operands, call.operands), ("result", &declared.results, results, call.results)];
    for (role, expected, found, all) in lists {
        if expected.len() != found.len() {
            let count = counted(expected.len(), role);
            let message = format!("`@{}` has {count}, found {}", declared.name(), found.len());
            return Err((CallPart::Name, message));
        }
        for (index, (&expected, found)) in expected.iter().zip(found).enumerate() {
            if !is_instance(found, expected) {
                let (name, number) = (declared.name(), index + 1);
                let message = format!("{role} {number} of `@{name}` must be `{expected}`, found `{found}`");
                let at = all.iter().enumerate().filter(|(_, ty)| is_value(ty)).nth(index).map_or(0, |(at, _)| at);
                return Err((if role == "argument" { CallPart::Operand(at) } else { CallPart::Result(at) }, message));
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
    /// The operand at this index, counting tokens.
    Operand(usize),
    /// The result at this index, counting tokens.
    Result(usize),
}

fn is_concrete_tile(ty: Type) -> bool {
    ty.is_unknown() || ty.as_tile().is_some()
}

fn const_arg(arg: &PreviewValue, param: &PreviewValue) -> Rule {
    let subject = format!("the constant argument for `{}`", param.text().unwrap_or(""));
    if let Some(name) = arg.variables().first() {
        return Err(format!("{subject} must be known at compile time, but refers to `{name}`"));
    }
    let is_list = arg.attr == PreviewAttr::Tuple;
    if is_list && arg.list(0).is_empty() {
        return Err(format!("{subject} must not be an empty tuple"));
    }
    let Some(required) = param.ty().and_then(word) else { return Ok(()) };
    let (fits, expected) = match required {
        PreviewWord::Index => (is_integer(arg), "a number"),
        PreviewWord::Shape => (is_list && is_shape(arg), "a tuple of numbers"),
        PreviewWord::Datatype => (arg.attr == PreviewAttr::ConcreteType, "a type"),
        PreviewWord::String => (arg.attr == PreviewAttr::ConstStr, "a string"),
        PreviewWord::None => (true, ""),
    };
    if fits { Ok(()) } else { Err(format!("{subject} must be {expected}, found `{}`", print::compact(arg))) }
}

fn is_shape(value: &PreviewValue) -> bool {
    match value.attr {
        PreviewAttr::Tuple => value.list(0).iter().all(is_shape),
        _ => is_integer(value),
    }
}

/// Whether a value of type `found` can be passed or returned as `expected`. The extents of a symbolic tile are not
/// computed, as in NVIDIA's verifier: they match tiles of every shape.
fn is_instance(found: Type, expected: Type) -> bool {
    match (expected.as_preview(), found.as_tile()) {
        _ if found.is_unknown() || expected.is_unknown() => true,
        (Some(PreviewType::Tile { element, .. }), Some(tile)) => match (element.kind(), tile.element) {
            (TypeKind::Number(required), Scalar::Number(found)) => *required == found,
            (TypeKind::Pointer(required), Scalar::Pointer(found)) => *required == found,
            (kind, _) => matches!(kind, TypeKind::Preview(_)),
        },
        _ => found == expected,
    }
}
