//! Rules of functions without a body.

use super::{counted, elements};
use crate::ir::AttrValue;
use crate::ir::{Function, Param};
use crate::preview::print;
use crate::types::PreviewType;
use crate::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use tile_dialect::{ACCESS, ACCESS_ATTR, AttrName, PreviewAttr, SYNCHRONIZATION, WILDCARD, preview_value};

/// A rule that a function violates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The index of the function.
    pub function: usize,
    /// The part that violates the rule.
    pub part: FunctionPart,
    /// The message.
    pub message: String,
}

/// A part of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionPart {
    /// Its name.
    Name,
    /// The argument at this index.
    Param(usize),
    /// Its results.
    Results,
    /// The attribute with this name in its row.
    Attr(AttrName),
}

/// Checks the functions without a body of a module. Returns the first violation of each function.
pub fn check_functions(functions: &[Function]) -> Vec<Broken> {
    let declared: FxHashMap<&str, &Function> =
        functions.iter().filter(|function| function.is_declaration()).map(|found| (found.name(), found)).collect();
    let check = |function: &Function| {
        if function.is_declaration() {
            declaration(function)
        } else {
            implementation(function, declared.get(function.implements()).copied())
        }
    };
    let found = functions.iter().enumerate().filter_map(|(number, function)| {
        let (part, message) = check(function).err()?;
        Some(Broken { function: number, part, message })
    });
    found.collect()
}

type PartRule = Result<(), (FunctionPart, String)>;

fn at(part: FunctionPart, message: impl Into<String>) -> PartRule {
    Err((part, message.into()))
}

/// The name of an argument in messages.
fn describe(index: usize, param: &Param) -> String {
    if param.name.is_empty() { format!("argument {index}") } else { format!("`%{}`", param.name) }
}

fn declaration(function: &Function) -> PartRule {
    if function.params.is_empty() {
        return at(FunctionPart::Name, format!("`@{}` must have at least one argument", function.name()));
    }
    param_names(function, false)?;
    for (index, param) in function.params.iter().enumerate() {
        if !is_tile(param.ty) {
            let message = format!("{} must be a tile, found `{}`", describe(index, param), param.ty);
            return at(FunctionPart::Param(index), message);
        }
        declared_variables(function, param.ty, FunctionPart::Param(index))?;
    }
    for &result in &function.results {
        if !is_tile(result) {
            return at(FunctionPart::Results, format!("a result must be a tile, found `{result}`"));
        }
        declared_variables(function, result, FunctionPart::Results)?;
    }
    accesses(function)?;
    written_results(function)
}

fn is_tile(ty: Type) -> bool {
    ty.is_unknown() || matches!(ty.kind(), TypeKind::Tile(_) | TypeKind::Preview(PreviewType::Tile { .. }))
}

/// Checks that the k-th written argument has the type of the k-th result.
fn written_results(function: &Function) -> PartRule {
    let written = function.params.iter().enumerate().filter(|(_, param)| is_written(param));
    for (number, (index, param)) in written.enumerate() {
        let Some(&result) = function.results.get(number) else {
            let message =
                format!("{} is written, so `@{}` needs a result for it", describe(index, param), function.name());
            return at(FunctionPart::Param(index), message);
        };
        if result != param.ty && !result.is_unknown() && !param.ty.is_unknown() {
            let subject = describe(index, param);
            let message =
                format!("result {number} is {subject} after the call: expected `{}`, found `{result}`", param.ty);
            return at(FunctionPart::Results, message);
        }
    }
    Ok(())
}

fn is_written(param: &Param) -> bool {
    param.access().is_some_and(|access| access != preview_value::IN)
}

/// Checks that every argument states how it is accessed, and that the names of its other attributes have the prefix of
/// a dialect.
fn accesses(function: &Function) -> PartRule {
    for (index, param) in function.params.iter().enumerate() {
        if let Some((name, _)) = param.attrs.iter().find(|(name, _)| !name.contains('.')) {
            let message = format!(
                "the attribute `{name}` of {} must have the prefix of a dialect, as in `cuda_tile.{name}`",
                describe(index, param)
            );
            return at(FunctionPart::Param(index), message);
        }
    }
    let missing = function.params.iter().enumerate().find(|(_, param)| param.access().is_none());
    let Some((index, param)) = missing else { return Ok(()) };
    let message = format!(
        "{} lacks an access attribute: `{{{ACCESS_ATTR} = #cuda_tile<preview$access<in>>}}`",
        describe(index, param)
    );
    at(FunctionPart::Param(index), message)
}

fn param_names(function: &Function, wildcards: bool) -> PartRule {
    let mut seen = FxHashSet::default();
    for param in function.const_params() {
        if param.attr != PreviewAttr::ConstParam {
            let message =
                format!("a constant parameter must have a name and a type, found `{}`", print::compact(param));
            return at(FunctionPart::Attr(AttrName::ConstParams), message);
        }
        let name = param.text().unwrap_or("");
        if name == WILDCARD {
            if !wildcards {
                return at(
                    FunctionPart::Attr(AttrName::ConstParams),
                    "`?` is allowed only among the parameters of a `preview$extern_impl`",
                );
            }
        } else if !seen.insert(name) {
            return at(
                FunctionPart::Attr(AttrName::ConstParams),
                format!("the constant parameter `{name}` is declared twice"),
            );
        }
    }
    Ok(())
}

fn declared_variables(function: &Function, ty: Type, part: FunctionPart) -> PartRule {
    let Some(ty) = ty.as_preview() else { return Ok(()) };
    let is_declared = |name: &str| function.const_params().iter().any(|param| param.text() == Some(name));
    match ty.variables().into_iter().find(|name| !is_declared(name)) {
        Some(name) => at(part, format!("`{name}` is not a constant parameter of `@{}`", function.name())),
        None => Ok(()),
    }
}

fn implementation(function: &Function, declared: Option<&Function>) -> PartRule {
    if !function.results.is_empty() {
        let message = "a `preview$extern_impl` must not have results; it writes to its `out` and `inout` arguments";
        return at(FunctionPart::Results, message);
    }
    if *function.attr(AttrName::Config) != crate::ir::Attr::Absent {
        return at(FunctionPart::Attr(AttrName::Config), "a `preview$extern_impl` must not have a `config`");
    }
    param_names(function, true)?;
    for (index, param) in function.params.iter().enumerate() {
        if param.fragment().is_none() && !param.ty.is_unknown() {
            let message = format!("{} must be a fragment, found `{}`", describe(index, param), param.ty);
            return at(FunctionPart::Param(index), message);
        }
        declared_variables(function, param.ty, FunctionPart::Param(index))?;
    }
    accesses(function)?;
    are_consecutive(function)?;
    fragments(function)?;
    synchronization(function)?;
    let is_named = |arch: &AttrValue| matches!(arch, AttrValue::Str(name) if !name.is_empty());
    if !function.arch().iter().all(is_named) {
        return at(
            FunctionPart::Attr(AttrName::Arch),
            "`arch` must be a list of architecture names, such as `[\"sm_100\"]`",
        );
    }
    declared.map_or(Ok(()), |declared| matches_declaration(function, declared))
}

/// Checks that the written arguments are consecutive.
fn are_consecutive(function: &Function) -> PartRule {
    let written = |param: &Param| is_written(param);
    let (Some(first), Some(last)) =
        (function.params.iter().position(written), function.params.iter().rposition(written))
    else {
        return Ok(());
    };
    match (first..last).find(|&index| !is_written(&function.params[index])) {
        Some(index) => {
            let subject = describe(index, &function.params[index]);
            at(
                FunctionPart::Param(index),
                format!("{subject} is only read; the `out` and `inout` arguments must be consecutive"),
            )
        }
        None => Ok(()),
    }
}

/// The modes of a fragmap.
const MODES: [&str; 3] = ["invocation", "participant", "footprint"];

fn fragments(function: &Function) -> PartRule {
    let mut fragments =
        function.params.iter().enumerate().filter_map(|(index, param)| Some((index, param.fragment()?)));
    let first = fragments.clone().next();
    fragments.try_for_each(|(index, fragment)| {
        let subject = describe(index, &function.params[index]);
        let wrong = |message: String| at(FunctionPart::Param(index), format!("{subject}: {message}"));
        let map = &fragment.fragmap;
        if map.shapes.len() != MODES.len() {
            let modes = MODES.join(", ");
            return wrong(format!("`fragmap` must have {} modes ({modes}), found {}", MODES.len(), map.shapes.len()));
        }
        if let (Some(footprint), Some(elements)) = (map.mode_size(2), elements(fragment))
            && footprint != elements
        {
            return wrong(format!(
                "the footprint of `fragmap` has {footprint} elements, but the fragment has {elements}"
            ));
        }
        if fragment.space == preview_value::SMEM && map.is_broadcast(1) == Some(false) {
            return wrong(
                "the participant strides of `fragmap` must be 0, because a fragment in `smem` is shared".to_string(),
            );
        }
        for (mode, name) in MODES.iter().enumerate().take(2) {
            let of_first = first.and_then(|(_, first)| first.fragmap.mode_size(mode));
            if let (Some(size), Some(expected)) = (map.mode_size(mode), of_first)
                && size != expected
            {
                return wrong(format!(
                    "the {name} mode of `fragmap` has size {size}, but that of the first argument has size {expected}"
                ));
            }
        }
        Ok(())
    })
}

fn synchronization(function: &Function) -> PartRule {
    let Some(group) = function.synchronization() else { return Ok(()) };
    let multiple = match group {
        preview_value::WARP => 32,
        preview_value::WARPGROUP => 128,
        _ => return Ok(()),
    };
    let mut fragments =
        function.params.iter().enumerate().filter_map(|(index, param)| Some((index, param.fragment()?)));
    match fragments.find_map(|(index, fragment)| Some((index, fragment.fragmap.mode_size(1)?))) {
        Some((index, size)) if size < 1 || size % multiple != 0 => {
            let name = SYNCHRONIZATION.keyword(group);
            let message = format!("`{name}` requires a multiple of {multiple} participants, but `fragmap` has {size}");
            at(FunctionPart::Param(index), message)
        }
        _ => Ok(()),
    }
}

/// Checks an implementation against the declaration of its function in the same module.
fn matches_declaration(function: &Function, declared: &Function) -> PartRule {
    let (params, expected) = (function.const_params(), declared.const_params());
    let (args, name) = (function.const_args(), declared.name());
    if args.len() != expected.len() {
        let params = counted(expected.len(), "constant parameter");
        let message = format!("`@{name}` has {params}, found {}", counted(args.len(), "argument"));
        return at(FunctionPart::Attr(AttrName::ConstArgs), message);
    }
    if params.len() != expected.len() {
        let message =
            format!("`@{name}` has {}, found {}", counted(expected.len(), "constant parameter"), params.len());
        return at(FunctionPart::Attr(AttrName::ConstParams), message);
    }
    for (param, expected) in params.iter().zip(expected) {
        let (found, required) = (param.text().unwrap_or(""), expected.text().unwrap_or(""));
        if found != required && found != WILDCARD {
            return at(
                FunctionPart::Attr(AttrName::ConstParams),
                format!("this parameter is called `{required}` in `@{name}`, found `{found}`"),
            );
        }
    }
    for (param, arg) in params.iter().zip(args) {
        if arg.attr != PreviewAttr::Var || arg.text() != param.text() {
            return at(
                FunctionPart::Attr(AttrName::ConstArgs),
                "the constant arguments must be the constant parameters themselves",
            );
        }
    }
    if function.params.len() != declared.params.len() {
        let (found, required) = (function.params.len(), declared.params.len());
        let required = counted(required, "argument");
        return at(FunctionPart::Name, format!("`@{name}` has {required}, but its implementation has {found}"));
    }
    for (index, (param, expected)) in function.params.iter().zip(&declared.params).enumerate() {
        if let (Some(found), Some(required)) = (param.access(), expected.access())
            && found != required
        {
            let (found, required) = (ACCESS.keyword(found), ACCESS.keyword(required));
            let message = format!("{} is `{required}` in `@{name}`, found `{found}`", describe(index, param));
            return at(FunctionPart::Param(index), message);
        }
    }
    Ok(())
}
