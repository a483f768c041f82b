//! Encodes attributes.

use super::encoder::Encoder;
use super::types::{long_list, short_list};
use crate::format::attr_tag;
use crate::unsupported::Site;
use crate::varint::{self, write_signed};
use tile_analysis::ir::{Attr, AttrValue, HintValue, Hints, NamedAttrs, NamedHints, Predicate, Value};
use tile_analysis::number::significant;
use tile_dialect::{AttrRow, Element, MULTIMEM_REDUCTION};

impl<'a> Encoder<'a> {
    /// Appends the value of an attribute without a tag.
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
            Attr::Predicate(predicate) => tagged_predicate(predicate, bytes),
            Attr::Symbolic(values) => self.symbolic_list(values, bytes),
            Attr::Value(value) => self.payload(row.name, value, bytes),
            Attr::Absent => self.never(format!("an op without `{}`", row.name)),
        }
    }

    /// Appends a number with its type.
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

    /// Appends hints with their tag.
    pub(super) fn tagged_hints(&mut self, hints: &'a Hints, bytes: &mut Vec<u8>) {
        bytes.push(attr_tag::HINTS);
        self.hints(hints, bytes);
    }

    /// Appends the attributes of a function's parameters: a list of dictionaries, which is empty if no parameter has
    /// any.
    pub(super) fn param_attrs(&mut self, attrs: &'a [NamedAttrs], bytes: &mut Vec<u8>) {
        bytes.push(attr_tag::ARRAY);
        varint::write(bytes, attrs.len() as u64);
        let entry = self.site;
        for (index, attrs) in attrs.iter().enumerate() {
            if let Site::Entry(entry) = entry {
                // The first values of an entry are its parameters.
                self.site = Site::Param(entry, Value(index as u32));
            }
            self.dictionary(attrs, bytes);
        }
        self.site = entry;
    }

    pub(super) fn dictionary(&mut self, attrs: &'a NamedAttrs, bytes: &mut Vec<u8>) {
        bytes.push(attr_tag::DICTIONARY);
        self.entries(attrs, bytes);
    }

    /// Appends a count, and names with tagged attributes.
    pub(super) fn entries(&mut self, attrs: &'a NamedAttrs, bytes: &mut Vec<u8>) {
        varint::write(bytes, attrs.len() as u64);
        for (name, value) in attrs.iter() {
            varint::write(bytes, self.strings.index(name.as_bytes()));
            self.tagged(name, value, bytes);
        }
    }

    /// Appends an attribute with its tag.
    pub(super) fn tagged(&mut self, name: &str, value: &'a AttrValue, bytes: &mut Vec<u8>) {
        match value {
            AttrValue::Bool(value) => bytes.extend([attr_tag::BOOL, u8::from(*value)]),
            AttrValue::Number(element, bits) => self.number(*element, *bits, bytes),
            AttrValue::Str(string) => {
                bytes.push(attr_tag::STRING);
                varint::write(bytes, self.strings.index(string));
            }
            AttrValue::Type(ty) => {
                bytes.push(attr_tag::TYPE);
                varint::write(bytes, self.ty(*ty));
            }
            AttrValue::Array(list) => {
                bytes.push(attr_tag::ARRAY);
                varint::write(bytes, list.len() as u64);
                list.iter().for_each(|value| self.tagged(name, value, bytes));
            }
            AttrValue::Dict(attrs) => self.dictionary(attrs, bytes),
            AttrValue::Predicate(predicate) => tagged_predicate(predicate, bytes),
            AttrValue::Hints(hints) => self.tagged_hints(hints, bytes),
            AttrValue::Preview(value) => self.symbolic(value, bytes),
            AttrValue::Unit => self.never(format!("the attribute `{name}` of a parameter, which has no value")),
            AttrValue::Other(text) => match MULTIMEM_REDUCTION.value_of_literal(text) {
                Some(kind) => bytes.extend([attr_tag::REDUCTION, kind]),
                None => self.never(format!("the value `{text}` of the attribute `{name}` of a parameter")),
            },
        }
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
                HintValue::Str(string) => {
                    bytes.push(attr_tag::STRING);
                    varint::write(bytes, self.strings.index(string));
                }
                HintValue::Other(text) => self.never(format!("the value `{text}` of the hint `{name}`")),
            }
        }
    }
}

fn tagged_predicate(predicate: &Predicate, bytes: &mut Vec<u8>) {
    match predicate {
        Predicate::DivBy { divisor, every_along } => {
            bytes.push(attr_tag::DIV_BY);
            varint::write(bytes, *divisor);
            bytes.push(if every_along.is_some() { 3 } else { 0 });
            if let Some((every, along)) = every_along {
                write_signed(bytes, *every);
                write_signed(bytes, *along);
            }
        }
        Predicate::SameElements(groups) => {
            bytes.push(attr_tag::SAME_ELEMENTS);
            long_list(bytes, groups);
        }
        Predicate::Bounded(lower, upper) => {
            bytes.push(attr_tag::BOUNDED);
            bytes.push(u8::from(lower.is_some()) | u8::from(upper.is_some()) << 1);
            [lower, upper].into_iter().flatten().for_each(|bound| write_signed(bytes, *bound));
        }
    }
}
