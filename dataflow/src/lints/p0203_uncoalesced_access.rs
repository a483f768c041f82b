//! P0203: uncoalesced access.

use super::entry::Entry;
use crate::access::{Access, Direction};
use tile_analysis::diagnostic::{Diagnostic, Page, Severity};

/// The page of P0203.
pub(super) static PAGE: Page = Page {
    code: "P0203",
    name: "uncoalesced-access",
    severity: Severity::Hint,
    text: r#"Memory is moved in sectors of 32 bytes. The elements of this tile that are adjacent in memory fill
less than a sector, so the rest of each sector is moved for nothing, unless another access uses it
while it is in the cache. Tiles of less than 32 elements are not reported."#,
    fix: r#"Give the tile a larger extent along the dimension whose stride is 1, or another order of dimensions
(`dim_map`), and transpose or reshape the tile after loading it."#,
    see: &["P0201", "dim_map", "permute", "make_partition_view"],
    wrong: r#"cuda_tile.module @m {
  entry @column(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %x, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x1), tensor_view<64x64xf32, strides=[64,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %block] : partition_view<tile=(64x1), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x1xf32>, token
    %printed = print_tko "%f\n", %tile token = %read : tile<64x1xf32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @columns(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %x, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x8), tensor_view<64x64xf32, strides=[64,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %block] : partition_view<tile=(64x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x8xf32>, token
    %printed = print_tko "%f\n", %tile token = %read : tile<64x8xf32> -> token
  }
}
"#,
};

/// The bits of a sector, the unit of transfers between memory and the L2 cache.
const SECTOR: i64 = 32 * 8;

/// The number of elements from which on an access is reported: one for each thread of a warp.
const MIN_ELEMENTS: i64 = 32;

/// Reports an access whose runs of adjacent elements are shorter than a sector.
pub(super) fn uncoalesced(entry: &Entry<'_>, access: &Access) -> Option<Diagnostic> {
    let found = access.contiguity()?;
    // Along a dimension without a stride, all elements are the same.
    let extents = access.tile.iter().zip(&found.strides).filter(|(extent, stride)| **extent > 1 && !stride.is_zero());
    let (elements, is_known) = extents
        .fold((1, true), |(count, known), (extent, stride)| (count * extent, known && stride.as_number().is_some()));
    let run = found.run * i64::from(access.element.bits());
    // Where strides are parameters, one of them can be 1.
    if run >= SECTOR || elements < MIN_ELEMENTS || found.run == 1 && !is_known {
        return None;
    }
    let verb = if access.direction == Direction::Write { "stored" } else { "loaded" };
    let adjacent = match found.run {
        1 => "no two elements are adjacent in memory".to_string(),
        count => format!("only {count} elements at a time ({} bytes) are adjacent in memory", run / 8),
    };
    let message = format!("this access is uncoalesced: {adjacent}");
    let found = Diagnostic::new(&PAGE, entry.name(access.op), message);
    Some(found.note(format!("memory is {verb} in sectors of 32 bytes")))
}
