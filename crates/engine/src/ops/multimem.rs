//! Multicast memory: each op acts on every replica of a multicast object.
//!
//! The address of an element in the object stands for the same element of each replica, so an op runs once for each of
//! them, in ascending order, at an address shifted by the distance of that replica.

use crate::findings::multicast_address;
use crate::memory::Memory;
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult};
use crate::ops::order::Order;
use crate::ops::window::{Reach, Row, Window};
use crate::ops::{Chapter, atomic, tile_view};
use crate::values::pool::PoolElement;
use crate::values::tile::{Scalar, ScalarKind, Tile, with_kind};
use crate::values::value::Value;
use tile_analysis::number::{decode, encode};
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName, multimem_reduction, rmw_mode};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::MultimemLoadReduceViewTko, load_reduce),
        (M::MultimemReduceViewTko, reduce),
        (M::MultimemStoreViewTko, store),
    ],
    elementwise: false,
};

/// Whether an op accesses multicast memory.
pub(crate) fn is_multimem(op: M) -> bool {
    CHAPTER.ops.iter().any(|(own, _)| *own == op)
}

/// Calls `visit` for the window in each replica, which is the view's window, shifted.
fn in_replicas<T: Scalar>(
    memory: &Memory,
    mut window: Window,
    reach: &Reach,
    mut visit: impl FnMut(&Window) -> OpResult<()>,
) -> OpResult<()> {
    let Some(first) = window.first(T::BYTES) else { return visit(&window) };
    let Some(distances) = memory.replicas(first) else {
        // An address without any memory is the finding.
        memory.nearby_of(reach.element).read::<T>(first)?;
        return Err(multicast_address::not_multicast(&memory.element_at(first.saturating_mul(2))));
    };
    let mut shifted = 0;
    for distance in distances {
        window.shift(distance.wrapping_sub(shifted));
        shifted = distance;
        visit(&window)?;
    }
    Ok(())
}

/// `multimem_load_reduce_view_tko`.
fn load_reduce(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let reach = Reach::of(cx)?;
    let kind = ScalarKind::of(reach.element);
    let (padding, order) = (reach.padding(), Order::of(cx));
    let combine = Combine::of(reach.element, cx.choice(AttrName::Reduction));
    Ok(Box::new(move |context, inputs, results| {
        let window = reach.window(inputs)?;
        let tile = with_kind!(kind, T => {
            let (memory, padding) = (&context.memory, T::of_bits(padding));
            let mut replicas = Vec::new();
            let loaded = in_replicas::<T>(memory, reach.window(inputs)?, &reach, |window| {
                replicas.push(tile_view::load_window::<T>(memory, window, &reach, padding)?);
                Ok(())
            });
            tile_view::with_view(loaded, inputs[reach.place].view())?;
            let count = replicas.len() as u64;
            replicas.rotate_left((context.first_replica % count) as usize);
            combined::<T>(&window, &reach, &replicas, &combine)?
        });
        order.after();
        results.push(tile.into());
        results.push(Value::Token);
        Ok(())
    }))
}

/// Combines the elements inside the tensor; those outside are the same in every tile.
fn combined<T: Scalar>(window: &Window, reach: &Reach, replicas: &[Tile], combine: &Combine) -> OpResult<Tile> {
    let [first, rest @ ..] = replicas else { return Ok(T::tile(Vec::new())) };
    let mut out = T::of(first).to_vec();
    if rest.is_empty() {
        return Ok(T::tile(out));
    }
    let replicas: Vec<&[T]> = replicas.iter().map(|tile| T::of(tile)).collect();
    window.rows(&reach.extents, T::BYTES, &mut |Row { place, skip, count, .. }| {
        for index in (place..).step_by(skip).take(count) {
            out[index] = T::of_bits(combine.all(replicas.iter().map(|replica| replica[index].bits())));
        }
        Ok(())
    })?;
    Ok(T::tile(out))
}

/// How the elements of all replicas are combined.
enum Combine {
    /// A sum that is rounded once, for 16-bit elements.
    WideSum(Element),
    /// One replica after another.
    Fold(Box<dyn Fn(u64, u64) -> u64 + Send + Sync>),
}

impl Combine {
    fn of(element: Element, reduction: u8) -> Combine {
        let extreme = |takes_first: fn(f64, f64) -> bool| {
            Combine::Fold(Box::new(move |a, b| extreme(element, a, b, takes_first)))
        };
        match reduction {
            multimem_reduction::ADD if element.is_float() && element.bits() == 16 => Combine::WideSum(element),
            multimem_reduction::MIN if element.is_float() => extreme(|a, b| a < b || a == b && a.is_sign_negative()),
            multimem_reduction::MAX if element.is_float() => extreme(|a, b| a > b || a == b && a.is_sign_positive()),
            _ => Combine::Fold(atomic::combine(element, mode(element, reduction))),
        }
    }

    fn all(&self, mut bits: impl Iterator<Item = u64>) -> u64 {
        match self {
            // f64 represents the sum of a thousand 16-bit numbers exactly, unless their magnitudes differ greatly.
            Combine::WideSum(element) => encode(*element, bits.map(|bits| decode(*element, bits)).sum()),
            Combine::Fold(fold) => {
                let first = bits.next().unwrap_or(0);
                bits.fold(first, fold)
            }
        }
    }
}

/// Selects the first of two floats if `takes_first`, otherwise the second. A number is preferred to NaN.
fn extreme(element: Element, a: u64, b: u64, takes_first: fn(f64, f64) -> bool) -> u64 {
    let [first, second] = [a, b].map(|bits| decode(element, bits));
    if second.is_nan() || !first.is_nan() && takes_first(first, second) { a } else { b }
}

/// `multimem_reduce_view_tko`.
fn reduce(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let reach = Reach::of(cx)?;
    let (place, value) = (cx.place(OperandName::Tile), cx.operand(OperandName::Tile));
    let combine = atomic::combine(value.element, mode(value.element, cx.choice(AttrName::Reduction)));
    Ok(Box::new(move |context, inputs, results| {
        let memory = &context.memory;
        with_kind!(value.kind, T => {
            let reduced = in_replicas::<T>(memory, reach.window(inputs)?, &reach, |window| {
                atomic::reduce_window::<T>(memory, window, &value, inputs[place].tile(), &combine)
            });
            tile_view::with_view(reduced, inputs[reach.place].view())?;
        });
        results.push(Value::Token);
        Ok(())
    }))
}

/// `multimem_store_view_tko`.
fn store(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let reach = Reach::of(cx)?;
    let (place, tile, order) = (cx.place(OperandName::Tile), cx.operand(OperandName::Tile), Order::of(cx));
    Ok(Box::new(move |context, inputs, results| {
        let memory = &context.memory;
        order.before();
        with_kind!(tile.kind, T => {
            let stored = in_replicas::<T>(memory, reach.window(inputs)?, &reach, |window| {
                tile_view::store_window::<T>(memory, window, &tile, inputs[place].tile())
            });
            tile_view::with_view(stored, inputs[reach.place].view())?;
        });
        results.push(Value::Token);
        Ok(())
    }))
}

/// The mode of the atomic op that corresponds to a reduction of multicast memory.
fn mode(element: Element, reduction: u8) -> u8 {
    match reduction {
        multimem_reduction::ADD if element.is_float() => rmw_mode::ADDF,
        multimem_reduction::ADD => rmw_mode::ADD,
        multimem_reduction::MIN => rmw_mode::MIN,
        multimem_reduction::MAX => rmw_mode::MAX,
        multimem_reduction::AND => rmw_mode::AND,
        multimem_reduction::OR => rmw_mode::OR,
        multimem_reduction::XOR => rmw_mode::XOR,
        multimem_reduction::UMIN => rmw_mode::UMIN,
        _ => rmw_mode::UMAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_dialect::{MULTIMEM_REDUCTION, RMW_MODE};

    #[test]
    fn every_reduction_is_an_atomic_mode() {
        for reduction in 0..MULTIMEM_REDUCTION.values.len() as u8 {
            let name = MULTIMEM_REDUCTION.keyword(reduction);
            assert_eq!(RMW_MODE.keyword(mode(Element::I32, reduction)), name);
        }
        assert_eq!(RMW_MODE.keyword(mode(Element::F32, 0)), "addf");
    }

    /// The combined elements of the replicas, as numbers.
    fn combined(element: Element, reduction: &str, replicas: &[f64]) -> f64 {
        let reduction = MULTIMEM_REDUCTION.value(reduction).expect("it exists");
        let bits = replicas.iter().map(|&number| encode(element, number));
        decode(element, Combine::of(element, reduction).all(bits))
    }

    #[test]
    fn sums_of_sixteen_bits_are_rounded_once() {
        // In f16, 2048 + 1 is 2048, so adding one after another gives 2048.
        assert_eq!(combined(Element::F16, "add", &[2048.0, 1.0, 1.0]), 2050.0);
        assert_eq!(combined(Element::BF16, "add", &[256.0, 1.0, 1.0]), 258.0);
        // In f32, each sum is rounded.
        assert_eq!(combined(Element::F32, "add", &[16777216.0, 1.0, 1.0]), 16777216.0);
        assert_eq!(combined(Element::F16, "add", &[65504.0, 65504.0, -65504.0]), 65504.0);
    }

    #[test]
    fn float_extrema_prefer_numbers_to_nan() {
        assert_eq!(combined(Element::F16, "min", &[3.0, -2.0, 5.0]), -2.0);
        assert_eq!(combined(Element::BF16, "max", &[3.0, -2.0, 5.0]), 5.0);
        assert_eq!(combined(Element::F16, "max", &[f64::NAN, 1.0, f64::NAN]), 1.0);
        assert!(combined(Element::F16, "min", &[f64::NAN, f64::NAN]).is_nan());
        assert!(combined(Element::F16, "min", &[0.0, -0.0]).is_sign_negative());
        assert!(combined(Element::F16, "max", &[-0.0, 0.0]).is_sign_positive());
    }

    #[test]
    fn integers_wrap_and_are_signed_or_not() {
        assert_eq!(Combine::of(Element::I32, 0).all([u64::from(u32::MAX), 2].into_iter()) & 0xFFFF_FFFF, 1);
        let all = |name: &str| {
            let reduction = MULTIMEM_REDUCTION.value(name).expect("it exists");
            Combine::of(Element::I32, reduction).all([5, 0xFFFF_FFFE, 3].into_iter())
        };
        assert_eq!((all("min"), all("max")), (0xFFFF_FFFE, 5));
        assert_eq!((all("umin"), all("umax")), (3, 0xFFFF_FFFE));
        assert_eq!((all("and"), all("or"), all("xor")), (0, 0xFFFF_FFFF, 0xFFFF_FFF8));
    }
}
