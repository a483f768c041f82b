//! Clears the sign of NaN before it is printed.
//!
//! The driver's `printf` prints `-nan` if the sign bit is set. The sign of a NaN has no meaning and differs between
//! processors, so the CPU engine always prints `nan`. The rewritten program is:
//!
//! ```text
//! %wide = ftof %x                            (for types that `cmpf` does not accept)
//! %is_nan = cmpf not_equal unordered %wide, %wide
//! %printed = select %is_nan, nan, %wide
//! ```

use super::copy::{Copy, constant};
use tile_analysis::ir::{Attr, Dense, RegionId, Value};
use tile_analysis::types::{Scalar, Type};
use tile_dialect::{Element, Mnemonic as M, ORDERING, PREDICATE, rounding};

/// Returns the value to print instead of `value`, without the signs of NaN elements.
pub(super) fn without_sign(copy: &mut Copy<'_>, region: RegionId, value: Value, ty: Type) -> Value {
    let Some(tile) = ty.as_tile() else { return value };
    let Scalar::Number(element) = tile.element else { return value };
    let Some((wide, nan)) = positive_nan(element) else { return value };
    let of = |element| Type::tile(&tile.shape, element);
    let ty = of(wide);
    let value = if wide == element {
        value
    } else {
        let [value] = copy.add(region, M::Ftof, &[&[value]], [Attr::Enum(rounding::NEAREST_EVEN)], [ty]);
        value
    };
    let nan = Attr::Dense(Box::new(Dense::new(wide, vec![nan])));
    let [nan] = copy.add(region, M::Constant, &[], [nan], [ty]);
    let differs = [constant(&PREDICATE, "not_equal"), constant(&ORDERING, "unordered")];
    let [is_nan] = copy.add(region, M::Cmpf, &[&[value], &[value]], differs, [of(Element::I1)]);
    let [printed] = copy.add(region, M::Select, &[&[is_nan], &[nan], &[value]], [], [ty]);
    printed
}

/// The type that floats of a type are printed as, and the bits of a positive NaN of that type. `None` for integers, and
/// for floats without NaN or without a sign.
fn positive_nan(element: Element) -> Option<(Element, u64)> {
    match element {
        Element::F16 => Some((element, 0x7E00)),
        Element::BF16 => Some((element, 0x7FC0)),
        Element::F64 => Some((element, 0x7FF8 << 48)),
        Element::F32 | Element::TF32 | Element::F8E4M3FN | Element::F8E5M2 => Some((Element::F32, 0x7FC0_0000)),
        _ => None,
    }
}
