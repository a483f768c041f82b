//! E0803: refused by the compiler.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of E0803.
pub(super) static PAGE: Page = Page {
    code: "E0803",
    name: "refused-by-compiler",
    severity: Severity::Error,
    text: r#"The program is valid Tile IR, but NVIDIA's compiler, `tileiras`, makes no code of it for the GPU that was
asked for. The message is the compiler's own. What the GPU lacks is reported as E0804 before the compiler is started, as far as
it is known; what remains are limits of the compiler.

Compile for another GPU (`tile build --emit cubin --gpu sm_100`) or with a newer compiler, or write the program without
the op that the message names. The wrong program reduces tf32, which no known compiler does for any GPU."#,
    fix: "",
    see: &[],
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
