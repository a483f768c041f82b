//! Attributes, each as its kind is encoded.

use super::Encoder;
use super::types::{long_list, short_list};
use crate::bytecode::format::attr_tag;
use crate::bytecode::varint::{self, write_signed};
use tile_analysis::ir::{Attr, HintValue, Hints, NamedHints, Predicate};
use tile_analysis::number::significant;
use tile_dialect::{AttrRow, Element};

impl<'a> Encoder<'a> {
    /// Appends the value of an attribute, without a word about what it is.
    pub(super) fn attr(&mut self, row: &AttrRow, attr: &'a Attr, bytes: &mut Vec<u8>) {
        match attr {
            Attr::Enum(value) => bytes.push(*value),
            Attr::Flag => bytes.push(1),
            Attr::Bool(value) => bytes.push(u8::from(*value)),
            Attr::Int(value) => varint::write(bytes, *value as u64),
            Attr::Str(string) => varint::write(bytes, self.strings.index(string)),
            Attr::Symbol(name) => varint::write(bytes, self.strings.index(name.as_bytes())),
            Attr::Dense(constant) => varint::write(bytes, self.constants.index(constant)),
            Attr::IntList(list) => short_list(bytes, list.iter().copied()),
            Attr::BoolList(list) => {
                varint::write(bytes, list.len() as u64);
                bytes.extend(list.iter().map(|&value| u8::from(value)));
            }
            Attr::Identities(list) => {
                varint::write(bytes, list.len() as u64);
                list.iter().for_each(|&(element, bits)| self.number(element, bits, bytes));
            }
            Attr::Hints(hints) => self.hints(hints, bytes),
            Attr::Predicate(predicate) => {
                bytes.push(predicate_tag(predicate));
                self::predicate(predicate, bytes);
            }
            Attr::Symbolic(values) => self.symbolic_list(values, bytes),
            Attr::Value(value) => self.payload(value, bytes),
            Attr::Absent => self.never(format!("an op without its `{}`", row.name)),
        }
    }

    /// A number with its type.
    fn number(&mut self, element: Element, bits: u64, bytes: &mut Vec<u8>) {
        let bits = significant(element, bits);
        bytes.push(if element.is_int() { attr_tag::INTEGER } else { attr_tag::FLOAT });
        varint::write(bytes, self.element(element));
        match (element.is_int(), element.bits()) {
            (true, _) => varint::write(bytes, bits),
            (false, ..=8) => bytes.push(bits as u8),
            (false, _) => write_signed(bytes, bits as i64),
        }
    }

    /// Hints with a word in front that says what they are.
    pub(super) fn tagged_hints(&mut self, hints: &'a Hints, bytes: &mut Vec<u8>) {
        bytes.push(attr_tag::HINTS);
        self.hints(hints, bytes);
    }

    /// The attributes of a function's parameters, of which there are none.
    pub(super) fn param_attrs(&mut self, bytes: &mut Vec<u8>) {
        bytes.extend([attr_tag::ARRAY, 0]);
    }

    pub(super) fn hints(&mut self, hints: &'a Hints, bytes: &mut Vec<u8>) {
        varint::write(bytes, hints.by_architecture.len() as u64);
        for (architecture, values) in &hints.by_architecture {
            varint::write(bytes, self.strings.index(architecture.as_bytes()));
            bytes.push(attr_tag::DICTIONARY);
            self.named_hints(values, bytes);
        }
    }

    fn named_hints(&mut self, values: &'a NamedHints, bytes: &mut Vec<u8>) {
        varint::write(bytes, values.len() as u64);
        for (name, value) in values {
            varint::write(bytes, self.strings.index(name.as_bytes()));
            match value {
                HintValue::Int(value) => match i32::try_from(*value) {
                    Ok(value) => self.number(Element::I32, u64::from(value as u32), bytes),
                    Err(_) => self.number(Element::I64, *value as u64, bytes),
                },
                HintValue::Bool(value) => bytes.extend([attr_tag::BOOL, u8::from(*value)]),
                HintValue::Other(text) => match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                    Some(inner) if !inner.contains('\\') => {
                        bytes.push(attr_tag::STRING);
                        varint::write(bytes, self.strings.index(inner.as_bytes()));
                    }
                    _ => self.never(format!("the value `{text}` of the hint `{name}`")),
                },
            }
        }
    }
}

/// The tag of a predicate.
pub(super) fn predicate_tag(predicate: &Predicate) -> u8 {
    match predicate {
        Predicate::DivBy { .. } => attr_tag::DIV_BY,
        Predicate::SameElements(_) => attr_tag::SAME_ELEMENTS,
        Predicate::Bounded(..) => attr_tag::BOUNDED,
    }
}

/// A predicate without its tag.
pub(super) fn predicate(predicate: &Predicate, bytes: &mut Vec<u8>) {
    match predicate {
        Predicate::DivBy { divisor, every_along } => {
            varint::write(bytes, *divisor);
            bytes.push(if every_along.is_some() { 3 } else { 0 });
            if let Some((every, along)) = every_along {
                write_signed(bytes, *every);
                write_signed(bytes, *along);
            }
        }
        Predicate::SameElements(groups) => {
            long_list(bytes, groups);
        }
        Predicate::Bounded(lower, upper) => {
            bytes.push(u8::from(lower.is_some()) | u8::from(upper.is_some()) << 1);
            [lower, upper].into_iter().flatten().for_each(|bound| write_signed(bytes, *bound));
        }
    }
}
