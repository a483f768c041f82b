//! R0403: loop counter overflow.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};
use tile_dialect::Element;

/// The page of R0403.
pub(crate) static PAGE: Page = Page {
    code: "R0403",
    name: "loop-counter-overflow",
    severity: Severity::Error,
    text: r#"The last step of a `for` exceeds the largest number of the type of its induction variable. The
language does not define this case. The CPU engine ends the loop, as if the variable had more bits;
on a GPU the variable wraps around to a small number, and the loop continues. A sanitized run checks
this."#,
    fix: "Use a wider type, or choose bounds and step so that the upper bound plus the step fits in the type.",
    see: &["R0203", "R0402", "for"],
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
        format!("the next value of the loop counter, {last} + {step} = {next}, does not fit in {sign}`{element}`");
    Fault::new(&PAGE, message)
        .note("the CPU engine ends the loop there; on a GPU the counter wraps around and the loop continues")
}
