//! R0301: assertion failed.

use crate::findings::Fault;
use crate::findings::at_element;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0301.
pub static PAGE: Page = Page {
    code: "R0301",
    name: "assertion-failed",
    severity: Severity::Error,
    text: r#"The condition of an `assert` is false for an element. The program itself declares this to be an
error and provides the message. The run stops here; on a GPU the error is reported to the host, and
the kernel may continue for a while."#,
    fix: r#"Print the values that the condition is computed from, just before the `assert`, or trace them with
`tile run --trace`."#,
    see: &["R0302", "assert", "print_tko"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 5
  entry @k(%n: tile<i32>) {
    %four = constant <i32: 4> : tile<i32>
    %ok = cmpi less_than_or_equal %n, %four, signed : tile<i32> -> tile<i1>
    assert %ok, "n is at most 4" : tile<i1>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %n = 4
  entry @k(%n: tile<i32>) {
    %four = constant <i32: 4> : tile<i32>
    %ok = cmpi less_than_or_equal %n, %four, signed : tile<i32> -> tile<i1>
    assert %ok, "n is at most 4" : tile<i1>
  }
}
"#,
};

/// An assertion that fails for an element of its condition.
pub(crate) fn fault(message: &str, index: usize, shape: &[i64]) -> Box<Fault> {
    Fault::new(&PAGE, format!("assertion failed{}: {message}", at_element(index, shape)))
}
