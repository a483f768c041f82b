//! E0803: refused by the compiler.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of E0803.
pub(super) static PAGE: Page = Page {
    code: "E0803",
    name: "refused-by-compiler",
    severity: Severity::Error,
    text: r#"The program is valid Tile IR, but NVIDIA's compiler, `tileiras`, makes no code of it for the GPU that was
asked for. The message is the compiler's own. Mostly the GPU lacks something: a type, or an instruction for it.

Compile for a GPU that has it (`tile build --emit cubin --gpu sm_100`), or write the program without it. The wrong
program uses the scale type of newer GPUs; for sm_90 it is refused."#,
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f8E8M0FNU>>) {
    %a, %t = load_ptr_tko weak %p : tile<ptr<f8E8M0FNU>> -> tile<f8E8M0FNU>, token
    %u = store_ptr_tko weak %p, %a : tile<ptr<f8E8M0FNU>>, tile<f8E8M0FNU> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f8E4M3FN>>) {
    %a, %t = load_ptr_tko weak %p : tile<ptr<f8E4M3FN>> -> tile<f8E4M3FN>, token
    %u = store_ptr_tko weak %p, %a : tile<ptr<f8E4M3FN>>, tile<f8E4M3FN> -> token
  }
}
"#,
};
