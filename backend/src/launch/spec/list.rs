//! Nested lists of numbers, whose nesting is the shape.

use super::super::{LaunchError, Number, cursor::Cursor, cursor::Parsed};
use super::bracketed;
use std::fmt;
use tile_dialect::Element;

/// Reads a list whose nesting must be that of `shape`.
pub(super) fn parse(cursor: &mut Cursor<'_>, element: Element, shape: &[u64]) -> Parsed<Vec<Number>> {
    let mut values = vec![];
    parse_level(cursor, element, shape, shape, &mut values)?;
    Ok(values)
}

/// Reads what `rest`, the inner part of `shape`, describes. The depth is that of the shape, which is limited.
fn parse_level(
    cursor: &mut Cursor<'_>,
    element: Element,
    shape: &[u64],
    rest: &[u64],
    values: &mut Vec<Number>,
) -> Parsed<()> {
    let Some((&extent, inner)) = rest.split_first() else {
        return parse_number(cursor, element, shape, values);
    };
    let start = cursor.start();
    if !cursor.eat("[") {
        let error = cursor.expected("`[`");
        return Err(error.help(format!("the list must be nested as the shape {} is", bracketed(shape))));
    }
    let mut count = 0;
    while !cursor.eat("]") {
        parse_level(cursor, element, shape, inner, values)?;
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

fn parse_number(cursor: &mut Cursor<'_>, element: Element, shape: &[u64], values: &mut Vec<Number>) -> Parsed<()> {
    if cursor.peek() == Some('[') {
        let error = LaunchError::new(cursor.next_token(), "the list is nested deeper than the shape");
        return Err(error.help(format!("the shape is {}", bracketed(shape))));
    }
    let (number, range) = cursor.number()?;
    number.encode(element).map_err(|message| LaunchError::new(range, message))?;
    values.push(number);
    Ok(())
}

/// Writes `values` as a list nested as `shape` is.
pub(super) fn write(f: &mut fmt::Formatter<'_>, shape: &[u64], values: &[Number]) -> fmt::Result {
    let Some((&extent, inner)) = shape.split_first() else {
        return values.first().map_or(Ok(()), |value| write!(f, "{value}"));
    };
    let each = values.len().checked_div(usize::try_from(extent).unwrap_or(usize::MAX)).unwrap_or(0);
    f.write_str("[")?;
    for index in 0..extent as usize {
        f.write_str(if index == 0 { "" } else { ", " })?;
        let part = index.checked_mul(each).and_then(|start| values.get(start..start.checked_add(each)?));
        write(f, inner, part.unwrap_or_default())?;
    }
    f.write_str("]")
}
