//! Whether what stands behind `=` in a dictionary is an attribute at all, whoever reads it.

use super::Lowerer;
use super::attr::{Read, Reader};
use crate::diagnostics as d;
use tile_dialect::Element;
use tile_syntax::{Node, NodeKind, Token};

/// Words that start an attribute. Everything behind them is taken as it is.
const WORDS: [&str; 10] =
    ["affine_map", "affine_set", "array", "dense", "dense_resource", "distinct", "loc", "opaque", "sparse", "strided"];

impl Lowerer<'_> {
    /// Reports entries that have no value which can be read, and names that stand twice.
    pub(super) fn check_dict(&mut self, dict: Node) {
        let entries: Vec<Node> = self.tree.children_of(dict, NodeKind::DictEntry).collect();
        for (index, &entry) in entries.iter().enumerate() {
            let name = |entry| self.tree.first_text(entry, self.text).trim_matches('"');
            if entries[..index].iter().any(|&before| name(before) == name(entry)) {
                let tokens = self.tree.tokens_of(entry);
                self.report(d::duplicate_entry(self.token_range(tokens.start), name(entry)));
                return;
            }
            let Some(value) = self.tree.child(entry, NodeKind::AttrValue) else { continue };
            let tokens = self.tree.tokens_of(value);
            if tokens.is_empty() || self.has_syntax_error(&self.range(value)) {
                continue;
            }
            let mut reader = Reader { text: self.text, tokens: &self.tree.tokens, at: tokens.start, end: tokens.end };
            if let Err(found) = reader.whole_value(&|name| self.context.attr_aliases.contains_key(name)) {
                return self.report(*found);
            }
        }
    }
}

impl Reader<'_> {
    /// One attribute and nothing behind it. `is_alias` tells the aliases of the file.
    pub(super) fn whole_value(&mut self, is_alias: &dyn Fn(&str) -> bool) -> Read<()> {
        self.value(is_alias)?;
        if self.at < self.end { self.expected("the end of the attribute") } else { Ok(()) }
    }

    fn value(&mut self, is_alias: &dyn Fn(&str) -> bool) -> Read<()> {
        match self.kind() {
            Token::Minus | Token::Integer | Token::Float => self.number_value(),
            Token::Name if matches!(self.word(), "true" | "false" | "unit") => {
                self.at += 1;
                Ok(())
            }
            Token::Name if WORDS.contains(&self.word()) || is_builtin(self.word()) => self.rest(),
            Token::AttrName => {
                let name = &self.word()[1..];
                if !name.contains('.') && !is_alias(name) {
                    return self.fail(d::unknown_attr_alias(self.range(), name));
                }
                self.rest()
            }
            Token::Name | Token::Question | Token::Equal | Token::Value | Token::End => self.expected("an attribute"),
            // Lists, dictionaries, types, symbols and strings.
            _ => self.rest(),
        }
    }

    /// Takes everything that is left as it is.
    fn rest(&mut self) -> Read<()> {
        self.at = self.end;
        Ok(())
    }

    /// `-1`, `2.0`, `7 : i8`.
    fn number_value(&mut self) -> Read<()> {
        let start = self.at;
        let negative = self.eat(Token::Minus);
        let (kind, word, place) = (self.kind(), self.word(), self.range());
        if !matches!(kind, Token::Integer | Token::Float) {
            return self.expected("a number");
        }
        self.at += 1;
        let element = match self.eat(Token::Colon) {
            true => {
                let element = Element::from_name(self.word());
                self.at += 1;
                match element {
                    Some(element) => element,
                    // A type of MLIR's own.
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
        let mut number = Reader { text: self.text, tokens: self.tokens, at: start, end: self.at };
        number.number(element).map(drop)
    }
}

/// Whether a word is a type of MLIR's own.
fn is_builtin(name: &str) -> bool {
    let sized = |prefix| {
        let digits: Option<&str> = name.strip_prefix(prefix);
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
    };
    Element::from_name(name).is_some()
        || matches!(name, "index" | "none" | "tensor" | "vector" | "memref" | "tuple" | "complex")
        || name.starts_with("f8E")
        || ["i", "si", "ui", "f"].into_iter().any(sized)
}
