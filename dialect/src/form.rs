//! The notation in which a row says how its op is written.
//!
//! | notation | stands for |
//! |---|---|
//! | `$lhs` | an operand, an attribute or a region, by name; a variadic operand is a comma list |
//! | `type($x)` | one type, which all values of `x` have |
//! | `type($x, $y)` | one type, which all values of `x` and of `y` have |
//! | `types($x)` | a comma list of types, one for each value of `x` |
//! | `type-or-types($x)` | either of the two |
//! | `attributed-type($x)` | the type of `x`, a pointer, where it has a pointer attribute |
//! | `{type($x), type($y) ->}? type($z)` | `[T[, T] ->] T`: in front of the arrow the types of what exists |
//! | `extents($x)`, `strides($x)` | a comma list: the numbers of the result, a tensor view; the values `x` stand where it leaves them open |
//! | `argument($r)` | the first block argument of region `r` |
//! | `bind($r, $x)` | `%a = %x, …`: the further block arguments of `r` with their first values |
//! | `signature($r)` | `(%a: T, …) [-> T]`: the block arguments of `r` as parameters |
//! | `function-type($x, $y)` | `(T, …) -> T` or `(T, …) -> (T, …)`, with prefixes: the types of all values of `x` and of `y` |
//! | `attr-dict`, `attributes-dict` | an optional dictionary, bare or behind the word `attributes` |
//! | `{…}?` | an optional group; the next token decides whether it is there |
//! | `{a \| b}*` | the pieces in any order, each at most once |
//! | anything else | itself |
//!
//! An attribute that is optional, has a default or is a flag can always be absent.

use crate::{AttrKind, OpRow, Presence};

/// A compiled form.
#[derive(Debug)]
pub struct Form {
    /// The pieces, in the order of the text.
    pub pieces: Box<[Piece]>,
    /// The types that the pieces mention; [`Piece::Type`] and [`Piece::TypeArrow`] hold indices into this list.
    pub types: Box<[TypePiece]>,
}

/// One piece of a form. Numbers are indices into the row's operands, attributes, results or regions.
#[derive(Debug)]
pub enum Piece {
    /// A value, or a comma list of values where the operand is variadic.
    Operand(u8),
    /// A comma list of integers and values.
    Mixed {
        /// The operand group that holds the values.
        operand: u8,
        /// Which numbers of the result's type the integers are.
        of: Measure,
    },
    /// An attribute as its kind is written.
    Attr {
        /// Its index.
        index: u8,
        /// Whether it may be absent.
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
        /// The types in front of the arrow, each written only where its operands exist.
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
        /// Whether there is a space before it.
        apart: bool,
    },
    /// An optional group.
    Group(Box<[Piece]>),
    /// Pieces in any order, each at most once.
    AnyOrder(Box<[Piece]>),
    /// The first block argument of a region.
    Argument(u8),
    /// Block arguments with their first values.
    Bind {
        /// The region they belong to.
        region: u8,
        /// The operand group that holds the first values.
        operand: u8,
    },
    /// The block arguments as parameters, with types and optional result types.
    Signature(u8),
    /// An attribute dictionary; `true` where the word `attributes` introduces it.
    Dict(bool),
}

/// The types of one operand or result, or of several that share one.
#[derive(Debug)]
pub struct TypePiece {
    /// Whose types.
    pub slots: Box<[Slot]>,
    /// How many types are written.
    pub count: TypeCount,
}

/// Whose type it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// An operand's.
    Operand(u8),
    /// A result's.
    Result(u8),
    /// A constant's.
    Attr(u8),
}

/// How many types are written for a group of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeCount {
    /// One, which all have.
    One,
    /// One for each.
    Each,
    /// One for all or one for each.
    OneOrEach,
    /// One, where it is the type of a pointer with a pointer attribute; else none.
    Attributed,
}

/// The numbers of a tensor view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// How long each dimension is.
    Extents,
    /// How far apart the elements lie along each dimension.
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
    /// The mark itself.
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

    /// The mark that a text starts with.
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
    /// Whether the form has a place for the attribute called `name`. One without is written in the dictionary.
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

/// Compiles a form of `row`. Panics on a form that is not in the notation; a test compiles every form of the table.
pub fn compile(row: &'static OpRow, text: &'static str) -> Form {
    let mut reader = FormParser { row, text, rest: text, types: Vec::new() };
    let pieces = reader.pieces(b"");
    assert!(reader.rest.is_empty(), "{}: cannot read the form from `{}`", row.name, reader.rest);
    Form { pieces, types: reader.types.into() }
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

    /// Whether this is the next byte, which is then taken.
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
        assert!(found, "{row}: `{}` is missing before `{}` in `{}`", byte as char, self.rest, self.text);
    }

    fn word(&mut self) -> &'static str {
        self.skip_blanks();
        let bytes = self.rest.as_bytes();
        let ends = |&byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let end = bytes.iter().position(ends).unwrap_or(bytes.len());
        // A `->` directly after a word is not a part of it.
        let is_arrow = bytes[..end].ends_with(b"-") && bytes.get(end) == Some(&b'>');
        let (word, rest) = self.rest.split_at(end - usize::from(is_arrow));
        self.rest = rest;
        word
    }

    /// The pieces up to one of these bytes, or to the end.
    fn pieces(&mut self, ends: &[u8]) -> Box<[Piece]> {
        let mut pieces = Vec::with_capacity(16);
        loop {
            self.skip_blanks();
            if self.rest.bytes().next().is_none_or(|next| ends.contains(&next)) {
                return pieces.into();
            }
            let mut piece = self.piece();
            // The first token of `{type($x) ->}? type($y)` does not say which type it starts, so it becomes one piece.
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
        assert!(!word.is_empty(), "{}: cannot read `{}`", self.row.name, self.rest);
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
        assert_eq!(alternatives.len(), 1, "{}: an optional group has no alternatives", self.row.name);
        let mut pieces = alternatives.remove(0);
        // Behind the keyword of its group an attribute must follow.
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
        let (index, _) = row.region(name).unwrap_or_else(|| panic!("{}: nothing is called `{name}`", row.name));
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
        assert_eq!(names.len(), 1, "{}: one name belongs here", self.row.name);
        find(self.row, names[0]).unwrap_or_else(|| panic!("{}: nothing is called `{}`", self.row.name, names[0])) as u8
    }

    fn types(&mut self, count: TypeCount) -> u8 {
        let row = self.row;
        let slot = |name: &str| {
            let operand = row.operand_named(name).map(|(index, _)| Slot::Operand(index as u8));
            let result = row.result(name).map(|(index, _)| Slot::Result(index as u8));
            let attr = row.attr_named(name).map(|(index, _)| Slot::Attr(index as u8));
            operand.or(result).or(attr).unwrap_or_else(|| panic!("{}: nothing is called `{name}`", row.name))
        };
        let slots = self.names().into_iter().map(slot).collect();
        self.types.push(TypePiece { slots, count });
        self.types.len() as u8 - 1
    }

    fn function_type(&mut self) -> Piece {
        let names = self.names();
        let operands = self.row.operand_named(names[0]).expect("operands come first").0 as u8;
        let results = self.row.result(names[1]).expect("results come second").0 as u8;
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
        let region = self.row.region(names[0]).expect("a region comes first").0 as u8;
        let operand = self.row.operand_named(names[1]).expect("an operand comes second").0 as u8;
        Piece::Bind { region, operand }
    }
}

/// The types of `type($x), type($y) ->`, if a group is that.
fn types_before_arrow(group: &[Piece]) -> Option<Box<[u8]>> {
    let (Piece::Punct { mark: Punct::Arrow, .. }, types) = group.split_last()? else { return None };
    types
        .iter()
        .filter(|piece| !matches!(piece, Piece::Punct { mark: Punct::Comma, .. }))
        .map(|piece| if let Piece::Type(index) = piece { Some(*index) } else { None })
        .collect()
}
