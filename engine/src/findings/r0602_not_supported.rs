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
    text: r#"The engine cannot run this: an op that only upstream's own tests know; a call into a tile library, whose functions are
compiled elsewhere; or more memory than it is allowed, for scratch memory or the tiles of one tile block. On a GPU it is
what NVIDIA's compiler does not take, with its own words."#,
    fix: "",
    see: &[],
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
    let message = format!("the engine cannot run `@{callee}`: it is compiled elsewhere, and linked to code for a GPU");
    Fault::new(&PAGE, message).note("run it on a GPU with `tile run --target cuda -l LIBRARY`")
}

/// A global that the module does not have.
pub(crate) fn global(name: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("the module has no global `@{name}`"))
}

/// Too much scratch memory.
pub(crate) fn scratch(count: u64, element: Element, most: u64) -> Box<Fault> {
    let most = size::shown(most);
    Fault::new(&PAGE, format!("{count} elements of {element} take more than the {most} that scratch memory may take"))
}

/// Too much scratch memory at the same time.
pub(crate) fn scratch_together(count: u64, element: Element, most: u64) -> Box<Fault> {
    let (more, most) = (format!("{count} more elements of {element}"), size::shown(most));
    Fault::new(&PAGE, format!("with {more}, this tile block takes more than the {most} that scratch memory may take"))
}

/// Tiles that take too much memory.
pub(crate) fn tiles(bytes: u64, most: u64) -> Box<Fault> {
    let (bytes, most) = (size::shown(bytes), size::shown(most));
    let fault =
        Fault::new(&PAGE, format!("the tiles of one tile block may take {bytes}, more than the {most} allowed"));
    fault.note("make the tiles smaller, or allow more: `tile run --max-memory 16GiB`")
}
