//! Expectations for runs on other targets: the results of the CPU engine.

use super::prepared::Prepared;
use crate::generate::Program;
use std::fmt::Write;
use tile_analysis::number::{decode, decode_int, read};
use tile_dialect::Element;
use tile_engine::Options;
use tile_launch::{Buffer, Value};

/// The items of a program whose launch expects the contents of each buffer that a run on the CPU engine changes: the
/// same, or within the tolerance of the buffer.
pub fn with_expectations(program: &Program) -> Result<String, String> {
    let prepared = Prepared::of(&program.text())?;
    let outcome = prepared.run(&prepared.module, Options { threads: Some(1), ..Options::default() }, Vec::new())?;
    let mut lines = String::new();
    for (name, tolerance) in &program.buffers {
        let Some((_, after)) = outcome.buffers.iter().find(|(other, _)| other == name) else { continue };
        let is_it = |(other, _): &&(String, Value)| name.strip_prefix('%') == Some(other);
        let before = prepared.arguments.iter().find(is_it).map(|(_, value)| value);
        if before.is_some_and(|value| *value == Value::Buffer(after.clone())) && tolerance.is_none() {
            continue;
        }
        // Literals are rounded like results of conversions, so none is an infinity of this type.
        let is_infinite = |value: f64| after.element == Element::F8E5M2 && value.is_infinite();
        if after.values().is_some_and(|values| values.into_iter().any(is_infinite)) {
            continue;
        }
        let values = elements(after);
        _ = match tolerance {
            None => writeln!(lines, "  //@ expect {name} == [{values}]"),
            Some(tolerance) => writeln!(lines, "  //@ expect {name} ~= [{values}] {tolerance}"),
        };
    }
    let (launch, entry) = program.items.split_once("  entry @").ok_or("the program has no entry")?;
    Ok(format!("{launch}{lines}  entry @{entry}"))
}

/// The elements of a buffer as a comma list.
fn elements(buffer: &Buffer) -> String {
    let count = buffer.bytes.len() / buffer.element.bytes();
    let bits = (0..count).filter_map(|index| read(buffer.element, &buffer.bytes, index));
    let numbers = bits.map(|bits| match buffer.element {
        element if element.is_int() => decode_int(element, bits).to_string(),
        element => match decode(element, bits) {
            value if value.is_nan() => "nan".to_string(),
            value if value.is_infinite() => (if value > 0.0 { "inf" } else { "-inf" }).to_string(),
            value => shortest(value, element == Element::F64),
        },
    });
    numbers.collect::<Vec<_>>().join(", ")
}

/// The shortest literal that is rounded to this number.
fn shortest(value: f64, is_double: bool) -> String {
    let literal = if is_double { format!("{value:e}") } else { format!("{:e}", value as f32) };
    let plain = if is_double { format!("{value:?}") } else { format!("{:?}", value as f32) };
    if plain.len() <= literal.len() { plain } else { literal }
}
