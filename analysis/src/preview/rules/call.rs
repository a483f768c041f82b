//! The rules of calls.

use super::{Rule, counted, word};
use crate::preview::expr::{constant, is_integer};
use crate::preview::function::Function;
use crate::preview::print;
use crate::preview::types::PreviewType;
use crate::preview::value::{Field, PreviewValue};
use crate::types::{Type, TypeKind};
use rustc_hash::FxHashMap;
use tile_dialect::{PreviewAttr, PreviewWord};

/// A call, as far as its rules know it.
pub(crate) struct Call<'c> {
    /// The function that it calls, where the module declares it.
    pub(crate) declared: Option<&'c Function>,
    pub(crate) const_args: &'c [PreviewValue],
    pub(crate) operands: &'c [Type],
    pub(crate) results: &'c [Type],
}

/// What a call breaks.
pub(crate) fn check_call(call: &Call) -> Result<(), (CallPart, String)> {
    let params = call.declared.map(Function::const_params);
    if let (Some(params), Some(declared)) = (params, call.declared)
        && params.len() != call.const_args.len()
    {
        let (name, count) = (declared.name(), params.len());
        let found = counted(call.const_args.len(), "argument");
        let message = format!("`@{name}` has {}, found {found}", counted(count, "constant parameter"));
        return Err((CallPart::ConstArgs, message));
    }
    for (index, arg) in call.const_args.iter().enumerate() {
        let param = params.and_then(|params| params.get(index));
        const_arg(index, arg, param).map_err(|message| (CallPart::ConstArgs, message))?;
    }
    let is_value = |ty: &&Type| !matches!(ty.kind(), TypeKind::Token);
    if let Some(wrong) = call.operands.iter().chain(call.results).find(|ty| is_value(ty) && !is_concrete_tile(**ty)) {
        return Err((CallPart::Name, format!("a call takes and returns tiles and tokens, found `{wrong}`")));
    }
    let Some(declared) = call.declared else { return Ok(()) };
    let values = |types: &[Type]| types.iter().filter(is_value).copied().collect::<Vec<_>>();
    let (operands, results) = (values(call.operands), values(call.results));
    let params: Vec<Type> = declared.params.iter().map(|param| param.ty).collect();
    let known = Known::of(declared, call.const_args);
    let lists =
        [("argument", &params[..], operands, call.operands), ("result", &declared.results, results, call.results)];
    for (what, expected, found, all) in lists {
        if expected.len() != found.len() {
            let what = counted(expected.len(), what);
            let message = format!("`@{}` has {what}, found {}", declared.name(), found.len());
            return Err((CallPart::Name, message));
        }
        for (index, (&expected, found)) in expected.iter().zip(found).enumerate() {
            let expected = known.instance(expected);
            if expected.is_some_and(|expected| expected != found) && !found.is_unknown() {
                let expected = expected.unwrap_or(Type::unknown());
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

fn const_arg(index: usize, arg: &PreviewValue, param: Option<&PreviewValue>) -> Rule {
    let what = match param.and_then(PreviewValue::text) {
        Some(name) => format!("the constant argument for `{name}`"),
        None => format!("constant argument {index}"),
    };
    if let Some(name) = arg.variables().first() {
        return Err(format!("{what} must be known when the program is compiled, but names `{name}`"));
    }
    let is_list = arg.attr == PreviewAttr::Tuple;
    if is_list && arg.list(0).is_empty() {
        return Err(format!("{what} must not be an empty tuple"));
    }
    let Some(wanted) = param.and_then(PreviewValue::ty).and_then(word) else { return Ok(()) };
    let (fits, expected) = match wanted {
        PreviewWord::Index => (is_integer(arg) && constant(arg).is_some(), "a number"),
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

/// The values of constant parameters.
struct Known<'c>(FxHashMap<&'c str, &'c PreviewValue>);

impl<'c> Known<'c> {
    fn of(function: &'c Function, args: &'c [PreviewValue]) -> Known<'c> {
        let params = function.const_params().iter().filter_map(PreviewValue::text);
        Known(params.zip(args).collect())
    }

    /// The type that one with variables becomes; `None` where that is not known.
    fn instance(&self, ty: Type) -> Option<Type> {
        let Some(PreviewType::Tile { shape, element }) = ty.as_preview() else { return Some(ty) };
        let extents: Option<Vec<i64>> = shape.iter().map(|extent| constant(&self.replaced(extent))).collect();
        let element = match element.as_preview() {
            Some(PreviewType::Symbol(name)) => self.0.get(&**name)?.ty()?,
            _ => *element,
        };
        Type::tile_with(&extents?, element)
    }

    fn replaced(&self, value: &PreviewValue) -> PreviewValue {
        if value.attr == PreviewAttr::Var
            && let Some(&known) = value.text().and_then(|name| self.0.get(name))
        {
            return known.clone();
        }
        let field = |field: &Field| match field {
            Field::One(inner) => Field::One(Box::new(self.replaced(inner))),
            Field::List(values) => Field::List(values.iter().map(|inner| self.replaced(inner)).collect()),
            other => other.clone(),
        };
        PreviewValue { attr: value.attr, fields: value.fields.iter().map(field).collect() }
    }
}
