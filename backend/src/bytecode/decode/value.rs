//! Attributes of any kind, each with a tag in front that says which it is.

use super::Decoder;
use super::attr::truth;
use super::cursor::Cursor;
use super::error::Read;
use crate::bytecode::format::attr_tag;
use tile_analysis::number;
use tile_analysis::preview::{Field, PreviewType, PreviewValue, Value};
use tile_analysis::types::TypeKind;
use tile_dialect::{FieldKind, PreviewAttr, PreviewWord};

/// How deeply attributes and the types in them may nest.
const MAX_NESTING: usize = 64;

impl Decoder<'_> {
    /// One attribute with its tag.
    pub(super) fn value(&mut self, cursor: &mut Cursor) -> Read<Value> {
        self.nested(cursor, Self::value_here)
    }

    /// Runs `read`, unless attributes are nested too deeply already.
    pub(super) fn nested<'c, T>(
        &mut self,
        cursor: &mut Cursor<'c>,
        read: impl FnOnce(&mut Self, &mut Cursor<'c>) -> Read<T>,
    ) -> Read<T> {
        if self.open_values == MAX_NESTING {
            return cursor.fail("attributes are nested too deeply");
        }
        self.open_values += 1;
        let found = read(self, cursor);
        self.open_values -= 1;
        found
    }

    fn value_here(&mut self, cursor: &mut Cursor) -> Read<Value> {
        let offset = cursor.offset();
        let mut behind = cursor.clone();
        let tag = behind.varint()?;
        if let Some(attr) = PreviewAttr::from_tag(tag) {
            *cursor = behind;
            return self.preview_value(cursor, attr, offset).map(Value::Preview);
        }
        let tag = u8::try_from(tag).unwrap_or(u8::MAX);
        match tag {
            attr_tag::DIV_BY | attr_tag::SAME_ELEMENTS | attr_tag::BOUNDED => {
                return self.predicate(cursor).map(Value::Predicate);
            }
            attr_tag::HINTS => return self.tagged_hints(cursor).map(|hints| Value::Hints(Box::new(hints))),
            attr_tag::FLOAT => return self.number(cursor).map(|(element, bits)| Value::Float(bits, element)),
            _ => *cursor = behind,
        }
        match tag {
            attr_tag::BOOL => truth(cursor).map(Value::Bool),
            attr_tag::INTEGER => self.integer_value(cursor),
            attr_tag::TYPE => self.ty(cursor).map(Value::Type),
            attr_tag::STRING => Ok(Value::Str(self.string(cursor)?.into())),
            attr_tag::ARRAY => self.values(cursor).map(|values| Value::Array(values.into())),
            attr_tag::DICTIONARY => self.dictionary(cursor),
            _ => cursor.fail_at(offset, format!("unsupported attribute of kind {tag}")),
        }
    }

    /// A count and attributes with their tags.
    pub(super) fn values(&mut self, cursor: &mut Cursor) -> Read<Vec<Value>> {
        let count = cursor.count("attributes", 1)?;
        (0..count).map(|_| self.value(cursor)).collect()
    }

    /// A count, and names with attributes.
    pub(super) fn dictionary(&mut self, cursor: &mut Cursor) -> Read<Value> {
        let count = cursor.count("attributes", 2)?;
        let entries = (0..count).map(|_| Ok((self.name(cursor)?, self.value(cursor)?))).collect::<Read<Vec<_>>>()?;
        Ok(Value::dict(entries))
    }

    fn integer_value(&mut self, cursor: &mut Cursor) -> Read<Value> {
        let (offset, at) = (cursor.offset(), cursor.clone());
        let ty = self.ty(cursor)?;
        match ty.kind() {
            TypeKind::Preview(PreviewType::Word(PreviewWord::Index)) => Ok(Value::Int(cursor.varint()? as i64, ty)),
            TypeKind::Number(element) if element.is_int() => {
                *cursor = at;
                let (element, bits) = self.typed_number(cursor, true)?;
                let is_truth = element.bits() == 1;
                Ok(if is_truth { Value::Bool(bits != 0) } else { Value::Int(number::decode_int(element, bits), ty) })
            }
            _ => cursor.fail_at(offset, format!("an integer attribute cannot have the type `{ty}`")),
        }
    }

    /// An attribute of the preview with its tag.
    pub(super) fn symbolic(&mut self, cursor: &mut Cursor) -> Read<PreviewValue> {
        let offset = cursor.offset();
        match self.value(cursor)? {
            Value::Preview(value) => Ok(value),
            other => cursor.fail_at(offset, format!("expected a symbolic expression, found `{other}`")),
        }
    }

    /// A count and attributes of the preview with their tags.
    pub(super) fn symbolic_list(&mut self, cursor: &mut Cursor) -> Read<Vec<PreviewValue>> {
        let count = cursor.count("expressions", 2)?;
        (0..count).map(|_| self.symbolic(cursor)).collect()
    }

    /// An attribute of the preview whose tag, which stands at `offset`, has been read.
    pub(super) fn preview_value(
        &mut self,
        cursor: &mut Cursor,
        attr: PreviewAttr,
        offset: usize,
    ) -> Read<PreviewValue> {
        self.need_preview(cursor, offset, format_args!("the attribute `preview${}`", attr.row().name))?;
        let mut fields = Vec::with_capacity(attr.row().fields.len());
        for row in attr.row().fields {
            fields.push(match row.kind {
                FieldKind::Int => Field::Int(cursor.signed()?),
                FieldKind::Text => Field::Text(self.text(cursor)?),
                FieldKind::Keyword(of) => Field::Keyword(self.keyword(of, cursor)?),
                FieldKind::Type => Field::Type(self.ty(cursor)?),
                FieldKind::One => Field::One(Box::new(self.symbolic(cursor)?)),
                FieldKind::List => Field::List(self.symbolic_list(cursor)?.into()),
            });
        }
        PreviewValue::new(attr, fields).or_else(|message| cursor.fail_at(offset, message))
    }

    /// A string that must be text. It may be empty.
    fn text(&self, cursor: &mut Cursor) -> Read<Box<str>> {
        let offset = cursor.offset();
        match std::str::from_utf8(self.string(cursor)?) {
            Ok(text) => Ok(text.into()),
            Err(_) => cursor.fail_at(offset, "a string of the preview must be UTF-8 text"),
        }
    }
}
