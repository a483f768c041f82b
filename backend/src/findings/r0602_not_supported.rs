//! R0602: not supported.

use super::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::{Element, Mnemonic};

/// The page of R0602.
pub(super) static PAGE: Page = Page {
    code: "R0602",
    name: "not-supported",
    severity: Severity::Error,
    text: r#"The engine cannot run this: an op on multicast memory, which belongs to several devices while the engine is
one; an op that only upstream's own tests know; or more scratch memory than it is willing to allocate."#,
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

/// A global that the module does not have.
pub(crate) fn global(name: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("the module has no global `@{name}`"))
}

/// Too much scratch memory.
pub(crate) fn scratch(count: u64, element: Element, most: u64) -> Box<Fault> {
    let message = format!("{count} elements of {element} take more than the {most} bytes that scratch memory may take");
    Fault::new(&PAGE, message)
}
