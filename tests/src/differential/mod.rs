//! Runs a program in every mode of the CPU engine. The buffers, the globals and the printed text must be the same, bit
//! for bit, except for the bits of NaNs of `f32` and `f64`, which `docs/gpu.md` leaves open.

mod expectations;
mod modes;
mod prepared;

pub use expectations::with_expectations;
pub use modes::{MODES, Mode};
pub use prepared::{Outcome, Prepared};

/// A program for which two modes of the engine have different results, or one has a finding.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The mode that differs from the first.
    pub mode: &'static str,
    /// The difference.
    pub message: String,
}

/// Runs the first launch of a program in every mode. Returns the first disagreement.
pub fn disagreement(text: &str) -> Option<Disagreement> {
    let of = |mode: &'static str, message: String| Some(Disagreement { mode, message });
    let program = match Prepared::of(text) {
        Ok(program) => program,
        Err(message) => return of("check", message),
    };
    let mut first: Option<Outcome> = None;
    for mode in MODES {
        let outcome = match mode.run(&program) {
            Ok(Some(outcome)) => outcome,
            Ok(None) => continue,
            Err(message) => return of(mode.name, message),
        };
        match &first {
            None => first = Some(outcome),
            Some(expected) => {
                if let Some(message) = expected.difference(&outcome) {
                    return of(mode.name, message);
                }
            }
        }
    }
    None
}
