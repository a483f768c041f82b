//! The names of values as users write them.

use crate::ir::Value;
use crate::source::Spans;

/// The name of a value in the text of its item: `%a`, or `%a#1` for one value of a pack.
pub(super) fn value_name(text: &str, spans: &Spans, value: Value) -> String {
    let definition = spans.definition(value);
    let written = &text[definition.start as usize..definition.end as usize];
    let is_pack = spans.definitions.iter().filter(|&other| *other == definition).count() > 1;
    if is_pack { format!("{written}#{}", spans.ranks[value.0 as usize]) } else { written.to_string() }
}
