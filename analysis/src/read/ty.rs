//! Reading types.

use super::builtin;
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::diagnostics::{BadExtent, UnknownType, UnknownTypeForm};
use crate::preview;
use crate::types::{Access, Pointer, Scalar, TensorViewType, TileType, TileViewType, Type, TypeKind};
use std::ops::Range;
use tile_dialect::{Builtin, DIALECT_PREFIX, Element, PADDING, PTR_ATTR, TYPE_NAMES};
use tile_syntax::{Token, Tokens};

/// The most elements that a tile can have.
const MAX_TILE_ELEMENTS: i64 = 1 << 24;

/// The deepest allowed nesting of types; a view of a tensor of pointers has three levels.
const MAX_TYPE_DEPTH: usize = 16;

/// Reads the type in the tokens `range`. On an error, adds it to `problems` and returns [`TypeKind::Unknown`].
pub(crate) fn read<P: From<TypeProblem>>(
    text: &str,
    tokens: &Tokens,
    range: Range<usize>,
    context: &Context,
    problems: &mut Vec<P>,
) -> Type {
    let mut reader = TypeReader { text, tokens, at: range.start, end: range.end, depth: 0, context };
    let read = reader.ty().and_then(|ty| reader.finished().map(|()| ty));
    read.unwrap_or_else(|problem| {
        problems.push((*problem).into());
        Type::unknown()
    })
}

/// Reads a type whose problems are reported elsewhere.
pub(crate) fn read_silently(text: &str, tokens: &Tokens, range: Range<usize>, context: &Context) -> Type {
    read(text, tokens, range, context, &mut Vec::<TypeProblem>::new())
}

/// Reads a text that consists of a type only.
///
/// # Errors
///
/// Returns the first problem of the text; ranges are relative to its start.
pub fn type_of(text: &str) -> Result<Type, Box<Diagnostic>> {
    let (tokens, context) = (tile_syntax::lex(text), Context::default());
    let mut reader = TypeReader { text, tokens: &tokens, at: 0, end: tokens.len(), depth: 0, context: &context };
    let read = reader.ty().and_then(|ty| reader.finished().map(|()| ty));
    read.map_err(|problem| Box::new((*problem).into()))
}

/// Reads the type that starts at a reader's current token. Returns it and the index of the token after it.
pub(crate) fn read_from(from: &super::attr::AttrReader, context: &Context) -> Result<(Type, usize), Box<Diagnostic>> {
    let mut reader = TypeReader { text: from.text, tokens: from.tokens, at: from.at, end: from.end, depth: 0, context };
    reader.ty().map(|ty| (ty, reader.at)).map_err(|problem| Box::new((*problem).into()))
}

/// Reads a pointer type, with the reader at its name. Returns it and the index of the token after it.
pub(crate) fn read_pointer(
    from: &super::attr::AttrReader,
    context: &Context,
) -> Result<(Type, usize), Box<Diagnostic>> {
    let mut reader =
        TypeReader { text: from.text, tokens: from.tokens, at: from.at + 1, end: from.end, depth: 1, context };
    let pointer = reader.pointer().map_err(|problem| Box::new((*problem).into()))?;
    Ok((Type::new(TypeKind::Pointer(pointer)), reader.at))
}

/// The types of the list `(T, …)` at the start of the tokens, and their ranges.
pub(crate) fn listed<P: From<TypeProblem>>(
    text: &str,
    all: &Tokens,
    tokens: Range<usize>,
    context: &Context,
    problems: &mut Vec<P>,
) -> Vec<(Type, Range<u32>)> {
    let (mut types, mut start, mut depth) = (Vec::new(), tokens.start + 1, 0i32);
    for token in tokens.start + 1..tokens.end {
        match all.text(token, text) {
            "<" | "(" | "[" => depth += 1,
            ">" | "]" => depth -= 1,
            ")" if depth > 0 => depth -= 1,
            end @ ("," | ")") if depth == 0 => {
                if token > start {
                    let place = all.start(start)..all.end(token - 1);
                    types.push((read(text, all, start..token, context, problems), place));
                }
                if end == ")" {
                    break;
                }
                start = token + 1;
            }
            _ => {}
        }
    }
    types
}

/// A problem of a type.
#[derive(Debug)]
pub(crate) enum TypeProblem {
    /// Several types of a program often share it.
    Extent(BadExtent),
    Name(UnknownType),
    Other(Diagnostic),
}

impl TypeProblem {
    /// The start of its range.
    pub(crate) fn start(&self) -> u32 {
        let place = match self {
            TypeProblem::Extent(found) => &found.place,
            TypeProblem::Name(found) => found.place(),
            TypeProblem::Other(found) => &found.range,
        };
        place.start
    }
}

impl From<TypeProblem> for Diagnostic {
    fn from(problem: TypeProblem) -> Self {
        match problem {
            TypeProblem::Extent(found) => found.diagnostic(),
            TypeProblem::Name(found) => found.diagnostic(),
            TypeProblem::Other(found) => found,
        }
    }
}

impl From<Box<Diagnostic>> for Box<TypeProblem> {
    fn from(found: Box<Diagnostic>) -> Self {
        Box::new(TypeProblem::Other(*found))
    }
}

type Read<T> = Result<T, Box<TypeProblem>>;

struct TypeReader<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    at: usize,
    end: usize,
    depth: usize,
    context: &'a Context,
}

impl<'a> TypeReader<'a> {
    fn kind(&self) -> Token {
        if self.at < self.end { self.tokens.kind(self.at) } else { Token::End }
    }

    fn word(&self) -> &'a str {
        if self.at < self.end { self.tokens.text(self.at, self.text) } else { "" }
    }

    /// The range of the current token, or the end of the last one.
    fn range(&self) -> Range<u32> {
        if self.at < self.end {
            self.tokens.start(self.at)..self.tokens.end(self.at)
        } else {
            let end = self.tokens.end(self.end.saturating_sub(1));
            end..end
        }
    }

    fn fail<T>(&self, diagnostic: Diagnostic) -> Read<T> {
        Err(Box::new(TypeProblem::Other(diagnostic)))
    }

    fn fail_name<T>(&self, word: Range<u32>, name: &str, form: UnknownTypeForm) -> Read<T> {
        Err(Box::new(TypeProblem::Name(UnknownType { name: name.into(), word, form })))
    }

    fn fail_extent<T>(&self, place: Range<u32>, extent: Option<i64>) -> Read<T> {
        Err(Box::new(TypeProblem::Extent(BadExtent::new(place, extent))))
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        self.fail(d::malformed_type(self.range(), what, self.word()))
    }

    fn expect(&mut self, kind: Token, what: &str) -> Read<()> {
        if self.kind() == kind {
            self.at += 1;
            return Ok(());
        }
        // A mark that is missing at the end of a line is reported there.
        if self.at > 0 && self.tokens.is_first_on_line(self.at, self.text) {
            let end = self.tokens.end(self.at - 1);
            return self.fail(d::malformed_type(end..end, what, self.word()));
        }
        self.expected(what)
    }

    fn eat(&mut self, kind: Token) -> bool {
        let found = self.kind() == kind;
        self.at += usize::from(found);
        found
    }

    fn finished(&self) -> Read<()> {
        if self.at < self.end { self.expected("the end of the type") } else { Ok(()) }
    }

    fn ty(&mut self) -> Read<Type> {
        if self.depth == MAX_TYPE_DEPTH {
            return self.fail(d::type_too_deep(self.range(), MAX_TYPE_DEPTH));
        }
        self.depth += 1;
        let read = self.ty_here();
        self.depth -= 1;
        read
    }

    fn ty_here(&mut self) -> Read<Type> {
        let word = self.word();
        match self.kind() {
            Token::TypeName => match word[1..].strip_prefix(DIALECT_PREFIX) {
                Some(name) => {
                    let next = self.at + 1;
                    if next < self.end
                        && self.tokens.kind(next) == Token::Less
                        && self.tokens.start(next) > self.tokens.end(self.at)
                    {
                        let place = self.tokens.end(self.at)..self.tokens.end(next);
                        return self.fail(d::blank_in_type(place, word));
                    }
                    self.composite(name)
                }
                None => self.alias_or_foreign(&word[1..]),
            },
            Token::Name => {
                if let Some(element) = Element::from_name(word) {
                    self.at += 1;
                    return Ok(Type::new(TypeKind::Number(element)));
                }
                match word.strip_prefix(DIALECT_PREFIX) {
                    Some(name) if TYPE_NAMES.contains(&name) => {
                        self.fail_name(self.range(), word, UnknownTypeForm::WithoutMark)
                    }
                    _ => self.composite(word),
                }
            }
            Token::LeftParen => self.builtin(),
            _ => self.expected("a type"),
        }
    }

    fn alias_or_foreign(&mut self, name: &str) -> Read<Type> {
        if let Some(&ty) = self.context.type_aliases.get(name) {
            self.at += 1;
            return Ok(ty);
        }
        if Some(name) == DIALECT_PREFIX.strip_suffix('.') && self.tokens.kind(self.at + 1) == Token::Less {
            self.at += 2;
            let ty = self.composite(self.word())?;
            self.expect(Token::Greater, "`>`")?;
            return Ok(ty);
        }
        if name.contains('.') {
            return if self.context.options.upstream_tests {
                Ok(self.foreign())
            } else {
                self.fail_name(self.range(), name, UnknownTypeForm::OtherDialect)
            };
        }
        self.fail(d::unknown_alias(self.range(), name, self.context.type_aliases.keys().map(|name| &**name)))
    }

    /// A builtin type of MLIR, which must extend to the end of the tokens.
    fn builtin(&mut self) -> Read<Type> {
        let (start, end) = (self.tokens.start(self.at), self.tokens.end(self.end - 1));
        match builtin::read(&self.text[start as usize..end as usize]) {
            Some(_) => Ok(self.foreign()),
            None => self.fail(d::malformed_type(start..end, "a type", self.word())),
        }
    }

    /// A type of another dialect, which extends to the end of the tokens.
    fn foreign(&mut self) -> Type {
        let start = self.tokens.start(self.at) as usize;
        let end = self.tokens.end(self.end - 1) as usize;
        self.at = self.end;
        Type::new(TypeKind::Foreign(self.text[start..end].into()))
    }

    fn composite(&mut self, name: &str) -> Read<Type> {
        let named = self.at;
        self.at += 1;
        match name {
            "token" => Ok(Type::token()),
            "tile" if self.is_symbolic() => self.in_preview(preview::PreviewReader::symbolic_tile),
            "tile" => self.tile(),
            "ptr" => Ok(Type::new(TypeKind::Pointer(self.pointer()?))),
            "tensor_view" => self.tensor_view(),
            "partition_view" => self.tile_view(ViewName::Partition),
            "strided_view" => self.tile_view(ViewName::Strided),
            "gather_scatter_view" => self.tile_view(ViewName::GatherScatter),
            _ if preview::is_preview_word(name) => {
                self.at = named;
                self.in_preview(preview::PreviewReader::preview_type)
            }
            _ => {
                self.at = named;
                if Builtin::from_name(name).is_some() {
                    return self.builtin();
                }
                self.fail_name(self.range(), name, self.unknown_type_form(name))
            }
        }
    }

    /// Whether the tile whose `<` is the current token has a symbolic extent or element type.
    fn is_symbolic(&self) -> bool {
        let first = self.at + 1;
        if first >= self.end {
            return false;
        }
        let word = self.tokens.text(first, self.text);
        match self.tokens.kind(first) {
            Token::LeftBracket => preview::refusal(&self.context.options).is_none() || self.names_extent(first),
            Token::Extents if word.ends_with('x') => self.tokens.kind(first + 1) == Token::LeftBracket,
            Token::Extents | Token::Name => word.rsplit('x').next().is_some_and(preview::is_preview_word),
            _ => false,
        }
    }

    /// Whether the list that starts here names an extent. `tile<[8, 8]xf32>` does not, so it is not preview syntax.
    fn names_extent(&self, bracket: usize) -> bool {
        let mut list = (bracket..self.end).take_while(|&token| self.tokens.kind(token) != Token::RightBracket);
        list.any(|token| self.tokens.kind(token) == Token::Name)
    }

    /// Reads a type of the preview.
    fn in_preview(
        &mut self,
        read: impl FnOnce(&mut preview::PreviewReader<'a>) -> Result<Type, Box<Diagnostic>>,
    ) -> Read<Type> {
        let tokens = super::attr::AttrReader { text: self.text, tokens: self.tokens, at: self.at, end: self.end };
        let mut reader = preview::PreviewReader::of_type(tokens, self.context);
        let ty = read(&mut reader)?;
        self.at = reader.at();
        Ok(ty)
    }

    /// How to report the current word, which is not the name of a type. If it is at the end of a line and does not
    /// resemble one, the type is missing.
    fn unknown_type_form(&self, name: &str) -> UnknownTypeForm {
        let next = self.end;
        let is_alone = self.at + 1 == self.end && self.tokens.is_first_on_line(next, self.text);
        match self.tokens.kind(next) {
            Token::Item | Token::End => UnknownTypeForm::Word,
            _ if is_alone && !d::resembles_a_type(name) => {
                UnknownTypeForm::EndOfLine(self.tokens.start(next)..self.tokens.end(next))
            }
            _ => UnknownTypeForm::Word,
        }
    }

    fn pointer(&mut self) -> Read<Pointer> {
        self.expect(Token::Less, "`<`")?;
        let place = self.range();
        let ty = self.ty()?;
        let to = match ty.kind() {
            TypeKind::Number(element) if *element != Element::I4 => *element,
            _ => return self.fail(d::bad_element(place, "a pointer", &ty.to_string())),
        };
        let attr = self.pointer_attr()?;
        self.expect(Token::Greater, "`>`")?;
        Ok(Pointer { to, attr })
    }

    /// `, <multicast>` or `, #cuda_tile.ptr_attr<multicast>`.
    fn pointer_attr(&mut self) -> Read<Option<u8>> {
        let next = self.tokens.kind(self.at + 1);
        if self.kind() == Token::Comma && next == Token::Name {
            let (word, place) = (
                self.tokens.text(self.at + 1, self.text),
                self.tokens.start(self.at + 1)..self.tokens.end(self.at + 1),
            );
            if PTR_ATTR.value(word).is_some() {
                return self.fail(d::bare_pointer_attr(place, word));
            }
        }
        if !(self.kind() == Token::Comma && matches!(next, Token::Less | Token::AttrName)) {
            return Ok(None);
        }
        self.at += 1;
        if self.kind() == Token::AttrName {
            let name = self.word().trim_start_matches('#').strip_prefix(DIALECT_PREFIX);
            if name != Some(PTR_ATTR.name) {
                return self.expected("`#cuda_tile.ptr_attr<…>`");
            }
            self.at += 1;
        }
        self.expect(Token::Less, "`<`")?;
        let (word, place) = (self.word(), self.range());
        let Some(attr) = PTR_ATTR.value(word) else {
            return self.fail(d::unknown_pointer_attr(place, word));
        };
        self.at += 1;
        self.expect(Token::Greater, "`>`")?;
        Ok(Some(attr))
    }

    fn tile(&mut self) -> Read<Type> {
        let named = self.at - 1;
        self.expect(Token::Less, "`<`")?;
        let (extents, place, element) = self.shaped("a tile")?;
        let element = match element.kind() {
            TypeKind::Number(element) => Scalar::Number(*element),
            TypeKind::Pointer(pointer) => Scalar::Pointer(*pointer),
            _ => return self.fail(d::bad_element(place, "a tile", &element.to_string())),
        };
        self.expect(Token::Greater, "`>`")?;
        let mut shape = Vec::with_capacity(extents.len());
        for (extent, range) in extents {
            match extent {
                Some(extent) => shape.push((extent, range)),
                None => return self.fail_extent(range, None),
            }
        }
        let whole = self.tokens.start(named)..self.tokens.end(self.at - 1);
        self.check_tile(whole, &shape, element)?;
        let shape: Box<[i64]> = shape.into_iter().map(|(extent, _)| extent).collect();
        Ok(Type::new(TypeKind::Tile(TileType { shape, element })))
    }

    /// Checks the extents of a tile type, or of the tile of a view.
    fn check_tile(&self, whole: Range<u32>, shape: &[(i64, Range<u32>)], element: Scalar) -> Read<()> {
        for (extent, range) in shape {
            if *extent < 1 || extent.count_ones() != 1 {
                return self.fail_extent(range.clone(), Some(*extent));
            }
        }
        let elements = shape.iter().try_fold(1i64, |product, (extent, _)| product.checked_mul(*extent));
        if elements.is_none_or(|elements| elements > MAX_TILE_ELEMENTS) {
            return self.fail(d::tile_too_large(whole, elements));
        }
        if element == Scalar::Number(Element::F4E2M1FN) && elements.is_some_and(|elements| elements % 2 == 1) {
            return self.fail(d::odd_f4(whole));
        }
        Ok(())
    }

    /// `64x?xf32`, `f32`, `4xptr<f32>`: extents with their ranges, then the range and type of the element.
    #[allow(clippy::type_complexity)]
    fn shaped(&mut self, of: &str) -> Read<(Vec<(Option<i64>, Range<u32>)>, Range<u32>, Type)> {
        let mut extents = Vec::new();
        let joined;
        let (mut kind, mut word, start) = (self.kind(), self.word(), self.range().start);
        // `4 x 8 xf32`: blanks are allowed on both sides of an `x`.
        if self.further_extents() > 0 {
            let last = self.at + self.further_extents();
            joined = (self.at..=last).map(|token| self.tokens.text(token, self.text)).collect::<String>();
            (kind, word, self.at) = (Token::Extents, &joined, last);
        }
        let starts_with_extent = kind == Token::Extents || kind == Token::Integer && word.starts_with("0x");
        if !starts_with_extent {
            let place = self.range();
            if kind == Token::Minus && matches!(self.tokens.kind(self.at + 1), Token::Extents | Token::Integer) {
                let digits = self.tokens.text(self.at + 1, self.text).split('x').next().unwrap_or("");
                let place = start..self.tokens.start(self.at + 1) + digits.len() as u32;
                let extent = -self.extent(digits, place.clone())?;
                return self.fail_extent(place, Some(extent));
            }
            return Ok((extents, place, self.ty()?));
        }
        self.at += 1;
        let mut rest = word;
        loop {
            let place = start + (word.len() - rest.len()) as u32;
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let dynamic = rest.starts_with('?');
            let length = if dynamic { 1 } else { length };
            if length == 0 || !rest[length..].starts_with('x') {
                break;
            }
            let range = place..place + length as u32;
            let extent = if dynamic { None } else { Some(self.extent(&rest[..length], range.clone())?) };
            extents.push((extent, range));
            rest = &rest[length + 1..];
        }
        let place = start + (word.len() - rest.len()) as u32..start + word.len() as u32;
        if rest.is_empty() {
            let place = self.range();
            return Ok((extents, place, self.ty()?));
        }
        if let Some(element) = Element::from_name(rest) {
            return Ok((extents, place, Type::new(TypeKind::Number(element))));
        }
        match rest.strip_prefix(DIALECT_PREFIX).unwrap_or(rest) {
            "ptr" => Ok((extents, place, Type::new(TypeKind::Pointer(self.pointer()?)))),
            _ if rest.starts_with(|c: char| c.is_ascii_digit()) => {
                self.fail(d::malformed_type(place, "`x` and an element type", rest))
            }
            // MLIR has more narrow floats, but they are usually misspellings of those that tiles support.
            name if TYPE_NAMES.contains(&name) || Builtin::from_name(name).is_some() && !name.contains('E') => {
                self.fail(d::bad_element(place, of, name))
            }
            _ => self.fail_name(place, rest, UnknownTypeForm::Word),
        }
    }

    /// The number of tokens after the current one that continue the extents and the element type.
    fn further_extents(&self) -> usize {
        if !matches!(self.kind(), Token::Extents | Token::Integer | Token::Question) {
            return 0;
        }
        let text = |ahead: usize| self.tokens.text(self.at + ahead, self.text);
        let continues = |ahead: usize| {
            let kind = self.tokens.kind(self.at + ahead);
            matches!(kind, Token::Extents | Token::Integer | Token::Question | Token::Name)
                && (text(ahead - 1).ends_with('x') && (kind != Token::Name || ahead > 1 || text(ahead - 1) == "x")
                    || text(ahead).starts_with('x') && !text(ahead - 1).ends_with('x'))
        };
        (1..self.end - self.at).take_while(|&ahead| continues(ahead)).count()
    }

    fn extent(&self, digits: &str, range: Range<u32>) -> Read<i64> {
        digits.parse().or_else(|_| self.fail(d::number_too_large(range, digits)))
    }

    fn tensor_view(&mut self) -> Read<Type> {
        let named = self.at - 1;
        self.expect(Token::Less, "`<`")?;
        let (extents, place, element) = self.shaped("a tensor view")?;
        let element = match element.kind() {
            TypeKind::Number(element) if *element != Element::I4 => *element,
            _ => return self.fail(d::bad_element(place, "a tensor view", &element.to_string())),
        };
        let mut strides = Vec::new();
        if !extents.is_empty() {
            self.expect(Token::Comma, "`, strides=[…]`")?;
            strides = self.strides()?;
        }
        let attr = self.pointer_attr()?;
        self.expect(Token::Greater, if extents.is_empty() { "`>`, since rank 0 has no strides" } else { "`>`" })?;
        for (extent, range) in &extents {
            if let Some(extent) = extent.filter(|&extent| extent < 1) {
                return self.fail_extent(range.clone(), Some(extent));
            }
        }
        if strides.len() != extents.len() {
            let whole = self.tokens.start(named)..self.tokens.end(self.at - 1);
            return self.fail(d::stride_count(whole, extents.len(), strides.len()));
        }
        let shape = extents.into_iter().map(|(extent, _)| extent).collect();
        let strides = strides.into();
        Ok(Type::new(TypeKind::TensorView(TensorViewType { element, shape, strides, attr })))
    }

    fn strides(&mut self) -> Read<Vec<Option<i64>>> {
        if self.word() != "strides" {
            return self.expected("`strides=[…]`");
        }
        self.at += 1;
        self.expect(Token::Equal, "`=`")?;
        self.expect(Token::LeftBracket, "`[`")?;
        let mut strides = Vec::new();
        while self.kind() != Token::RightBracket {
            let place = self.range();
            if self.eat(Token::Question) {
                strides.push(None);
            } else {
                let stride = self.integer("an integer or `?`")?;
                if stride < 1 {
                    return self.fail(d::stride_not_positive(place, stride));
                }
                strides.push(Some(stride));
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightBracket, "`]`")?;
        Ok(strides)
    }

    fn integer(&mut self, what: &str) -> Read<i64> {
        let negative = self.eat(Token::Minus);
        if self.kind() != Token::Integer {
            return self.expected(what);
        }
        let (word, range) = (self.word(), self.range());
        self.at += 1;
        let value = match word.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => word.parse::<i64>().ok(),
        };
        match value {
            Some(value) => Ok(if negative { -value } else { value }),
            None => self.fail(d::number_too_large(range, word)),
        }
    }

    fn integers(&mut self) -> Read<Vec<(i64, Range<u32>)>> {
        self.expect(Token::LeftBracket, "`[`")?;
        let mut list = Vec::new();
        while self.kind() != Token::RightBracket {
            let place = self.range();
            // MLIR's parser treats `true` and `false` as one-bit integers here.
            let number = match self.word() {
                "true" | "false" => {
                    self.at += 1;
                    -i64::from(self.tokens.text(self.at - 1, self.text) == "true")
                }
                _ => self.integer("an integer")?,
            };
            list.push((number, place));
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightBracket, "`]`")?;
        Ok(list)
    }

    /// Consumes `name =`, if it is next.
    fn parameter(&mut self, name: &str) -> bool {
        let found = self.word() == name && self.tokens.kind(self.at + 1) == Token::Equal;
        self.at += if found { 2 } else { 0 };
        found
    }

    fn tile_view(&mut self, name: ViewName) -> Read<Type> {
        let named = self.at - 1;
        self.expect(Token::Less, "`<`")?;
        let tile = self.view_tile()?;
        self.expect(Token::Comma, "`,`")?;
        let mut traversal = Vec::new();
        if name == ViewName::Strided {
            if !self.parameter("traversal_strides") {
                return self.expected("`traversal_strides=[…]`");
            }
            traversal = self.integers()?;
            self.expect(Token::Comma, "`,`")?;
        }
        let padding = self.padding()?;
        if self.parameter("view") {
            return self.fail(d::view_keyword(self.tokens.start(self.at - 2)..self.tokens.start(self.at)));
        }
        let place = self.range();
        if self.kind() == Token::Name && self.tokens.kind(self.at + 1) == Token::Equal {
            return self.fail(d::unknown_parameter(place, self.word()));
        }
        let tensor = self.ty()?;
        let Some(view) = tensor.as_tensor_view() else {
            return self.fail(d::malformed_type(place, "a `tensor_view<…>`", &tensor.to_string()));
        };
        let (mut dim_map, mut sparse_dim) = (None, None);
        while self.eat(Token::Comma) {
            if name != ViewName::GatherScatter && dim_map.is_none() && self.parameter("dim_map") {
                dim_map = Some(self.integers()?);
            } else if name == ViewName::GatherScatter && sparse_dim.is_none() && self.parameter("sparse_dim") {
                let place = self.range();
                sparse_dim = Some((self.integer("an integer")?, place));
            } else if self.word() == "padding_value" {
                return self.late_padding(place.start);
            } else {
                return self.expected(match name {
                    ViewName::GatherScatter => "`sparse_dim=…`",
                    _ => "`dim_map=[…]`",
                });
            }
        }
        self.expect(Token::Greater, "`>`")?;
        let whole = self.tokens.start(named)..self.tokens.end(self.at - 1);
        if let Some((padding, range)) = &padding
            && *padding != 0
            && view.element.is_int()
        {
            return self.fail(d::padding_needs_float(range.clone(), PADDING.keyword(*padding), view.element));
        }
        if tile.len() != view.shape.len() {
            return self.fail(d::view_rank(whole, tile.len(), view.shape.len()));
        }
        self.check_tile(whole.clone(), &tile, Scalar::Number(view.element))?;
        let access = match name {
            ViewName::Partition => Access::Partition { dim_map: self.dim_map(&whole, dim_map, tile.len())? },
            ViewName::Strided => {
                let dim_map = self.dim_map(&whole, dim_map, tile.len())?;
                Access::Strided { traversal: self.traversal(&whole, traversal, tile.len())?, dim_map }
            }
            ViewName::GatherScatter => {
                let Some((dim, place)) = sparse_dim else { return self.expected("`, sparse_dim=…`") };
                if dim < 0 || dim as usize >= tile.len() {
                    return self.fail(d::sparse_dim(place, dim, tile.len()));
                }
                Access::GatherScatter { sparse_dim: dim as usize }
            }
        };
        let tile = tile.into_iter().map(|(extent, _)| extent).collect();
        let padding = padding.map(|(padding, _)| padding);
        Ok(Type::new(TypeKind::TileView(TileViewType { tile, tensor, padding, access })))
    }

    /// Reports `, padding_value = zero` after the tensor view, which starts at `place`.
    fn late_padding<T>(&mut self, place: u32) -> Read<T> {
        let (word, start) = (self.range(), self.at);
        self.at += 1;
        self.expect(Token::Equal, "`=`")?;
        self.at += 1;
        let end = self.tokens.end(self.at - 1);
        let text = &self.text[word.start as usize..end as usize];
        self.fail(d::late_padding(word, self.tokens.start(start - 1)..end, text, place))
    }

    /// `tile=(4x8)`.
    fn view_tile(&mut self) -> Read<Vec<(i64, Range<u32>)>> {
        if !self.parameter("tile") {
            return self.expected("`tile=(…)`");
        }
        self.expect(Token::LeftParen, "`(`")?;
        let (word, start) = (self.word(), self.range().start);
        if !matches!(self.kind(), Token::Extents | Token::Integer) {
            return self.expected("the extents of the tile, such as `4x8`");
        }
        self.at += 1;
        let (mut tile, mut at) = (Vec::new(), 0);
        for digits in word.split('x') {
            let place = start + at as u32;
            let range = place..place + digits.len() as u32;
            at += digits.len() + 1;
            if digits == "?" {
                return self.fail_extent(range, None);
            }
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return self.fail(d::malformed_type(range, "an extent", digits));
            }
            let extent = self.extent(digits, range.clone())?;
            if extent > i64::from(i32::MAX) {
                return self.fail(d::number_too_large(range, digits));
            }
            tile.push((extent, range));
        }
        self.expect(Token::RightParen, "`)`")?;
        Ok(tile)
    }

    fn padding(&mut self) -> Read<Option<(u8, Range<u32>)>> {
        if !self.parameter("padding_value") {
            return Ok(None);
        }
        let (word, range) = (self.word(), self.range());
        let Some(padding) = PADDING.value(word) else {
            return self.fail(d::bad_padding(range, word));
        };
        self.at += 1;
        self.expect(Token::Comma, "`,`")?;
        Ok(Some((padding, range)))
    }

    fn dim_map(&self, whole: &Range<u32>, map: Option<Vec<(i64, Range<u32>)>>, rank: usize) -> Read<Box<[usize]>> {
        let Some(map) = map else { return Ok((0..rank).collect()) };
        if map.len() != rank {
            let has = d::counted_entries(map.len());
            return self.fail(d::bad_dim_map(whole.clone(), &format!("it has {has} for rank {rank}")));
        }
        let mut seen = vec![false; rank];
        for (dim, range) in &map {
            let known = usize::try_from(*dim).ok().filter(|dim| *dim < rank);
            let Some(dim) = known else {
                return self.fail(d::bad_dim_map(range.clone(), &format!("{dim} is out of range for rank {rank}")));
            };
            if std::mem::replace(&mut seen[dim], true) {
                return self.fail(d::bad_dim_map(range.clone(), &format!("dimension {dim} occurs twice")));
            }
        }
        Ok(map.into_iter().map(|(dim, _)| dim as usize).collect())
    }

    fn traversal(&self, whole: &Range<u32>, list: Vec<(i64, Range<u32>)>, rank: usize) -> Read<Box<[i64]>> {
        if list.len() != rank {
            return self.fail(d::stride_count(whole.clone(), rank, list.len()));
        }
        if let Some((stride, range)) = list.iter().find(|(stride, _)| *stride < 1) {
            return self.fail(d::stride_not_positive(range.clone(), *stride));
        }
        if let Some((stride, range)) = list.iter().find(|(stride, _)| *stride > i64::from(i32::MAX)) {
            return self.fail(d::number_too_large(range.clone(), &stride.to_string()));
        }
        Ok(list.into_iter().map(|(stride, _)| stride).collect())
    }
}

/// The name of a view type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ViewName {
    Partition,
    Strided,
    GatherScatter,
}
