//! Fast paths of ops for affine tiles.

use crate::findings::OpResult;
use crate::ops::kernel::Context;
use crate::optimize::affine::affine_tile::AffineTile;
use crate::values::pool::Elements;
use crate::values::tile::Tile;
use crate::values::value::Value;

/// Runs an op on operands some of which are affine, if possible.
pub(crate) type FastPath =
    Box<dyn Fn(&Context<'_>, &mut [Value], &mut Vec<Value>) -> Option<OpResult<()>> + Send + Sync>;

/// The pointers of an op without a mask, or with a mask that is true everywhere.
pub(crate) fn pointers(pointers: &Value, mask: Option<&Value>) -> Option<AffineTile> {
    let taking = mask.is_none_or(|mask| matches!(mask.tile(), Tile::Bool(Elements::One(true))));
    if taking { AffineTile::of(pointers.tile()) } else { None }
}
