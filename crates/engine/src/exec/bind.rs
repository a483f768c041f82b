//! Binds the arguments of a launch to the parameters of its entry.

use crate::findings::{Fault, argument_mismatch};
use crate::memory::Memory;
use crate::memory::unit::Unit;
use crate::options::Argument;
use crate::values::tile::{ScalarKind, Tile};
use crate::values::value::Value;
use tile_analysis::ir::Body;
use tile_analysis::types::{self, Type};

/// The arguments as values, one for each parameter.
pub(crate) fn bind(
    entry: &Body,
    arguments: &[Argument],
    memory: &Memory,
    grid: [u32; 3],
) -> Result<Vec<Value>, Box<Fault>> {
    if grid.iter().any(|extent| !(1..1 << 24).contains(extent)) {
        return Err(argument_mismatch::grid(grid));
    }
    if entry.params.len() != arguments.len() {
        return Err(argument_mismatch::count(&entry.name, entry.params.len(), arguments.len()));
    }
    let types = entry.regions[0].args.iter().map(|&value| entry.ty(value));
    let named = entry.params.iter().zip(types).zip(arguments);
    named.map(|((name, ty), &argument)| bind_one(name, ty, argument, memory)).collect()
}

fn bind_one(name: &str, ty: Type, argument: Argument, memory: &Memory) -> Result<Value, Box<Fault>> {
    let tile = ty.as_tile().filter(|tile| tile.shape.is_empty());
    let argument = match argument {
        Argument::Scalar(bits) => Err(bits),
        Argument::Pointer(id) => Ok((id, 0)),
        Argument::Address(id, bytes) => Ok((id, bytes)),
    };
    match (tile.map(|tile| tile.element), argument) {
        (Some(types::Scalar::Number(element)), Err(bits)) => Ok(Tile::splat(ScalarKind::of(element), bits).into()),
        (Some(types::Scalar::Pointer(pointer)), Ok((id, bytes))) if memory.element(id) == pointer.to => {
            let address = memory.address(id).wrapping_add_signed(bytes);
            Ok(Tile::splat(ScalarKind::U64, Unit::of(pointer.to).pointer(address)).into())
        }
        (Some(types::Scalar::Pointer(pointer)), Ok((id, _))) => {
            Err(argument_mismatch::element(name, pointer.to, memory.element(id)))
        }
        (Some(types::Scalar::Pointer(_)), Err(_)) => Err(argument_mismatch::number_for_pointer(name, ty)),
        (Some(types::Scalar::Number(_)), Ok(_)) => Err(argument_mismatch::pointer_for_number(name, ty)),
        (None, _) => Err(argument_mismatch::parameter(name, ty)),
    }
}
