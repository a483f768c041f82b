//! Loads and stores through affine pointers. If all of them point into one allocation, it is looked up once, and
//! neighbors are moved together.

use crate::memory::Memory;
use crate::memory::access::{Stretch, Use};
use crate::ops::context::OpContext;
use crate::ops::order::Order;
use crate::optimize::affine::affine_tile::AffineTile;
use crate::optimize::affine::fast_path::{FastPath, pointers};
use crate::values::pool::{recycle, vector};
use crate::values::tile::{Scalar, full, with_kind};
use crate::values::value::Value;
use std::slice;
use tile_dialect::{Element, OperandName};

/// Loads without searching for adjacent elements.
pub(crate) fn load(cx: &OpContext<'_>) -> FastPath {
    let (mask, result, order) = (cx.optional(OperandName::Mask), cx.result(0), Order::of(cx));
    Box::new(move |context, inputs, results| {
        let pointers = pointers(&inputs[0], mask.map(|place| &inputs[place]))?;
        let tile = with_kind!(result.kind, T => {
            let memory = stretch::<T>(pointers, &context.memory, result.element, Use::Read)?;
            let mut out = vector::<T>(result.count);
            read(pointers, &memory, &mut out);
            T::tile(out)
        });
        order.after();
        results.push(tile.into());
        results.push(Value::Token);
        Some(Ok(()))
    })
}

/// Stores without searching for adjacent elements.
pub(crate) fn store(cx: &OpContext<'_>) -> FastPath {
    let (mask, value, order) = (cx.optional(OperandName::Mask), cx.operand(OperandName::Value), Order::of(cx));
    Box::new(move |context, inputs, results| {
        // The value can be affine too.
        inputs[1].expand();
        let pointers = pointers(&inputs[0], mask.map(|place| &inputs[place]))?;
        with_kind!(value.kind, T => {
            let memory = stretch::<T>(pointers, &context.memory, value.element, Use::Write)?;
            order.before();
            write(pointers, &memory, &full(T::of(inputs[1].tile()), value.count));
        });
        results.push(Value::Token);
        Some(Ok(()))
    })
}

/// The memory that all pointers point into, if that is a single allocation that permits the use, and they are aligned.
fn stretch<'a, T: Scalar>(
    pointers: AffineTile,
    memory: &'a Memory,
    element: Element,
    access: Use,
) -> Option<Stretch<'a>> {
    let aligned = |step: u64| step.is_multiple_of(T::BYTES as u64);
    if !aligned(pointers.places.step) || !aligned(pointers.rows.step) {
        return None;
    }
    let (least, greatest) = pointers.ends::<u64>(false)?;
    memory.nearby_of(element).between::<T>(least as u64, greatest as u64, access)
}

/// The order in which elements are moved.
enum Way {
    /// By rows of adjacent elements.
    Rows,
    /// By columns of adjacent elements.
    Columns,
    /// One by one.
    Single,
}

impl Way {
    fn of<T: Scalar>(pointers: AffineTile) -> Way {
        let AffineTile { places, rows, .. } = pointers;
        let (size, column) = (T::BYTES as u64, T::BYTES as u64 * rows.count);
        match () {
            () if places.step == size => Way::Rows,
            // If several elements are stored to one address, the last one counts.
            () if rows.step == size && (places.step as i64).unsigned_abs() >= column => Way::Columns,
            () => Way::Single,
        }
    }
}

fn read<T: Scalar>(pointers: AffineTile, memory: &Stretch<'_>, out: &mut [T]) {
    let AffineTile { first, places, rows, .. } = pointers;
    let (starts, row) = (evenly(first, rows.step), places.count as usize);
    match Way::of::<T>(pointers) {
        Way::Rows => {
            out.chunks_exact_mut(row).zip(starts).for_each(|(out, start)| memory.read_row(start, out));
        }
        Way::Columns => {
            let mut column = vector::<T>(rows.count as usize);
            for (index, start) in evenly(first, places.step).take(row).enumerate() {
                memory.read_row(start, &mut column);
                let places = out[index..].iter_mut().step_by(row);
                places.zip(&column).for_each(|(out, element)| *out = *element);
            }
            recycle(column);
        }
        Way::Single => {
            let each = starts.flat_map(|start| evenly(start, places.step).take(row));
            out.iter_mut().zip(each).for_each(|(out, pointer)| memory.read_row(pointer, slice::from_mut(out)));
        }
    }
}

fn write<T: Scalar>(pointers: AffineTile, memory: &Stretch<'_>, elements: &[T]) {
    let AffineTile { first, places, rows, .. } = pointers;
    let (starts, row) = (evenly(first, rows.step), places.count as usize);
    match Way::of::<T>(pointers) {
        Way::Rows => {
            elements.chunks_exact(row).zip(starts).for_each(|(elements, start)| memory.write_row(start, elements));
        }
        Way::Columns => {
            let mut column = vector::<T>(rows.count as usize);
            for (index, start) in evenly(first, places.step).take(row).enumerate() {
                let places = elements[index..].iter().step_by(row);
                column.iter_mut().zip(places).for_each(|(out, element)| *out = *element);
                memory.write_row(start, &column);
            }
            recycle(column);
        }
        Way::Single => {
            let each = starts.flat_map(|start| evenly(start, places.step).take(row));
            elements
                .iter()
                .zip(each)
                .for_each(|(element, pointer)| memory.write_row(pointer, slice::from_ref(element)));
        }
    }
}

/// An arithmetic progression with difference `step`.
fn evenly(first: u64, step: u64) -> impl Iterator<Item = u64> {
    (0..).map(move |index: u64| first.wrapping_add(step.wrapping_mul(index)))
}
