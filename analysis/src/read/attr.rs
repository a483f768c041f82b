//! Reading values of attributes.

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{Attr, Dense, HintValue, Hints, Predicate};
use crate::number;
use std::ops::Range;
use tile_dialect::{AttrKind, AttrRow, Element, EnumRow};
use tile_syntax::{Token, Tokens};

/// The literal of a constant, independent of the tile type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Literal {
    pub(crate) dense: Dense,
    pub(crate) written: Written,
}

/// The syntax of a literal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Written {
    /// The shape of the nested lists; `None` for a single number.
    pub(crate) shape: Option<Vec<i64>>,
    /// The range of the number or lists.
    pub(crate) range: Range<u32>,
}

/// A cursor over tokens.
#[derive(Clone, Copy)]
pub(crate) struct AttrReader<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a Tokens,
    pub(crate) at: usize,
    pub(crate) end: usize,
}

pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

impl<'a> AttrReader<'a> {
    pub(crate) fn kind(&self) -> Token {
        if self.at < self.end { self.tokens.kind(self.at) } else { Token::End }
    }

    pub(crate) fn word(&self) -> &'a str {
        if self.at < self.end { self.tokens.text(self.at, self.text) } else { "" }
    }

    pub(crate) fn range(&self) -> Range<u32> {
        let at = self.at.min(self.end.saturating_sub(1));
        self.tokens.start(at)..self.tokens.end(at)
    }

    pub(crate) fn eat(&mut self, kind: Token) -> bool {
        let found = self.kind() == kind;
        self.at += usize::from(found);
        found
    }

    pub(crate) fn fail<T>(&self, diagnostic: Diagnostic) -> Read<T> {
        Err(Box::new(diagnostic))
    }

    pub(crate) fn expected<T>(&self, what: &str) -> Read<T> {
        self.fail(d::malformed_attribute(self.range(), what, self.word()))
    }

    pub(crate) fn expect(&mut self, kind: Token, what: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { self.expected(what) }
    }

    /// An attribute in custom form, other than a constant.
    pub(crate) fn attr(&mut self, row: &AttrRow) -> Read<Attr> {
        match row.kind {
            AttrKind::Enum { of, wrapper, only } => {
                self.at += if wrapper.is_empty() { 0 } else { 2 };
                self.keyword(of, only)
            }
            AttrKind::Flag(_) => Ok(Attr::Flag),
            AttrKind::Int(bits) => self.sized_integer(bits),
            AttrKind::Bool => Ok(Attr::Bool(self.word() == "true")),
            AttrKind::Str => self.string().map(Attr::Str),
            AttrKind::SymbolName | AttrKind::SymbolRef => Ok(Attr::Symbol(symbol(self.word()))),
            AttrKind::IntList => self.integers().map(|list| Attr::IntList(list.into())),
            AttrKind::BoolList(_) => self.booleans().map(|list| Attr::BoolList(list.into())),
            AttrKind::Identities => self.identities().map(|list| Attr::Identities(list.into())),
            AttrKind::Hints => self.hints(None).map(|hints| Attr::Hints(Box::new(hints))),
            AttrKind::Predicate => self.predicate().map(Attr::Predicate),
            AttrKind::Dense | AttrKind::Type | AttrKind::DictList => Ok(Attr::Absent),
            // They can refer to definitions of the file, so the caller reads them with the file's context.
            AttrKind::ConstParams
            | AttrKind::ConstArgs
            | AttrKind::Preview(_)
            | AttrKind::Array
            | AttrKind::Dictionary => Ok(Attr::Absent),
        }
    }

    pub(crate) fn keyword(&mut self, of: &'static EnumRow, only: &'static [u8]) -> Read<Attr> {
        let word = self.word().trim_matches('"');
        match of.value(word) {
            Some(value) if only.is_empty() || only.contains(&value) => Ok(Attr::Enum(value)),
            _ => {
                let range = self.range();
                self.fail(d::keyword_not_allowed(range, of, only, word))
            }
        }
    }

    pub(crate) fn integer(&mut self) -> Read<i64> {
        let negative = self.eat(Token::Minus);
        if self.kind() != Token::Integer {
            return self.expected("an integer");
        }
        let (word, range) = (self.word(), self.range());
        self.at += 1;
        let value = match word.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => word.parse(),
        };
        let value = value.ok().map(|value| if negative { -value } else { value });
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) => Ok(value),
            None => self.fail(d::number_too_large(range, word)),
        }
    }

    /// The text of a string literal.
    fn string(&self) -> Read<Box<[u8]>> {
        let word = self.word();
        match bad_escape(word) {
            Some(at) => {
                let start = self.range().start + at as u32;
                let escape: String = word[at..].chars().take(2).collect();
                self.fail(d::bad_escape(start..start + escape.len() as u32, &escape))
            }
            None => Ok(unescape(word)),
        }
    }

    fn sized_integer(&mut self, bits: u8) -> Read<Attr> {
        let range = self.range();
        let negative = self.kind() == Token::Minus;
        let value = self.integer()?;
        if negative && value == 0 {
            return self.fail(d::number_too_large(range.start..self.tokens.end(self.at - 1), "-0"));
        }
        if bits < 64 && value >> (bits - 1) != 0 && value >> (bits - 1) != -1 {
            return self.fail(d::number_too_large(range, &value.to_string()));
        }
        Ok(Attr::Int(value))
    }

    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.expect(Token::LeftBracket, "`[`")?;
        let mut list = Vec::new();
        if self.eat(Token::RightBracket) {
            return Ok(list);
        }
        loop {
            list.push(item(self)?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightBracket, "`]`")?;
        Ok(list)
    }

    fn integers(&mut self) -> Read<Vec<i64>> {
        self.list(Self::integer)
    }

    fn booleans(&mut self) -> Read<Vec<bool>> {
        self.list(Self::boolean)
    }

    pub(crate) fn boolean(&mut self) -> Read<bool> {
        let value = match self.word() {
            "true" => true,
            "false" => false,
            _ => return self.expected("`true` or `false`"),
        };
        self.at += 1;
        Ok(value)
    }

    /// `[0.0 : f32, 0 : i32]`. The type of an `i64` is optional.
    fn identities(&mut self) -> Read<Vec<(Element, u64)>> {
        self.list(|reader| {
            let start = reader.at;
            let is_bool = matches!(reader.word(), "true" | "false");
            reader.eat(Token::Minus);
            reader.at += 1;
            let end = reader.at;
            let mut element = match reader.tokens.kind(end - 1) {
                _ if is_bool => Element::I1,
                Token::Float => Element::F64,
                _ => Element::I64,
            };
            if reader.eat(Token::Colon) {
                match Element::from_name(reader.word()) {
                    Some(named) => element = named,
                    None => return reader.expected("an element type"),
                }
                reader.at += 1;
            }
            let mut number = AttrReader { text: reader.text, tokens: reader.tokens, at: start, end };
            Ok((element, number.number(element)?))
        })
    }

    /// The length in bytes of an exponent after the integer here: `1e-5` is lexed as an integer and a name, because a
    /// float needs a dot.
    fn exponent(&self) -> u32 {
        let rest = &self.text.as_bytes()[self.range().end as usize..];
        let sign = usize::from(matches!(rest.get(1), Some(b'-' | b'+')));
        let digits = rest.iter().skip(1 + sign).take_while(|byte| byte.is_ascii_digit()).count();
        let is_exponent = self.kind() == Token::Integer && matches!(rest.first(), Some(b'e' | b'E')) && digits > 0;
        if is_exponent { (1 + sign + digits) as u32 } else { 0 }
    }

    /// A number of a constant, as the bit pattern of `element`.
    pub(crate) fn number(&mut self, element: Element) -> Read<u64> {
        let range = self.range();
        if matches!(self.word(), "true" | "false") {
            let value = self.word() == "true";
            self.at += 1;
            return match element {
                Element::I1 => Ok(u64::from(value)),
                _ => {
                    let word = if value { "true" } else { "false" };
                    self.fail(d::bad_literal(range, word, element.name(), element.is_float()))
                }
            };
        }
        let negative = self.eat(Token::Minus);
        let word = self.word();
        let value = match self.kind() {
            Token::Integer => integer_bits(word, negative, element),
            Token::Float => float_bits(word, negative, element),
            _ => return self.expected("a number"),
        };
        let range = range.start..self.range().end + self.exponent();
        self.at += 1;
        value.or_else(|wrong| {
            let literal = self.text[range.start as usize..range.end as usize].to_string();
            self.fail(match wrong {
                Wrong::Kind => d::bad_literal(range, &literal, element.name(), element.is_float()),
                Wrong::Range => d::literal_range(range, &literal, element.name()),
            })
        })
    }

    /// `<f32: 1.0>` or `<i32: [[1, 2], [3, 4]]>`.
    pub(crate) fn literal(&mut self) -> Read<Literal> {
        self.expect(Token::Less, "`<`")?;
        let Some(element) = Element::from_name(self.word()).filter(|element| *element != Element::I4) else {
            let range = self.range();
            return self.fail(d::bad_element(range, "a constant", self.word()));
        };
        self.at += 1;
        self.expect(Token::Colon, "`:`")?;
        let numbers = self.at;
        let literal = self.elements(element)?;
        self.check_widest(element, numbers..self.at)?;
        Ok(literal)
    }

    /// Reports `i64` literals that are out of range. Unlike generic form, custom form treats them as signed, even in
    /// hexadecimal.
    fn check_widest(&self, element: Element, numbers: Range<usize>) -> Read<()> {
        let wide = |token: usize| {
            let digits = self.tokens.text(token, self.text).strip_prefix("0x")?;
            let bits = u64::from_str_radix(digits, 16).ok().filter(|&bits| i64::try_from(bits).is_err())?;
            let is_positive = self.tokens.kind(token - 1) != Token::Minus;
            is_positive.then(|| (self.tokens.start(token)..self.tokens.end(token), bits))
        };
        let numbers = numbers.filter(|_| element == Element::I64);
        d::widest_literals(self.text, numbers.filter_map(wide).collect()).map_or(Ok(()), |found| self.fail(found))
    }

    /// A single number or nested lists, and the `>` after them.
    pub(crate) fn elements(&mut self, element: Element) -> Read<Literal> {
        let start = self.range().start;
        let mut bits = Vec::new();
        let mut shape = None;
        match self.kind() {
            Token::LeftBracket => shape = Some(self.nested(element, &mut bits)?),
            Token::String if self.word().starts_with("\"0x") => bits = self.raw_elements(element)?,
            _ => bits = vec![self.number(element)?],
        }
        let range = start..self.tokens.end(self.at - 1);
        self.expect(Token::Greater, "`>`")?;
        Ok(Literal { dense: Dense::new(element, bits), written: Written { shape, range } })
    }

    /// Lists whose items are numbers or lists of the same shape. Returns that shape.
    fn nested(&mut self, element: Element, bits: &mut Vec<u64>) -> Read<Vec<i64>> {
        let mut shape = Shape::default();
        self.nested_list(element, bits, &mut shape, 0)?;
        Ok(shape.extents.into_iter().flatten().collect())
    }

    fn nested_list(&mut self, element: Element, bits: &mut Vec<u64>, shape: &mut Shape, depth: usize) -> Read<()> {
        let open = self.range();
        if depth == tile_syntax::MAX_DEPTH {
            return self.fail(d::ragged_constant(open, "the lists are nested too deeply"));
        }
        self.expect(Token::LeftBracket, "`[`")?;
        if shape.extents.len() == depth {
            shape.extents.push(None);
        }
        let mut count = 0;
        while self.kind() != Token::RightBracket {
            let place = self.range();
            let is_list = self.kind() == Token::LeftBracket;
            let fits = if is_list {
                shape.numbers_at != Some(depth)
            } else {
                *shape.numbers_at.get_or_insert(depth) == depth && shape.extents.len() == depth + 1
            };
            if !fits {
                return self.fail(ragged(place));
            }
            if is_list {
                self.nested_list(element, bits, shape, depth + 1)?
            } else {
                bits.push(self.number(element)?)
            }
            count += 1;
            if !self.eat(Token::Comma) {
                break;
            }
            if self.kind() == Token::RightBracket {
                return self.expected("a number or a list");
            }
        }
        self.expect(Token::RightBracket, "`]`")?;
        if *shape.extents[depth].get_or_insert(count) == count { Ok(()) } else { self.fail(ragged(open)) }
    }

    /// `<sm_90 = {latency = 3}, default = {…}>`. Without a context, names in the values are not checked.
    pub(crate) fn hints(&mut self, context: Option<&Context>) -> Read<Hints> {
        self.expect(Token::Less, "`<`")?;
        let mut hints = Hints::default();
        while matches!(self.kind(), Token::Name | Token::String) {
            let (key, range) = (name(self.word()), self.range());
            self.at += 1;
            self.expect(Token::Equal, "`=`")?;
            let values = self.hint_values(context)?;
            if hints.by_architecture.iter().any(|(known, _)| *known == key) {
                return self.fail(d::duplicate_hint(range, &key));
            }
            hints.by_architecture.push((key, values));
            if !self.eat(Token::Comma) {
                break;
            }
            if self.kind() == Token::Greater {
                return self.expected("an architecture");
            }
        }
        self.expect(Token::Greater, "`>`")?;
        Ok(hints)
    }

    fn hint_values(&mut self, context: Option<&Context>) -> Read<Vec<(Box<str>, HintValue)>> {
        self.expect(Token::LeftBrace, "`{`")?;
        let mut values = Vec::new();
        while matches!(self.kind(), Token::Name | Token::String) {
            let (name, place) = (name(self.word()), self.range());
            self.at += 1;
            let value = if self.eat(Token::Equal) { self.hint_value(context)? } else { HintValue::Bool(true) };
            if values.iter().any(|(known, _)| *known == name) {
                return self.fail(d::duplicate_entry(place, &name));
            }
            values.push((name, value));
            if !self.eat(Token::Comma) {
                break;
            }
            if self.kind() == Token::RightBrace {
                return self.expected("a hint");
            }
        }
        self.expect(Token::RightBrace, "`,` or `}`")?;
        Ok(values)
    }

    fn hint_value(&mut self, context: Option<&Context>) -> Read<HintValue> {
        if matches!(self.kind(), Token::Integer | Token::Minus) {
            let first = self.at;
            self.number_value(context)?;
            let mut number = AttrReader { at: first, end: self.at, ..*self };
            if let Ok(value) = number.integer() {
                return Ok(HintValue::Int(value));
            }
            return Ok(self.other_hint(first));
        }
        let word = self.word();
        if word == "true" || word == "false" {
            self.at += 1;
            return Ok(HintValue::Bool(word == "true"));
        }
        let first = self.at;
        self.value(context, 0)?;
        let is_string = self.tokens.kind(first) == Token::String && self.at == first + 1;
        Ok(if is_string { HintValue::Str(unescape(word)) } else { self.other_hint(first) })
    }

    /// The value of an unknown hint: the text from a token to the current one.
    fn other_hint(&self, first: usize) -> HintValue {
        let (start, end) = (self.tokens.start(first) as usize, self.tokens.end(self.at - 1) as usize);
        HintValue::Other(self.text[start..end.max(start)].into())
    }

    /// `div_by<16>`, `#cuda_tile.bounded<0, ?>`.
    pub(crate) fn predicate(&mut self) -> Read<Predicate> {
        let word = self.word().trim_start_matches('#');
        let name = word.strip_prefix(tile_dialect::DIALECT_PREFIX).unwrap_or(word);
        let named = self.range();
        self.at += 1;
        match name {
            "div_by" => self.div_by(),
            "same_elements" => {
                self.expect(Token::Less, "`<`")?;
                let list = self.integers()?;
                self.expect(Token::Greater, "`>`")?;
                Ok(Predicate::SameElements(list.into()))
            }
            "bounded" => {
                self.expect(Token::Less, "`<`")?;
                let lower = self.bound()?;
                self.expect(Token::Comma, "`,`")?;
                let upper = self.bound()?;
                self.expect(Token::Greater, "`>`")?;
                Ok(Predicate::Bounded(lower, upper))
            }
            _ => self.fail(d::unknown_predicate(named, name)),
        }
    }

    fn div_by(&mut self) -> Read<Predicate> {
        self.expect(Token::Less, "`<`")?;
        let range = self.range();
        let divisor = self.integer()?;
        if divisor < 1 || divisor.count_ones() != 1 || divisor > 1 << 62 {
            return self.fail(d::divisor(range, divisor));
        }
        let every_along = self.every_along()?;
        self.expect(Token::Greater, "`>`")?;
        Ok(Predicate::DivBy { divisor: divisor as u64, every_along })
    }

    /// `, every 4 along 0`, which is optional.
    pub(crate) fn every_along(&mut self) -> Read<Option<(i64, i64)>> {
        if !self.eat(Token::Comma) {
            return Ok(None);
        }
        if self.word() != "every" {
            return self.expected("`every`");
        }
        self.at += 1;
        let every = self.integer()?;
        if self.word() != "along" {
            return self.expected("`along`");
        }
        self.at += 1;
        Ok(Some((every, self.integer()?)))
    }

    /// A bound of a range. MLIR's parser treats `true` and `false` as one-bit integers here.
    fn bound(&mut self) -> Read<Option<i64>> {
        match self.word() {
            "true" | "false" => self.boolean().map(|value| Some(-i64::from(value))),
            _ if self.eat(Token::Question) => Ok(None),
            _ => self.integer().map(Some),
        }
    }
}

/// The shape of nested lists, as far as it has been read.
#[derive(Default)]
struct Shape {
    /// The length of the lists at each depth; `None` while the first one is being read.
    extents: Vec<Option<i64>>,
    /// The depth of the numbers.
    numbers_at: Option<usize>,
}

fn ragged(place: Range<u32>) -> Diagnostic {
    d::ragged_constant(place, "the shape of this item differs from those before it")
}

/// Why a number is invalid.
enum Wrong {
    /// An integer for a float, or vice versa.
    Kind,
    /// Out of range.
    Range,
}

/// The bits of an integer literal: a number for integers, a hexadecimal bit pattern for floats.
fn integer_bits(word: &str, negative: bool, element: Element) -> Result<u64, Wrong> {
    let hex = word.strip_prefix("0x");
    let value = match hex {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => word.parse(),
    };
    let value = value.map_err(|_| Wrong::Range)?;
    let bits = element.bits();
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    if element.is_float() {
        return match hex {
            Some(_) if !negative && value <= u128::from(mask) => Ok(number::from_significant(element, value as u64)),
            Some(_) => Err(Wrong::Range),
            None => Err(Wrong::Kind),
        };
    }
    // A literal must be in the signed or the unsigned range of its width; a decimal `i64` must be in the signed one.
    let largest = if bits == 64 && hex.is_none() { i64::MAX as u128 } else { u128::from(mask) };
    let lowest = 1u128 << (bits - 1);
    if value > if negative { lowest } else { largest } {
        return Err(Wrong::Range);
    }
    let value = value as u64;
    Ok(if negative { value.wrapping_neg() & mask } else { value })
}

/// The bits of a decimal literal, rounded to the nearest value of `element`. Values that are too large become infinity,
/// if the element has one.
fn float_bits(word: &str, negative: bool, element: Element) -> Result<u64, Wrong> {
    if element.is_int() {
        return Err(Wrong::Kind);
    }
    let value: f64 = word.parse().map_err(|_| Wrong::Range)?;
    Ok(number::encode_literal(element, if negative { -value } else { value }))
}

/// The bytes of a string literal, which includes its quotes.
pub(crate) fn unescape(literal: &str) -> Box<[u8]> {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner).as_bytes();
    let mut bytes = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let escape = (inner[at] == b'\\').then(|| inner.get(at + 1).copied()).flatten();
        let hex = |index: usize| inner.get(index).and_then(|&byte| (byte as char).to_digit(16));
        let (byte, length) = match (escape, hex(at + 1), hex(at + 2)) {
            (Some(b'n'), ..) => (b'\n', 2),
            (Some(b't'), ..) => (b'\t', 2),
            (Some(byte @ (b'"' | b'\\')), ..) => (byte, 2),
            (Some(_), Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
            _ => (inner[at], 1),
        };
        bytes.push(byte);
        at += length;
    }
    bytes.into()
}

/// The offset of the first backslash in a literal that does not start a valid escape.
fn bad_escape(literal: &str) -> Option<usize> {
    let bytes = literal.as_bytes();
    let mut at = literal.find('\\')?;
    while let Some(next) = bytes.get(at + 1) {
        let is_hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
        at += match next {
            b'n' | b't' | b'"' | b'\\' => 2,
            _ if is_hex(at + 1) && is_hex(at + 2) => 3,
            _ => return Some(at),
        };
        at += literal.get(at..)?.find('\\')?;
    }
    None
}

/// A symbol's name without `@` and quotes.
pub(crate) fn symbol(text: &str) -> Box<str> {
    name(text.strip_prefix('@').unwrap_or(text))
}

/// A name that can be a word or a string.
pub(crate) fn name(text: &str) -> Box<str> {
    if text.starts_with('"') { String::from_utf8_lossy(&unescape(text)).into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(&*unescape(r#""a\n\0A\\\22\C3\A9%""#), b"a\n\n\\\"\xc3\xa9%");
        assert_eq!(&*unescape(r#""\q\"#), b"\\q\\");
    }

    #[test]
    fn invalid_escapes_are_found() {
        assert_eq!(bad_escape(r#""a\n\0A\\\22\C3\A9%""#), None);
        assert_eq!(bad_escape(r#""a\\\7""#), Some(4));
        assert_eq!(bad_escape(r#""é\q""#), Some(3));
    }

    #[test]
    fn integers_can_be_signed_or_unsigned() {
        let bits = |word, negative| integer_bits(word, negative, Element::I8).ok();
        assert_eq!(bits("255", false), Some(255));
        assert_eq!(bits("128", true), Some(128));
        assert_eq!(bits("129", true), None);
        assert_eq!(bits("256", false), None);
    }
}
