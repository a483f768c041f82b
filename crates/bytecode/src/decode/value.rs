//! Decodes tagged attributes.

use super::cursor::Cursor;
use super::decoder::Decoder;
use super::error::Read;
use tile_analysis::ir::{AttrValue, NamedAttrs};
use tile_analysis::preview::{Field, PreviewValue};
use tile_analysis::print;
use tile_dialect::{FieldKind, PreviewAttr};

/// The maximum nesting depth of attributes and the types in them.
const MAX_NESTING: usize = 64;

impl Decoder<'_> {
    /// Reads an attribute with its tag.
    pub(super) fn value(&mut self, cursor: &mut Cursor) -> Read<AttrValue> {
        self.nested(cursor, |this, cursor| this.tagged(cursor))
    }

    /// Runs `read`, unless attributes are nested too deeply.
    pub(super) fn nested<'c, T>(
        &mut self,
        cursor: &mut Cursor<'c>,
        read: impl FnOnce(&mut Self, &mut Cursor<'c>) -> Read<T>,
    ) -> Read<T> {
        if self.open_values == MAX_NESTING {
            return cursor.fail(format!("attributes are nested more than {MAX_NESTING} deep"));
        }
        self.open_values += 1;
        let found = read(self, cursor);
        self.open_values -= 1;
        found
    }

    /// Reads a preview attribute with its tag. Returns `None` if the tag is not that of a preview attribute.
    pub(super) fn preview_tagged(&mut self, cursor: &mut Cursor) -> Read<Option<AttrValue>> {
        let offset = cursor.offset();
        let mut after = cursor.clone();
        let Some(attr) = PreviewAttr::from_tag(after.varint()?) else { return Ok(None) };
        *cursor = after;
        self.preview_value(cursor, attr, offset).map(|value| Some(AttrValue::Preview(value)))
    }

    /// Reads a count and attributes with their tags.
    pub(super) fn values(&mut self, cursor: &mut Cursor) -> Read<Vec<AttrValue>> {
        let count = cursor.count("attributes", 1)?;
        (0..count).map(|_| self.value(cursor)).collect()
    }

    /// Reads a count, and names with tagged attributes.
    pub(super) fn named_values(&mut self, cursor: &mut Cursor) -> Read<NamedAttrs> {
        let count = cursor.count("attributes", 2)?;
        (0..count).map(|_| Ok((self.name(cursor)?, self.value(cursor)?))).collect()
    }

    /// Reads a preview attribute with its tag. Fails for other attributes.
    pub(super) fn symbolic(&mut self, cursor: &mut Cursor) -> Read<PreviewValue> {
        let offset = cursor.offset();
        match self.value(cursor)? {
            AttrValue::Preview(value) => Ok(value),
            other => {
                let found = print::attr_literal(&other);
                cursor.fail_at(offset, format!("expected a symbolic expression, found `{found}`"))
            }
        }
    }

    /// Reads a count and preview attributes with their tags.
    pub(super) fn symbolic_list(&mut self, cursor: &mut Cursor) -> Read<Vec<PreviewValue>> {
        let count = cursor.count("expressions", 2)?;
        (0..count).map(|_| self.symbolic(cursor)).collect()
    }

    /// Reads a preview attribute after its tag, which is at `offset`.
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
                FieldKind::List | FieldKind::Tuple => Field::List(self.symbolic_list(cursor)?.into()),
            });
        }
        PreviewValue::new(attr, fields).or_else(|message| cursor.fail_at(offset, message))
    }

    /// Reads a string that must be UTF-8. It can be empty.
    fn text(&self, cursor: &mut Cursor) -> Read<Box<str>> {
        let offset = cursor.offset();
        match std::str::from_utf8(self.string(cursor)?) {
            Ok(text) => Ok(text.into()),
            Err(_) => cursor.fail_at(offset, "a string of the preview is not valid UTF-8"),
        }
    }
}
