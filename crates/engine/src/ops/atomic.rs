//! Atomic ops. Every access acquires and releases, even if the program requests less; elements are processed in
//! row-major order.

use crate::memory::Memory;
use crate::ops::chapter::Chapter;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::float::flush;
use crate::ops::kernel::{Kernel, OpResult};
use crate::ops::window::{Reach, Row, Window, unspecified};
use crate::simd::narrow::computed;
use crate::values::pool::PoolElement;
use crate::values::tile::{Scalar, Tile, at, with_kind};
use crate::values::value::Value;
use tile_analysis::number::{Rounding, decode, decode_int};
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName, rmw_mode};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::AtomicCasTko, compare_and_swap),
        (M::AtomicRedViewTko, reduce_view),
        (M::AtomicRmwTko, read_modify_write),
    ],
    elementwise: false,
};

/// The function from the old bits and the operand's bits to the new ones.
pub(crate) type Combine = Box<dyn Fn(u64, u64) -> u64 + Send + Sync>;

/// The combining function of a mode, a value of [`RMW_MODE`].
pub(crate) fn combine(element: Element, mode: u8) -> Combine {
    let signed = move |bits| decode_int(element, bits);
    match mode {
        rmw_mode::AND => Box::new(|old, new| old & new),
        rmw_mode::OR => Box::new(|old, new| old | new),
        rmw_mode::XOR => Box::new(|old, new| old ^ new),
        rmw_mode::ADD => Box::new(u64::wrapping_add),
        rmw_mode::ADDF if element == Element::F64 => {
            Box::new(|old, new| (f64::from_bits(old) + f64::from_bits(new)).to_bits())
        }
        // GPUs flush subnormal f32 when they add to memory, which the language permits.
        rmw_mode::ADDF if element == Element::F32 => {
            let read = |bits: u64| flush(f32::from_bits(bits as u32));
            Box::new(move |old, new| flush(read(old) + read(new)).to_bits().into())
        }
        // f64 has more than twice the precision of the others, so rounding its sum again equals rounding once.
        rmw_mode::ADDF => {
            let sum = move |old, new| decode(element, old) + decode(element, new);
            Box::new(move |old, new| computed(element, sum(old, new), Rounding::NearestEven))
        }
        rmw_mode::MAX => Box::new(move |old, new| if signed(old) >= signed(new) { old } else { new }),
        rmw_mode::MIN => Box::new(move |old, new| if signed(old) <= signed(new) { old } else { new }),
        rmw_mode::UMAX => Box::new(u64::max),
        rmw_mode::UMIN => Box::new(u64::min),
        _ => Box::new(|_, new| new),
    }
}

/// Replaces elements in memory, and returns the old ones.
fn update<T: Scalar>(memory: &Memory, address: u64, f: impl Fn(u64) -> u64) -> OpResult<T> {
    memory.update(address, |old: T| Some(T::of_bits(f(old.bits()))))
}

fn read_modify_write(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let result = cx.result(0);
    let mask = cx.optional(OperandName::Mask);
    let combine = combine(result.element, cx.choice(AttrName::Mode));
    Ok(Box::new(move |context, inputs, results| {
        let (addresses, argument) = (u64::of(inputs[0].tile()), inputs[1].tile());
        let mask = mask.map_or(&[true][..], |place| bool::of(inputs[place].tile()));
        let tile = with_kind!(result.kind, T => {
            let argument = T::of(argument);
            let mut out = vec![T::of_bits(unspecified(result.element)); result.count];
            for (index, out) in out.iter_mut().enumerate().filter(|(index, _)| at(mask, *index)) {
                let new = at(argument, index).bits();
                *out = update(&context.memory, at(addresses, index), |old| combine(old, new))?;
            }
            T::tile(out)
        });
        results.push(tile.into());
        results.push(Value::Token);
        Ok(())
    }))
}

/// Compares bits, so a NaN can equal another one and -0 does not equal +0.
fn compare_and_swap(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let result = cx.result(0);
    let mask = cx.optional(OperandName::Mask);
    Ok(Box::new(move |context, inputs, results| {
        let [addresses, compare, value] = [0, 1, 2].map(|place| inputs[place].tile());
        let addresses = u64::of(addresses);
        let mask = mask.map_or(&[true][..], |place| bool::of(inputs[place].tile()));
        let tile: Tile = with_kind!(result.kind, T => {
            let (compare, value) = (T::of(compare), T::of(value));
            let mut out = Vec::with_capacity(result.count);
            for index in 0..result.count {
                let expected = at(compare, index);
                out.push(if at(mask, index) {
                    let swap = |old: T| (old.bits() == expected.bits()).then(|| at(value, index));
                    context.memory.update(at(addresses, index), swap)?
                } else {
                    expected
                });
            }
            T::tile(out)
        });
        results.push(tile.into());
        results.push(Value::Token);
        Ok(())
    }))
}

fn reduce_view(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let reach = Reach::of(cx)?;
    let (place, value) = (cx.place(OperandName::Value), cx.operand(OperandName::Value));
    let combine = combine(value.element, cx.choice(AttrName::Mode));
    Ok(Box::new(move |context, inputs, results| {
        let window = reach.window(inputs)?;
        with_kind!(value.kind, T => {
            reduce_window::<T>(&context.memory, &window, &value, inputs[place].tile(), &combine)?;
        });
        results.push(Value::Token);
        Ok(())
    }))
}

/// Combines the elements of a tile with the memory of a window, each atomically.
pub(crate) fn reduce_window<T: Scalar>(
    memory: &Memory,
    window: &Window,
    tile: &Tiled,
    value: &Tile,
    combine: &Combine,
) -> OpResult<()> {
    let elements = T::of(value);
    window.rows(&tile.extents(), T::BYTES, &mut |Row { place, address, step, count, .. }| {
        (0..count).try_for_each(|index| {
            let new = at(elements, place + index).bits();
            let address = address.wrapping_add(index as u64 * step);
            update::<T>(memory, address, |old| combine(old, new)).map(|_| ())
        })
    })
}
