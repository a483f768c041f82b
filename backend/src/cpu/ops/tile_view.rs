//! Loads and stores of tiles through views.

use super::order::Order;
use super::window::{Reach, Window};
use crate::cpu::access::clean;
use crate::cpu::kernel::{Kernel, Outcome};
use crate::cpu::memory::Memory;
use crate::cpu::reuse::vector;
use crate::cpu::site::{Site, Tiled};
use crate::cpu::tile::{Kind, Tile, Word, full, with_kind};
use crate::cpu::value::{Tensor, Value};

/// Adds to a fault what the view was.
fn with_view<T>(outcome: Outcome<T>, tensor: &Tensor) -> Outcome<T> {
    outcome.map_err(|fault| {
        fault.note(format!("the tensor view has the shape {:?} and the strides {:?}", tensor.shape, tensor.strides))
    })
}

/// `load_view_tko`.
pub(super) fn load(site: &Site<'_>) -> Outcome<Kernel> {
    let reach = Reach::of(site)?;
    let kind = Kind::of(reach.element);
    let (padding, order) = (reach.padding(), Order::of(site));
    Ok(Box::new(move |context, inputs, results| {
        let window = reach.window(inputs)?;
        let tile = with_kind!(kind, T => {
            let padding = T::of_bits(padding);
            with_view(load_window::<T>(&context.memory, &window, &reach.extents, padding), inputs[reach.place].view())?
        });
        order.after();
        results.push(clean(reach.element, tile).into());
        results.push(Value::Token);
        Ok(())
    }))
}

fn load_window<T: Word>(memory: &Memory, window: &Window, extents: &[usize], padding: T) -> Outcome<Tile> {
    let mut out = vector::<T>(extents.iter().product());
    if !window.is_full(extents) {
        out.fill(padding);
    }
    window.rows(extents, T::BYTES, &mut |place, address, step, count| {
        let into = &mut out[place..][..count];
        if step == T::BYTES as u64 {
            return memory.read_row(address, into);
        }
        for (index, into) in into.iter_mut().enumerate() {
            *into = memory.read(address.wrapping_add(index as u64 * step))?;
        }
        Ok(())
    })?;
    Ok(T::tile(out))
}

/// `store_view_tko`.
pub(super) fn store(site: &Site<'_>) -> Outcome<Kernel> {
    let reach = Reach::of(site)?;
    let (place, tile, order) = (site.place("tile"), site.operand("tile"), Order::of(site));
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

fn store_window<T: Word>(memory: &Memory, window: &Window, tile: &Tiled, value: &Tile) -> Outcome<()> {
    let elements = full(T::of(value), tile.count);
    window.rows(&tile.extents(), T::BYTES, &mut |place, address, step, count| {
        let from = &elements[place..][..count];
        if step == T::BYTES as u64 {
            return memory.write_row(address, from);
        }
        from.iter()
            .enumerate()
            .try_for_each(|(index, &value)| memory.write(address.wrapping_add(index as u64 * step), value))
    })
}
