//! Reading attributes as generic form writes them.

use crate::context::Context;
use crate::ir::Attr;
use crate::preview;
use crate::read::attr::{AttrReader, Literal, Read, symbol};
use tile_dialect::{AttrKind, AttrRow, Element, EnumRow};
use tile_syntax::Token;

/// The value of a property. Those of the preview may name what the file defines.
pub(super) fn generic_value(reader: &mut AttrReader, row: &AttrRow, context: &Context) -> Read<Attr> {
    match row.kind {
        AttrKind::ConstParams | AttrKind::ConstArgs | AttrKind::Preview(_) | AttrKind::Array | AttrKind::Dictionary => {
            preview::property(row, &mut preview::PreviewReader::new(*reader, context))
        }
        _ => reader.generic(row),
    }
}

impl AttrReader<'_> {
    /// The value of a property.
    pub(crate) fn generic(&mut self, row: &AttrRow) -> Read<Attr> {
        match row.kind {
            AttrKind::Enum { of, only, .. } => self.generic_enum(of, only),
            AttrKind::Int(bits) => {
                let value = self.attr(row)?;
                self.integer_type(bits).map(|()| value)
            }
            AttrKind::Bool if !matches!(self.word(), "true" | "false") => self.expected("`true` or `false`"),
            AttrKind::Str if self.kind() != Token::String => self.expected("a string"),
            AttrKind::Flag(_) if self.word() != "unit" => self.expected("`unit`"),
            AttrKind::Flag(_) => Ok(Attr::Flag),
            AttrKind::SymbolName => Ok(Attr::Symbol(self.word().trim_matches('"').into())),
            AttrKind::SymbolRef => Ok(Attr::Symbol(symbol(self.word()))),
            AttrKind::IntList => self.array("i32", Self::integer).map(|list| Attr::IntList(list.into())),
            AttrKind::BoolList(_) => self.array("i1", Self::boolean).map(|list| Attr::BoolList(list.into())),
            AttrKind::Hints => {
                self.eat(Token::AttrName);
                self.attr(row)
            }
            _ => self.attr(row),
        }
    }

    /// The type after an integer, which defaults to `i64`.
    fn integer_type(&mut self, bits: u8) -> Read<()> {
        let ty = format!("i{bits}");
        match self.eat(Token::Colon) {
            true if self.word() == ty => Ok(()),
            false if bits == 64 => Ok(()),
            true => self.expected(&format!("`{ty}`")),
            false => self.expected(&format!("`: {ty}`")),
        }
    }

    /// `#cuda_tile.rounding<zero>`, or for some enums the number of the value: `1 : i32`.
    fn generic_enum(&mut self, of: &'static EnumRow, only: &'static [u8]) -> Read<Attr> {
        if !of.numbered {
            let form = format!("#cuda_tile.{}", of.name);
            if self.word() != form {
                return self.expected(&format!("`{form}<…>`"));
            }
            self.at += 1;
            self.expect(Token::Less, "`<`")?;
            return self.keyword(of, only);
        }
        let place = self.range();
        let number = self.integer()?;
        self.integer_type(32)?;
        let value = u8::try_from(number).ok().filter(|&value| usize::from(value) < of.values.len());
        match value {
            Some(value) if only.is_empty() || only.contains(&value) => Ok(Attr::Enum(value)),
            Some(value) => self.fail(crate::diagnostics::keyword_not_allowed(place, of, only, of.keyword(value))),
            None => self.fail(crate::diagnostics::keyword_not_allowed(place, of, only, &number.to_string())),
        }
    }

    /// `dense<1.0> : !cuda_tile.tile<2xf32>`, where the op's result says what the elements are.
    pub(crate) fn generic_dense(&mut self, element: Element) -> Read<Literal> {
        self.at += usize::from(self.word() == "dense");
        self.expect(Token::Less, "`dense<`")?;
        self.elements(element)
    }

    /// `array<i32: 1, 0>`.
    pub(super) fn array<T>(&mut self, element: &str, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        for what in ["array", "<", element] {
            if self.word() != what {
                return self.expected(&format!("`{what}`"));
            }
            self.at += 1;
        }
        let mut list = Vec::new();
        if self.eat(Token::Colon) {
            loop {
                list.push(item(self)?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        self.expect(Token::Greater, "`>`")?;
        Ok(list)
    }
}
