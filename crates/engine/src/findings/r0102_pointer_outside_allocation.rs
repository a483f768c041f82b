//! R0102: pointer outside allocation.

use crate::findings::Fault;
use crate::memory::Allocation;
use crate::memory::access::Use;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0102.
pub static PAGE: Page = Page {
    code: "R0102",
    name: "pointer-outside-allocation",
    severity: Severity::Error,
    text: r#"A load, a store or an atomic op accessed memory outside of all arguments, globals and scratch
memory. The message names the nearest allocation and the element that would be at the address. On a
GPU, such an access reads or destroys other data, or stops the kernel."#,
    fix: r#"- If the last tile of a row reaches beyond its end, mask the access, or use a view, which ignores
  elements outside the tensor.
- Check the unit of strides: offsets count elements, not bytes.
- Check that the buffers of the launch are large enough and that its grid is not too large."#,
    see: &["R0101", "R0501", "load_ptr_tko", "partition_view"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[6] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %i = iota : tile<8xi32>
    %one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %one : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %q = offset %all, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %x, %t = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<8xf32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[6] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %i = iota : tile<8xi32>
    %six = constant <i32: 6> : tile<8xi32>
    %inside = cmpi less_than %i, %six, signed : tile<8xi32> -> tile<8xi1>
    %one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %one : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %q = offset %all, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %x, %t = load_ptr_tko weak %q, %inside : tile<8xptr<f32>>, tile<8xi1> -> tile<8xf32>, token
  }
}
"#,
};

/// An access of `size` nibbles at `offset` nibbles from the beginning of an allocation of `count` elements.
pub(crate) fn fault(allocation: &Allocation, offset: i64, size: u64, access: Use) -> Box<Fault> {
    let Allocation { name, element, count, .. } = allocation;
    let index = offset.div_euclid(element.nibbles() as i64);
    let verb = access.verb();
    let elements = if *count == 1 { "element" } else { "elements" };
    let has = format!("`{name}`, which has {count} {elements} of {element}");
    let message = if allocation.op.is_none() {
        format!("this {verb} element {index} of {has}")
    } else {
        format!("this {verb} element {index} of {name} of {element}")
    };
    let fault = Fault::new(&PAGE, message);
    if size == element.nibbles() {
        fault
    } else {
        fault.note(format!("{} are accessed at once", crate::findings::bytes(size)))
    }
}
