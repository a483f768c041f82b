//! Checks whether the text after `=` in a dictionary is an attribute, whatever its meaning.

mod affine;
mod dense;
mod number;

use super::dict::{Entry, entries_of};
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::preview;
use crate::read::attr::{AttrReader, Read};
use crate::read::builtin::{self, Foreign};
use crate::read::{location, ty};
use crate::types::Type;
use rustc_hash::FxHashSet;
use tile_dialect::{Builtin, DIALECT_PREFIX, NAMED_ENUMS, PADDING, Scalar, Sign};
use tile_syntax::{MAX_DEPTH, Node, Token, Tree};

/// The attributes of the dialect that are not enums, without debug attributes.
const STRUCTURED: [&str; 4] = ["optimization_hints", "div_by", "same_elements", "bounded"];

/// The error in a dictionary: a duplicate name, or an invalid value. `is_told` says for a name and its value whether
/// errors there are reported elsewhere, as by the parser.
pub(crate) fn dict_mistake(
    tree: &Tree,
    text: &str,
    dict: Node,
    context: &Context,
    is_told: impl Fn(&str, Node) -> bool,
) -> Option<Diagnostic> {
    let mut names = FxHashSet::default();
    for Entry { name, node, value } in entries_of(tree, text, dict) {
        if !names.insert(name) {
            let token = tree.tokens_of(node).start;
            return Some(d::duplicate_entry(tree.tokens.start(token)..tree.tokens.end(token), name));
        }
        let Some(value) = value else { continue };
        let mistake = if is_told(name, value) { None } else { value_mistake(tree, text, value, context) };
        if mistake.is_some() {
            return mistake;
        }
    }
    None
}

/// The error in an attribute, whatever its meaning.
pub(crate) fn value_mistake(tree: &Tree, text: &str, value: Node, context: &Context) -> Option<Diagnostic> {
    let tokens = tree.tokens_of(value);
    if tokens.is_empty() {
        return None;
    }
    let mut reader = AttrReader { text, tokens: &tree.tokens, at: tokens.start, end: tokens.end };
    reader.whole_value(Some(context)).err().map(|found| *found)
}

impl AttrReader<'_> {
    /// One attribute, with nothing after it.
    pub(crate) fn whole_value(&mut self, context: Option<&Context>) -> Read<()> {
        self.value(context, 0)?;
        if self.at < self.end { self.expected("the end of the attribute") } else { Ok(()) }
    }

    /// One attribute. Without a context, names in it are not checked.
    pub(crate) fn value(&mut self, context: Option<&Context>, depth: usize) -> Read<()> {
        if depth == MAX_DEPTH {
            return self.expected("an attribute that nests less");
        }
        match (self.kind(), self.word()) {
            (Token::Minus | Token::Integer | Token::Float, _) => self.number_value(context),
            (Token::Name, "true" | "false" | "unit") => {
                self.at += 1;
                Ok(())
            }
            (Token::Name, "array") => self.array_value(),
            (Token::Name, "dense") => self.dense_value(context),
            (Token::Name, "loc") => self.debug_value(context),
            (Token::Name, "affine_map") => self.affine_map(),
            (Token::Name, "affine_set") => self.affine_set(),
            (Token::Name, "strided") => self.strided(),
            (Token::Name, "distinct") => self.distinct(context, depth),
            (Token::Name, "sparse" | "dense_resource") => self.kept_elsewhere(context),
            (Token::Name, word) if Builtin::from_name(word).is_some() => self.foreign_type(context).map(drop),
            (Token::TypeName | Token::LeftParen, _) => self.foreign_type(context).map(drop),
            (Token::AttrName, _) => self.named_value(context),
            (Token::LeftBracket, _) => self.list(|reader| reader.value(context, depth + 1)).map(drop),
            (Token::LeftBrace, _) => self.dictionary(context, depth),
            (Token::String, _) => {
                self.at += 1;
                if self.eat(Token::Colon) { self.foreign_type(context).map(drop) } else { Ok(()) }
            }
            (Token::Symbol, _) => {
                self.at += 1;
                while self.eat(Token::DoubleColon) {
                    self.expect(Token::Symbol, "a symbol")?;
                }
                Ok(())
            }
            _ => self.expected("an attribute"),
        }
    }

    /// `{a = 1, "b c", d = [2]}`.
    fn dictionary(&mut self, context: Option<&Context>, depth: usize) -> Read<()> {
        self.at += 1;
        let mut names = FxHashSet::default();
        if self.eat(Token::RightBrace) {
            return Ok(());
        }
        loop {
            let (name, place) = (self.word().trim_matches('"'), self.range());
            if !matches!(self.kind(), Token::Name | Token::String) {
                return self.expected("the name of an attribute");
            }
            if !names.insert(name) {
                return self.fail(d::duplicate_entry(place, name));
            }
            self.at += 1;
            if self.eat(Token::Equal) {
                self.value(context, depth + 1)?;
            }
            if !self.eat(Token::Comma) {
                return self.expect(Token::RightBrace, "`}`");
            }
        }
    }

    /// `#alias`, `#cuda_tile.rounding<zero>`, `#cuda_tile<rounding<zero>>`, or an attribute of another dialect.
    fn named_value(&mut self, context: Option<&Context>) -> Read<()> {
        let name = &self.word()[1..];
        let opens = self.at + 1 < self.end && self.tokens.kind(self.at + 1) == Token::Less;
        if let Some(own) = name.strip_prefix(DIALECT_PREFIX) {
            return self.own_value(own, context);
        }
        if !opens && !name.contains('.') {
            if context.is_some_and(|context| !context.knows_attr_alias(name)) {
                return self.fail(d::unknown_attr_alias(self.range(), name));
            }
            self.at += 1;
            return Ok(());
        }
        if Some(name) == DIALECT_PREFIX.strip_suffix('.') {
            let inner = self.at + 2;
            let is_preview = inner < self.end && preview::is_preview_word(self.tokens.text(inner, self.text));
            if let (true, Some(context)) = (is_preview, context) {
                let mut reader = preview::PreviewReader::new(*self, context);
                reader.value()?;
                self.at = reader.at();
                return Ok(());
            }
            self.at += 2;
            self.own_value(self.word(), context)?;
            return self.expect(Token::Greater, "`>`");
        }
        if context.is_some_and(|context| !context.options.upstream_tests) {
            return self.fail(d::foreign_attribute(self.range(), self.word()));
        }
        self.rest()
    }

    /// A location or another debug attribute.
    fn debug_value(&mut self, context: Option<&Context>) -> Read<()> {
        match context {
            Some(context) => location::skip(self, &context.debug),
            None => self.rest(),
        }
    }

    /// An attribute of the language, at its name.
    fn own_value(&mut self, name: &str, context: Option<&Context>) -> Read<()> {
        let enums = NAMED_ENUMS.iter();
        if let Some(of) = enums.clone().find(|of| of.name == name) {
            self.at += 1;
            // The only one that is written without.
            let bare = std::ptr::eq(*of, &raw const PADDING);
            if !bare {
                self.expect(Token::Less, "`<`")?;
            }
            self.keyword(of, &[])?;
            self.at += 1;
            return if bare { Ok(()) } else { self.expect(Token::Greater, "`>`") };
        }
        match name {
            "optimization_hints" => {
                self.at += 1;
                self.hints(context).map(drop)
            }
            "div_by" => self.any_divisor(),
            _ if STRUCTURED.contains(&name) => self.predicate().map(drop),
            _ if name.starts_with("di_") => self.debug_value(context),
            _ => self.fail(d::unknown_attribute(self.range(), name, enums.map(|of| of.name).chain(STRUCTURED))),
        }
    }

    /// `div_by<18>`: only an `assume` wants a power of two.
    fn any_divisor(&mut self) -> Read<()> {
        self.at += 1;
        self.expect(Token::Less, "`<`")?;
        let negative = self.eat(Token::Minus);
        let (place, word) = (self.range(), self.word());
        let is_truth = matches!(word, "true" | "false") && !negative;
        if self.kind() != Token::Integer && !is_truth {
            return self.expected("an integer");
        }
        let sign = if negative { Sign::Signed } else { Sign::Unsigned };
        if !is_truth && !number::fits(word, false, Scalar::Int { bits: 64, sign }) {
            return self.fail(d::number_too_large(place, word));
        }
        self.at += 1;
        self.every_along()?;
        self.expect(Token::Greater, "`>`")
    }

    /// A type, which ends where the value does. A type of the language has its dialect before its name.
    fn foreign_type(&mut self, context: Option<&Context>) -> Read<Foreign> {
        let (start, place) = (self.at, self.range());
        self.rest()?;
        let place = place.start..self.tokens.end(self.at - 1);
        let text = &self.text[place.start as usize..place.end as usize];
        if self.tokens.kind(start) != Token::TypeName {
            let read = builtin::read(text);
            let read = read.map_or_else(|| self.fail(d::malformed_type(place, "a type", text)), Ok)?;
            return self.inner_types(start, context).map(|()| read);
        }
        let Some(context) = context else { return Ok(Foreign::Other) };
        let mut wrong = Vec::new();
        let read = ty::read(self.text, self.tokens, start..self.at, context, &mut wrong);
        wrong.pop().map_or(Ok(foreign(read)), |wrong| Err(Box::new(wrong)))
    }

    /// Whether the `!` types from a token to here, inside a type of MLIR, are valid.
    fn inner_types(&self, start: usize, context: Option<&Context>) -> Read<()> {
        let mut reader = AttrReader { at: start, end: self.at, ..*self };
        while reader.at < reader.end {
            let first = reader.at;
            reader.at += 1;
            if self.tokens.kind(first) == Token::TypeName {
                if reader.kind() == Token::Less {
                    reader.brackets()?;
                }
                AttrReader { at: first, end: reader.at, ..*self }.foreign_type(context)?;
            }
        }
        Ok(())
    }

    /// A type with elements, which holds so many of them in each direction.
    fn shaped_type(&mut self, context: Option<&Context>) -> Read<(Vec<u64>, Foreign)> {
        let place = self.range();
        let ty = self.foreign_type(context)?;
        let place = place.start..self.tokens.end(self.at - 1);
        let known = match ty {
            Foreign::Shaped(Some(extents), element) => {
                extents.into_iter().collect::<Option<Vec<u64>>>().map(|extents| (extents, *element))
            }
            _ => None,
        };
        let text = &self.text[place.start as usize..place.end as usize];
        known.map_or_else(|| self.fail(d::malformed_type(place, "a type with known extents", text)), Ok)
    }

    /// `strided<[1, ?], offset: 2>`
    fn strided(&mut self) -> Read<()> {
        let extent = |reader: &mut Self| if reader.eat(Token::Question) { Ok(()) } else { reader.integer().map(drop) };
        self.at += 1;
        self.expect(Token::Less, "`<`")?;
        self.list(extent)?;
        if self.eat(Token::Comma) {
            if self.word() != "offset" {
                return self.expected("`offset`");
            }
            self.at += 1;
            self.expect(Token::Colon, "`:`")?;
            extent(self)?;
        }
        self.expect(Token::Greater, "`>`")
    }

    /// `distinct[0]<unit>`
    fn distinct(&mut self, context: Option<&Context>, depth: usize) -> Read<()> {
        self.at += 1;
        self.expect(Token::LeftBracket, "`[`")?;
        self.expect(Token::Integer, "a number")?;
        self.expect(Token::RightBracket, "`]`")?;
        self.expect(Token::Less, "`<`")?;
        if self.eat(Token::Greater) {
            return Ok(());
        }
        self.value(context, depth + 1)?;
        self.expect(Token::Greater, "`>`")
    }

    /// `sparse<…> : tensor<4xi32>`, `dense_resource<name> : tensor<4xi32>`
    fn kept_elsewhere(&mut self, context: Option<&Context>) -> Read<()> {
        self.at += 1;
        self.brackets()?;
        self.expect(Token::Colon, "`:` and the type of the elements")?;
        self.shaped_type(context).map(drop)
    }

    /// Takes everything up to what ends the value, as it is.
    pub(crate) fn rest(&mut self) -> Read<()> {
        let first = self.at;
        let mut depth = 0i32;
        while self.at < self.end {
            match self.kind() {
                Token::LeftBrace | Token::LeftBracket | Token::LeftParen | Token::Less => depth += 1,
                Token::RightBrace | Token::RightBracket | Token::RightParen | Token::Greater => depth -= 1,
                Token::Comma if depth == 0 => break,
                _ => {}
            }
            if depth < 0 {
                break;
            }
            self.at += 1;
        }
        if self.at == first { self.expected("a value") } else { Ok(()) }
    }

    /// Consumes angle brackets and their contents.
    fn brackets(&mut self) -> Read<()> {
        let mut depth = 0;
        self.expect(Token::Less, "`<`")?;
        while depth > 0 || self.kind() != Token::Greater {
            match self.kind() {
                Token::Less => depth += 1,
                Token::Greater => depth -= 1,
                Token::End => return self.expected("`>`"),
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(())
    }
}

/// A type of the language as one of several.
fn foreign(ty: Type) -> Foreign {
    let Some(tile) = ty.as_tile() else { return Foreign::Other };
    let extents = tile.shape.iter().map(|&extent| u64::try_from(extent).ok()).collect();
    let element = tile.number().and_then(|element| Scalar::from_name(element.name()));
    Foreign::Shaped(Some(extents), Box::new(element.map_or(Foreign::Other, Foreign::Scalar)))
}
