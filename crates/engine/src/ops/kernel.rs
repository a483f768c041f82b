//! Kernels: closures created by planners that execute an op, with all types already resolved.

use crate::exec::output::Printer;
use crate::memory::Memory;
use crate::simd;
use crate::simd::{BinaryFn, BinaryInPlace, TernaryFn, UnaryFn, UnaryInPlace, WidestSimd};
use crate::values::pool::vector;
use crate::values::tile::{Scalar, Tile};
use crate::values::value::Value;

pub(crate) use crate::findings::OpResult;
use tile_analysis::ir::OpId;

/// Executes an op. Reads its operands, which it may take, and pushes its results.
pub(crate) type Kernel = Box<dyn Fn(&mut Context<'_>, &mut [Value], &mut Vec<Value>) -> OpResult<()> + Send + Sync>;

/// The environment of a kernel.
pub(crate) struct Context<'a> {
    /// The device's memory, and the scratch memory of the tile block.
    pub(crate) memory: Memory,
    /// The output of the tile block.
    pub(crate) printer: Printer<'a>,
    /// The tile block.
    pub(crate) block: [u32; 3],
    /// The extents of the grid.
    pub(crate) grid: [u32; 3],
    /// The running op.
    pub(crate) op: OpId,
    /// The replica of multicast memory that reductions begin with (modulo their number): the language does not specify
    /// the order.
    pub(crate) first_replica: u64,
}

/// A kernel with one result, a tile that depends only on the operands.
pub(crate) fn pure(compute: impl Fn(&[Value]) -> OpResult<Tile> + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| {
        results.push(compute(inputs)?.into());
        Ok(())
    })
}

/// A kernel that passes on one of its operands, at the index that `choose` returns.
pub(crate) fn hand_on(choose: impl Fn(&[Value]) -> usize + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| {
        let place = choose(inputs);
        results.push(std::mem::replace(&mut inputs[place], Value::Token));
        Ok(())
    })
}

/// A kernel that applies a function to each element of its operand.
pub(crate) fn map<A: Scalar, R: Scalar>(f: impl Fn(A) -> R + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| map_each::<A, R>(inputs, results, &f))
}

/// The part of [`map`] that does not depend on the function.
#[inline(never)]
fn map_each<A: Scalar, R: Scalar>(inputs: &[Value], results: &mut Vec<Value>, f: &dyn UnaryFn<A, R>) -> OpResult<()> {
    results.push(simd::map_of(inputs[0].tile(), f).into());
    Ok(())
}

/// Like [`map`], for a result of the operand's type: it overwrites an operand that is not read later.
pub(crate) fn map_same<A: Scalar>(f: impl Fn(A) -> A + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| change_each(inputs, results, &f))
}

/// Like [`map_same`], for a function that is expensive per element.
pub(crate) fn map_same_widest<A: Scalar>(f: impl Fn(A) -> A + Send + Sync + 'static) -> Kernel {
    let f = WidestSimd(f);
    Box::new(move |_, inputs, results| change_each(inputs, results, &f))
}

#[inline(never)]
fn change_each<A: Scalar>(inputs: &mut [Value], results: &mut Vec<Value>, f: &dyn UnaryInPlace<A>) -> OpResult<()> {
    let mut tile = inputs[0].own_or_copy();
    simd::map_in_place(&mut tile, f);
    results.push(tile.into());
    Ok(())
}

/// A kernel that applies a function to each pair of elements of its operands.
pub(crate) fn zip<A: Scalar, B: Scalar, R: Scalar>(f: impl Fn(A, B) -> R + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| zip_each::<A, B, R>(inputs, results, &f))
}

#[inline(never)]
fn zip_each<A: Scalar, B: Scalar, R: Scalar>(
    inputs: &[Value],
    results: &mut Vec<Value>,
    f: &dyn BinaryFn<A, B, R>,
) -> OpResult<()> {
    results.push(simd::zip_of(inputs[0].tile(), inputs[1].tile(), f).into());
    Ok(())
}

/// Like [`zip`], for a result of the first operand's type: it overwrites the first operand if that is not read later,
/// or else a copy. Copying is cheaper than compiling a second loop for every op.
pub(crate) fn zip_same<A: Scalar, B: Scalar>(f: impl Fn(A, B) -> A + Send + Sync + 'static) -> Kernel {
    Box::new(move |_, inputs, results| change_first::<A, B>(inputs, results, &f))
}

#[inline(never)]
fn change_first<A: Scalar, B: Scalar>(
    inputs: &mut [Value],
    results: &mut Vec<Value>,
    f: &dyn BinaryInPlace<A, B>,
) -> OpResult<()> {
    let (mut tile, second) = first_and_second::<A>(inputs);
    simd::zip_in_place(&mut tile, second, f);
    results.push(tile.into());
    Ok(())
}

/// The first operand or a copy of it, with at least as many stored elements as the second one; and the second.
fn first_and_second<A: Scalar>(inputs: &mut [Value]) -> (Tile, &Tile) {
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
pub(crate) fn zip3<A: Scalar, B: Scalar, C: Scalar, R: Scalar>(
    f: impl Fn(A, B, C) -> R + Send + Sync + 'static,
) -> Kernel {
    Box::new(move |_, inputs, results| zip3_each::<A, B, C, R>(inputs, results, &f))
}

#[inline(never)]
fn zip3_each<A: Scalar, B: Scalar, C: Scalar, R: Scalar>(
    inputs: &[Value],
    results: &mut Vec<Value>,
    f: &dyn TernaryFn<A, B, C, R>,
) -> OpResult<()> {
    results.push(simd::zip3_of(inputs[0].tile(), inputs[1].tile(), inputs[2].tile(), f).into());
    Ok(())
}

/// A kernel with one result that is always the same tile.
pub(crate) fn constant(mut tile: Tile) -> Kernel {
    let shared = tile.share();
    pure(move |_| Ok(shared.clone()))
}
