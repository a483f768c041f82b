//! Arguments that are not parameters.

use super::kernels::params;
use crate::directive::{Arg, Launch};
use crate::error::LaunchError;
use crate::spec::Spec;
use tile_analysis::ir::Body;
use tile_analysis::suggest;
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Element;

/// The parameter whose name an argument misspells, preferably one without an argument.
pub(super) fn closest<'e>(arg: &Arg, entry: &'e Body, launch: &Launch) -> Option<&'e str> {
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

/// The error for an argument that is not a parameter of the entry.
pub(super) fn unknown(arg: &Arg, entry: &Body, launch: &Launch) -> LaunchError {
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
