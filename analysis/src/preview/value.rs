//! Attributes of the preview.

use super::expr::MAX_DEPTH;
use crate::types::{Field, PreviewValue, Type};
use tile_dialect::PreviewAttr;

impl PreviewValue {
    /// An attribute with these fields. Returns an error if its row or its rules do not allow them, or if it is nested
    /// too deeply for recursive functions.
    pub fn new(attr: PreviewAttr, fields: Vec<Field>) -> Result<PreviewValue, String> {
        let value = PreviewValue { attr, fields: fields.into() };
        if value.height() > MAX_DEPTH {
            return Err(format!("symbolic expressions can be nested at most {MAX_DEPTH} deep"));
        }
        super::rules::attribute(&value)?;
        Ok(value)
    }

    fn height(&self) -> usize {
        1 + self.children().map(PreviewValue::height).max().unwrap_or(0)
    }

    /// An integer literal.
    pub fn int(value: i64) -> PreviewValue {
        PreviewValue { attr: PreviewAttr::Int, fields: [Field::Int(value)].into() }
    }

    /// The number of an integer literal; `None` for other expressions.
    pub fn as_int(&self) -> Option<i64> {
        match (self.attr, &*self.fields) {
            (PreviewAttr::Int, [Field::Int(value)]) => Some(*value),
            _ => None,
        }
    }

    /// Its first string: the name of a variable, a builtin or a parameter, or a string constant.
    pub fn text(&self) -> Option<&str> {
        match self.fields.first() {
            Some(Field::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The keyword that it contains.
    pub fn keyword(&self) -> Option<u8> {
        match &*self.fields {
            [Field::Keyword(value)] => Some(*value),
            _ => None,
        }
    }

    /// The type that it contains.
    pub fn ty(&self) -> Option<Type> {
        self.fields.iter().find_map(|field| match field {
            Field::Type(ty) => Some(*ty),
            _ => None,
        })
    }

    /// Its fields that are attributes, including those in lists.
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

    /// The names of the variables in the expression.
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
