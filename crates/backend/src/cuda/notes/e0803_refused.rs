//! E0803: refused by the compiler.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of E0803.
pub(super) static PAGE: Page = Page {
    code: "E0803",
    name: "refused-by-compiler",
    severity: Severity::Error,
    text: r#"The program is valid Tile IR, but NVIDIA's compiler, `tileiras`, cannot compile it for the selected
GPU. The text after the colon is the compiler's own message. Features that the GPU is known to lack
are reported as E0804 before the compiler runs, so this error usually points to a limit of the
compiler. The wrong program reduces `tf32`, which no known compiler supports on any GPU."#,
    fix: r#"Rewrite the program without the op or type that the message names, for instance with `f32` instead
of `tf32`. Alternatively, compile for another GPU (`tile build --emit cubin --gpu sm_100`) or
install a newer compiler."#,
    see: &["E0801", "E0804", "versions"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<tf32>>, %q: tile<ptr<tf32>>) {
    %a, %t = load_ptr_tko weak %p : tile<ptr<tf32>> -> tile<tf32>, token
    %b = reshape %a : tile<tf32> -> tile<1xtf32>
    %c = broadcast %b : tile<1xtf32> -> tile<16xtf32>
    %r = reduce %c dim=0 identities=[0.0 : tf32] : tile<16xtf32> -> tile<tf32>
    (%x: tile<tf32>, %y: tile<tf32>) {
      yield %x : tile<tf32>
    }
    %u = store_ptr_tko weak %q, %r : tile<ptr<tf32>>, tile<tf32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %a, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %b = reshape %a : tile<f32> -> tile<1xf32>
    %c = broadcast %b : tile<1xf32> -> tile<16xf32>
    %r = reduce %c dim=0 identities=[0.0 : f32] : tile<16xf32> -> tile<f32>
    (%x: tile<f32>, %y: tile<f32>) {
      yield %x : tile<f32>
    }
    %u = store_ptr_tko weak %q, %r : tile<ptr<f32>>, tile<f32> -> token
  }
}
"#,
};
