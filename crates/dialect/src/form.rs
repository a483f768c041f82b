//! The notation for the custom form of ops in the table.
//!
//! | notation | meaning |
//! |---|---|
//! | `$lhs` | an operand, an attribute or a region, by name; a variadic operand is a comma list |
//! | `type($x)` | one type, shared by all values of `x` |
//! | `type($x, $y)` | one type, shared by all values of `x` and `y` |
//! | `types($x)` | a comma list of types, one for each value of `x` |
//! | `type-or-types($x)` | either of the two |
//! | `attributed-type($x)` | the type of `x`, a pointer, if it has a pointer attribute |
//! | `{type($x), type($y) ->}? type($z)` | `[T[, T] ->] T`: before the arrow, the types of the operands that are present |
//! | `extents($x)`, `strides($x)` | a comma list: the extents or strides of the resulting tensor view, with a value of `x` for each `?` |
//! | `argument($r)` | the first block argument of region `r` |
//! | `bind($r, $x)` | `%a = %x, …`: the further block arguments of `r` with their initial values |
//! | `signature($r)` | `(%a: T, …) [-> T]`: the block arguments of `r` as parameters |
//! | `function-type($x, $y)` | `(T, …) -> T` or `(T, …) -> (T, …)`, with prefixes: the types of all values of `x` and `y` |
//! | `attr-dict`, `attributes-dict` | an optional dictionary, bare or after the keyword `attributes` |
//! | `{…}?` | an optional group; the next token determines whether it is present |
//! | `{a \| b}*` | the pieces in any order, each at most once |
//! | anything else | the literal text |
//!
//! An attribute that is optional, has a default or is a flag can be absent.

use crate::{AttrKind, OpRow, Presence};

/// A compiled form of an op.
#[derive(Debug)]
pub struct Form {
    /// The pieces, in source order.
    pub pieces: Box<[Piece]>,
    /// The types that the pieces refer to; [`Piece::Type`] and [`Piece::TypeArrow`] are indices into this list.
    pub types: Box<[TypePiece]>,
}

/// One piece of a form. Numbers are indices into the row's operands, attributes, results or regions.
#[derive(Debug)]
pub enum Piece {
    /// A value, or a comma list of values if the operand is variadic.
    Operand(u8),
    /// A comma list of integers and values.
    Mixed {
        /// The operand group of the values.
        operand: u8,
        /// Whether the integers are extents or strides of the result.
        of: Measure,
    },
    /// An attribute, written according to its kind.
    Attr {
        /// Its index.
        index: u8,
        /// Whether it can be absent.
        optional: bool,
    },
    /// A region in braces.
    Region(u8),
    /// A type or a list of types.
    Type(u8),
    /// `(T, …) -> T`: the types of both lists.
    FunctionType(u8, u8),
    /// `[T[, T] ->] T`.
    TypeArrow {
        /// The types before the arrow, each written only if its operands are present.
        before: Box<[u8]>,
        /// The type after it.
        after: u8,
    },
    /// A keyword.
    Word(&'static str),
    /// A punctuation mark.
    Punct {
        /// The mark.
        mark: Punct,
        /// Whether a space precedes it.
        apart: bool,
    },
    /// An optional group.
    Group(Box<[Piece]>),
    /// Pieces in any order, each at most once.
    AnyOrder(Box<[Piece]>),
    /// The first block argument of a region.
    Argument(u8),
    /// Block arguments with their initial values.
    Bind {
        /// The region of the arguments.
        region: u8,
        /// The operand group of the initial values.
        operand: u8,
    },
    /// The block arguments as parameters, with types and optional result types.
    Signature(u8),
    /// An attribute dictionary; `true` if the keyword `attributes` introduces it.
    Dict(bool),
}

/// The type, or types, of one operand or result or of several that share them.
#[derive(Debug)]
pub struct TypePiece {
    /// The operands and results that have these types.
    pub slots: Box<[Slot]>,
    /// The number of types written.
    pub count: TypeCount,
}

/// A part of an op that has a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// An operand.
    Operand(u8),
    /// A result.
    Result(u8),
    /// A constant attribute.
    Attr(u8),
}

/// The number of types written for a group of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeCount {
    /// A single type, shared by all.
    One,
    /// One type for each value.
    Each,
    /// A single type for all, or one for each.
    OneOrEach,
    /// A single type if it is that of a pointer with a pointer attribute, otherwise none.
    Attributed,
}

/// The lists of a tensor view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The size of each dimension.
    Extents,
    /// The distance between neighboring elements along each dimension.
    Strides,
}

/// A punctuation mark of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Punct {
    Comma,
    Colon,
    Arrow,
    Equal,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
}

impl Punct {
    /// The text of the mark.
    pub fn text(self) -> &'static str {
        match self {
            Punct::Comma => ",",
            Punct::Colon => ":",
            Punct::Arrow => "->",
            Punct::Equal => "=",
            Punct::LeftParen => "(",
            Punct::RightParen => ")",
            Punct::LeftBracket => "[",
            Punct::RightBracket => "]",
        }
    }

    /// The mark at the start of a text.
    fn first_of(text: &str) -> Option<Punct> {
        Some(match text.as_bytes() {
            [b',', ..] => Punct::Comma,
            [b':', ..] => Punct::Colon,
            [b'-', b'>', ..] => Punct::Arrow,
            [b'=', ..] => Punct::Equal,
            [b'(', ..] => Punct::LeftParen,
            [b')', ..] => Punct::RightParen,
            [b'[', ..] => Punct::LeftBracket,
            [b']', ..] => Punct::RightBracket,
            _ => return None,
        })
    }
}

impl Form {
    /// Whether the form mentions the attribute called `name`. Other attributes are written in the dictionary.
    pub fn names_attr(&self, row: &OpRow, name: &str) -> bool {
        fn names(pieces: &[Piece], wanted: usize) -> bool {
            pieces.iter().any(|piece| match piece {
                Piece::Attr { index, .. } => usize::from(*index) == wanted,
                Piece::Group(pieces) | Piece::AnyOrder(pieces) => names(pieces, wanted),
                _ => false,
            })
        }
        row.attr_named(name).is_some_and(|(index, _)| names(&self.pieces, index))
    }
}

/// Compiles a form of `row`. Panics on a malformed form; a test compiles every form of the table.
pub fn compile(row: &'static OpRow, text: &'static str) -> Form {
    let mut parser = FormParser { row, text, rest: text, types: Vec::new() };
    let pieces = parser.pieces(b"");
    assert!(parser.rest.is_empty(), "{}: malformed form at `{}`", row.name, parser.rest);
    Form { pieces, types: parser.types.into() }
}

struct FormParser {
    row: &'static OpRow,
    text: &'static str,
    rest: &'static str,
    types: Vec<TypePiece>,
}

impl FormParser {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// Consumes the next byte if it is this one. Returns whether it was.
    fn eat(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let found = self.rest.as_bytes().first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn expect(&mut self, byte: u8) {
        let (found, row) = (self.eat(byte), self.row.name);
        assert!(found, "{row}: expected `{}` before `{}` in `{}`", byte as char, self.rest, self.text);
    }

    fn word(&mut self) -> &'static str {
        self.skip_blanks();
        let bytes = self.rest.as_bytes();
        let ends = |&byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let end = bytes.iter().position(ends).unwrap_or(bytes.len());
        // A `->` directly after a word is not part of it.
        let is_arrow = bytes[..end].ends_with(b"-") && bytes.get(end) == Some(&b'>');
        let (word, rest) = self.rest.split_at(end - usize::from(is_arrow));
        self.rest = rest;
        word
    }

    /// Parses pieces up to one of these bytes, or to the end.
    fn pieces(&mut self, ends: &[u8]) -> Box<[Piece]> {
        let mut pieces = Vec::with_capacity(16);
        loop {
            self.skip_blanks();
            if self.rest.bytes().next().is_none_or(|next| ends.contains(&next)) {
                return pieces.into();
            }
            let mut piece = self.piece();
            // The first token of `{type($x) ->}? type($y)` can start either type, so both become one piece.
            if let (Some(Piece::Group(group)), Piece::Type(after)) = (pieces.last(), &piece)
                && let Some(before) = types_before_arrow(group)
            {
                piece = Piece::TypeArrow { before, after: *after };
                pieces.pop();
            }
            pieces.push(piece);
        }
    }

    fn piece(&mut self) -> Piece {
        let before = self.text.as_bytes()[..self.text.len() - self.rest.len()].last();
        if self.eat(b'{') {
            return self.group();
        }
        if self.eat(b'$') {
            return self.variable();
        }
        if let Some(punct) = Punct::first_of(self.rest) {
            self.rest = &self.rest[punct.text().len()..];
            return Piece::Punct {
                mark: punct,
                apart: punct != Punct::Comma
                    && before.is_some_and(|before| before.is_ascii_whitespace() || *before == b'{'),
            };
        }
        let word = self.word();
        assert!(!word.is_empty(), "{}: malformed form at `{}`", self.row.name, self.rest);
        match word {
            "attr-dict" => Piece::Dict(false),
            "attributes-dict" => Piece::Dict(true),
            "type" => Piece::Type(self.types(TypeCount::One)),
            "types" => Piece::Type(self.types(TypeCount::Each)),
            "attributed-type" => Piece::Type(self.types(TypeCount::Attributed)),
            "type-or-types" => Piece::Type(self.types(TypeCount::OneOrEach)),
            "function-type" => self.function_type(),
            "extents" => self.mixed(Measure::Extents),
            "strides" if self.rest.starts_with('(') => self.mixed(Measure::Strides),
            "argument" => Piece::Argument(self.one_name(|row, name| row.region(name).map(|found| found.0))),
            "signature" => Piece::Signature(self.one_name(|row, name| row.region(name).map(|found| found.0))),
            "bind" => self.bind(),
            word => Piece::Word(word),
        }
    }

    fn group(&mut self) -> Piece {
        let mut alternatives = vec![self.pieces(b"|}")];
        while self.eat(b'|') {
            alternatives.push(self.pieces(b"|}"));
        }
        self.expect(b'}');
        if self.eat(b'*') {
            return Piece::AnyOrder(alternatives.into_iter().flatten().collect());
        }
        self.expect(b'?');
        assert_eq!(alternatives.len(), 1, "{}: an optional group cannot have alternatives", self.row.name);
        let mut pieces = alternatives.remove(0);
        // An attribute is mandatory once the keyword of its group is present.
        for piece in &mut pieces {
            if let Piece::Attr { optional, .. } = piece {
                *optional = false;
            }
        }
        Piece::Group(pieces)
    }

    fn variable(&mut self) -> Piece {
        let (row, name) = (self.row, self.word());
        if let Some((index, _)) = row.operand_named(name) {
            return Piece::Operand(index as u8);
        }
        if let Some((index, attr)) = row.attr_named(name) {
            let optional = attr.presence != Presence::Required || matches!(attr.kind, AttrKind::Flag(_));
            return Piece::Attr { index: index as u8, optional };
        }
        let (index, _) = row
            .region(name)
            .unwrap_or_else(|| panic!("{}: no operand, attribute or region is called `{name}`", row.name));
        Piece::Region(index as u8)
    }

    fn names(&mut self) -> Vec<&'static str> {
        self.expect(b'(');
        let mut names = Vec::with_capacity(4);
        loop {
            self.expect(b'$');
            names.push(self.word());
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')');
        names
    }

    fn one_name(&mut self, find: fn(&OpRow, &str) -> Option<usize>) -> u8 {
        let names = self.names();
        assert_eq!(names.len(), 1, "{}: expected exactly one name", self.row.name);
        find(self.row, names[0])
            .unwrap_or_else(|| panic!("{}: no operand or region is called `{}`", self.row.name, names[0])) as u8
    }

    fn types(&mut self, count: TypeCount) -> u8 {
        let row = self.row;
        let slot = |name: &str| {
            let operand = row.operand_named(name).map(|(index, _)| Slot::Operand(index as u8));
            let result = row.result(name).map(|(index, _)| Slot::Result(index as u8));
            let attr = row.attr_named(name).map(|(index, _)| Slot::Attr(index as u8));
            operand
                .or(result)
                .or(attr)
                .unwrap_or_else(|| panic!("{}: no operand, result or attribute is called `{name}`", row.name))
        };
        let slots = self.names().into_iter().map(slot).collect();
        self.types.push(TypePiece { slots, count });
        self.types.len() as u8 - 1
    }

    fn function_type(&mut self) -> Piece {
        let names = self.names();
        let operands = self.row.operand_named(names[0]).expect("the first name is an operand group").0 as u8;
        let results = self.row.result(names[1]).expect("the second name is a result group").0 as u8;
        let first = self.types.len() as u8;
        for slot in [Slot::Operand(operands), Slot::Result(results)] {
            self.types.push(TypePiece { slots: [slot].into(), count: TypeCount::Each });
        }
        Piece::FunctionType(first, first + 1)
    }

    fn mixed(&mut self, of: Measure) -> Piece {
        Piece::Mixed { operand: self.one_name(|row, name| row.operand_named(name).map(|found| found.0)), of }
    }

    fn bind(&mut self) -> Piece {
        let names = self.names();
        let region = self.row.region(names[0]).expect("the first name is a region").0 as u8;
        let operand = self.row.operand_named(names[1]).expect("the second name is an operand group").0 as u8;
        Piece::Bind { region, operand }
    }
}

/// The types of `type($x), type($y) ->`, if the group has that shape.
fn types_before_arrow(group: &[Piece]) -> Option<Box<[u8]>> {
    let (Piece::Punct { mark: Punct::Arrow, .. }, types) = group.split_last()? else { return None };
    types
        .iter()
        .filter(|piece| !matches!(piece, Piece::Punct { mark: Punct::Comma, .. }))
        .map(|piece| if let Piece::Type(index) = piece { Some(*index) } else { None })
        .collect()
}
