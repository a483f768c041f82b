//! R0109: repeated address.

use crate::findings::{Fault, coordinates};
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0109.
pub(crate) static PAGE: Page = Page {
    code: "R0109",
    name: "repeated-address",
    severity: Severity::Error,
    text: r#"One store writes different values to one address: two of its pointers are equal, or it goes through
a view whose strides make elements overlap. The elements of a tile are stored in no particular
order, so it is unspecified which value remains. A sanitized run checks this. Storing equal values
to one address is allowed."#,
    fix: r#"- Give each element a separate address, or mask out all but one of them.
- Use an atomic op, which applies all of them."#,
    see: &["R0107", "R0503", "store_ptr_tko", "atomic_rmw_tko"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = i32[1] zeros
  entry @k(%p: tile<ptr<i32>>) {
    %i = iota : tile<8xi32>
    %one = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %all = broadcast %one : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %t = store_ptr_tko weak %all, %i : tile<8xptr<i32>>, tile<8xi32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = i32[8] zeros
  entry @k(%p: tile<ptr<i32>>) {
    %i = iota : tile<8xi32>
    %one = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %all = broadcast %one : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %q = offset %all, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %t = store_ptr_tko weak %q, %i : tile<8xptr<i32>>, tile<8xi32> -> token
  }
}
"#,
};

/// Two elements of a tile, at these positions, that are stored at one address with different values.
pub(crate) fn fault(place: &str, positions: [usize; 2], values: [String; 2], shape: &[i64]) -> Box<Fault> {
    let [first, second] = positions.map(|position| coordinates(position, shape));
    let [one, other] = values;
    let message = format!("elements {first:?} and {second:?} of the tile both go to {place}, as {one} and {other}");
    Fault::new(&PAGE, message).note("the elements of a tile are stored in no particular order")
}
