//! Whether a launch fits the parameters of its entry.

use super::{Arg, Launch, LaunchError, Spec};
use tile_analysis::ir::Body;
use tile_analysis::suggest;
use tile_analysis::types::{Scalar, Type};

/// What does not fit between a launch and the entry below it: parameters without an argument, arguments without a
/// parameter, a buffer for a number, an element type that the pointer does not point to.
pub fn misfits(entry: &Body, launch: &Launch) -> Vec<LaunchError> {
    let params: Vec<(&str, Type)> = entry
        .params
        .iter()
        .map(|name| &**name)
        .zip(entry.regions[0].args.iter().map(|&value| entry.ty(value)))
        .collect();
    let mut found = Vec::new();
    for arg in &launch.args {
        match params.iter().find(|(name, _)| *name == arg.name) {
            Some((_, ty)) => found.extend(misfit(arg, *ty)),
            None => found.push(unknown(arg, entry, &params)),
        }
    }
    for (name, ty) in params {
        if launch.arg(name).is_none() {
            let head = launch.range.start..launch.range.start + "launch".len();
            let message = format!("this launch gives the parameter `%{name}` of `@{}` nothing", entry.name);
            found.push(
                LaunchError::new(head, message).help(format!("add a line such as `//@   %{name} = {}`", sample(ty))),
            );
        }
    }
    found
}

fn unknown(arg: &Arg, entry: &Body, params: &[(&str, Type)]) -> LaunchError {
    let names: Vec<&str> = params.iter().map(|(name, _)| *name).collect();
    let hint = match suggest::closest(&arg.name, names.iter().copied()) {
        Some(close) => format!("did you mean `%{close}`?"),
        None if names.is_empty() => "it has no parameters".to_string(),
        None => format!(
            "its parameters are {}",
            names.iter().map(|name| format!("`%{name}`")).collect::<Vec<_>>().join(", ")
        ),
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
            Err(why) => why,
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
