//! Whether what stands behind `=` in a dictionary is an attribute at all, whoever reads it.

use super::Lowerer;
use super::attr::{Read, Reader};
use super::generic::{Entry, entries_of};
use super::{location, ty};
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use rustc_hash::FxHashSet;
use tile_dialect::{Builtin, DIALECT_PREFIX, Element, NAMED_ENUMS, PADDING};
use tile_syntax::{MAX_DEPTH, Node, Token, Tree};

/// Words that start an attribute of MLIR's own. What stands behind them is taken as it is.
const WORDS: [&str; 7] = ["affine_map", "affine_set", "dense_resource", "distinct", "opaque", "sparse", "strided"];

/// The attributes of the dialect that are no enum, apart from debug attributes.
const STRUCTURED: [&str; 4] = ["optimization_hints", "div_by", "same_elements", "bounded"];

/// What is wrong with a dictionary: a name that stands twice, or a value that is none. `is_broken` tells the values that
/// the parser has complained about.
pub(crate) fn dict_mistake(
    tree: &Tree,
    text: &str,
    dict: Node,
    context: &Context,
    is_broken: impl Fn(Node) -> bool,
) -> Option<Diagnostic> {
    let mut names = FxHashSet::default();
    for Entry { name, node, value } in entries_of(tree, text, dict) {
        if !names.insert(name) {
            let token = tree.tokens_of(node).start;
            return Some(d::duplicate_entry(tree.tokens.start(token)..tree.tokens.end(token), name));
        }
        let Some(value) = value else { continue };
        let tokens = tree.tokens_of(value);
        if tokens.is_empty() || is_broken(value) {
            continue;
        }
        let mut reader = Reader { text, tokens: &tree.tokens, at: tokens.start, end: tokens.end };
        if let Err(found) = reader.whole_value(Some(context)) {
            return Some(*found);
        }
    }
    None
}

impl Lowerer<'_> {
    /// Whether a dictionary is in order. An entry that has no value which can be read is reported, and a name that stands
    /// twice.
    pub(super) fn check_dict(&mut self, dict: Node) -> bool {
        let is_broken = |value| self.has_syntax_error(&self.tree.range(value));
        let found = dict_mistake(self.tree, self.text, dict, self.context, is_broken);
        let is_sound = found.is_none();
        self.diagnostics.extend(found);
        is_sound
    }
}

impl Reader<'_> {
    /// One attribute and nothing behind it. What it may name is not checked where nothing is known of the file.
    pub(super) fn whole_value(&mut self, context: Option<&Context>) -> Read<()> {
        self.value(context, 0)?;
        if self.at < self.end { self.expected("the end of the attribute") } else { Ok(()) }
    }

    fn value(&mut self, context: Option<&Context>, depth: usize) -> Read<()> {
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
            (Token::Name, word) if WORDS.contains(&word) => self.rest(),
            (Token::Name, word) if Builtin::from_name(word).is_some() => self.type_value(context),
            (Token::TypeName | Token::LeftParen, _) => self.type_value(context),
            (Token::AttrName, _) => self.named_value(context),
            (Token::LeftBracket, _) => self.list(|reader| reader.value(context, depth + 1)).map(drop),
            (Token::LeftBrace, _) => self.dictionary(context, depth),
            (Token::String, _) => {
                self.at += 1;
                if self.eat(Token::Colon) { self.type_value(context) } else { Ok(()) }
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
            _ if STRUCTURED.contains(&name) => self.predicate().map(drop),
            _ if name.starts_with("di_") => self.debug_value(context),
            _ => self.fail(d::unknown_attribute(self.range(), name, enums.map(|of| of.name).chain(STRUCTURED))),
        }
    }

    /// A type, which ends where the value does.
    fn type_value(&mut self, context: Option<&Context>) -> Read<()> {
        let start = self.at;
        self.rest()?;
        let Some(context) = context else { return Ok(()) };
        let mut wrong = Vec::new();
        ty::read(self.text, self.tokens, start..self.at, context, &mut wrong);
        match wrong.pop() {
            Some(wrong) => Err(Box::new(wrong)),
            None => Ok(()),
        }
    }

    /// `array<i32: 1, 2>`.
    fn array_value(&mut self) -> Read<()> {
        self.at += 1;
        let name = self.tokens.text(self.at + 1, self.text);
        if Element::from_name(name).is_none() && Builtin::from_name(name).is_some() {
            // An element that only MLIR has.
            return self.brackets();
        }
        self.expect(Token::Less, "`<`")?;
        let Some(element) = Element::from_name(self.word()) else { return self.expected("an element type") };
        self.at += 1;
        if self.eat(Token::Colon) {
            loop {
                self.number(element)?;
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        self.expect(Token::Greater, "`>`")
    }

    /// `dense<[1, 2]> : tensor<2xi32>`.
    fn dense_value(&mut self, context: Option<&Context>) -> Read<()> {
        self.at += 1;
        let first = self.at + 1;
        let is_truth = matches!(self.tokens.text(first, self.text), "true" | "false");
        if !is_truth && matches!(self.tokens.kind(first), Token::Name | Token::Value | Token::Greater) {
            self.at = first;
            return self.expected("a number or a list");
        }
        self.brackets()?;
        self.expect(Token::Colon, "`:` and the type of the elements")?;
        self.type_value(context)
    }

    /// Takes everything up to what ends the value, as it is.
    pub(super) fn rest(&mut self) -> Read<()> {
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

    /// Takes what stands between angle brackets, with them.
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

    /// `-1`, `2.0`, `7 : i8`.
    fn number_value(&mut self, context: Option<&Context>) -> Read<()> {
        let start = self.at;
        let negative = self.eat(Token::Minus);
        let (kind, word, place) = (self.kind(), self.word(), self.range());
        if !matches!(kind, Token::Integer | Token::Float) {
            return self.expected("a number");
        }
        self.at += 1;
        let behind = self.at;
        let element = match self.eat(Token::Colon) {
            true => {
                let element = Element::from_name(self.word());
                self.type_value(context)?;
                let is_integer = self.tokens.text(behind + 1, self.text).starts_with(['i', 's', 'u']);
                match element {
                    Some(element) => element,
                    None if kind == Token::Float && is_integer => {
                        return self.fail(d::malformed_attribute(place, "an integer", word));
                    }
                    None => return Ok(()),
                }
            }
            false if kind == Token::Float => Element::F64,
            false => Element::I64,
        };
        let is_zero = kind == Token::Integer && word.trim_start_matches("0x").bytes().all(|digit| digit == b'0');
        if negative && is_zero && element.is_int() {
            return self.fail(d::number_too_large(place, "-0"));
        }
        let mut number = Reader { at: start, end: behind, ..*self };
        number.number(element).map(drop)
    }
}
