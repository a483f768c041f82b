//! Attributes of any kind, each with a tag in front that says which it is.

use super::Encoder;
use super::attrs::{self, predicate_tag};
use crate::bytecode::format::attr_tag;
use crate::bytecode::varint::{self, write_signed};
use tile_analysis::number::significant;
use tile_analysis::preview::{Field, PreviewValue, Value};
use tile_analysis::types::TypeKind;

impl<'a> Encoder<'a> {
    /// One attribute with its tag.
    pub(super) fn value(&mut self, value: &'a Value, bytes: &mut Vec<u8>) {
        let tag = match value {
            Value::Int(..) => attr_tag::INTEGER,
            Value::Float(..) => attr_tag::FLOAT,
            Value::Bool(_) => attr_tag::BOOL,
            Value::Str(_) => attr_tag::STRING,
            Value::Type(_) => attr_tag::TYPE,
            Value::Array(_) => attr_tag::ARRAY,
            Value::Dict(_) => attr_tag::DICTIONARY,
            Value::Predicate(predicate) => predicate_tag(predicate),
            Value::Hints(_) => attr_tag::HINTS,
            Value::Preview(value) => return self.symbolic(value, bytes),
        };
        bytes.push(tag);
        self.payload(value, bytes);
    }

    /// An attribute without its tag, where what surrounds it says which it is.
    pub(super) fn payload(&mut self, value: &'a Value, bytes: &mut Vec<u8>) {
        match value {
            Value::Int(value, ty) => {
                varint::write(bytes, self.ty(*ty));
                let bits = match ty.kind() {
                    TypeKind::Number(element) if element.bits() < 64 => *value as u64 & ((1 << element.bits()) - 1),
                    _ => *value as u64,
                };
                varint::write(bytes, bits);
            }
            Value::Float(bits, element) => {
                varint::write(bytes, self.element(*element));
                match element.bits() {
                    ..=8 => bytes.push(significant(*element, *bits) as u8),
                    _ => write_signed(bytes, significant(*element, *bits) as i64),
                }
            }
            Value::Bool(value) => bytes.push(u8::from(*value)),
            Value::Str(string) => varint::write(bytes, self.strings.index(string)),
            Value::Type(ty) => varint::write(bytes, self.ty(*ty)),
            Value::Array(values) => self.values(values.iter(), bytes),
            Value::Dict(entries) => self.dictionary(entries, bytes),
            Value::Predicate(predicate) => attrs::predicate(predicate, bytes),
            Value::Hints(hints) => self.hints(hints, bytes),
            Value::Preview(value) => self.symbolic_payload(value, bytes),
        }
    }

    /// A count and attributes with their tags.
    pub(super) fn values(&mut self, values: impl ExactSizeIterator<Item = &'a Value>, bytes: &mut Vec<u8>) {
        varint::write(bytes, values.len() as u64);
        values.for_each(|value| self.value(value, bytes));
    }

    /// A count, and names with attributes.
    pub(super) fn dictionary(&mut self, entries: &'a [(Box<str>, Value)], bytes: &mut Vec<u8>) {
        varint::write(bytes, entries.len() as u64);
        for (name, value) in entries {
            varint::write(bytes, self.strings.index(name.as_bytes()));
            self.value(value, bytes);
        }
    }

    /// A count and attributes of the preview with their tags.
    pub(super) fn symbolic_list(&mut self, values: &'a [PreviewValue], bytes: &mut Vec<u8>) {
        varint::write(bytes, values.len() as u64);
        values.iter().for_each(|value| self.symbolic(value, bytes));
    }

    /// An attribute of the preview with its tag.
    pub(super) fn symbolic(&mut self, value: &'a PreviewValue, bytes: &mut Vec<u8>) {
        varint::write(bytes, value.attr.row().tag.into());
        self.symbolic_payload(value, bytes);
    }

    fn symbolic_payload(&mut self, value: &'a PreviewValue, bytes: &mut Vec<u8>) {
        self.needs_preview(|| format!("`preview${}`", value.attr.row().name));
        for field in &value.fields {
            match field {
                Field::Int(value) => write_signed(bytes, *value),
                Field::Text(text) => varint::write(bytes, self.strings.index(text.as_bytes())),
                Field::Keyword(value) => varint::write(bytes, (*value).into()),
                Field::Type(ty) => varint::write(bytes, self.ty(*ty)),
                Field::One(value) => self.symbolic(value, bytes),
                Field::List(values) => self.symbolic_list(values, bytes),
            }
        }
    }
}
