//! The types of the preview.

use super::PreviewReader;
use crate::diagnostics as d;
use crate::preview::gate::refusal;
use crate::preview::rules;
use crate::read::attr::Read;
use crate::read::ty;
use crate::types::{Field, PreviewValue};
use crate::types::{Fragment, PreviewType};
use crate::types::{Type, TypeKind};
use tile_dialect::{DIALECT_PREFIX, Element, FieldKind, MEMORY_SPACE, PreviewWord};
use tile_syntax::Token;

impl PreviewReader<'_> {
    /// Parses any type, including `index` and `none`.
    pub(crate) fn ty(&mut self) -> Read<Type> {
        if self.kind() == Token::Name
            && let Some(word @ (PreviewWord::Index | PreviewWord::None)) = PreviewWord::from_name(self.word())
        {
            self.bump();
            return Ok(Type::preview(PreviewType::Word(word)));
        }
        if !self.allows_types {
            return self.expected("a number, a variable or an expression");
        }
        let (ty, at) = ty::read_from(&self.tokens, self.context)?;
        self.tokens.at = at;
        Ok(ty)
    }

    /// Parses a type of the preview, starting at its name.
    pub(crate) fn preview_type(&mut self) -> Read<Type> {
        let (name, place) = (self.word(), self.tokens.range());
        if let Some(refused) = refusal(&self.context.options) {
            return self.tokens.fail(d::preview_refused(place, name, refused));
        }
        self.bump();
        let ty = match name {
            "preview$sym_t" => PreviewType::Symbol(self.symbol_name()?),
            "preview$fragment" => PreviewType::Fragment(self.fragment()?),
            _ => match PreviewWord::from_name(name) {
                Some(word) => PreviewType::Word(word),
                None => {
                    self.tokens.at -= 1;
                    return self.expected("a type of the preview");
                }
            },
        };
        Ok(Type::preview(ty))
    }

    fn symbol_name(&mut self) -> Read<Box<str>> {
        self.expect(Token::Less, "`<`")?;
        let name = self.name("the name of a constant parameter")?;
        self.expect(Token::Greater, "`>`")?;
        Ok(name)
    }

    /// Parses `<32xf32, local, mem_layout = <…>, fragmap = <…>, alignment = 4>`.
    fn fragment(&mut self) -> Read<Fragment> {
        let first = self.at() - 1;
        self.expect(Token::Less, "`<`")?;
        let (shape, element) = self.shaped()?;
        self.expect(Token::Comma, "`,`")?;
        let Field::Keyword(space) = self.field(FieldKind::Keyword(&MEMORY_SPACE))? else {
            return self.expected("a memory space");
        };
        self.expect(Token::Comma, "`,`")?;
        let mem_layout = self.layout("mem_layout")?;
        self.expect(Token::Comma, "`,`")?;
        let fragmap = self.layout("fragmap")?;
        let mut alignment = PreviewValue::int(1);
        if self.eat(Token::Comma) {
            self.labeled("alignment")?;
            alignment = self.expr()?;
        }
        self.expect(Token::Greater, "`>`")?;
        let fragment = Fragment { shape, element, space, mem_layout, fragmap, alignment };
        rules::fragment(&fragment).or_else(|message| self.broken(first, message))?;
        Ok(fragment)
    }

    /// Parses `tile<[N]x4xf32>`, starting at the `<`.
    pub(crate) fn symbolic_tile(&mut self) -> Read<Type> {
        let first = self.at() - 1;
        self.expect(Token::Less, "`<`")?;
        if let Some(refused) = refusal(&self.context.options) {
            let place = self.tokens.tokens.start(first)..self.tokens.tokens.end(self.at());
            return self.tokens.fail(d::preview_refused(place, "a symbolic tile", refused));
        }
        let (shape, element) = self.shaped()?;
        self.expect(Token::Greater, "`>`")?;
        rules::tile(&shape, element).or_else(|message| self.broken(first, message))?;
        Ok(Type::preview(PreviewType::Tile { shape, element }))
    }

    /// Parses `[N]x4xf32`: extents, each a number or an expression in brackets, and an element type.
    fn shaped(&mut self) -> Read<(Box<[PreviewValue]>, Type)> {
        let mut shape = Vec::new();
        loop {
            let mut rest = self.word();
            if self.eat(Token::LeftBracket) {
                shape.push(self.expr()?);
                self.expect(Token::RightBracket, "`]`")?;
                rest = match self.word().strip_prefix('x') {
                    Some(rest) => rest,
                    None => return self.expected("`x` and the next extent or the element type"),
                };
            }
            while let Some((digits, tail)) = rest.split_once('x')
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
            {
                let Ok(extent) = digits.parse() else { return self.expected("a smaller extent") };
                shape.push(PreviewValue::int(extent));
                rest = tail;
            }
            if !rest.is_empty() && self.kind() != Token::LeftBracket {
                return Ok((shape.into(), self.element(rest)?));
            }
            self.bump();
            if self.kind() != Token::LeftBracket {
                return self.expected("an extent or an element type");
            }
        }
    }

    /// Parses the element type that starts with `word`, the last part of the current token.
    fn element(&mut self, word: &str) -> Read<Type> {
        if let Some(element) = Element::from_name(word) {
            self.bump();
            return Ok(Type::new(TypeKind::Number(element)));
        }
        match word.strip_prefix(DIALECT_PREFIX).unwrap_or(word) {
            "preview$sym_t" => {
                self.bump();
                self.symbol_name().map(|name| Type::preview(PreviewType::Symbol(name)))
            }
            "ptr" => {
                let (ty, at) = ty::read_pointer(&self.tokens, self.context)?;
                self.tokens.at = at;
                Ok(ty)
            }
            _ => self.expected("an element type"),
        }
    }
}
