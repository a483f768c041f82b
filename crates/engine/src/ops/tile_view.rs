//! Loads and stores of tiles through views.

use crate::memory::Memory;
use crate::memory::access::Nearby;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::kernel::{Kernel, OpResult};
use crate::ops::order::Order;
use crate::ops::window::{Reach, Row, Window};
use crate::values::pool::{PoolElement, vector};
use crate::values::tile::{Scalar, ScalarKind, Tile, full, with_kind};
use crate::values::value::{Tensor, Value};
use tile_dialect::OperandName;

/// Adds a description of the view to a finding.
pub(crate) fn with_view<T>(outcome: OpResult<T>, tensor: &Tensor) -> OpResult<T> {
    outcome.map_err(|fault| {
        fault.note(format!("the tensor view has the shape {:?} and the strides {:?}", tensor.shape, tensor.strides))
    })
}

/// `load_view_tko`.
pub(crate) fn load(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let reach = Reach::of(cx)?;
    let kind = ScalarKind::of(reach.element);
    let (padding, order) = (reach.padding(), Order::of(cx));
    Ok(Box::new(move |context, inputs, results| {
        let window = reach.window(inputs)?;
        let tile = with_kind!(kind, T => {
            let padding = T::of_bits(padding);
            with_view(load_window::<T>(&context.memory, &window, &reach, padding), inputs[reach.place].view())?
        });
        order.after();
        results.push(tile.into());
        results.push(Value::Token);
        Ok(())
    }))
}

/// Loads the elements of a window; those outside the tensor are `padding`.
pub(crate) fn load_window<T: Scalar>(memory: &Memory, window: &Window, reach: &Reach, padding: T) -> OpResult<Tile> {
    let extents = &reach.extents;
    let mut out = vector::<T>(extents.iter().product());
    if !window.is_full(extents) {
        out.fill(padding);
    }
    let mut buffer = Vec::new();
    let mut load = |memory: &mut Nearby<'_>, row| load_row(memory, row, &mut out, &mut buffer);
    in_order(memory.nearby_of(reach.element), window, extents, T::BYTES, &mut load)?;
    Ok(T::tile(out))
}

/// Visits the rows of a window: along the dimension in which memory is contiguous, which is fast, and after a fault in
/// the order of the tile, so that the finding is about its first element.
fn in_order(
    mut nearby: Nearby<'_>,
    window: &Window,
    extents: &[usize],
    size: usize,
    visit: &mut impl FnMut(&mut Nearby<'_>, Row) -> OpResult<()>,
) -> OpResult<()> {
    let mut rows = Vec::new();
    let mut some = |row| {
        rows.push(row);
        if rows.len() == TOGETHER { rows.drain(..).try_for_each(|row| visit(&mut nearby, row)) } else { Ok(()) }
    };
    let visited = window.rows_along(window.fastest(), extents, size, &mut some);
    match visited.and_then(|()| rows.into_iter().try_for_each(|row| visit(&mut nearby, row))) {
        Ok(()) => Ok(()),
        Err(_) => window.rows(extents, size, &mut |row| visit(&mut nearby, row)),
    }
}

/// The number of rows that are computed before they are visited, so that the processor can start on the next row while
/// it waits for the memory of the previous one.
const TOGETHER: usize = 128;

/// Loads a row, which can be strided in the tile, in memory, or in both.
fn load_row<T: Scalar>(memory: &mut Nearby<'_>, row: Row, out: &mut [T], buffer: &mut Vec<T>) -> OpResult<()> {
    let Row { place, skip, address, step, count } = row;
    if step == T::BYTES as u64 && skip == 1 {
        return memory.read_row(address, &mut out[place..][..count]);
    }
    let places = out[place..].iter_mut().step_by(skip).take(count);
    if step == T::BYTES as u64 {
        buffer.resize(count, T::default());
        memory.read_row(address, buffer)?;
        places.zip(buffer).for_each(|(out, element)| *out = *element);
        return Ok(());
    }
    for (index, out) in places.enumerate() {
        *out = memory.read(address.wrapping_add(index as u64 * step))?;
    }
    Ok(())
}

/// `store_view_tko`.
pub(crate) fn store(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let reach = Reach::of(cx)?;
    let (place, tile, order) = (cx.place(OperandName::Tile), cx.operand(OperandName::Tile), Order::of(cx));
    Ok(Box::new(move |context, inputs, results| {
        let window = reach.window(inputs)?;
        order.before();
        with_kind!(tile.kind, T => {
            let stored = store_window::<T>(&context.memory, &window, &tile, inputs[place].tile());
            with_view(stored, inputs[reach.place].view())?;
        });
        results.push(Value::Token);
        Ok(())
    }))
}

/// Stores the elements of a tile that are inside the tensor.
pub(crate) fn store_window<T: Scalar>(memory: &Memory, window: &Window, tile: &Tiled, value: &Tile) -> OpResult<()> {
    let elements = full(T::of(value), tile.count);
    let mut buffer = Vec::new();
    let mut store = |memory: &mut Nearby<'_>, row| store_row(memory, row, &elements, &mut buffer);
    in_order(memory.nearby_of(tile.element), window, &tile.extents(), T::BYTES, &mut store)
}

/// Stores a row, which can be strided in the tile, in memory, or in both.
fn store_row<T: Scalar>(memory: &mut Nearby<'_>, row: Row, elements: &[T], buffer: &mut Vec<T>) -> OpResult<()> {
    let Row { place, skip, address, step, count } = row;
    if step == T::BYTES as u64 && skip == 1 {
        return memory.write_row(address, &elements[place..][..count]);
    }
    let mut places = elements[place..].iter().step_by(skip).take(count);
    if step == T::BYTES as u64 {
        buffer.clear();
        buffer.extend(places);
        return memory.write_row(address, buffer);
    }
    places.try_fold(address, |address, &value| memory.write(address, value).map(|()| address.wrapping_add(step)))?;
    Ok(())
}
