//! R0403: loop counter overflow.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::Element;

/// The page of R0403.
pub(crate) static PAGE: Page = Page {
    code: "R0403",
    name: "loop-counter-overflow",
    severity: Severity::Error,
    text: r#"The last step of a `for` takes its induction variable beyond the largest number of its type. The language does
not say what happens then. The CPU engine ends the loop there, as if the variable had more bits. On a GPU the variable wraps
around to a small number, is below the upper bound again, and the loop continues. Runs with the sanitizer check this.

Count in a wider type, or choose bounds and step so that the upper bound plus the step fits into the type."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %start = constant <i8: 0> : tile<i8>
    %end = constant <i8: 120> : tile<i8>
    %step = constant <i8: 50> : tile<i8>
    for %i in (%start to %end, step %step) : tile<i8> {
      print_tko "%i\n", %i : tile<i8> -> token
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  entry @k() {
    %start = constant <i16: 0> : tile<i16>
    %end = constant <i16: 120> : tile<i16>
    %step = constant <i16: 50> : tile<i16>
    for %i in (%start to %end, step %step) : tile<i16> {
      print_tko "%i\n", %i : tile<i16> -> token
    }
  }
}
"#,
};

/// The induction variable in the last iteration, and the step.
pub(crate) fn fault(last: i128, step: i128, element: Element, unsigned: bool) -> Box<Fault> {
    let sign = if unsigned { "unsigned " } else { "" };
    let next = last + step;
    let message =
        format!("the next value of the loop counter, {last} + {step} = {next}, does not fit into {sign}`{element}`");
    Fault::new(&PAGE, message)
        .note("the CPU engine ends the loop there; on a GPU the counter wraps around and the loop continues")
}
