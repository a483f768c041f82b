//! Attributes of the preview.

use super::expr::MAX_DEPTH;
use crate::types::{Field, PreviewValue, Type};
use tile_dialect::PreviewAttr;

impl PreviewValue {
    /// An attribute with these parts. The error says what its row or its rules do not allow, or that it nests too deeply
    /// for what walks it recursively.
    pub fn new(attr: PreviewAttr, fields: Vec<Field>) -> Result<PreviewValue, String> {
        let value = PreviewValue { attr, fields: fields.into() };
        if value.height() > MAX_DEPTH {
            return Err(format!("symbolic expressions may nest at most {MAX_DEPTH} deep"));
        }
        super::rules::attribute(&value)?;
        Ok(value)
    }

    fn height(&self) -> usize {
        1 + self.children().map(PreviewValue::height).max().unwrap_or(0)
    }

    /// A number.
    pub fn int(value: i64) -> PreviewValue {
        PreviewValue { attr: PreviewAttr::Int, fields: [Field::Int(value)].into() }
    }

    /// The number that it is; `None` for a computation.
    pub fn as_int(&self) -> Option<i64> {
        match (self.attr, &*self.fields) {
            (PreviewAttr::Int, [Field::Int(value)]) => Some(*value),
            _ => None,
        }
    }

    /// The string that it holds first: the name of a variable, a builtin or a parameter, or a string constant.
    pub fn text(&self) -> Option<&str> {
        match self.fields.first() {
            Some(Field::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The keyword that it holds.
    pub fn keyword(&self) -> Option<u8> {
        match &*self.fields {
            [Field::Keyword(value)] => Some(*value),
            _ => None,
        }
    }

    /// The type that it holds.
    pub fn ty(&self) -> Option<Type> {
        self.fields.iter().find_map(|field| match field {
            Field::Type(ty) => Some(*ty),
            _ => None,
        })
    }

    /// Its parts that are attributes themselves, those of lists too.
    pub fn children(&self) -> impl Iterator<Item = &PreviewValue> {
        self.fields.iter().flat_map(|field| match field {
            Field::One(value) => std::slice::from_ref(&**value),
            Field::List(values) => values,
            _ => &[],
        })
    }

    /// The elements of a tuple, or one side of a layout.
    pub fn list(&self, index: usize) -> &[PreviewValue] {
        match self.fields.get(index) {
            Some(Field::List(values)) => values,
            _ => &[],
        }
    }

    /// Itself and everything below it that is a variable, by name.
    pub fn variables(&self) -> Vec<&str> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            if value.attr == PreviewAttr::Var {
                found.extend(value.text());
            }
            open.extend(value.children());
        }
        found
    }
}
