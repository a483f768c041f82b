//! Whether an argument fits the type of a parameter.

use crate::address::Address;
use crate::directive::{Arg, Launch};
use crate::error::LaunchError;
use crate::spec::{Init, Spec, parse_spec};
use tile_analysis::types::{Scalar, Type};
use tile_dialect::Element;

/// The error in an argument for a parameter of this type, if any.
pub(super) fn misfit(arg: &Arg, ty: Type, launch: &Launch) -> Option<LaunchError> {
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
            let message = format!("`%{}` points to `{}`, but its buffer holds `{element}`", arg.name, pointer.to);
            let help = format!("write `%{} = {}`", arg.name, retyped(&arg.spec, pointer.to));
            return Some(LaunchError::new(arg.range.clone(), message).help(help));
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

/// The length in bytes up to which a suggested buffer shows its contents.
const MAX_SHOWN: usize = 80;

/// A buffer with another element type: with the same contents if that type can hold them, otherwise with zeros.
fn retyped(buffer: &Spec, to: Element) -> String {
    let mut same = buffer.clone();
    if let Spec::Buffer { element, .. } = &mut same {
        *element = to;
    }
    let written = same.to_string();
    let holds_same = parse_spec(&written).is_ok();
    if holds_same && written.len() <= MAX_SHOWN {
        return written;
    }
    if let Spec::Buffer { init, .. } = &mut same {
        *init = Init::Zeros;
    }
    let zeros = same.to_string();
    if holds_same { format!("{} …", zeros.trim_end_matches(" zeros")) } else { zeros }
}

/// A suitable specification for a parameter of this type.
pub(super) fn sample(ty: Type) -> String {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Pointer(pointer)) => format!("{}[1024] zeros", pointer.to),
        Some(Scalar::Number(element)) if element.is_float() => "1.0".to_string(),
        _ => "1".to_string(),
    }
}
