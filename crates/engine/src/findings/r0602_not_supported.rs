//! R0602: not supported.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::{Element, Mnemonic};
use tile_input::size;

/// The page of R0602.
pub(crate) static PAGE: Page = Page {
    code: "R0602",
    name: "not-supported",
    severity: Severity::Error,
    text: r#"The engine cannot run this program: it uses an op of upstream's own tests, calls a function of a
tile library, which is compiled separately for GPUs, or needs more memory than allowed for scratch
memory or the tiles of a tile block. For a run on a GPU, it means that NVIDIA's compiler does not
support the program; the message is the compiler's."#,
    fix: r#"- Reduce the scratch memory or the tile sizes; `tile run --max-memory` raises the limit for tiles
  and buffers.
- Run calls of tile libraries on a GPU, with `tile run --target cuda -l LIBRARY`."#,
    see: &["E0803", "alloca", "tile library"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %p = alloca num_elem = 1073741824, alignment = 8 : tile<ptr<f64>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %p = alloca num_elem = 1024, alignment = 8 : tile<ptr<f64>>
  }
}
"#,
};

/// An op that has no kernel.
pub(crate) fn op(op: Mnemonic) -> Box<Fault> {
    Fault::new(&PAGE, format!("the engine cannot run `{}` here", op.row().name))
}

/// A call of a function of a tile library.
pub(crate) fn library(callee: &str) -> Box<Fault> {
    let message =
        format!("the engine cannot run `@{callee}`: functions of tile libraries are compiled separately for GPUs");
    Fault::new(&PAGE, message).note("run it on a GPU with `tile run --target cuda -l LIBRARY`")
}

/// A global that the module does not have.
pub(crate) fn global(name: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("the module has no global `@{name}`"))
}

/// Too much scratch memory.
pub(crate) fn scratch(count: u64, element: Element, most: u64) -> Box<Fault> {
    let most = size::shown(most);
    Fault::new(&PAGE, format!("{count} elements of {element} exceed the limit of {most} for scratch memory"))
}

/// Too much scratch memory at the same time.
pub(crate) fn scratch_together(count: u64, element: Element, most: u64) -> Box<Fault> {
    let (more, most) = (format!("{count} more elements of {element}"), size::shown(most));
    Fault::new(&PAGE, format!("with {more}, this tile block exceeds the limit of {most} for scratch memory"))
}

/// Tiles that take too much memory.
pub(crate) fn tiles(bytes: u64, most: u64) -> Box<Fault> {
    let (bytes, most) = (size::shown(bytes), size::shown(most));
    let fault =
        Fault::new(&PAGE, format!("the tiles of one tile block take up to {bytes}, more than the limit of {most}"));
    fault.note("use smaller tiles, or raise the limit: `tile run --max-memory 16GiB`")
}
