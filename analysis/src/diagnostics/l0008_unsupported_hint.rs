//! L0008: unsupported hint.

use crate::diagnostic::{Diagnostic, Page, Severity, Tag};
use crate::ir::HintValue;
use crate::print::hint_literal;
use crate::suggest::closest;
use std::ops::Range;
use tile_dialect::{
    ACCESS_ATTR, ARCHITECTURES, ASSUMPTION, DIALECT_PREFIX, HINTS, HintRange, HintRow, Mnemonic, Version,
};

/// The page of L0008.
pub(super) static PAGE: Page = Page {
    code: "L0008",
    name: "unsupported-hint",
    severity: Severity::Warning,
    text: r#"NVIDIA's compiler does not use this hint as written. It ignores unknown architectures, unknown names
and values of the wrong kind. It ignores numbers that should be powers of two and are not, and
clamps other numbers to their range. It is silent about this unless `--Wunsupported-hints` is given.

The same code is used for a parameter attribute whose name resembles a known one, such as
`cuda_tile.div_bye`."#,
    fix: r#"Correct the name or the value. These are the hints:

| op | hint | value |
|---|---|---|
| entry | `num_cta_in_cga` | a power of two up to 16; 1 before sm_90 |
| entry | `num_worker_warps_per_cta` | a power of two up to 32; 4 or 8 before version 13.5 |
| entry | `occupancy` | 1 to 32 |
| loads and stores | `latency` | 1 to 10 |
| loads and stores through views | `allow_tma` | `true` or `false` |"#,
    see: &["E0554", "optimization_hints", "occupancy", "latency", "parameter attributes"],
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

/// A hint that the compiler ignores.
fn ignored(range: Range<u32>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, message).tagged(Tag::Unnecessary)
}

/// An unknown architecture, or one that was added after the target version.
pub(crate) fn unknown_hint_key(range: Range<u32>, key: &str, since: Option<Version>) -> Diagnostic {
    if let Some(since) = since {
        let message = format!("compilers before {since} do not know the architecture `{key}` and ignore its hints");
        return ignored(range, message);
    }
    let diagnostic = ignored(range.clone(), format!("unknown architecture `{key}` in hints"));
    let names = || ARCHITECTURES.iter().map(|architecture| architecture.name);
    // One architecture is not a misspelling of another.
    if key.strip_prefix("sm_").is_some_and(|number| number.bytes().all(|it| it.is_ascii_digit())) {
        return diagnostic.note(format!("the architectures are {}", quoted(names())));
    }
    suggest(diagnostic, range, key, names())
}

/// A hint that the op does not take.
pub(crate) fn unknown_hint(range: Range<u32>, name: &str, op: Mnemonic) -> Diagnostic {
    let of_op = || HINTS.iter().filter(|hint| hint.ops.contains(&op)).map(|hint| hint.name);
    let taken = format!("`{}` takes {}", op.row().name, quoted(of_op()));
    if HINTS.iter().any(|hint| hint.name == name) {
        let message = format!("`{}` does not take the hint `{name}`", op.row().name);
        return ignored(range, message).note(taken);
    }
    let found = ignored(range.clone(), format!("unknown hint `{name}`")).note(taken);
    suggest(found, range, name, of_op())
}

/// A parameter attribute with the `cuda_tile.` prefix whose name is close to a known one. NVIDIA's tools accept every
/// name silently; a name that resembles none can be meant for another program.
pub(crate) fn misspelled_parameter_attribute(range: Range<u32>, name: &str) -> Option<Diagnostic> {
    let own = name.strip_prefix(DIALECT_PREFIX)?;
    let access = ACCESS_ATTR.strip_prefix(DIALECT_PREFIX)?;
    let known = || ASSUMPTION.values.iter().map(|value| value.name).chain([access]);
    if known().any(|known| known == own) {
        return None;
    }
    let close = format!("{DIALECT_PREFIX}{}", closest(own, known())?);
    let found = ignored(range.clone(), format!("unknown parameter attribute `{name}`"));
    Some(found.here(format!("did you mean `{close}`?")).fix(format!("write `{close}`"), range, close))
}

/// A value of the wrong kind.
pub(crate) fn hint_kind(range: Range<u32>, name: &str, takes: HintRange, value: &HintValue) -> Diagnostic {
    let (expected, used) = match (takes, value) {
        (HintRange::Bool, _) => ("`true` or `false`", "the compiler ignores the hint"),
        (HintRange::PowerOfTwo(..), _) => ("a number", "the compiler ignores the hint"),
        (HintRange::Between(..), HintValue::Bool(_)) => ("a number", "the compiler reads a boolean as -1"),
        (HintRange::Between(..), _) => ("a number", "the compiler ignores the hint"),
    };
    let found = hint_literal(value);
    ignored(range, format!("`{name}` expects {expected}, found `{found}`")).note(used)
}

/// A number outside the range of the target version. `without_clusters` is the architecture without clusters that
/// limits the hint to 1.
pub(crate) fn hint_value(
    range: Range<u32>,
    hint: &HintRow,
    (takes, value): (HintRange, i64),
    target: Version,
    without_clusters: Option<&str>,
) -> Diagnostic {
    let name = hint.name;
    let on = without_clusters.map_or(String::new(), |architecture| format!(" for {architecture}"));
    let message = format!("`{name}` must be {takes}{on}, found {value}");
    let used = match takes.clamped(value) {
        Some(used) => format!("the compiler uses {used} instead"),
        None => "the compiler ignores the hint".to_string(),
    };
    let found = ignored(range, message).note(used);
    let accepts = |(_, other): &&(Version, HintRange)| without_clusters.is_none() && other.contains(value);
    match hint.ranges.iter().filter(|(since, _)| *since > target).find(accepts) {
        Some((since, _)) => found.note(format!("version {since} accepts {value}")),
        None => found,
    }
}

fn quoted(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn suggest(
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
