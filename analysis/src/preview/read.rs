//! Reading the preview's types and attributes from text.

use super::expr::{MAX_DEPTH, is_expr};
use super::gate::refusal;
use super::layout::Layout;
use super::types::{Fragment, PreviewType};
use super::value::{Field, PreviewValue};
use crate::context::Context;
use crate::diagnostics as d;
use crate::ir::{AttrValue, NamedAttrs};
use crate::lower::attr::{Read, Reader as Tokens, unescape};
use crate::lower::ty;
use crate::types::{Type, TypeKind};
use rustc_hash::FxHashSet;
use tile_dialect::{
    DIALECT_PREFIX, Element, FieldKind, MEMORY_SPACE, PREVIEW_PREFIX, PreviewAttr, PreviewField, PreviewWord, WILDCARD,
};
use tile_syntax::Token;

/// Tokens with a place among them, and what they may name.
pub(crate) struct Reader<'a> {
    tokens: Tokens<'a>,
    context: &'a Context,
    depth: usize,
}

/// What an attribute of a preview's own is written as: `#cuda_tile<…>`.
const OWN: &str = "#cuda_tile";

impl<'a> Reader<'a> {
    pub(crate) fn new(tokens: Tokens<'a>, context: &'a Context) -> Reader<'a> {
        Reader { tokens, context, depth: 0 }
    }

    /// The token at which it stands.
    pub(crate) fn at(&self) -> usize {
        self.tokens.at
    }

    fn kind(&self) -> Token {
        self.tokens.kind()
    }

    fn kind_behind(&self) -> Token {
        let next = self.tokens.at + 1;
        if next < self.tokens.end { self.tokens.tokens.kind(next) } else { Token::End }
    }

    fn word(&self) -> &'a str {
        self.tokens.word()
    }

    fn bump(&mut self) {
        self.tokens.at += 1;
    }

    fn eat(&mut self, kind: Token) -> bool {
        self.tokens.eat(kind)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.tokens.at += usize::from(found);
        found
    }

    fn expect(&mut self, kind: Token, what: &str) -> Read<()> {
        self.tokens.expect(kind, what)
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        self.tokens.expected(what)
    }

    /// Reports what the rules of an attribute or a type do not allow, from a token to here.
    fn broken<T>(&self, first: usize, message: String) -> Read<T> {
        let tokens = self.tokens.tokens;
        let last = self.tokens.at.saturating_sub(1).max(first);
        self.tokens.fail(d::preview_rule(tokens.start(first)..tokens.end(last), message))
    }

    /// What was read is not a value of the attribute with this name.
    pub(crate) fn unsuitable<T>(&self, name: &str) -> Read<T> {
        let tokens = self.tokens.tokens;
        let range = tokens.start(self.tokens.at.saturating_sub(1))..tokens.end(self.tokens.at.saturating_sub(1));
        self.tokens.fail(d::preview_rule(range, format!("this is not a value for `{name}`")))
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == MAX_DEPTH {
            return self.expected("an attribute that nests less");
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Items between brackets with commas between them.
    fn list<T>(&mut self, closes: Token, mark: &str, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(closes) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat(Token::Comma) {
                self.expect(closes, mark)?;
                return Ok(items);
            }
        }
    }

    /// Nothing may follow.
    pub(crate) fn finished(&self) -> Read<()> {
        if self.kind() == Token::End { Ok(()) } else { self.expected("the end of the attribute") }
    }

    // Any attribute.

    /// One attribute of any kind.
    pub(crate) fn value(&mut self) -> Read<AttrValue> {
        self.nested(Self::value_here)
    }

    fn value_here(&mut self) -> Read<AttrValue> {
        match (self.kind(), self.word()) {
            (Token::Minus | Token::Integer | Token::Float, _) => self.number(),
            (Token::Name, "true" | "false") => {
                self.bump();
                Ok(AttrValue::Bool(self.tokens.tokens.text(self.at() - 1, self.tokens.text) == "true"))
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
            (Token::Name | Token::TypeName, _) => self.ty().map(AttrValue::Type),
            _ => self.expected("an attribute"),
        }
    }

    /// A number, which is an `i64` or an `f64` where no type follows.
    fn number(&mut self) -> Read<AttrValue> {
        let first = self.at();
        self.eat(Token::Minus);
        let is_float = self.kind() == Token::Float;
        self.bump();
        let behind = self.at();
        let mut element = if is_float { Element::F64 } else { Element::I64 };
        if self.eat(Token::Colon) {
            let ty = self.ty()?;
            match ty.kind() {
                TypeKind::Number(found) => element = *found,
                _ => return self.broken(first, format!("expected a number type, found `{ty}`")),
            }
        }
        let mut number = Tokens { at: first, end: behind, ..self.tokens };
        let bits = number.number(element)?;
        Ok(if element == Element::I1 { AttrValue::Bool(bits != 0) } else { AttrValue::Number(element, bits) })
    }

    fn string(&mut self) -> Read<Box<[u8]>> {
        let word = self.word();
        self.expect(Token::String, "a string")?;
        Ok(unescape(word))
    }

    fn text(&mut self) -> Read<Box<str>> {
        self.string().map(|bytes| String::from_utf8_lossy(&bytes).into())
    }

    /// `{a = 1 : i32, b}`; the brace is here.
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

    /// A word or a string.
    fn name(&mut self, what: &str) -> Read<Box<str>> {
        if self.kind() == Token::String {
            return self.text();
        }
        let word = self.word();
        self.expect(Token::Name, what)?;
        Ok(word.into())
    }

    /// An attribute of the public language: `#cuda_tile.div_by<16>`.
    fn public(&mut self) -> Read<AttrValue> {
        let word = self.word();
        let wrapped = word == OWN;
        if wrapped {
            self.bump();
            self.expect(Token::Less, "`<`")?;
        }
        let name = self.word().trim_start_matches('#');
        let value = match name.strip_prefix(DIALECT_PREFIX).unwrap_or(name) {
            "optimization_hints" => {
                self.bump();
                AttrValue::Hints(self.tokens.hints(Some(self.context))?)
            }
            "div_by" | "same_elements" | "bounded" => AttrValue::Predicate(self.tokens.predicate()?),
            _ => return self.expected("an attribute that bytecode can hold"),
        };
        if wrapped {
            self.expect(Token::Greater, "`>`")?;
        }
        Ok(value)
    }

    // Attributes of the preview.

    /// The name in `#cuda_tile<name<…>>`.
    fn own_name(&self) -> &'a str {
        let name = self.at() + 2;
        if self.kind_behind() == Token::Less && name < self.tokens.end {
            self.tokens.tokens.text(name, self.tokens.text)
        } else {
            ""
        }
    }

    /// `#cuda_tile<preview$expr_int<3>>`; it is here.
    fn long(&mut self) -> Read<PreviewValue> {
        let first = self.at();
        if self.word() != OWN {
            return self.expected("`#cuda_tile<preview$…>`");
        }
        self.bump();
        self.expect(Token::Less, "`<`")?;
        let (name, place) = (self.word(), self.tokens.range());
        let Some(attr) = name.strip_prefix(PREVIEW_PREFIX).and_then(PreviewAttr::from_name) else {
            return self.expected("the name of a preview attribute");
        };
        if let Some(refused) = refusal(&self.context.options) {
            return self.tokens.fail(d::preview_refused(place, name, refused));
        }
        self.bump();
        self.expect(Token::Less, "`<`")?;
        let fields = match attr {
            PreviewAttr::Layout if self.word() != "shapes" => self.layout_sides()?,
            _ => self.fields(attr.row().fields)?,
        };
        self.expect(Token::Greater, "`>`")?;
        self.expect(Token::Greater, "`>`")?;
        self.checked(first, attr, fields)
    }

    fn checked(&self, first: usize, attr: PreviewAttr, fields: Vec<Field>) -> Read<PreviewValue> {
        PreviewValue::new(attr, fields).or_else(|message| self.broken(first, message))
    }

    fn fields(&mut self, rows: &[PreviewField]) -> Read<Vec<Field>> {
        let mut fields = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                self.expect(Token::Comma, "`,`")?;
            }
            if !row.label.is_empty() {
                if !self.eat_word(row.label) {
                    return self.expected(&format!("`{} = …`", row.label));
                }
                self.expect(Token::Equal, "`=`")?;
            }
            fields.push(self.field(row.kind)?);
        }
        Ok(fields)
    }

    fn field(&mut self, kind: FieldKind) -> Read<Field> {
        Ok(match kind {
            FieldKind::Int => Field::Int(self.tokens.integer()?),
            FieldKind::Text => Field::Text(self.text()?),
            FieldKind::Keyword(of) => {
                let (word, place) = (self.word(), self.tokens.range());
                let Some(value) = of.value(word) else {
                    return self.tokens.fail(d::keyword_not_allowed(place, of, &[], word));
                };
                self.bump();
                Field::Keyword(value)
            }
            FieldKind::Type => Field::Type(self.ty()?),
            FieldKind::One => Field::One(Box::new(self.expr()?)),
            FieldKind::List => {
                self.expect(Token::LeftBracket, "`[`")?;
                Field::List(self.list(Token::RightBracket, "`]`", Self::expr)?.into())
            }
            FieldKind::Tuple => {
                let first = self.at();
                let tuple = self.expr()?;
                if tuple.attr != PreviewAttr::Tuple {
                    return self.broken(first, "expected a tuple".to_string());
                }
                Field::List(tuple.list(0).into())
            }
        })
    }

    /// `(2, 3):(1, 2)`
    fn layout_sides(&mut self) -> Read<Vec<Field>> {
        let mut side = |mark: &str| {
            self.expect(Token::LeftParen, mark)?;
            self.list(Token::RightParen, "`)`", Self::expr).map(|values| Field::List(values.into()))
        };
        let shapes = side("`(`")?;
        self.expect(Token::Colon, "`:`")?;
        self.expect(Token::LeftParen, "`(`")?;
        let strides = self.list(Token::RightParen, "`)`", Self::expr)?;
        Ok(vec![shapes, Field::List(strides.into())])
    }

    /// `<(2, 3):(1, 2)>` behind `name =`.
    fn layout(&mut self, name: &str) -> Read<Layout> {
        self.labelled(name)?;
        let first = self.at();
        self.expect(Token::Less, "`<`")?;
        let fields = match self.word() {
            "shapes" => self.fields(PreviewAttr::Layout.row().fields)?,
            _ => self.layout_sides()?,
        };
        self.expect(Token::Greater, "`>`")?;
        let value = self.checked(first, PreviewAttr::Layout, fields)?;
        Layout::of(&value).map_or_else(|| self.expected("a layout"), Ok)
    }

    fn labelled(&mut self, name: &str) -> Read<()> {
        if !self.eat_word(name) {
            return self.expected(&format!("`{name} = …`"));
        }
        self.expect(Token::Equal, "`=`")
    }

    // Expressions.

    /// An expression, in short form or in full.
    pub(crate) fn expr(&mut self) -> Read<PreviewValue> {
        self.nested(|reader| reader.sum())
    }

    fn sum(&mut self) -> Read<PreviewValue> {
        let first = self.at();
        let mut value = self.product()?;
        loop {
            let attr = match self.kind() {
                Token::Plus => PreviewAttr::Add,
                Token::Minus => PreviewAttr::Sub,
                _ => return Ok(value),
            };
            self.bump();
            let second = self.product()?;
            value = self.pair(first, attr, value, second)?;
        }
    }

    fn product(&mut self) -> Read<PreviewValue> {
        let first = self.at();
        let mut value = self.factor()?;
        loop {
            let attr = match (self.kind(), self.kind_behind()) {
                (Token::Star, _) => PreviewAttr::Mul,
                (Token::Slash, Token::Plus) => PreviewAttr::CeilDiv,
                (Token::Slash, _) => PreviewAttr::FloorDiv,
                _ => return Ok(value),
            };
            self.tokens.at += if attr == PreviewAttr::CeilDiv { 2 } else { 1 };
            let second = self.factor()?;
            value = self.pair(first, attr, value, second)?;
        }
    }

    fn pair(&self, first: usize, attr: PreviewAttr, a: PreviewValue, b: PreviewValue) -> Read<PreviewValue> {
        self.checked(first, attr, vec![Field::One(Box::new(a)), Field::One(Box::new(b))])
    }

    fn factor(&mut self) -> Read<PreviewValue> {
        let first = self.at();
        match (self.kind(), self.word()) {
            (Token::Minus, _) if self.kind_behind() == Token::Integer => self.tokens.integer().map(PreviewValue::int),
            (Token::Minus, _) => {
                self.bump();
                let inner = self.nested(Self::factor)?;
                self.checked(first, PreviewAttr::Neg, vec![Field::One(Box::new(inner))])
            }
            (Token::Integer, _) => self.tokens.integer().map(PreviewValue::int),
            (Token::LeftParen, _) => self.parenthesized(first),
            (Token::String, _) => {
                let text = self.text()?;
                self.checked(first, PreviewAttr::ConstStr, vec![Field::Text(text)])
            }
            (Token::Question, _) => {
                self.bump();
                self.checked(first, PreviewAttr::Var, vec![Field::Text(WILDCARD.into())])
            }
            (Token::AttrName, _) => {
                let value = self.nested(Self::long)?;
                if is_expr(value.attr) { Ok(value) } else { self.broken(first, not_an_expr(&value)) }
            }
            (Token::TypeName, _) => self.concrete(first),
            (Token::Name, word) if Element::from_name(word).is_some() => self.concrete(first),
            (Token::Name, word) => {
                self.bump();
                let name = Field::Text(word.into());
                if word.contains('.') {
                    let index = Type::preview(PreviewType::Word(PreviewWord::Index));
                    return self.checked(first, PreviewAttr::Builtin, vec![name, Field::Type(index)]);
                }
                self.checked(first, PreviewAttr::Var, vec![name])
            }
            _ => self.expected("an expression"),
        }
    }

    fn concrete(&mut self, first: usize) -> Read<PreviewValue> {
        let ty = self.ty()?;
        self.checked(first, PreviewAttr::ConcreteType, vec![Field::Type(ty)])
    }

    /// `(a+b)`, or a tuple: `(a, b)`, `(a,)`. The parenthesis is here.
    fn parenthesized(&mut self, first: usize) -> Read<PreviewValue> {
        self.bump();
        let (mut values, mut ends_with_comma) = (Vec::new(), false);
        while self.kind() != Token::RightParen {
            values.push(self.expr()?);
            ends_with_comma = self.eat(Token::Comma);
            if !ends_with_comma {
                break;
            }
        }
        self.expect(Token::RightParen, "`)`")?;
        if values.len() == 1 && !ends_with_comma {
            return Ok(values.remove(0));
        }
        self.checked(first, PreviewAttr::Tuple, vec![Field::List(values.into())])
    }

    // What preview ops hold.

    /// `<[N: index, ?]>`
    pub(crate) fn const_params(&mut self) -> Read<Vec<PreviewValue>> {
        self.expect(Token::Less, "`<`")?;
        self.expect(Token::LeftBracket, "`[`")?;
        let params = self.list(Token::RightBracket, "`]`", |reader| {
            let first = reader.at();
            if reader.eat(Token::Question) {
                let index = Type::preview(PreviewType::Word(PreviewWord::Index));
                let fields = vec![Field::Text(WILDCARD.into()), Field::Type(index)];
                return reader.checked(first, PreviewAttr::ConstParam, fields);
            }
            let name = reader.name("the name of a constant parameter")?;
            reader.expect(Token::Colon, "`:`")?;
            let ty = reader.ty()?;
            reader.checked(first, PreviewAttr::ConstParam, vec![Field::Text(name), Field::Type(ty)])
        })?;
        self.expect(Token::Greater, "`>`")?;
        Ok(params)
    }

    /// `<[32, f32, (4, 8)]>`
    pub(crate) fn const_args(&mut self) -> Read<Vec<PreviewValue>> {
        self.expect(Token::Less, "`<`")?;
        self.expect(Token::LeftBracket, "`[`")?;
        let values = self.list(Token::RightBracket, "`]`", Self::expr)?;
        self.expect(Token::Greater, "`>`")?;
        Ok(values)
    }

    /// An attribute of one kind: in full, or for scratch memory its parts in braces.
    pub(crate) fn attr(&mut self, attr: PreviewAttr) -> Read<PreviewValue> {
        let first = self.at();
        if self.kind() == Token::LeftBrace {
            self.bump();
            let fields = self.fields(attr.row().fields)?;
            self.expect(Token::RightBrace, "`}`")?;
            return self.checked(first, attr, fields);
        }
        let value = self.long()?;
        let wanted = attr.row().name;
        if value.attr == attr { Ok(value) } else { self.broken(first, format!("expected `preview${wanted}`")) }
    }

    // Types.

    /// Any type, `index` and `none` among them.
    pub(crate) fn ty(&mut self) -> Read<Type> {
        if self.kind() == Token::Name
            && let Some(word @ (PreviewWord::Index | PreviewWord::None)) = PreviewWord::from_name(self.word())
        {
            self.bump();
            return Ok(Type::preview(PreviewType::Word(word)));
        }
        let (ty, at) = ty::read_from(&self.tokens, self.context, self.depth)?;
        self.tokens.at = at;
        Ok(ty)
    }

    /// A type of the preview, at its name.
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

    /// `<32xf32, local, mem_layout = <…>, fragmap = <…>, alignment = 4>`
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
            self.labelled("alignment")?;
            alignment = self.expr()?;
        }
        self.expect(Token::Greater, "`>`")?;
        let fragment = Fragment { shape, element, space, mem_layout, fragmap, alignment };
        super::rules::fragment(&fragment).or_else(|message| self.broken(first, message))?;
        Ok(fragment)
    }

    /// `tile<[N]x4xf32>`, at the `<`.
    pub(crate) fn symbolic_tile(&mut self) -> Read<Type> {
        let first = self.at() - 1;
        self.expect(Token::Less, "`<`")?;
        if let Some(refused) = refusal(&self.context.options) {
            let place = self.tokens.tokens.start(first)..self.tokens.tokens.end(self.at());
            return self.tokens.fail(d::preview_refused(place, "a symbolic tile", refused));
        }
        let (shape, element) = self.shaped()?;
        self.expect(Token::Greater, "`>`")?;
        super::rules::tile(&shape, element).or_else(|message| self.broken(first, message))?;
        Ok(Type::preview(PreviewType::Tile { shape, element }))
    }

    /// `[N]x4xf32`: extents, each a number or an expression in brackets, and an element type.
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
            while let Some((digits, behind)) = rest.split_once('x')
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
            {
                let Ok(extent) = digits.parse() else { return self.expected("a smaller extent") };
                shape.push(PreviewValue::int(extent));
                rest = behind;
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

    /// The element type whose first word is the end of the token here.
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

fn not_an_expr(value: &PreviewValue) -> String {
    format!("expected a symbolic expression, found `{}`", super::print::long(value))
}
