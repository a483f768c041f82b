//! L0008: unsupported hint.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::{ARCHITECTURES, HINTS, HintRange, Mnemonic};

/// The page of L0008.
pub(super) static PAGE: Page = Page {
    code: "L0008",
    name: "unsupported-hint",
    severity: Severity::Warning,
    text: r#"A hint that the compiler does not know, or whose value it does not take. It is ignored without a word by NVIDIA's tools,
unless they are asked to warn about it; these are their words.

An entry takes `num_cta_in_cga` (a power of two up to 16; 1 before sm_90), `num_worker_warps_per_cta` (a power of two up to 32) and
`occupancy` (1 to 32); loads and stores take `latency` (1 to 10), those through views also `allow_tma`."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() optimization_hints = <sm_90 = {occupancy = 64}> {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() optimization_hints = <sm_90 = {occupancy = 32}> {
  }
}
"#,
};

/// A key that is no architecture.
pub(crate) fn unknown_hint_key(range: Range<u32>, key: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(&PAGE, range.clone(), format!("unknown hint key {key}"));
    let names = || ARCHITECTURES.iter().map(|architecture| architecture.name);
    // One architecture is not a misspelling of another.
    if key.strip_prefix("sm_").is_some_and(|number| number.bytes().all(|it| it.is_ascii_digit())) {
        let names: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        return diagnostic.note(format!("the keys are {}", names.join(", ")));
    }
    mend(diagnostic, range, key, names())
}

/// A hint that the op does not take.
pub(crate) fn unknown_hint(range: Range<u32>, name: &str, op: Mnemonic) -> Diagnostic {
    let message = format!("{name} is not known hint for current Operation");
    let known = HINTS.iter().filter(|hint| hint.ops.contains(&op)).map(|hint| hint.name);
    mend(Diagnostic::new(&PAGE, range.clone(), message), range, name, known)
}

/// A value of another kind than the hint takes.
pub(crate) fn hint_kind(range: Range<u32>, key: &str, name: &str, value: HintRange) -> Diagnostic {
    let kind = if value == HintRange::Bool { "boolean" } else { "integer" };
    Diagnostic::new(&PAGE, range, format!("{kind} value expected for {key}.{name}"))
}

/// A number that the hint does not take.
pub(crate) fn hint_value(range: Range<u32>, key: &str, name: &str, value: HintRange) -> Diagnostic {
    let message = match value {
        HintRange::Bool => format!("boolean value expected for {key}.{name}"),
        HintRange::PowerOfTwo(1) => format!("expected 1 for {key}.{name}"),
        HintRange::PowerOfTwo(most) => format!("expected power-of-two ≤ {most} for {key}.{name}"),
        HintRange::Between(low, high) => {
            format!("integer value in the range [{low}, {high}] is expected for {key}.{name}")
        }
    };
    Diagnostic::new(&PAGE, range, message)
}

fn mend(
    diagnostic: Diagnostic,
    range: Range<u32>,
    word: &str,
    known: impl Iterator<Item = &'static str>,
) -> Diagnostic {
    match closest(word, known) {
        Some(close) => {
            diagnostic.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close)
        }
        None => diagnostic,
    }
}
