//! Parsing the preview's attributes: `value` parses attributes of any kind, `types` the preview's types.

mod op;
mod types;
mod value;

pub(crate) use op::{attribute, property};

use super::expr::{MAX_DEPTH, is_expr};
use super::gate::refusal;
use crate::context::Context;
use crate::diagnostics as d;
use crate::read::attr::{AttrReader as Tokens, Read};
use crate::types::Layout;
use crate::types::PreviewType;
use crate::types::Type;
use crate::types::{Field, PreviewValue};
use tile_dialect::{Element, FieldKind, PREVIEW_PREFIX, PreviewAttr, PreviewField, PreviewWord, WILDCARD};
use tile_syntax::Token;

/// A cursor over tokens, with the context that resolves names.
pub(crate) struct PreviewReader<'a> {
    tokens: Tokens<'a>,
    context: &'a Context,
    depth: usize,
    /// Whether attributes can contain types here. The extents and layouts of a type cannot, so that types do not nest
    /// through them.
    allows_types: bool,
}

/// The start of a preview attribute: `#cuda_tile<…>`.
const OWN: &str = "#cuda_tile";

impl<'a> PreviewReader<'a> {
    pub(crate) fn new(tokens: Tokens<'a>, context: &'a Context) -> PreviewReader<'a> {
        PreviewReader { tokens, context, depth: 0, allows_types: true }
    }

    /// A reader for the parts of a type.
    pub(crate) fn of_type(tokens: Tokens<'a>, context: &'a Context) -> PreviewReader<'a> {
        PreviewReader { allows_types: false, ..PreviewReader::new(tokens, context) }
    }

    /// The index of the current token.
    pub(crate) fn at(&self) -> usize {
        self.tokens.at
    }

    fn kind(&self) -> Token {
        self.tokens.kind()
    }

    fn next_kind(&self) -> Token {
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

    /// Reports a violated rule of an attribute or a type, from the token `first` to the current one.
    fn broken<T>(&self, first: usize, message: String) -> Read<T> {
        let tokens = self.tokens.tokens;
        let last = self.tokens.at.saturating_sub(1).max(first);
        self.tokens.fail(d::preview_rule(tokens.start(first)..tokens.end(last), message))
    }

    /// Reports that the parsed value is not valid for the attribute called `name`.
    pub(crate) fn unsuitable<T>(&self, name: &str) -> Read<T> {
        let tokens = self.tokens.tokens;
        let range = tokens.start(self.tokens.at.saturating_sub(1))..tokens.end(self.tokens.at.saturating_sub(1));
        self.tokens.fail(d::preview_rule(range, format!("not a valid value for `{name}`")))
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == MAX_DEPTH {
            return self.expected("an attribute that is less deeply nested");
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Parses a comma-separated list, up to its closing bracket.
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

    /// Checks that there are no more tokens.
    pub(crate) fn finished(&self) -> Read<()> {
        if self.kind() == Token::End { Ok(()) } else { self.expected("the end of the attribute") }
    }

    // Attributes of the preview.

    /// The name in `#cuda_tile<name<…>>`.
    fn own_name(&self) -> &'a str {
        let name = self.at() + 2;
        if self.next_kind() == Token::Less && name < self.tokens.end {
            self.tokens.tokens.text(name, self.tokens.text)
        } else {
            ""
        }
    }

    /// Parses `#cuda_tile<preview$expr_int<3>>`, starting at the `#cuda_tile`.
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

    /// Parses `(2, 3):(1, 2)`.
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

    /// Parses `name = <(2, 3):(1, 2)>`.
    fn layout(&mut self, name: &str) -> Read<Layout> {
        self.labeled(name)?;
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

    fn labeled(&mut self, name: &str) -> Read<()> {
        if !self.eat_word(name) {
            return self.expected(&format!("`{name} = …`"));
        }
        self.expect(Token::Equal, "`=`")
    }

    // Expressions.

    /// Parses an expression in short or long form.
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
            let attr = match (self.kind(), self.next_kind()) {
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
            (Token::Minus, _) if self.next_kind() == Token::Integer => self.tokens.integer().map(PreviewValue::int),
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

    /// Parses `(a+b)`, or a tuple: `(a, b)`, `(a,)`. Starts at the parenthesis.
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
}

fn not_an_expr(value: &PreviewValue) -> String {
    format!("expected a symbolic expression, found `{}`", super::print::long(value))
}
