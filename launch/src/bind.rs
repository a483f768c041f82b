//! Checks that a launch fits the parameters of its entry.

use super::expr::Expr;
use super::{Address, Arg, Expect, Launch, LaunchError, Spec, expect};
use std::ops::Range;
use tile_analysis::ir::{Body, RegionId, Value};
use tile_analysis::suggest;
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Element;

/// Mismatches between a launch and the entry below it: parameters without an argument, arguments without a parameter, a
/// buffer for a number, a buffer whose element type differs from the pointer's.
pub fn misfits(entry: &Body, launch: &Launch) -> Vec<LaunchError> {
    let mut found = wrong_arguments(entry, launch);
    found.extend(missing_arguments(&missing(entry, launch), entry, launch));
    found
}

/// The extents of the buffer that a launch passes to a pointer parameter.
pub fn extents(entry: &Body, launch: &Launch, param: Value) -> Option<Vec<i64>> {
    let index = entry.region(RegionId(0)).args.iter().position(|arg| *arg == param)?;
    match &launch.arg(entry.params.get(index)?)?.spec {
        Spec::Buffer { shape, .. } => shape.iter().map(|&extent| i64::try_from(extent).ok()).collect(),
        Spec::Scalar(_) | Spec::Address(_) => None,
    }
}

/// Errors in the arguments that a launch has; missing arguments are not reported here.
pub fn wrong_arguments(entry: &Body, launch: &Launch) -> Vec<LaunchError> {
    let check = |arg: &Arg| match params(entry).find(|(name, _)| *name == arg.name) {
        Some((_, ty)) => misfit(arg, ty, launch),
        None if is_addressed(arg, launch) => None,
        None => Some(unknown(arg, entry, launch)),
    };
    let arguments = launch.args.iter().filter_map(check);
    let expectations = wrong_names(entry, launch).chain(unchangeable_sides(launch));
    arguments.chain(wrong_addresses(launch)).chain(expectations).collect()
}

/// Whether an argument is a buffer whose address another argument holds. Such a buffer need not be a parameter.
/// A misspelled address counts too, so that the mistake is reported once, at the address.
pub(super) fn is_addressed(arg: &Arg, launch: &Launch) -> bool {
    let names = |address: &Address| address.of == arg.name || address.closest(launch) == Some(&arg.name);
    let mut addresses = launch.args.iter().flat_map(|arg| arg.spec.addresses());
    matches!(arg.spec, Spec::Buffer { .. }) && addresses.any(names)
}

/// The buffers of a launch that are not parameters of the entry.
pub fn extra_buffers<'l>(entry: &'l Body, launch: &'l Launch) -> impl Iterator<Item = &'l Arg> {
    let is_param = |arg: &Arg| entry.params.iter().any(|name| **name == *arg.name);
    launch.args.iter().filter(move |arg| !is_param(arg) && is_addressed(arg, launch))
}

/// Errors in the addresses that buffers contain. Arguments that are addresses are checked with their parameters.
fn wrong_addresses(launch: &Launch) -> impl Iterator<Item = LaunchError> + '_ {
    let lists = launch.args.iter().filter(|arg| matches!(arg.spec, Spec::Buffer { .. }));
    lists.flat_map(|arg| arg.spec.addresses()).filter_map(|address| address.target(launch).err())
}

/// Errors for the names in expectations that are neither parameters nor buffers.
fn wrong_names<'l>(entry: &'l Body, launch: &'l Launch) -> impl Iterator<Item = LaunchError> + 'l {
    let named = launch.expects.iter().flat_map(|expect| expect.arguments());
    named.filter_map(|(name, range)| wrong_name(entry, launch, name, range))
}

fn wrong_name(entry: &Body, launch: &Launch, name: &str, range: Range<usize>) -> Option<LaunchError> {
    let is_param = params(entry).any(|(param, _)| param == name);
    match launch.arg(name) {
        Some(Arg { spec: Spec::Address(address), .. }) if is_param => {
            let error = LaunchError::new(range, format!("`%{name}` is the address `{address}`, not a buffer"));
            return Some(error.help(format!("name the buffer, `%{}`", address.of)));
        }
        Some(arg) if is_addressed(arg, launch) => return None,
        _ if is_param => return None,
        _ => {}
    }
    let error = LaunchError::new(range, format!("the entry `@{}` has no parameter `%{name}`", entry.name));
    Some(match suggest::closest(name, params(entry).map(|(param, _)| param)) {
        Some(close) => error.help(format!("did you mean `%{close}`?")),
        None => error,
    })
}

/// Errors for left sides of expectations that read no buffer. A left side with an unknown name is reported for that.
fn unchangeable_sides(launch: &Launch) -> impl Iterator<Item = LaunchError> + '_ {
    let reads_only_numbers = |side: &&Expr| {
        side.arguments().all(|(name, _)| matches!(launch.arg(name), Some(Arg { spec: Spec::Scalar(_), .. })))
    };
    let sides = launch.expects.iter().filter_map(Expect::sides).map(|(left, _)| left);
    sides.filter(reads_only_numbers).map(expect::reads_no_buffer)
}

/// The parameters without an argument, each with a suitable specification. A parameter whose name an argument misspells
/// is not included.
pub fn missing<'e>(entry: &'e Body, launch: &Launch) -> Vec<(&'e str, String)> {
    let is_param = |arg: &&Arg| entry.params.iter().any(|name| **name == *arg.name);
    let strays = launch.args.iter().filter(|arg| !is_param(arg) && !is_addressed(arg, launch));
    let misspelled: Vec<&str> = strays.filter_map(|arg| closest(arg, entry, launch)).collect();
    params(entry)
        .filter(|(name, _)| launch.arg(name).is_none() && !misspelled.contains(name))
        .map(|(name, ty)| (name, sample(ty)))
        .collect()
}

/// The parameters of an entry with their types, each with a suitable specification.
pub fn samples(entry: &Body) -> Vec<(&str, Type, String)> {
    params(entry).map(|(name, ty)| (name, ty, sample(ty))).collect()
}

fn params(entry: &Body) -> impl Iterator<Item = (&str, Type)> {
    let types = entry.regions[0].args.iter().map(|&value| entry.ty(value));
    entry.params.iter().map(|name| &**name).zip(types)
}

/// One error that lists all parameters without an argument.
fn missing_arguments(missing: &[(&str, String)], entry: &Body, launch: &Launch) -> Option<LaunchError> {
    if missing.is_empty() {
        return None;
    }
    let (parameters, lines) = if missing.len() == 1 { ("parameter", "a line") } else { ("parameters", "lines") };
    let names = listed(missing.iter().map(|(name, _)| format!("`%{name}`")));
    let samples = listed(missing.iter().map(|(name, sample)| format!("`//@   %{name} = {sample}`")));
    let head = launch.range.start..launch.range.start + "launch".len();
    let message = format!("this launch has no argument for the {parameters} {names} of `@{}`", entry.name);
    Some(LaunchError::new(head, message).help(format!("add {lines} such as {samples}")))
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}

/// The parameter whose name an argument misspells, preferably one without an argument.
fn closest<'e>(arg: &Arg, entry: &'e Body, launch: &Launch) -> Option<&'e str> {
    let names = || entry.params.iter().map(|name| &**name);
    let free = suggest::closest(&arg.name, names().filter(|name| launch.arg(name).is_none()));
    free.or_else(|| suggest::closest(&arg.name, names()))
}

/// Whether an entry can turn its number arguments into pointers.
fn may_take_addresses(entry: &Body) -> bool {
    let is_i64 = |ty: Type| match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Number(element)) => element == Element::I64,
        Some(Scalar::Pointer(pointer)) => pointer.to == Element::I64,
        None => false,
    };
    params(entry).any(|(_, ty)| is_i64(ty))
}

fn unknown(arg: &Arg, entry: &Body, launch: &Launch) -> LaunchError {
    let hint = match closest(arg, entry, launch) {
        Some(close) => format!("did you mean `%{close}`?"),
        None if entry.params.is_empty() => "it has no parameters".to_string(),
        None => {
            let names: Vec<String> = entry.params.iter().map(|name| format!("`%{name}`")).collect();
            let names = names.join(", ");
            match &arg.spec {
                Spec::Buffer { .. } if may_take_addresses(entry) => {
                    format!("its parameters are {names}, and no address such as `&%{}` refers to it", arg.name)
                }
                _ => format!("its parameters are {names}"),
            }
        }
    };
    let message = format!("the entry `@{}` has no parameter `%{}`", entry.name, arg.name);
    LaunchError::new(arg.range.clone(), message).help(hint)
}

fn misfit(arg: &Arg, ty: Type, launch: &Launch) -> Option<LaunchError> {
    let tile = ty.as_tile()?;
    let message = match (&arg.spec, tile.element) {
        (Spec::Address(address), element) => return misfit_address(arg, address, element, ty, launch),
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

/// The error in an address for a parameter, if any.
fn misfit_address(arg: &Arg, address: &Address, parameter: Scalar, ty: Type, launch: &Launch) -> Option<LaunchError> {
    let name = &arg.name;
    let target = match address.target(launch) {
        Ok(target) => target,
        Err(error) => return Some(error),
    };
    let fail = |message: String, help: String| Some(LaunchError::new(address.range.clone(), message).help(help));
    match parameter {
        Scalar::Number(Element::I64) => None,
        Scalar::Number(_) => {
            let help = format!("write `%{name} = {}`", sample(ty));
            fail(format!("`%{name}` is a `{ty}`, and an address is an `i64` or a pointer"), help)
        }
        Scalar::Pointer(pointer) if pointer.to != target.element => {
            let message =
                format!("`%{name}` points to `{}`, but `%{}` holds `{}`", pointer.to, address.of, target.element);
            fail(message, format!("address a buffer of `{}`", pointer.to))
        }
        Scalar::Pointer(pointer) if pointer.is_multicast() != address.multicast => {
            let suggestion = Address { index: Vec::new(), multicast: !address.multicast, ..address.clone() };
            let (is, names) = if address.multicast {
                ("not a multicast pointer", "all replicas")
            } else {
                ("a multicast pointer", "one replica")
            };
            let message = format!("`%{name}` is {is}, but `{address}` refers to {names} of `%{}`", address.of);
            fail(message, format!("write `%{name} = {suggestion}`"))
        }
        Scalar::Pointer(_) => None,
    }
}

/// Whether a parameter of this type is a multicast pointer, which refers to all replicas of its buffer.
pub fn takes_multicast(ty: Type) -> bool {
    let element = ty.as_tile().map(|tile| tile.element);
    matches!(element, Some(Scalar::Pointer(pointer)) if pointer.is_multicast())
}

/// A suitable specification for a parameter of this type.
fn sample(ty: Type) -> String {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Pointer(pointer)) => format!("{}[1024] zeros", pointer.to),
        Some(Scalar::Number(element)) if element.is_float() => "1.0".to_string(),
        _ => "1".to_string(),
    }
}
