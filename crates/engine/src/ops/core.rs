//! Constants, the grid, assumptions, tokens, selection.

use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult, constant, hand_on, zip3};
use crate::ops::{Chapter, assume};
use crate::values::tile::{ScalarKind, Tile, with_kind};
use crate::values::value::Value;
use tile_analysis::ir::Attr;
use tile_dialect::Mnemonic as M;

use crate::ops::integer::{Int, with_int};
use crate::values::tile::Scalar;
use tile_dialect::AttrName;

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Assume, assume::plan),
        (M::Constant, dense),
        (M::GdcLaunchDependentsTko, token),
        (M::GdcWaitTko, token),
        (M::GetNumTileBlocks, |_| Ok(coordinates(|context| context.grid))),
        (M::GetTileBlockId, |_| Ok(coordinates(|context| context.block))),
        (M::Iota, iota),
        (M::JoinTokens, token),
        (M::MakeToken, token),
        (M::MemoryFenceAliasTko, token),
        (M::Select, select),
    ],
    elementwise: false,
};

/// An op that only orders accesses of one block: ops run in source order, which is one of the orders that tokens allow.
fn token(_: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(Box::new(|_, _, results| {
        results.push(Value::Token);
        Ok(())
    }))
}

fn dense(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let tile = cx.result(0);
    Ok(constant(match cx.attr(AttrName::Value) {
        Attr::Dense(dense) => Tile::from_bits(tile.kind, &dense.bits),
        _ => Tile::splat(tile.kind, 0),
    }))
}

fn iota(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let tile = cx.result(0);
    Ok(constant(with_int!(tile.element, T => T::tile((0..tile.count as u64).map(T::low).collect()))))
}

/// Three scalars that depend on the tile block.
fn coordinates(of: fn(&crate::ops::kernel::Context<'_>) -> [u32; 3]) -> Kernel {
    Box::new(move |context, _, results| {
        results.extend(of(context).map(|x| Value::Tile(Tile::splat(ScalarKind::U32, x.into()))));
        Ok(())
    })
}

fn select(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let kind = cx.result(0).kind;
    let select = with_kind!(kind, T => zip3(|condition: bool, yes: T, no: T| if condition { yes } else { no }));
    let whole = hand_on(|inputs| if inputs[0].tile().bits(0) == 1 { 1 } else { 2 });
    // With one condition for all elements, the result is one of the tiles.
    Ok(Box::new(move |context, inputs, results| {
        let kernel = if inputs[0].tile().stored() == 1 { &whole } else { &select };
        kernel(context, inputs, results)
    }))
}
