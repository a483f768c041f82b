//! R0112: missing alias fence.

use crate::findings::Fault;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};
use tile_analysis::ir::OpId;

/// The page of R0112.
pub(crate) static PAGE: Page = Page {
    code: "R0112",
    name: "missing-alias-fence",
    severity: Severity::Error,
    text: r#"Two ops access the same memory, one through a multicast address and the other through a plain one;
one of them writes, and one of them is weak. A token orders them, but tokens alone only order
accesses through the same address. A sanitized run checks this."#,
    fix: r#"Put a `memory_fence_alias_tko` between them: it takes the token of the first op, and the second op
takes the token of the fence."#,
    see: &["R0106", "R0111", "memory_fence_alias_tko"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %all = f32[4] replicas=2 ones
  //@   %own = &%all
  entry @k(%all: tile<ptr<f32, <multicast>>>, %own: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %two = constant <f32: 2.0> : tile<4xf32>
    %tensor = make_tensor_view %all, shape = [4], strides = [1]
        : tile<ptr<f32, <multicast>>>
        -> tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor
        : partition_view<tile=(4), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %stored = multimem_store_view_tko weak %view, %two[%zero]
        : partition_view<tile=(4), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>,
          tile<4xf32>,
          tile<i32>
        -> token
    %x, %t = load_ptr_tko weak %own token = %stored : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %all = f32[4] replicas=2 ones
  //@   %own = &%all
  entry @k(%all: tile<ptr<f32, <multicast>>>, %own: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %two = constant <f32: 2.0> : tile<4xf32>
    %tensor = make_tensor_view %all, shape = [4], strides = [1]
        : tile<ptr<f32, <multicast>>>
        -> tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %view = make_partition_view %tensor
        : partition_view<tile=(4), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %stored = multimem_store_view_tko weak %view, %two[%zero]
        : partition_view<tile=(4), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>,
          tile<4xf32>,
          tile<i32>
        -> token
    %fenced = memory_fence_alias_tko %stored
    %x, %t = load_ptr_tko weak %own token = %fenced : tile<ptr<f32>> -> tile<f32>, token
  }
}
"#,
};

/// An access to a place, and an earlier one through an address of the other kind.
pub(crate) fn fault(place: &str, now: Use, earlier: Use, op: OpId) -> Box<Fault> {
    let (now, earlier) = (now.verb(), earlier.verb());
    let message = format!(
        "this {now} {place}, which another op {earlier} through another address, without an alias fence between them"
    );
    Fault::new(&PAGE, message)
        .other(op, format!("this {earlier} it"))
        .note("put a `memory_fence_alias_tko` between the tokens of the two ops")
}
