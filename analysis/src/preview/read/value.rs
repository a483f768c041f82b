//! Parsing attributes of any kind that bytecode can store.

use super::{OWN, PreviewReader};
use crate::diagnostics as d;
use crate::ir::{AttrValue, NamedAttrs};
use crate::read::attr::{AttrReader as Tokens, Read, unescape};
use crate::types::TypeKind;
use rustc_hash::FxHashSet;
use tile_dialect::{DIALECT_PREFIX, Element, PREVIEW_PREFIX};
use tile_syntax::Token;

impl PreviewReader<'_> {
    /// Parses an attribute of any kind.
    pub(crate) fn value(&mut self) -> Read<AttrValue> {
        self.nested(Self::value_here)
    }

    fn value_here(&mut self) -> Read<AttrValue> {
        match (self.kind(), self.word()) {
            (Token::Minus | Token::Integer | Token::Float, _) => self.number(),
            (Token::Name, word @ ("true" | "false")) => {
                self.bump();
                Ok(AttrValue::Bool(word == "true"))
            }
            (Token::Name, "unit") => {
                self.bump();
                Ok(AttrValue::Unit)
            }
            (Token::String, _) => self.string().map(AttrValue::Str),
            (Token::LeftBracket, _) => {
                self.bump();
                self.list(Token::RightBracket, "`]`", Self::value).map(AttrValue::Array)
            }
            (Token::LeftBrace, _) => self.dict().map(AttrValue::Dict),
            (Token::AttrName, OWN) if self.own_name().starts_with(PREVIEW_PREFIX) => {
                self.long().map(AttrValue::Preview)
            }
            (Token::AttrName, _) => self.public(),
            (Token::Name | Token::TypeName, _) => {
                let ty = self.ty()?;
                match ty.kind() {
                    TypeKind::Unknown | TypeKind::Foreign(_) => self.expected("a type of the language"),
                    _ => Ok(AttrValue::Type(ty)),
                }
            }
            _ => self.expected("an attribute"),
        }
    }

    /// Parses a number. Without a type it is an `i64` or an `f64`.
    fn number(&mut self) -> Read<AttrValue> {
        let first = self.at();
        self.eat(Token::Minus);
        let is_float = self.kind() == Token::Float;
        self.bump();
        let end = self.at();
        let mut element = if is_float { Element::F64 } else { Element::I64 };
        if self.eat(Token::Colon) {
            let ty = self.ty()?;
            match ty.kind() {
                TypeKind::Number(found) => element = *found,
                _ => return self.broken(first, format!("expected a number type, found `{ty}`")),
            }
        }
        let mut number = Tokens { at: first, end, ..self.tokens };
        let bits = number.number(element)?;
        Ok(if element == Element::I1 { AttrValue::Bool(bits != 0) } else { AttrValue::Number(element, bits) })
    }

    fn string(&mut self) -> Read<Box<[u8]>> {
        let word = self.word();
        self.expect(Token::String, "a string")?;
        Ok(unescape(word))
    }

    pub(super) fn text(&mut self) -> Read<Box<str>> {
        self.string().map(|bytes| String::from_utf8_lossy(&bytes).into())
    }

    /// Parses `{a = 1 : i32, b}`, starting at the brace.
    pub(crate) fn dict(&mut self) -> Read<NamedAttrs> {
        self.expect(Token::LeftBrace, "`{`")?;
        let mut names = FxHashSet::default();
        let entries = self.list(Token::RightBrace, "`}`", |reader| {
            let (place, name) = (reader.tokens.range(), reader.name("the name of an attribute")?);
            if !names.insert(name.clone()) {
                return reader.tokens.fail(d::duplicate_entry(place, &name));
            }
            let value = if reader.eat(Token::Equal) { reader.value()? } else { AttrValue::Unit };
            Ok((name, value))
        })?;
        Ok(entries.into_iter().collect())
    }

    /// Parses a name, which is a word or a string.
    pub(super) fn name(&mut self, what: &str) -> Read<Box<str>> {
        if self.kind() == Token::String {
            return self.text();
        }
        let word = self.word();
        self.expect(Token::Name, what)?;
        Ok(word.into())
    }

    /// Parses an attribute of the public language: `#cuda_tile.div_by<16>`.
    fn public(&mut self) -> Read<AttrValue> {
        let word = self.word();
        let wrapped = word == OWN;
        if wrapped {
            self.bump();
            self.expect(Token::Less, "`<`")?;
        }
        let name = match self.word().strip_prefix('#').and_then(|name| name.strip_prefix(DIALECT_PREFIX)) {
            Some(name) => name,
            None if wrapped => self.word(),
            None => "",
        };
        let value = match name {
            "optimization_hints" => {
                self.bump();
                AttrValue::Hints(self.tokens.hints(Some(self.context))?)
            }
            "div_by" | "same_elements" | "bounded" => AttrValue::Predicate(self.tokens.predicate()?),
            _ => return self.expected("an attribute that bytecode can store"),
        };
        if wrapped {
            self.expect(Token::Greater, "`>`")?;
        }
        Ok(value)
    }
}
