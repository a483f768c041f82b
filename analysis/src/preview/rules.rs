//! The rules of the preview. They hold for text and for bytecode alike, so they know no places in either: what is wrong
//! names the part that it is wrong with.

use super::expr::{constant, is_expr, is_extent, is_integer};
use super::function::{Function, Param};
use super::layout::Layout;
use super::print;
use super::types::{Fragment, PreviewType};
use super::value::{Field, PreviewValue};
use crate::ir::AttrValue;
use crate::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use tile_dialect::{
    ACCESS, ACCESS_ATTR, FieldKind, PREVIEW_PREFIX, PreviewAttr, PreviewWord, SYNCHRONIZATION, WILDCARD, preview_value,
};

/// A rule that a function breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The function, by number.
    pub function: usize,
    /// With what it is wrong.
    pub part: Part,
    /// What is wrong.
    pub message: String,
}

/// A part of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Its name.
    Name,
    /// An argument.
    Param(usize),
    /// Its results.
    Results,
    /// The attribute with this name in its row.
    Attr(&'static str),
}

type Rule = Result<(), String>;

/// A number of things: `1 argument`, `2 arguments`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn word(ty: Type) -> Option<PreviewWord> {
    match ty.as_preview() {
        Some(PreviewType::Word(word)) => Some(*word),
        _ => None,
    }
}

/// The rules of one attribute, apart from those of its parts.
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
        return Err(format!("`{PREVIEW_PREFIX}{}` does not hold such parts", row.name));
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
        _ if name.contains('.') => {
            Err(format!("`{name}` is not a variable's name; only builtins such as `context.num_warps` have a dot"))
        }
        _ => Ok(()),
    }
}

fn builtin(name: &str, ty: Option<Type>) -> Rule {
    if !name.starts_with("context.") {
        return Err(format!("the name of a builtin must start with `context.`, found `{name}`"));
    }
    match ty {
        Some(ty) if word(ty) != Some(PreviewWord::Index) => Err(format!("a builtin is an `index`, found `{ty}`")),
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
    let (size, alignment) = (parts.next(), parts.next());
    if let Some(size) = size.and_then(constant).filter(|&size| size < 0) {
        return Err(format!("the size of scratch memory must not be negative, found {size}"));
    }
    match alignment.and_then(constant) {
        Some(alignment) => power_of_two("the alignment of scratch memory", alignment),
        None => Ok(()),
    }
}

fn power_of_two(what: &str, value: i64) -> Rule {
    if value > 0 && value.count_ones() == 1 {
        Ok(())
    } else {
        Err(format!("{what} must be a power of two, found {value}"))
    }
}

fn element_type(ty: Type) -> Rule {
    match ty.kind() {
        TypeKind::Number(_) | TypeKind::Pointer(_) | TypeKind::Preview(PreviewType::Symbol(_)) => Ok(()),
        _ => Err(format!("expected an element type, found `{ty}`")),
    }
}

/// The rules of a tile with symbolic extents.
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

/// The rules of a fragment on its own.
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
    if let Some(alignment) = constant(&fragment.alignment) {
        power_of_two("the alignment of a fragment, in elements,", alignment)?;
    }
    if let (Some(elements), Some(places)) = (elements(fragment), fragment.mem_layout.size())
        && elements != places
    {
        return Err(format!("`mem_layout` places {places} elements, but the fragment has {elements}"));
    }
    fragment.mem_layout.check_bijection()
}

/// How many elements a fragment has; `None` where that depends on a variable.
fn elements(fragment: &Fragment) -> Option<i64> {
    fragment.shape.iter().try_fold(1i64, |size, extent| size.checked_mul(constant(extent)?))
}

/// What the functions of a module break, those without a body. The first rule that each breaks is reported.
pub fn check_functions(functions: &[Function]) -> Vec<Broken> {
    let declared: FxHashMap<&str, &Function> =
        functions.iter().filter(|function| function.is_declaration()).map(|found| (found.name(), found)).collect();
    let check = |function: &Function| match function.is_declaration() {
        true => declaration(function),
        false => implementation(function, declared.get(function.implements()).copied()),
    };
    let found = functions.iter().enumerate().filter_map(|(number, function)| {
        let (part, message) = check(function).err()?;
        Some(Broken { function: number, part, message })
    });
    found.collect()
}

type PartRule = Result<(), (Part, String)>;

fn at(part: Part, message: impl Into<String>) -> PartRule {
    Err((part, message.into()))
}

/// The name of an argument in messages.
fn called(index: usize, param: &Param) -> String {
    if param.name.is_empty() { format!("argument {index}") } else { format!("`%{}`", param.name) }
}

fn declaration(function: &Function) -> PartRule {
    if function.params.is_empty() {
        return at(Part::Name, format!("`@{}` must have at least one argument", function.name()));
    }
    param_names(function, false)?;
    for (index, param) in function.params.iter().enumerate() {
        if !is_tile(param.ty) {
            let message = format!("{} must be a tile, found `{}`", called(index, param), param.ty);
            return at(Part::Param(index), message);
        }
        declared_variables(function, param.ty, Part::Param(index))?;
    }
    for &result in &function.results {
        if !is_tile(result) {
            return at(Part::Results, format!("a result must be a tile, found `{result}`"));
        }
        declared_variables(function, result, Part::Results)?;
    }
    accesses(function)?;
    written_results(function)
}

fn is_tile(ty: Type) -> bool {
    ty.is_unknown() || matches!(ty.kind(), TypeKind::Tile(_) | TypeKind::Preview(PreviewType::Tile { .. }))
}

/// The k-th argument that is written has the type of the k-th result.
fn written_results(function: &Function) -> PartRule {
    let written = function.params.iter().enumerate().filter(|(_, param)| is_written(param));
    for (number, (index, param)) in written.enumerate() {
        let Some(&result) = function.results.get(number) else {
            let message =
                format!("{} is written, so `@{}` needs a result for it", called(index, param), function.name());
            return at(Part::Param(index), message);
        };
        if result != param.ty && !result.is_unknown() && !param.ty.is_unknown() {
            let what = called(index, param);
            let message =
                format!("result {number} is {what} after the call; expected `{}`, found `{result}`", param.ty);
            return at(Part::Results, message);
        }
    }
    Ok(())
}

fn is_written(param: &Param) -> bool {
    param.access().is_some_and(|access| access != preview_value::IN)
}

/// Every argument says how it is accessed.
fn accesses(function: &Function) -> PartRule {
    let missing = function.params.iter().enumerate().find(|(_, param)| param.access().is_none());
    let Some((index, param)) = missing else { return Ok(()) };
    let message =
        format!("{} needs its access: `{{{ACCESS_ATTR} = #cuda_tile<preview$access<in>>}}`", called(index, param));
    at(Part::Param(index), message)
}

fn param_names(function: &Function, wildcards: bool) -> PartRule {
    let mut seen = FxHashSet::default();
    for param in function.const_params() {
        let name = param.text().unwrap_or("");
        if name == WILDCARD {
            if !wildcards {
                return at(
                    Part::Attr("const_params"),
                    "`?` is allowed only among the parameters of a `preview$extern_impl`",
                );
            }
        } else if !seen.insert(name) {
            return at(Part::Attr("const_params"), format!("the constant parameter `{name}` is declared twice"));
        }
    }
    Ok(())
}

fn declared_variables(function: &Function, ty: Type, part: Part) -> PartRule {
    let Some(ty) = ty.as_preview() else { return Ok(()) };
    let is_declared = |name: &str| function.const_params().iter().any(|param| param.text() == Some(name));
    match ty.variables().into_iter().find(|name| !is_declared(name)) {
        Some(name) => at(part, format!("`{name}` is not among the constant parameters of `@{}`", function.name())),
        None => Ok(()),
    }
}

fn implementation(function: &Function, declared: Option<&Function>) -> PartRule {
    if !function.results.is_empty() {
        let message = "a `preview$extern_impl` has no results; what it writes are `out` and `inout` arguments";
        return at(Part::Results, message);
    }
    if *function.attr("config") != crate::ir::Attr::Absent {
        return at(Part::Attr("config"), "a `preview$extern_impl` must not have a `config`");
    }
    param_names(function, true)?;
    for (index, param) in function.params.iter().enumerate() {
        if param.fragment().is_none() && !param.ty.is_unknown() {
            let message = format!("{} must be a fragment, found `{}`", called(index, param), param.ty);
            return at(Part::Param(index), message);
        }
        declared_variables(function, param.ty, Part::Param(index))?;
    }
    accesses(function)?;
    one_run(function)?;
    fragments(function)?;
    synchronization(function)?;
    let is_named = |arch: &AttrValue| matches!(arch, AttrValue::Str(name) if !name.is_empty());
    if !function.arch().iter().all(is_named) {
        return at(Part::Attr("arch"), "`arch` lists the names of architectures, such as `[\"sm_100\"]`");
    }
    declared.map_or(Ok(()), |declared| matches_declaration(function, declared))
}

/// The arguments that are written follow one another.
fn one_run(function: &Function) -> PartRule {
    let written = |param: &Param| is_written(param);
    let (Some(first), Some(last)) =
        (function.params.iter().position(written), function.params.iter().rposition(written))
    else {
        return Ok(());
    };
    match (first..last).find(|&index| !is_written(&function.params[index])) {
        Some(index) => {
            let what = called(index, &function.params[index]);
            at(
                Part::Param(index),
                format!("{what} is only read; the `out` and `inout` arguments must follow one another"),
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
        let what = called(index, &function.params[index]);
        let wrong = |message: String| at(Part::Param(index), format!("{what}: {message}"));
        let map = &fragment.fragmap;
        if map.shapes.len() != MODES.len() {
            let modes = MODES.join(", ");
            return wrong(format!("`fragmap` must have {} modes ({modes}), found {}", MODES.len(), map.shapes.len()));
        }
        if let (Some(footprint), Some(elements)) = (map.mode_size(2), elements(fragment))
            && footprint != elements
        {
            return wrong(format!(
                "the footprint of `fragmap` is {footprint}, but the fragment has {elements} elements"
            ));
        }
        if fragment.space == preview_value::SMEM && map.is_broadcast(1) == Some(false) {
            return wrong(
                "a fragment in `smem` is shared, so the participant strides of `fragmap` must be 0".to_string(),
            );
        }
        for (mode, name) in MODES.iter().enumerate().take(2) {
            let of_first = first.and_then(|(_, first)| first.fragmap.mode_size(mode));
            if let (Some(size), Some(expected)) = (map.mode_size(mode), of_first)
                && size != expected
            {
                return wrong(format!("the {name} mode of `fragmap` is {size}, but {expected} in the first argument"));
            }
        }
        Ok(())
    })
}

fn synchronization(function: &Function) -> PartRule {
    let Some(together) = function.synchronization() else { return Ok(()) };
    let multiple = match together {
        preview_value::WARP => 32,
        preview_value::WARPGROUP => 128,
        _ => return Ok(()),
    };
    let mut fragments =
        function.params.iter().enumerate().filter_map(|(index, param)| Some((index, param.fragment()?)));
    match fragments.find_map(|(index, fragment)| Some((index, fragment.fragmap.mode_size(1)?))) {
        Some((index, size)) if size < 1 || size % multiple != 0 => {
            let name = SYNCHRONIZATION.keyword(together);
            let message = format!("`{name}` needs a multiple of {multiple} participants, but `fragmap` has {size}");
            at(Part::Param(index), message)
        }
        _ => Ok(()),
    }
}

/// An implementation and the declaration of what it implements, in one module.
fn matches_declaration(function: &Function, declared: &Function) -> PartRule {
    let (params, expected) = (function.const_params(), declared.const_params());
    let (args, name) = (function.const_args(), declared.name());
    if args.len() != expected.len() {
        let params = counted(expected.len(), "constant parameter");
        let message = format!("`@{name}` has {params}, found {}", counted(args.len(), "argument"));
        return at(Part::Attr("const_args"), message);
    }
    if params.len() != expected.len() {
        let message =
            format!("`@{name}` has {}, found {}", counted(expected.len(), "constant parameter"), params.len());
        return at(Part::Attr("const_params"), message);
    }
    for (param, expected) in params.iter().zip(expected) {
        let (found, wanted) = (param.text().unwrap_or(""), expected.text().unwrap_or(""));
        if found != wanted && found != WILDCARD {
            return at(
                Part::Attr("const_params"),
                format!("`@{name}` calls this parameter `{wanted}`, found `{found}`"),
            );
        }
    }
    for (param, arg) in params.iter().zip(args) {
        if arg.attr != PreviewAttr::Var || arg.text() != param.text() {
            return at(Part::Attr("const_args"), "the constant arguments must be the constant parameters themselves");
        }
    }
    if function.params.len() != declared.params.len() {
        let (found, wanted) = (function.params.len(), declared.params.len());
        let wanted = counted(wanted, "argument");
        return at(Part::Name, format!("`@{name}` has {wanted}, but its implementation has {found}"));
    }
    for (index, (param, expected)) in function.params.iter().zip(&declared.params).enumerate() {
        if let (Some(found), Some(wanted)) = (param.access(), expected.access())
            && found != wanted
        {
            let (found, wanted) = (ACCESS.keyword(found), ACCESS.keyword(wanted));
            let message = format!("{} is `{wanted}` in `@{name}`, found `{found}`", called(index, param));
            return at(Part::Param(index), message);
        }
    }
    Ok(())
}

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
    for (what, expected, found) in [("arguments", &params[..], operands), ("results", &declared.results, results)] {
        if expected.len() != found.len() {
            let what = counted(expected.len(), what.trim_end_matches('s'));
            let message = format!("`@{}` has {what}, found {}", declared.name(), found.len());
            return Err((CallPart::Name, message));
        }
        for (index, (&expected, found)) in expected.iter().zip(found).enumerate() {
            let expected = known.instance(expected);
            if expected.is_some_and(|expected| expected != found) && !found.is_unknown() {
                let what = what.trim_end_matches('s');
                let expected = expected.unwrap_or(Type::unknown());
                let name = declared.name();
                let message = format!("{what} {index} of `@{name}` must be `{expected}`, found `{found}`");
                return Err((CallPart::Name, message));
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
