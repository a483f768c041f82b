//! P0202: unstated bounds.

use super::entry::{Entry, Volumes, in_every_launch};
use crate::access::{Access, Direction};
use crate::volume::Volume;
use tile_analysis::diagnostic::{Applicability, Diagnostic, Edit, Fix, Page, Severity};
use tile_analysis::ir::Attr;
use tile_dialect::Version;

/// The page of P0202.
pub(super) static PAGE: Page = Page {
    code: "P0202",
    name: "unstated-bounds",
    severity: Severity::Hint,
    text: r#"A view checks for each element of a tile whether it is inside of the tensor. The extents of this
tensor are parameters, so the compiler cannot know that all tiles are inside. They are in all
launches of this entry, so the program could state it and avoid the checks."#,
    fix: r#"If tiles never extend beyond the tensor, for any caller, add `inbounds = [true, …]` with one value
for each dimension. A run reports an access that breaks the promise, R0303. If the extents can be
arbitrary, test the entry with a launch in which they are not multiples of the tile."#,
    see: &["P0201", "inbounds", "load_view_tko", "store_view_tko"],
    wrong: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %x = f32[256] iota
  //@   %n = 256
  entry @double(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %tile, %read = load_view_tko weak %tiles[%block] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %sum = addf %tile, %tile : tile<64xf32>
    %written = store_view_tko weak %sum, %tiles[%block] token = %read : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %x = f32[256] iota
  //@   %n = 256
  entry @double(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %tile, %read = load_view_tko weak %tiles[%block] inbounds = [true] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %sum = addf %tile, %tile : tile<64xf32>
    %written = store_view_tko weak %sum, %tiles[%block] token = %read inbounds = [true] : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
};

/// Reports an access to a tensor of unknown extents that is inside of it in every launch, without saying so.
pub(super) fn unstated(
    entry: &Entry<'_>,
    access: &Access,
    volumes: Option<&Volumes<'_>>,
    version: Version,
) -> Option<Diagnostic> {
    let body = entry.names.body;
    let op = body.op(access.op);
    let row = op.op.row();
    let attr = row.attrs.iter().position(|attr| attr.name == "inbounds")?;
    // Loads and stores have it since 13.4, reductions since 13.5.
    let since = if access.direction == Direction::Update { Version::V13_5 } else { Version::V13_4 };
    let is_dynamic = access.shape.iter().any(|extent| extent.as_number().is_none());
    let is_inside = |(_, volume): &(_, Volume)| volume.coverage.outside == 0 && volume.executions > 0;
    if *body.attr(op, attr) != Attr::Absent || !is_dynamic || version < since || !volumes?.0.iter().all(is_inside) {
        return None;
    }
    let found = Diagnostic::new(&PAGE, entry.name(access.op), format!("`{}` could promise `inbounds`", row.name));
    let found = found.note(format!("no tile extends beyond the tensor {}", in_every_launch(entry)));
    let Some(at) = before_types(entry, access) else { return Some(found) };
    let content = format!(" inbounds = [{}]", vec!["true"; access.shape.len()].join(", "));
    let edits = vec![Edit { range: at..at, content }];
    Some(found.with_fix(Fix::new("add `inbounds`", Applicability::Unsafe, edits)))
}

/// The end of the operands and attributes of an op: where the blanks before the colon of its types begin.
fn before_types(entry: &Entry<'_>, access: &Access) -> Option<u32> {
    let start = entry.name(access.op).end;
    let statement = entry.names.spans.statements[access.op.0 as usize].clone();
    let text = entry.text(start..statement.end);
    let mut depth = 0;
    let colon = text.bytes().position(|byte| {
        match byte {
            b'[' | b'<' | b'{' | b'(' => depth += 1,
            b']' | b'>' | b'}' | b')' => depth -= 1,
            _ => {}
        }
        depth == 0 && byte == b':'
    })?;
    let operands = &text[..colon];
    // The types of an op in generic form are elsewhere, and a comment can contain anything.
    let is_plain = !operands.contains("//") && !entry.text(entry.name(access.op)).starts_with('"');
    is_plain.then(|| start + operands.trim_end().len() as u32)
}
