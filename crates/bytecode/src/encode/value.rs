//! Encodes preview attributes, and attributes without a tag.

use super::encoder::Encoder;
use crate::varint::{self, write_signed};
use tile_analysis::ir::AttrValue;
use tile_analysis::preview::{Field, PreviewValue};

impl<'a> Encoder<'a> {
    /// Appends an attribute without its tag.
    pub(super) fn payload(&mut self, name: &str, value: &'a AttrValue, bytes: &mut Vec<u8>) {
        match value {
            AttrValue::Array(values) => {
                varint::write(bytes, values.len() as u64);
                values.iter().for_each(|value| self.tagged(name, value, bytes));
            }
            AttrValue::Dict(attrs) => self.entries(attrs, bytes),
            AttrValue::Preview(value) => self.symbolic_payload(value, bytes),
            _ => self.never(format!("the value of `{name}`")),
        }
    }

    /// Appends a count and preview attributes with their tags.
    pub(super) fn symbolic_list(&mut self, values: &'a [PreviewValue], bytes: &mut Vec<u8>) {
        varint::write(bytes, values.len() as u64);
        values.iter().for_each(|value| self.symbolic(value, bytes));
    }

    /// Appends a preview attribute with its tag.
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
