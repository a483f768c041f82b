//! Affine maps and sets in attributes of unknown meaning.

use crate::diagnostics as d;
use crate::read::attr::{AttrReader, Read};
use tile_syntax::{MAX_DEPTH, Token};

/// The kind of an expression. An expression with dimensions can only be multiplied by one without.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Fixed,
    Dimensional,
}

/// The names of dimensions and symbols.
struct Names<'a> {
    dimensions: Vec<&'a str>,
    symbols: Vec<&'a str>,
}

impl<'a> AttrReader<'a> {
    /// `affine_map<(d0)[s0] -> (d0 + s0)>`
    pub(crate) fn affine_map(&mut self) -> Read<()> {
        let names = self.affine_names()?;
        self.expect(Token::Arrow, "`->`")?;
        self.affine_list(|reader| reader.affine_sum(&names, 0).map(drop))
    }

    /// `affine_set<(d0) : (d0 - 1 >= 0)>`
    pub(crate) fn affine_set(&mut self) -> Read<()> {
        let names = self.affine_names()?;
        self.expect(Token::Colon, "`:`")?;
        self.affine_list(|reader| {
            reader.affine_sum(&names, 0)?;
            if !matches!(reader.kind(), Token::Equal | Token::Less | Token::Greater) {
                return reader.expected("`==`, `<=` or `>=`");
            }
            reader.at += 1;
            reader.expect(Token::Equal, "`=`")?;
            reader.affine_sum(&names, 0).map(drop)
        })
    }

    /// `<(d0, d1)[s0]`
    fn affine_names(&mut self) -> Read<Names<'a>> {
        self.at += 1;
        self.expect(Token::Less, "`<`")?;
        self.expect(Token::LeftParen, "`(`")?;
        let mut names = Names { dimensions: Vec::new(), symbols: Vec::new() };
        names.dimensions = self.affine_name_list(Token::RightParen, &names)?;
        if self.eat(Token::LeftBracket) {
            names.symbols = self.affine_name_list(Token::RightBracket, &names)?;
        }
        Ok(names)
    }

    fn affine_name_list(&mut self, close: Token, known: &Names<'a>) -> Read<Vec<&'a str>> {
        let mut names = Vec::new();
        if self.eat(close) {
            return Ok(names);
        }
        loop {
            let name = self.word();
            if self.kind() != Token::Name || names.contains(&name) || known.dimensions.contains(&name) {
                return self.expected("a new name");
            }
            names.push(name);
            self.at += 1;
            if !self.eat(Token::Comma) {
                self.expect(close, "a bracket that closes")?;
                return Ok(names);
            }
        }
    }

    /// `(…, …)>`
    fn affine_list(&mut self, mut item: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.expect(Token::LeftParen, "`(`")?;
        if !self.eat(Token::RightParen) {
            loop {
                item(self)?;
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::RightParen, "`)`")?;
        }
        self.expect(Token::Greater, "`>`")
    }

    fn affine_sum(&mut self, names: &Names<'a>, depth: usize) -> Read<Kind> {
        let mut kind = self.affine_product(names, depth)?;
        while self.eat(Token::Plus) || self.eat(Token::Minus) {
            kind = kind.max(self.affine_product(names, depth)?);
        }
        Ok(kind)
    }

    fn affine_product(&mut self, names: &Names<'a>, depth: usize) -> Read<Kind> {
        let mut left = self.affine_operand(names, depth)?;
        loop {
            let is_product = self.kind() == Token::Star;
            if !is_product && !matches!(self.word(), "floordiv" | "ceildiv" | "mod") {
                return Ok(left);
            }
            self.at += 1;
            let (place, word) = (self.range(), self.word());
            let right = self.affine_operand(names, depth)?;
            let is_affine = right == Kind::Fixed || is_product && left == Kind::Fixed;
            if !is_affine {
                return self.fail(d::malformed_attribute(place, "a number or a symbol", word));
            }
            left = left.max(right);
        }
    }

    fn affine_operand(&mut self, names: &Names<'a>, depth: usize) -> Read<Kind> {
        if depth == MAX_DEPTH {
            return self.expected("an expression that nests less");
        }
        match (self.kind(), self.word()) {
            (Token::Minus, _) => {
                self.at += 1;
                self.affine_operand(names, depth + 1)
            }
            (Token::LeftParen, _) => {
                self.at += 1;
                let kind = self.affine_sum(names, depth + 1)?;
                self.expect(Token::RightParen, "`)`")?;
                Ok(kind)
            }
            (Token::Integer, _) => self.integer().map(|_| Kind::Fixed),
            (Token::Name, word) if names.dimensions.contains(&word) => {
                self.at += 1;
                Ok(Kind::Dimensional)
            }
            (Token::Name, word) if names.symbols.contains(&word) => {
                self.at += 1;
                Ok(Kind::Fixed)
            }
            _ => self.expected("a number, a dimension or a symbol"),
        }
    }
}
