//! Attributes that belong to no row: those of an entry's parameters, as far as bytecode can hold them.

use super::Lowerer;
use super::attr::{Read, Reader, name, unescape};
use super::generic::{Entry, entries_of};
use super::ty;
use crate::context::Context;
use crate::ir::{AttrValue, NamedAttrs};
use crate::preview;
use crate::types::{Type, TypeKind};
use tile_dialect::{DIALECT_PREFIX, Element};
use tile_syntax::{MAX_DEPTH, Node, NodeKind, Token};

impl Lowerer<'_> {
    /// The attributes of a parameter in a signature. Its dictionary has been checked.
    pub(super) fn named_attrs(&self, param: Node) -> NamedAttrs {
        let Some(dict) = self.tree.child(param, NodeKind::Dict) else { return NamedAttrs::default() };
        let read = |Entry { node, value, .. }: Entry| {
            let name = name(self.tree.first_text(node, self.text));
            let Some(value) = value else { return Some((name, AttrValue::Unit)) };
            // What is wrong with a value has been reported.
            let read = self.read_value(value, |reader| Ok(reader.attr_value(self.context))).ok().flatten()?;
            Some((name, read))
        };
        entries_of(self.tree, self.text, dict).filter_map(read).collect()
    }

    /// The attributes of the parameters of a function in generic form: a list of dictionaries.
    pub(super) fn listed_attrs(&self, value: Node) -> Vec<NamedAttrs> {
        match self.read_value(value, |reader| Ok(reader.attr_value(self.context))) {
            Ok(Some(AttrValue::Array(list))) => {
                let attrs = |value| if let AttrValue::Dict(attrs) = value { attrs } else { NamedAttrs::default() };
                list.into_iter().map(attrs).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl<'a> Reader<'a> {
    /// The attribute that stands here, with nothing behind it. What bytecode cannot hold stays text.
    pub(super) fn attr_value(&mut self, context: &Context) -> AttrValue {
        let (first, end) = (self.at, self.end);
        // With the preview there are more attributes and types.
        let mut preview = preview::Reader::new(*self, context);
        if preview::refusal(&context.options).is_none()
            && let Ok(value) = preview.value()
            && preview.finished().is_ok()
        {
            return value;
        }
        match self.typed_value(context, 0) {
            Ok(Some(value)) if self.at == end => value,
            _ => {
                let (start, end) = (self.tokens.start(first), self.tokens.end(end.saturating_sub(1)));
                AttrValue::Other(self.text[start as usize..end.max(start) as usize].into())
            }
        }
    }

    fn typed_value(&mut self, context: &Context, depth: usize) -> Read<Option<AttrValue>> {
        if depth == MAX_DEPTH {
            return Ok(None);
        }
        Ok(match (self.kind(), self.word()) {
            (Token::Name, word @ ("true" | "false")) => {
                self.at += 1;
                Some(AttrValue::Bool(word == "true"))
            }
            (Token::Name, "unit") => {
                self.at += 1;
                Some(AttrValue::Unit)
            }
            (Token::String, word) => {
                self.at += 1;
                Some(AttrValue::Str(unescape(word)))
            }
            (Token::Minus | Token::Integer | Token::Float, _) => self.typed_number()?,
            (Token::LeftBracket, _) => {
                let items = self.list(|reader| reader.typed_value(context, depth + 1))?;
                items.into_iter().collect::<Option<Vec<_>>>().map(AttrValue::Array)
            }
            (Token::LeftBrace, _) => self.named_values(context, depth)?.map(AttrValue::Dict),
            (Token::AttrName, word) => match word[1..].strip_prefix(DIALECT_PREFIX) {
                Some("optimization_hints") => {
                    self.at += 1;
                    Some(AttrValue::Hints(self.hints(Some(context))?))
                }
                Some("div_by" | "same_elements" | "bounded") => Some(AttrValue::Predicate(self.predicate()?)),
                _ => None,
            },
            (Token::Name | Token::TypeName, _) => self.type_value(context),
            _ => None,
        })
    }

    /// A number with its type, `i64` or `f64` where none is written.
    fn typed_number(&mut self) -> Read<Option<AttrValue>> {
        let number = self.at + usize::from(self.kind() == Token::Minus);
        let behind = number + 1;
        let is_typed = behind < self.end && self.tokens.kind(behind) == Token::Colon;
        let element = match is_typed {
            true if behind + 1 < self.end => Element::from_name(self.tokens.text(behind + 1, self.text)),
            true => None,
            false if self.tokens.kind(number) == Token::Float => Some(Element::F64),
            false => Some(Element::I64),
        };
        let Some(element) = element else { return Ok(None) };
        let bits = self.number(element)?;
        self.at += if is_typed { 2 } else { 0 };
        Ok(Some(AttrValue::Number(element, bits)))
    }

    /// `{a = 1 : i32, b}`.
    fn named_values(&mut self, context: &Context, depth: usize) -> Read<Option<NamedAttrs>> {
        self.at += 1;
        let mut attrs = Vec::new();
        while matches!(self.kind(), Token::Name | Token::String) {
            let name = name(self.word());
            self.at += 1;
            let value =
                if self.eat(Token::Equal) { self.typed_value(context, depth + 1)? } else { Some(AttrValue::Unit) };
            let Some(value) = value else { return Ok(None) };
            attrs.push((name, value));
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightBrace, "`}`")?;
        Ok(Some(attrs.into_iter().collect()))
    }

    /// A type: a name with all that its brackets hold.
    fn type_value(&mut self, context: &Context) -> Option<AttrValue> {
        let mut depth = 0i32;
        let closes = |&at: &usize| {
            depth += match self.tokens.kind(at) {
                Token::Less => 1,
                Token::Greater => -1,
                _ => 0,
            };
            depth == 0
        };
        let is_open = self.at + 1 < self.end && self.tokens.kind(self.at + 1) == Token::Less;
        let end = if is_open { (self.at + 1..self.end).find(closes)? + 1 } else { self.at + 1 };
        let mut wrong = Vec::new();
        let ty: Type = ty::read(self.text, self.tokens, self.at..end, context, &mut wrong);
        self.at = end;
        let is_held = wrong.is_empty() && !matches!(ty.kind(), TypeKind::Unknown | TypeKind::Foreign(_));
        is_held.then_some(AttrValue::Type(ty))
    }
}
