//! Elements in attributes of unknown meaning.

use super::number::Number;
use crate::context::Context;
use crate::diagnostics as d;
use crate::read::attr::{AttrReader, Read};
use crate::read::builtin::Foreign;
use std::ops::Range;
use tile_dialect::{Scalar, Sign};
use tile_syntax::{MAX_DEPTH, Token};

const BOOL: Scalar = Scalar::Int { bits: 1, sign: Sign::Open };

/// An element as it is written.
enum Item<'a> {
    Number(Number<'a>),
    Bool(Range<u32>, &'a str),
    Text(Range<u32>, &'a str),
    Complex,
}

/// The contents of `dense<…>`.
#[derive(Default)]
struct Elements<'a> {
    /// The lengths of the lists at each depth, as far as they are known.
    extents: Vec<Option<u64>>,
    /// The depth of the elements.
    depth: Option<usize>,
    items: Vec<Item<'a>>,
}

impl<'a> AttrReader<'a> {
    /// `array<i32: 1, 2>`, whose elements are whole bytes, or `true` and `false`.
    pub(crate) fn array_value(&mut self) -> Read<()> {
        self.at += 1;
        self.expect(Token::Less, "`<`")?;
        let (place, name) = (self.range(), self.word());
        // The sign of an element is not looked at.
        let scalar = match Scalar::from_name(name) {
            Some(Scalar::Int { bits, .. }) if bits % 8 == 0 || name == "i1" => {
                Some(Scalar::Int { bits, sign: Sign::Open })
            }
            Some(Scalar::Float(bits)) if bits % 8 == 0 => Some(Scalar::Float(bits)),
            _ => None,
        };
        let Some(scalar) = scalar else {
            return self.fail(d::malformed_attribute(place, "an element type of whole bytes", name));
        };
        self.at += 1;
        if !self.eat(Token::Colon) {
            return self.expect(Token::Greater, "`>`");
        }
        loop {
            match scalar == BOOL {
                true if !matches!(self.word(), "true" | "false") => return self.expected("`true` or `false`"),
                true => self.at += 1,
                false => {
                    let number = self.written_number()?;
                    self.check_number(&number, scalar, name)?;
                }
            }
            if !self.eat(Token::Comma) {
                return self.expect(Token::Greater, "`>`");
            }
        }
    }

    /// `dense<[1, 2]> : tensor<2xi32>`.
    pub(crate) fn dense_value(&mut self, context: Option<&Context>) -> Read<()> {
        self.at += 1;
        self.expect(Token::Less, "`<`")?;
        let (open, mut elements) = (self.range(), Elements::default());
        if self.kind() != Token::Greater {
            self.dense_item(&mut elements, 0)?;
        }
        let place = open.start..self.range().start.max(open.end);
        self.expect(Token::Greater, "`>`")?;
        self.expect(Token::Colon, "`:` and the type of the elements")?;
        let start = self.at;
        let (extents, element) = self.shaped_type(context)?;
        let ty = &self.text[self.tokens.start(start) as usize..self.tokens.end(self.at - 1) as usize];
        let count = extents.iter().try_fold(1u64, |count, &extent| count.checked_mul(extent));
        if elements.items.is_empty() && elements.extents.is_empty() && count != Some(0) {
            return self.fail(d::malformed_attribute(place, "a number or a list", ""));
        }
        if !elements.extents.is_empty() && !elements.extents.iter().copied().eq(extents.into_iter().map(Some)) {
            let message = format!("the lists have another shape than `{ty}`");
            return self.fail(d::ragged_constant(place, &message));
        }
        let count = count.filter(|_| elements.extents.is_empty());
        elements.items.iter().try_for_each(|item| match &element {
            Foreign::Scalar(scalar) => self.check_item(item, *scalar, count),
            _ => self.check_other(item),
        })
    }

    /// An element, or a list of items of one shape.
    fn dense_item(&mut self, elements: &mut Elements<'a>, depth: usize) -> Read<()> {
        let (place, word) = (self.range(), self.word());
        if self.kind() != Token::LeftBracket {
            if *elements.depth.get_or_insert(depth) != depth || elements.extents.len() != depth {
                return self.fail(d::ragged_constant(place, RAGGED));
            }
            let item = match (self.kind(), word) {
                (Token::Name, "true" | "false") => Item::Bool(place, word),
                (Token::String, _) => Item::Text(place, word),
                (Token::LeftParen, _) => return self.complex(elements),
                _ => {
                    let number = self.written_number()?;
                    elements.items.push(Item::Number(number));
                    return Ok(());
                }
            };
            self.at += 1;
            elements.items.push(item);
            return Ok(());
        }
        if depth == MAX_DEPTH {
            return self.fail(d::ragged_constant(place, "the lists are nested too deeply"));
        }
        if elements.depth.is_some_and(|known| known <= depth) {
            return self.fail(d::ragged_constant(place, RAGGED));
        }
        self.at += 1;
        if elements.extents.len() == depth {
            elements.extents.push(None);
        }
        let mut count = 0;
        if !self.eat(Token::RightBracket) {
            loop {
                self.dense_item(elements, depth + 1)?;
                count += 1;
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::RightBracket, "`]`")?;
        }
        if *elements.extents[depth].get_or_insert(count) == count {
            Ok(())
        } else {
            self.fail(d::ragged_constant(place, RAGGED))
        }
    }

    /// `(1.0, 2.0)`
    fn complex(&mut self, elements: &mut Elements<'a>) -> Read<()> {
        self.at += 1;
        self.written_number()?;
        self.expect(Token::Comma, "`,`")?;
        self.written_number()?;
        elements.items.push(Item::Complex);
        self.expect(Token::RightParen, "`)`")
    }

    /// An element of a type with parts, which is not a number.
    fn check_other(&self, item: &Item<'_>) -> Read<()> {
        match item {
            Item::Number(number) => {
                self.fail(d::malformed_attribute(number.place(), "an element of this type", number.word()))
            }
            Item::Bool(place, word) => {
                self.fail(d::malformed_attribute(place.clone(), "an element of this type", word))
            }
            Item::Text(..) | Item::Complex => Ok(()),
        }
    }

    /// An element, of which there are so many where one string holds them all.
    fn check_item(&self, item: &Item<'_>, scalar: Scalar, count: Option<u64>) -> Read<()> {
        match item {
            Item::Number(number) => self.check_number(number, scalar, &name_of(scalar)),
            Item::Bool(..) if scalar == BOOL => Ok(()),
            Item::Bool(place, word) => {
                let is_float = matches!(scalar, Scalar::Float(_));
                self.fail(d::bad_literal(place.clone(), word, &name_of(scalar), is_float))
            }
            Item::Text(place, text) if !is_raw(text, scalar, count) => {
                self.fail(d::malformed_attribute(place.clone(), "`0x` and the bytes of the elements", text))
            }
            Item::Text(..) | Item::Complex => Ok(()),
        }
    }
}

const RAGGED: &str = "this item has another shape than those before it";

/// How a type is called.
fn name_of(scalar: Scalar) -> String {
    match scalar {
        Scalar::Int { bits, sign: Sign::Open } => format!("i{bits}"),
        Scalar::Int { bits, sign: Sign::Signed } => format!("si{bits}"),
        Scalar::Int { bits, sign: Sign::Unsigned } => format!("ui{bits}"),
        Scalar::Index => "index".into(),
        Scalar::Float(bits) => format!("f{bits}"),
        Scalar::None => "none".into(),
    }
}

/// Whether a string holds the bytes of so many elements, or of one that stands for all; never where it is one of a list.
fn is_raw(text: &str, scalar: Scalar, count: Option<u64>) -> bool {
    let (Some(count), Some(digits)) = (count, text.trim_matches('"').strip_prefix("0x")) else { return false };
    let bits = match scalar {
        Scalar::Int { bits, .. } | Scalar::Float(bits) => u64::from(bits),
        Scalar::Index => 64,
        Scalar::None => return false,
    };
    let is_hex = digits.len() % 2 == 0 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let (bytes, each) = (digits.len() as u64 / 2, bits.div_ceil(8));
    let all = if scalar == BOOL { count.div_ceil(8) } else { count.saturating_mul(each) };
    is_hex && (bytes == each || bytes == all)
}
