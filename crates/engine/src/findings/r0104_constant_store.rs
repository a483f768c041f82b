//! R0104: constant store.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0104.
pub static PAGE: Page = Page {
    code: "R0104",
    name: "constant-store",
    severity: Severity::Error,
    text: r#"A store or an atomic op wrote to a global that is declared `constant`. The compiler relies on its
initial value, so the write can be lost, be visible to some reads only, or stop the kernel."#,
    fix: "Remove `constant` from the global, or write to other memory.",
    see: &["R0107", "global", "constant"],
    wrong: r#"cuda_tile.module @m {
  global constant @limit <i32: 8> : tile<1xi32>
  //@ launch
  entry @k() {
    %p = get_global @limit : tile<ptr<i32>>
    %x = constant <i32: 9> : tile<i32>
    %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  global @limit <i32: 8> : tile<1xi32>
  //@ launch
  entry @k() {
    %p = get_global @limit : tile<ptr<i32>>
    %x = constant <i32: 9> : tile<i32>
    %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
  }
}
"#,
};

/// A write to a constant.
pub(crate) fn fault(name: &str) -> Box<Fault> {
    Fault::new(&PAGE, format!("this writes to `{name}`, which is constant"))
}
