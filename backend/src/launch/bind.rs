//! Whether a launch fits the parameters of its entry.

use super::{Arg, Launch, LaunchError, Spec};
use tile_analysis::ir::Body;
use tile_analysis::suggest;
use tile_analysis::types::{Scalar, Type};

/// What does not fit between a launch and the entry below it: parameters without an argument, arguments without a
/// parameter, a buffer for a number, an element type that the pointer does not point to.
pub fn misfits(entry: &Body, launch: &Launch) -> Vec<LaunchError> {
    let mut found = wrong_arguments(entry, launch);
    found.extend(nothing_for(&missing(entry, launch), entry, launch));
    found
}

/// What is wrong with the arguments that a launch has, whatever it lacks.
pub fn wrong_arguments(entry: &Body, launch: &Launch) -> Vec<LaunchError> {
    let check = |arg: &Arg| match params(entry).find(|(name, _)| *name == arg.name) {
        Some((_, ty)) => misfit(arg, ty),
        None => Some(unknown(arg, entry, launch)),
    };
    launch.args.iter().filter_map(check).chain(wrong_names(entry, launch)).collect()
}

/// What expectations name that is no parameter.
fn wrong_names<'l>(entry: &'l Body, launch: &'l Launch) -> impl Iterator<Item = LaunchError> + 'l {
    let named = launch.expects.iter().flat_map(|expect| expect.arguments());
    named.filter(|(name, _)| params(entry).all(|(param, _)| param != *name)).map(|(name, range)| {
        let error = LaunchError::new(range, format!("the entry `@{}` has no parameter `%{name}`", entry.name));
        match suggest::closest(name, params(entry).map(|(param, _)| param)) {
            Some(close) => error.help(format!("did you mean `%{close}`?")),
            None => error,
        }
    })
}

/// The parameters that a launch gives nothing, each with a specification that suits it. One whose name an argument
/// misspells counts as given.
pub fn missing<'e>(entry: &'e Body, launch: &Launch) -> Vec<(&'e str, String)> {
    let is_param = |arg: &&Arg| entry.params.iter().any(|name| **name == *arg.name);
    let strays = launch.args.iter().filter(|arg| !is_param(arg));
    let misspelt: Vec<&str> = strays.filter_map(|arg| closest(arg, entry, launch)).collect();
    params(entry)
        .filter(|(name, _)| launch.arg(name).is_none() && !misspelt.contains(name))
        .map(|(name, ty)| (name, sample(ty)))
        .collect()
}

/// The parameters of an entry with their types, each with a specification that suits it.
pub fn samples(entry: &Body) -> Vec<(&str, Type, String)> {
    params(entry).map(|(name, ty)| (name, ty, sample(ty))).collect()
}

fn params(entry: &Body) -> impl Iterator<Item = (&str, Type)> {
    let types = entry.regions[0].args.iter().map(|&value| entry.ty(value));
    entry.params.iter().map(|name| &**name).zip(types)
}

fn nothing_for(missing: &[(&str, String)], entry: &Body, launch: &Launch) -> Option<LaunchError> {
    if missing.is_empty() {
        return None;
    }
    let (parameters, lines) = if missing.len() == 1 { ("parameter", "a line") } else { ("parameters", "lines") };
    let names = listed(missing.iter().map(|(name, _)| format!("`%{name}`")));
    let samples = listed(missing.iter().map(|(name, sample)| format!("`//@   %{name} = {sample}`")));
    let head = launch.range.start..launch.range.start + "launch".len();
    let message = format!("this launch gives the {parameters} {names} of `@{}` nothing", entry.name);
    Some(LaunchError::new(head, message).help(format!("add {lines} such as {samples}")))
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}

/// The parameter whose name an argument misspells; rather one that has no argument.
fn closest<'e>(arg: &Arg, entry: &'e Body, launch: &Launch) -> Option<&'e str> {
    let names = || entry.params.iter().map(|name| &**name);
    let free = suggest::closest(&arg.name, names().filter(|name| launch.arg(name).is_none()));
    free.or_else(|| suggest::closest(&arg.name, names()))
}

fn unknown(arg: &Arg, entry: &Body, launch: &Launch) -> LaunchError {
    let hint = match closest(arg, entry, launch) {
        Some(close) => format!("did you mean `%{close}`?"),
        None if entry.params.is_empty() => "it has no parameters".to_string(),
        None => {
            let names: Vec<String> = entry.params.iter().map(|name| format!("`%{name}`")).collect();
            format!("its parameters are {}", names.join(", "))
        }
    };
    let message = format!("the entry `@{}` has no parameter `%{}`", entry.name, arg.name);
    LaunchError::new(arg.range.clone(), message).help(hint)
}

fn misfit(arg: &Arg, ty: Type) -> Option<LaunchError> {
    let tile = ty.as_tile()?;
    let message = match (&arg.spec, tile.element) {
        (Spec::Scalar(_), Scalar::Pointer(_)) => {
            format!("`%{}` is a pointer, so it needs a buffer, not a number", arg.name)
        }
        (Spec::Buffer { .. }, Scalar::Number(_)) => {
            format!("`%{}` is a `{ty}`, so it needs a number, not a buffer", arg.name)
        }
        (Spec::Buffer { element, .. }, Scalar::Pointer(pointer)) if *element != pointer.to => {
            format!("`%{}` points to `{}`, but its buffer holds `{element}`", arg.name, pointer.to)
        }
        (Spec::Scalar(number), Scalar::Number(element)) => match number.encode(element) {
            Ok(_) => return None,
            Err(why) => format!("the number for `%{}` does not fit: {why}", arg.name),
        },
        _ => return None,
    };
    Some(LaunchError::new(arg.range.clone(), message).help(format!("write `%{} = {}`", arg.name, sample(ty))))
}

/// A specification that suits a parameter of this type.
fn sample(ty: Type) -> String {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Pointer(pointer)) => format!("{}[1024] zeros", pointer.to),
        Some(Scalar::Number(element)) if element.is_float() => "1.0".to_string(),
        _ => "1".to_string(),
    }
}
