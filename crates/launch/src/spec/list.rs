//! Parses nested lists of numbers and addresses, whose nesting must match the shape.

use super::Init;
use crate::address::{self, Address};
use crate::cursor::{Cursor, Parsed};
use crate::error::LaunchError;
use crate::literal::Number;
use crate::shape::bracketed;
use tile_dialect::Element;

/// The contents of a list.
#[derive(Default)]
struct Entries {
    /// The numbers, with 0 in place of each address.
    values: Vec<Number>,
    addresses: Vec<(usize, Address)>,
}

/// Parses a list nested like `shape`.
pub(super) fn parse(cursor: &mut Cursor<'_>, element: Element, shape: &[u64]) -> Parsed<Init> {
    let mut entries = Entries::default();
    parse_level(cursor, element, shape, shape, &mut entries)?;
    let Entries { values, addresses } = entries;
    Ok(if addresses.is_empty() { Init::Values(values) } else { Init::Addresses { values, addresses } })
}

/// Parses a list nested like `rest`, the inner dimensions of `shape`. The limit on the rank also limits the recursion.
fn parse_level(
    cursor: &mut Cursor<'_>,
    element: Element,
    shape: &[u64],
    rest: &[u64],
    entries: &mut Entries,
) -> Parsed<()> {
    let Some((&extent, inner)) = rest.split_first() else {
        return parse_entry(cursor, element, shape, entries);
    };
    let start = cursor.start();
    if !cursor.eat("[") {
        let error = cursor.expected("`[`");
        return Err(error.help(format!("nest the list like the shape {}", bracketed(shape))));
    }
    let mut count = 0;
    while !cursor.eat("]") {
        parse_level(cursor, element, shape, inner, entries)?;
        count += 1;
        if !cursor.eat(",") {
            cursor.expect("]")?;
            break;
        }
    }
    if count == extent {
        return Ok(());
    }
    let level = shape.len() - rest.len();
    let message = format!("the list has {count} entries, but dimension {level} of {} is {extent}", bracketed(shape));
    Err(LaunchError::new(start..cursor.position(), message))
}

fn parse_entry(cursor: &mut Cursor<'_>, element: Element, shape: &[u64], entries: &mut Entries) -> Parsed<()> {
    if cursor.peek() == Some('[') {
        let error = LaunchError::new(cursor.next_token(), "the list is nested deeper than the shape");
        return Err(error.help(format!("the shape is {}", bracketed(shape))));
    }
    if address::is_next(cursor) {
        let found = address::parse(cursor)?;
        if element != Element::I64 {
            let error =
                LaunchError::new(found.range, format!("an address is an i64, and the element type is {element}"));
            return Err(error.help("make it a buffer of `i64`; the kernel turns its elements into pointers"));
        }
        entries.addresses.push((entries.values.len(), found));
        entries.values.push(Number::Whole(0));
        return Ok(());
    }
    let (number, range) = cursor.number()?;
    number.encode(element).map_err(|message| LaunchError::new(range, message))?;
    entries.values.push(number);
    Ok(())
}
