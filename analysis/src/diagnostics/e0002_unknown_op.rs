//! E0002: unknown op.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign::{self, Foreign};
use crate::suggest;
use std::ops::Range;
use tile_dialect::{Arity, Class, DIALECT_PREFIX, Element, FLOATS, INTS, Mnemonic, NUMBERS, OpRow, Presence, lookup};

/// The page of E0002.
pub(super) static PAGE: Page = Page {
    code: "E0002",
    name: "unknown-op",
    severity: Severity::Error,
    text: r#"Tile IR has no op with this name. Op names are case-sensitive, and there are no user-defined
functions. Because the types of the op's results are unknown, their uses are not checked."#,
    fix: r#"Correct the spelling; the message suggests the closest name. If the name comes from another
language, such as Triton or NumPy, the message or the note names the Tile IR op to use instead.
`tile doc` without arguments lists all ops."#,
    see: &["E0107", "E0801", "L0006", "cuda_tile"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = itoa : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
  }
}
"#,
};

/// An unknown op. `rest` is the rest of its line.
pub(crate) fn unknown_op(range: Range<u32>, name: &str, rest: &str) -> Diagnostic {
    // `{num_warps = 4}` is an entry of a dictionary, not a result without its `%`.
    let unnamed = rest.trim_start().strip_prefix('=').is_some_and(|after| !after.starts_with('='));
    if unnamed && !rest.contains('}') {
        return lost_percent(range, name);
    }
    if let Some(found) = joined_by_hyphens(&range, name, rest).or_else(|| prefix_alone(&range, name, rest)) {
        return found;
    }
    let short = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name);
    match foreign::op(name) {
        Some(foreign) => foreign_op(range, name, rest, foreign),
        None => match suggest::op(short)
            .map(|close| [&name[..name.len() - short.len()], close].concat())
            .or_else(|| after_prefix(short))
        {
            Some(close) => misspelled(range.clone(), name, &close).fix(format!("write `{close}`"), range, close),
            None => unknown(range, name),
        },
    }
}

fn unknown(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("unknown op `{name}`"))
}

fn misspelled(range: Range<u32>, name: &str, close: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("unknown op `{name}`; did you mean `{close}`?"))
}

/// `x = addf …`.
fn lost_percent(range: Range<u32>, name: &str) -> Diagnostic {
    let message = format!("expected `%{name}`, found `{name}`: value names start with `%`");
    let start = range.start..range.start;
    Diagnostic::new(&PAGE, range, message).fix(format!("write `%{name}`"), start, "%")
}

/// `load-ptr-tko`, `cuda-tile.addi`.
fn joined_by_hyphens(range: &Range<u32>, name: &str, rest: &str) -> Option<Diagnostic> {
    let tail =
        rest.starts_with('-').then(|| rest.split(|it: char| !it.is_alphanumeric() && !"-_.".contains(it)).next())??;
    let op = format!("{name}{tail}").replace('-', "_");
    lookup(&op)?;
    let whole = range.start..range.end + tail.len() as u32;
    Some(misspelled(range.clone(), &format!("{name}{tail}"), &op).fix(format!("write `{op}`"), whole, op))
}

/// `cuda_tile addi`.
fn prefix_alone(range: &Range<u32>, name: &str, rest: &str) -> Option<Diagnostic> {
    let op = rest
        .split_whitespace()
        .next()
        .filter(|op| name == DIALECT_PREFIX.trim_end_matches('.') && lookup(op).is_some())?;
    let message = format!("expected `.` between `{name}` and the name of the op");
    let gap = range.end..range.end + rest.find(op)? as u32;
    Some(Diagnostic::new(&PAGE, range.clone(), message).fix(format!("write `{name}.{op}`"), gap, "."))
}

/// The op after a misspelled prefix: `cuda_tiles.addi`.
fn after_prefix(name: &str) -> Option<String> {
    let (prefix, bare) = name.rsplit_once('.')?;
    suggest::closest(prefix, [DIALECT_PREFIX.trim_end_matches('.')])?;
    lookup(bare).map(|named| format!("{DIALECT_PREFIX}{}", named.row.name))
}

/// An op of another language.
fn foreign_op(range: Range<u32>, name: &str, rest: &str, foreign: Foreign) -> Diagnostic {
    let ops: Vec<String> = foreign.ops.iter().map(|op| format!("`{op}`")).collect();
    let found = match (same_op(foreign, rest), &ops[..]) {
        (Some(op), _) => misspelled(range.clone(), name, op.name).fix(format!("write `{}`", op.name), range, op.name),
        (None, []) => unknown(range, name),
        (None, [only]) => Diagnostic::new(&PAGE, range, format!("unknown op `{name}`; Tile IR has {only}")),
        (None, [rest @ .., last]) => {
            let message = format!("unknown op `{name}`; Tile IR has {} and {last}", rest.join(", "));
            Diagnostic::new(&PAGE, range, message)
        }
    };
    found.note(foreign.hint)
}

/// The op that can replace a foreign one without changing the rest of the statement: it takes the same operands and
/// element type.
fn same_op(foreign: Foreign, rest: &str) -> Option<&'static OpRow> {
    if !foreign.is_rename {
        return None;
    }
    let (before, types) = rest.split_once(" : ").unwrap_or((rest, ""));
    let name = match *foreign.ops {
        [only] => only,
        [floats, integers] => match (has_element(types, FLOATS), has_element(types, INTS)) {
            (true, false) => floats,
            (false, true) => integers,
            _ => return None,
        },
        _ => return None,
    };
    let row = lookup(name)?.row;
    if row.op == Mnemonic::Entry {
        return rest.trim_start().starts_with('@').then_some(row);
    }
    let operands = row.operands.iter().filter(|operand| operand.arity == Arity::One).count();
    let is_written_so = before.matches('%').count() == operands && !rest.starts_with('(');
    let is_complete = row.attrs.iter().all(|attr| attr.presence != Presence::Required);
    let has_parts = operands > 0 || rest.trim().is_empty();
    let takes = |of: &[Element]| types.is_empty() || has_element(types, of) || !has_element(types, NUMBERS);
    let fits = row.operands.first().is_none_or(|operand| match operand.class {
        Class::TileOf(of) | Class::ScalarOf(of) => takes(of),
        _ => true,
    });
    (is_written_so && is_complete && has_parts && fits).then_some(row)
}

/// Reports whether the text of types contains one of these element types.
fn has_element(types: &str, elements: &[Element]) -> bool {
    let words = types.split(|it: char| !it.is_alphanumeric());
    // `4x8xf32` is one word.
    words.filter_map(|word| word.rsplit('x').next()).any(|word| elements.iter().any(|element| element.name() == word))
}
