//! Checks globals, assumptions and prints.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::{Attr, Op, Predicate};
use crate::print_format::{self, Conversion, Operand};
use crate::types::TypeKind;
use std::ops::Range;
use tile_dialect::AttrName;

pub(super) fn get_global(cx: &Cx, op: &Op, found: Diagnostics) {
    let Attr::Symbol(name) = cx.attr(op, AttrName::Name) else { return };
    let place = cx.attr_place(op, AttrName::Name);
    let Some(global) = cx.context.globals.get(name) else {
        return found.push(d::unknown_global(place, name, cx.context.globals.keys().map(|name| &**name)));
    };
    let (Some(stored), Some(pointer)) = (global.as_tile(), cx.result_tile(op, 0)) else { return };
    if stored.number() != pointer.pointee() {
        found.push(d::global_type(cx.result_place(0), name, stored, pointer));
    }
}

pub(super) fn assume(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Attr::Predicate(predicate), Some(ty)) = (cx.attr(op, AttrName::Predicate), cx.operand(op, 0)) else { return };
    let place = cx.attr_place(op, AttrName::Predicate);
    let tile = ty.as_tile();
    let is_int = tile.and_then(|tile| tile.number()).is_some_and(|element| element.is_int());
    let is_pointer = tile.is_some_and(|tile| tile.pointee().is_some());
    let is_view = matches!(ty.kind(), TypeKind::TensorView(_));
    let (fits, allowed) = match predicate {
        Predicate::DivBy { every_along: None, .. } => {
            (is_int || is_pointer || is_view, "integers, pointers and tensor views")
        }
        Predicate::DivBy { .. } => (is_int || is_pointer, "tiles of integers or pointers"),
        Predicate::SameElements(_) => (is_int || is_pointer, "tiles of integers or pointers"),
        Predicate::Bounded(..) => (is_int, "tiles of integers"),
    };
    if !fits {
        return found.push(d::predicate_type(place, allowed, ty));
    }
    let Some(tile) = tile else { return };
    match predicate {
        Predicate::DivBy { every_along: Some((every, along)), .. } => {
            let in_range = *along >= 0 && (*along as usize) < tile.rank();
            if !in_range || *every < 0 || *every > tile.shape[*along as usize] {
                found.push(d::predicate_range(
                    place,
                    "`along` must be a dimension of the tile, and `every` at most its extent",
                ));
            }
        }
        Predicate::SameElements(groups) => {
            let fits = groups.len() == tile.rank()
                && groups.iter().zip(&tile.shape).all(|(n, extent)| (0..=*extent).contains(n));
            if !fits {
                found.push(d::predicate_range(
                    place,
                    "`same_elements` needs one group size for each dimension, at most its extent",
                ));
            }
        }
        Predicate::Bounded(lower, upper) => {
            let bits = tile.number().map_or(64, |element| element.bits());
            let (low, high) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
            let inside = |bound: &Option<i64>| bound.is_none_or(|bound| (low..=high).contains(&bound));
            if !inside(lower) || !inside(upper) {
                found.push(d::predicate_range(place, &format!("the bounds must fit in a signed {bits}-bit integer")));
            } else if matches!((lower, upper), (Some(lower), Some(upper)) if lower > upper) {
                found.push(d::predicate_range(place, "the lower bound is greater than the upper bound"));
            }
        }
        Predicate::DivBy { every_along: None, .. } => {}
    }
}

pub(super) fn print(cx: &Cx, op: &Op, found: Diagnostics) {
    let Attr::Str(format) = cx.attr(op, AttrName::Str) else { return };
    let place = cx.attr_place(op, AttrName::Str);
    let args = cx.body.group(op, 0);
    match print_format::upstream_conversion_count(format) {
        Err(_) => found.push(d::print_unterminated(place.clone(), fixed_format(cx, op, format, place))),
        Ok(count) if count != args.len() => {
            found.push(d::print_count(place.clone(), count, args.len(), fixed_format(cx, op, format, place)));
        }
        // A `%` without a letter is valid, but not every compiler prints the operand.
        Ok(_) => {
            let is_bare = |segment: &print_format::Segment| segment.conversion().is_some_and(Conversion::is_bare);
            if print_format::parse(format).iter().any(is_bare)
                && let Some(literal) = lettered(cx, op, format, &place)
            {
                found.push(d::bare_conversion(place.clone(), &literal));
            }
            mismatches(cx, op, format, &place, found);
        }
    }
}

/// Reports the conversions with a letter that do not match their operands, each at its range in the literal.
fn mismatches(cx: &Cx, op: &Op, format: &[u8], place: &Range<u32>, found: Diagnostics) {
    let offsets = offsets(&cx.text[place.start as usize..place.end as usize]);
    if offsets.len() != format.len() + 1 {
        return;
    }
    let segments = print_format::parse(format).into_iter();
    let conversions = segments.filter_map(|segment| Some((segment.conversion()?, segment.range)));
    for ((conversion, range), &value) in conversions.zip(cx.body.group(op, 0)) {
        let Some(operand) = Operand::of(cx.body.ty(value)) else { continue };
        let fits = conversion.letter.is_none_or(|letter| operand.fits(conversion.length, letter));
        if fits {
            continue;
        }
        let at = |byte: usize| place.start + offsets[byte];
        let suffix = conversion.suffix().len();
        let written = String::from_utf8_lossy(&format[range.clone()]).into_owned();
        let fitting = format!("{}{}", &written[..written.len() - suffix], operand.fit(conversion).suffix());
        found.push(d::print_conversion(at(range.start)..at(range.end), &written, cx.body.ty(value), fitting));
    }
}

/// The offset in the literal of each byte of a string, and of the end of the last one.
fn offsets(literal: &str) -> Vec<u32> {
    let bytes = literal.as_bytes();
    let (mut offsets, mut at) = (Vec::with_capacity(bytes.len()), 1);
    while at + 1 < bytes.len() {
        offsets.push(at as u32);
        at += match &bytes[at..] {
            [b'\\', b'n' | b't' | b'"' | b'\\', ..] => 2,
            [b'\\', ..] => 3,
            _ => 1,
        };
    }
    offsets.push(at as u32);
    offsets
}

/// The corrected literal, if it is certain: with a letter after every bare `%` if the numbers of conversions and
/// operands agree, with `%%` if there are no operands.
fn fixed_format(cx: &Cx, op: &Op, format: &[u8], place: Range<u32>) -> Option<String> {
    let count = print_format::parse(format).iter().filter(|segment| segment.conversion().is_some()).count();
    match cx.body.group(op, 0).len() {
        0 => Some(insert_after_percent(&cx.text[place.start as usize..place.end as usize], |_| Some("%"))),
        args if args == count => lettered(cx, op, format, &place),
        _ => None,
    }
}

/// The literal with the letter that matches the operand after every bare `%`.
fn lettered(cx: &Cx, op: &Op, format: &[u8], place: &Range<u32>) -> Option<String> {
    let literal = &cx.text[place.start as usize..place.end as usize];
    let args = cx.body.group(op, 0);
    let is_plain = literal.len() == format.len() + 2 + escapes(literal);
    let letter = |(index, conversion): (usize, Conversion)| {
        let operand = args.get(index).and_then(|&value| Operand::of(cx.body.ty(value)));
        conversion.is_bare().then(|| operand.map_or("i", |operand| &operand.conversion()[1..]))
    };
    let segments = print_format::parse(format);
    let letters: Vec<Option<&str>> =
        segments.iter().filter_map(|segment| segment.conversion()).enumerate().map(letter).collect();
    is_plain.then(|| insert_after_percent(literal, |index| letters.get(index).copied().flatten()))
}

/// The number of bytes by which escapes make a literal longer than its string.
fn escapes(literal: &str) -> usize {
    let bytes = literal.as_bytes();
    let (mut extra, mut at) = (0, 1);
    while at + 1 < bytes.len() {
        if bytes[at] == b'\\' {
            let long = !matches!(bytes[at + 1], b'n' | b't' | b'"' | b'\\');
            extra += 1 + usize::from(long);
            at += 1 + usize::from(long);
        }
        at += 1;
    }
    extra
}

/// The literal with `letter(n)` after the `n`th `%` that is not part of a `%%`.
fn insert_after_percent<'a>(literal: &str, letter: impl Fn(usize) -> Option<&'a str>) -> String {
    let mut out = String::with_capacity(literal.len() + 8);
    let (mut rest, mut next) = (literal, 0);
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..=at]);
        rest = &rest[at + 1..];
        if let Some(further) = rest.strip_prefix('%') {
            out.push('%');
            rest = further;
            continue;
        }
        out.extend(letter(next));
        next += 1;
    }
    out + rest
}
