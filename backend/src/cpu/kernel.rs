//! What an op does when it runs: a closure that its planner makes, with all types already resolved.

use super::lanes;
use super::memory::Memory;
use super::output::Printer;
use super::reuse::vector;
use super::tile::{Tile, Word};
use super::value::Value;

use crate::findings::Fault;
use tile_analysis::ir::OpId;

/// What an op does. It reads its operands, which it may take, and pushes its results.
pub(crate) type Kernel = Box<dyn Fn(&mut Context<'_>, &mut [Value], &mut Vec<Value>) -> Outcome<()> + Send + Sync>;

/// What came out, or what was found.
pub(crate) type Outcome<T> = Result<T, Box<Fault>>;

/// What a kernel works in beside its operands.
pub(crate) struct Context<'a> {
    /// The device's memory, and the scratch memory of the tile block.
    pub(crate) memory: Memory,
    /// Where the tile block prints.
    pub(crate) printer: Printer<'a>,
    /// The tile block.
    pub(crate) block: [u32; 3],
    /// The extents of the grid.
    pub(crate) grid: [u32; 3],
    /// The op that runs.
    pub(crate) op: OpId,
}

/// A kernel whose one result is a tile that depends on the operands alone.
pub(crate) fn pure(compute: impl Fn(&[Value]) -> Outcome<Tile> + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| {
        results.push(compute(inputs)?.into());
        Ok(())
    })
}

/// A kernel that hands on one of its operands, the one whose place `choose` gives.
pub(crate) fn hand_on(choose: impl Fn(&[Value]) -> usize + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| {
        let place = choose(inputs);
        results.push(std::mem::replace(&mut inputs[place], Value::Token));
        Ok(())
    })
}

/// A kernel that applies a function to each element of its operand.
pub(crate) fn map<A: Word, R: Word>(f: impl Fn(A) -> R + Send + Sync + 'static) -> Kernel {
    pure(move |inputs| Ok(lanes::map(inputs[0].tile(), &f)))
}

/// As [`map`], for a result of the operand's type: it takes the place of an operand that nobody reads later.
pub(crate) fn map_same<A: Word>(f: impl Fn(A) -> A + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| {
        let mut tile = inputs[0].own_or_copy();
        lanes::map_in_place(&mut tile, &f);
        results.push(tile.into());
        Ok(())
    })
}

/// As [`map_same`], for a function that computes much from an element.
pub(crate) fn map_same_widely<A: Word>(f: impl Fn(A) -> A + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| {
        let mut tile = inputs[0].own_or_copy();
        lanes::map_in_place_widely(&mut tile, &f);
        results.push(tile.into());
        Ok(())
    })
}

/// A kernel that applies a function to each pair of elements of its operands.
pub(crate) fn zip<A: Word, B: Word, R: Word>(f: impl Fn(A, B) -> R + Send + Sync + 'static) -> Kernel {
    pure(move |inputs| Ok(lanes::zip(inputs[0].tile(), inputs[1].tile(), &f)))
}

/// As [`zip`], for a result of the first operand's type: it takes the place of a first operand that nobody reads later,
/// or of a copy. A copy costs less than a second loop for every op would.
pub(crate) fn zip_same<A: Word, B: Word>(f: impl Fn(A, B) -> A + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| {
        let (mut tile, second) = first_and_second::<A>(inputs);
        lanes::zip_in_place(&mut tile, second, &f);
        results.push(tile.into());
        Ok(())
    })
}

/// The first operand or a copy of it, with as many elements as the second one has stored at least; and the second.
#[inline(never)]
fn first_and_second<A: Word>(inputs: &mut [Value]) -> (Tile, &Tile) {
    let (first, second) = inputs.split_at_mut(1);
    let second = second[0].tile();
    let tile = match first[0].tile() {
        tile if tile.stored() < second.stored() => {
            let mut all = vector(second.stored());
            all.fill(A::of(tile)[0]);
            A::tile(all)
        }
        _ => first[0].own_or_copy(),
    };
    (tile, second)
}

/// A kernel that applies a function to each triple of elements of its operands.
pub(crate) fn zip3<A: Word, B: Word, C: Word, R: Word>(f: impl Fn(A, B, C) -> R + Send + Sync + 'static) -> Kernel {
    pure(move |inputs| Ok(lanes::zip3(inputs[0].tile(), inputs[1].tile(), inputs[2].tile(), &f)))
}

/// A kernel whose one result is always the same tile.
pub(crate) fn constant(mut tile: Tile) -> Kernel {
    let shared = tile.share();
    pure(move |_| Ok(shared.clone()))
}
