//! The attributes of preview ops.

use super::PreviewReader;
use crate::ir::{Attr, AttrValue};
use crate::read::attr::Read;
use crate::types::PreviewType;
use crate::types::Type;
use crate::types::{Field, PreviewValue};
use tile_dialect::{AttrKind, AttrRow, PreviewAttr, PreviewWord, WILDCARD};
use tile_syntax::Token;

/// Parses an attribute of a preview op in custom form.
pub(crate) fn attribute(row: &AttrRow, reader: &mut PreviewReader) -> Read<Attr> {
    let read = match row.kind {
        AttrKind::ConstParams => Attr::Symbolic(reader.const_params()?.into()),
        AttrKind::ConstArgs => Attr::Symbolic(reader.const_args()?.into()),
        AttrKind::Preview(attr) => Attr::Value(Box::new(AttrValue::Preview(reader.attr(attr)?))),
        _ => Attr::Value(Box::new(reader.value()?)),
    };
    reader.finished().map(|()| read)
}

/// Parses an attribute of a preview op in generic form or in a dictionary.
pub(crate) fn property(row: &AttrRow, reader: &mut PreviewReader) -> Read<Attr> {
    let value = reader.value()?;
    reader.finished()?;
    match (row.kind, value) {
        (AttrKind::ConstParams | AttrKind::ConstArgs, AttrValue::Array(values)) => {
            let symbolic = values.iter().map(|value| value.as_preview().cloned()).collect::<Option<_>>();
            symbolic.map_or_else(|| reader.unsuitable(row.name), |values| Ok(Attr::Symbolic(values)))
        }
        (AttrKind::Array, value @ AttrValue::Array(_)) | (AttrKind::Dictionary, value @ AttrValue::Dict(_)) => {
            Ok(Attr::Value(Box::new(value)))
        }
        (AttrKind::Preview(attr), AttrValue::Preview(value)) if value.attr == attr => {
            Ok(Attr::Value(Box::new(AttrValue::Preview(value))))
        }
        _ => reader.unsuitable(row.name),
    }
}

impl PreviewReader<'_> {
    /// Parses `<[N: index, ?]>`.
    pub(crate) fn const_params(&mut self) -> Read<Vec<PreviewValue>> {
        self.expect(Token::Less, "`<`")?;
        self.expect(Token::LeftBracket, "`[`, as in `<[N: index]>`")?;
        let params = self.list(Token::RightBracket, "`]`", |reader| {
            let first = reader.at();
            if reader.eat(Token::Question) {
                let index = Type::preview(PreviewType::Word(PreviewWord::Index));
                let fields = vec![Field::Text(WILDCARD.into()), Field::Type(index)];
                return reader.checked(first, PreviewAttr::ConstParam, fields);
            }
            let name = reader.name("the name of a constant parameter")?;
            reader.expect(Token::Colon, "`:` and a type, as in `<[N: index]>`")?;
            let ty = reader.ty()?;
            reader.checked(first, PreviewAttr::ConstParam, vec![Field::Text(name), Field::Type(ty)])
        })?;
        self.expect(Token::Greater, "`>`")?;
        Ok(params)
    }

    /// Parses `<[32, f32, (4, 8)]>`.
    pub(crate) fn const_args(&mut self) -> Read<Vec<PreviewValue>> {
        self.expect(Token::Less, "`<`")?;
        self.expect(Token::LeftBracket, "`[`, as in `<[32]>`")?;
        let values = self.list(Token::RightBracket, "`]`", Self::expr)?;
        self.expect(Token::Greater, "`>`")?;
        Ok(values)
    }

    /// Parses an attribute of one kind: in long form, or, for scratch memory, with its fields in braces.
    pub(crate) fn attr(&mut self, attr: PreviewAttr) -> Read<PreviewValue> {
        let first = self.at();
        if self.kind() == Token::LeftBrace {
            self.bump();
            let fields = self.fields(attr.row().fields)?;
            self.expect(Token::RightBrace, "`}`")?;
            return self.checked(first, attr, fields);
        }
        let value = self.long()?;
        let expected = attr.row().name;
        if value.attr == attr { Ok(value) } else { self.broken(first, format!("expected `preview${expected}`")) }
    }
}
