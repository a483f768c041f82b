//! Decodes attributes.

use super::constant::mask;
use super::cursor::Cursor;
use super::decoder::Decoder;
use super::error::Read;
use crate::format::attr_tag;
use tile_analysis::ir::{Attr, AttrValue, HintValue, Hints, NamedAttrs, NamedHints, Predicate};
use tile_analysis::types::Type;
use tile_analysis::{number, print};
use tile_dialect::{AttrKind, AttrRow, Element, EnumRow, MULTIMEM_REDUCTION, Version};

impl Decoder<'_> {
    /// Reads the value of an attribute. `ty` is the type of a constant.
    pub(super) fn attr(&mut self, row: &AttrRow, cursor: &mut Cursor, ty: Option<Type>) -> Read<Attr> {
        let offset = cursor.offset();
        Ok(match row.kind {
            AttrKind::Enum { of, .. } => Attr::Enum(self.keyword(of, cursor)?),
            AttrKind::Flag(_) if boolean(cursor)? => Attr::Flag,
            AttrKind::Flag(_) => Attr::Absent,
            AttrKind::Bool => Attr::Bool(boolean(cursor)?),
            AttrKind::Int(bits) => Attr::Int(integer(cursor, bits.into())?),
            AttrKind::Str => Attr::Str(self.string(cursor)?.into()),
            AttrKind::SymbolName | AttrKind::SymbolRef => Attr::Symbol(self.name(cursor)?),
            AttrKind::IntList => Attr::IntList(cursor.list::<4>("numbers")?.into()),
            AttrKind::BoolList(_) => {
                let count = cursor.count("Booleans", 1)?;
                Attr::BoolList((0..count).map(|_| boolean(cursor)).collect::<Read<_>>()?)
            }
            AttrKind::Identities => {
                let count = cursor.count("numbers", 2)?;
                Attr::Identities((0..count).map(|_| self.number(cursor)).collect::<Read<_>>()?)
            }
            AttrKind::Hints => Attr::Hints(Box::new(self.hints(cursor)?)),
            AttrKind::Predicate => Attr::Predicate(self.predicate(cursor)?),
            AttrKind::Dense => match ty {
                Some(ty) => Attr::Dense(Box::new(self.constant(cursor, ty)?)),
                None => return cursor.fail_at(offset, "a constant has no type here"),
            },
            AttrKind::ConstParams => Attr::Symbolic(self.symbolic_list(cursor)?.into()),
            AttrKind::ConstArgs => {
                let values = self.symbolic_list(cursor)?;
                if values.is_empty() { Attr::Absent } else { Attr::Symbolic(values.into()) }
            }
            AttrKind::Preview(attr) => {
                Attr::Value(Box::new(AttrValue::Preview(self.preview_value(cursor, attr, offset)?)))
            }
            AttrKind::Array => Attr::Value(Box::new(AttrValue::Array(self.values(cursor)?))),
            AttrKind::Dictionary => Attr::Value(Box::new(AttrValue::Dict(self.named_values(cursor)?))),
            AttrKind::Type | AttrKind::DictList => {
                return cursor.fail_at(offset, format!("`{}` cannot occur in bytecode", row.name));
            }
        })
    }

    /// Reads a value of an enumeration.
    pub(super) fn keyword(&mut self, of: &EnumRow, cursor: &mut Cursor) -> Read<u8> {
        let offset = cursor.offset();
        let value = cursor.varint()?;
        let found = u8::try_from(value).ok().and_then(|value| Some((value, of.values.get(usize::from(value))?)));
        match found {
            Some((value, row)) => {
                self.need(cursor, offset, format_args!("the {} `{}`", of.title, row.name), row.since)?;
                Ok(value)
            }
            None => cursor.fail_at(offset, format!("unknown {} {value}", of.title)),
        }
    }

    /// Reads a number with its type.
    pub(super) fn number(&mut self, cursor: &mut Cursor) -> Read<(Element, u64)> {
        let offset = cursor.offset();
        match cursor.byte()? {
            attr_tag::BOOL => Ok((Element::I1, u64::from(boolean(cursor)?))),
            attr_tag::INTEGER => self.typed_number(cursor, true),
            attr_tag::FLOAT => self.typed_number(cursor, false),
            tag => cursor.fail_at(offset, format!("expected a number, found an attribute of kind {tag}")),
        }
    }

    pub(super) fn typed_number(&mut self, cursor: &mut Cursor, integer: bool) -> Read<(Element, u64)> {
        let offset = cursor.offset();
        let element = self.element(cursor)?;
        if element.is_int() != integer {
            return cursor.fail_at(offset, format!("the kind of a number does not match its type, `{element}`"));
        }
        let offset = cursor.offset();
        let pattern = match (integer, element.bits()) {
            (true, 1) => u64::from(cursor.varint()? != 0),
            (true, _) => cursor.varint()?,
            (false, ..=8) => cursor.byte()?.into(),
            (false, _) => cursor.signed()? as u64,
        };
        if pattern > mask(element) {
            return cursor.fail_at(offset, format!("{pattern:#x} is wider than an `{element}`"));
        }
        Ok((element, number::from_significant(element, pattern)))
    }

    /// Reads hints with their tag.
    pub(super) fn tagged_hints(&mut self, cursor: &mut Cursor) -> Read<Hints> {
        let offset = cursor.offset();
        match cursor.byte()? {
            attr_tag::HINTS => self.hints(cursor),
            tag => cursor.fail_at(offset, format!("expected optimization hints, found an attribute of kind {tag}")),
        }
    }

    /// Reads the attributes of a function's parameters: a dictionary for each, or an empty list if no parameter has
    /// any.
    pub(super) fn param_attrs(&mut self, cursor: &mut Cursor) -> Read<Vec<NamedAttrs>> {
        let offset = cursor.offset();
        let AttrValue::Array(list) = self.value(cursor)? else {
            return cursor.fail_at(offset, "the attributes of parameters must be a list");
        };
        let dictionary = |value| match value {
            AttrValue::Dict(attrs) => Ok(attrs),
            _ => cursor.fail_at(offset, "the attributes of each parameter must be a dictionary"),
        };
        let attrs = list.into_iter().map(dictionary).collect::<Read<Vec<NamedAttrs>>>()?;
        // The number of dictionaries does not matter if all are empty.
        Ok(if attrs.iter().all(|attrs| attrs.is_empty()) { Vec::new() } else { attrs })
    }

    /// Reads an attribute with its tag. [`Decoder::value`] limits the nesting.
    pub(super) fn tagged(&mut self, cursor: &mut Cursor) -> Read<AttrValue> {
        let offset = cursor.offset();
        if let Some(value) = self.preview_tagged(cursor)? {
            return Ok(value);
        }
        Ok(match cursor.clone().byte()? {
            attr_tag::INTEGER | attr_tag::FLOAT => {
                let (element, bits) = self.number(cursor)?;
                AttrValue::Number(element, bits)
            }
            attr_tag::DIV_BY | attr_tag::SAME_ELEMENTS | attr_tag::BOUNDED => {
                AttrValue::Predicate(self.predicate(cursor)?)
            }
            attr_tag::HINTS => AttrValue::Hints(self.tagged_hints(cursor)?),
            tag => {
                cursor.byte()?;
                match tag {
                    attr_tag::BOOL => AttrValue::Bool(boolean(cursor)?),
                    attr_tag::STRING => AttrValue::Str(self.string(cursor)?.into()),
                    attr_tag::TYPE => AttrValue::Type(self.ty(cursor)?),
                    attr_tag::ARRAY => {
                        let count = cursor.count("attributes", 2)?;
                        AttrValue::Array((0..count).map(|_| self.value(cursor)).collect::<Read<_>>()?)
                    }
                    attr_tag::DICTIONARY => {
                        let count = cursor.count("attributes", 3)?;
                        let named = (0..count).map(|_| Ok((self.name(cursor)?, self.value(cursor)?)));
                        AttrValue::Dict(named.collect::<Read<_>>()?)
                    }
                    attr_tag::REDUCTION => {
                        self.need(cursor, offset, "an attribute of this kind", Version::V13_5)?;
                        let kind = self.keyword(&MULTIMEM_REDUCTION, cursor)?;
                        AttrValue::Other(MULTIMEM_REDUCTION.literal(kind).into())
                    }
                    _ => return cursor.fail_at(offset, format!("unsupported attribute of kind {tag}")),
                }
            }
        })
    }

    fn hints(&mut self, cursor: &mut Cursor) -> Read<Hints> {
        let count = cursor.count("architectures", 3)?;
        let mut hints = Hints::default();
        for _ in 0..count {
            let architecture = self.name(cursor)?;
            let offset = cursor.offset();
            if cursor.byte()? != attr_tag::DICTIONARY {
                return cursor.fail_at(offset, format!("the hints for `{architecture}` must be a dictionary"));
            }
            hints.by_architecture.push((architecture, self.named_hints(cursor)?));
        }
        Ok(hints)
    }

    fn named_hints(&mut self, cursor: &mut Cursor) -> Read<NamedHints> {
        let count = cursor.count("hints", 3)?;
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            let name = self.name(cursor)?;
            let value = self.hint(cursor)?;
            values.push((name, value));
        }
        Ok(values)
    }

    fn hint(&mut self, cursor: &mut Cursor) -> Read<HintValue> {
        let mut start = cursor.clone();
        match cursor.byte()? {
            attr_tag::BOOL => Ok(HintValue::Bool(boolean(cursor)?)),
            attr_tag::INTEGER => {
                let (element, bits) = self.typed_number(cursor, true)?;
                // NVIDIA's writer stores Booleans as one-bit numbers.
                match element {
                    Element::I1 => Ok(HintValue::Bool(bits != 0)),
                    _ => Ok(HintValue::Int(number::decode_int(element, bits))),
                }
            }
            attr_tag::STRING => Ok(HintValue::Str(self.string(cursor)?.into())),
            // No op has such a hint, but readers accept any attribute.
            _ => {
                let value = self.value(&mut start)?;
                *cursor = start;
                Ok(HintValue::Other(print::attr_literal(&value).into()))
            }
        }
    }

    pub(super) fn predicate(&mut self, cursor: &mut Cursor) -> Read<Predicate> {
        let offset = cursor.offset();
        match cursor.byte()? {
            attr_tag::DIV_BY => {
                let divisor = cursor.varint()?;
                let offset = cursor.offset();
                let every_along = match cursor.byte()? {
                    0 => None,
                    3 => Some((cursor.signed()?, cursor.signed()?)),
                    _ => return cursor.fail_at(offset, "`every` and `along` must be given together"),
                };
                Ok(Predicate::DivBy { divisor, every_along })
            }
            attr_tag::SAME_ELEMENTS => Ok(Predicate::SameElements(cursor.list::<8>("numbers")?.into())),
            attr_tag::BOUNDED => {
                let offset = cursor.offset();
                let flags = cursor.byte()?;
                if flags > 3 {
                    return cursor.fail_at(offset, format!("unknown presence bits in {flags:#b}"));
                }
                let lower = if flags & 1 != 0 { Some(cursor.signed()?) } else { None };
                let upper = if flags & 2 != 0 { Some(cursor.signed()?) } else { None };
                Ok(Predicate::Bounded(lower, upper))
            }
            tag => {
                cursor.fail_at(offset, format!("expected a predicate of `assume`, found an attribute of kind {tag}"))
            }
        }
    }
}

/// Reads a Boolean. Every byte but 0 is true.
pub(super) fn boolean(cursor: &mut Cursor) -> Read<bool> {
    cursor.byte().map(|byte| byte != 0)
}

/// Reads an integer of this many bits. A negative one can be stored with these bits or sign-extended to 64 bits.
fn integer(cursor: &mut Cursor, bits: u32) -> Read<i64> {
    let offset = cursor.offset();
    let value = cursor.varint()?;
    let unused = 64 - bits;
    let signed = (value << unused) as i64 >> unused;
    if value == signed as u64 || value == (signed as u64) << unused >> unused {
        return Ok(signed);
    }
    cursor.fail_at(offset, format!("{value} takes more than {bits} bits"))
}
