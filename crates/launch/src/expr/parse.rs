//! The parser for formulas, by recursive descent.

mod call;
mod list;

#[cfg(test)]
pub(in super::super) use call::functions;
mod slice;

use super::super::LaunchError;
use super::super::cursor::{Cursor, Parsed};
use super::{Binary, Expr, Node, NodeId, Op};
use std::ops::Range;

/// The maximum nesting depth of brackets, calls and signs.
const MAX_DEPTH: usize = 64;

/// Parses a standalone formula. `names` are the known arguments, without `%`: an argument named `a.T` takes precedence
/// over the transpose of `%a`.
pub fn parse_expr(text: &str, names: &[String]) -> Result<Expr, LaunchError> {
    let mut cursor = Cursor::new(text, 0..text.len());
    let expr = formula(&mut cursor, names)?;
    cursor.finish()?;
    Ok(expr)
}

/// Parses a formula and leaves the cursor at its end.
pub(in super::super) fn formula(cursor: &mut Cursor<'_>, names: &[String]) -> Parsed<Expr> {
    parse(cursor, names, |parser| parser.comparison())
}

/// Parses a formula up to a comparison outside of parentheses.
pub(in super::super) fn operand(cursor: &mut Cursor<'_>, names: &[String]) -> Parsed<Expr> {
    parse(cursor, names, |parser| parser.nested(Parser::sum))
}

fn parse(
    cursor: &mut Cursor<'_>,
    names: &[String],
    level: impl FnOnce(&mut Parser<'_, '_>) -> Parsed<NodeId>,
) -> Parsed<Expr> {
    let mut parser = Parser { cursor, names, nodes: vec![], depth: 0 };
    let root = level(&mut parser)?;
    let range = parser.nodes[root as usize].range();
    let mut nodes = parser.nodes;
    nodes.shrink_to_fit();
    Ok(Expr { text: one_line(cursor.slice(range)), nodes })
}

/// The range of the comparison operator that comes next, if any.
pub(in super::super) fn next_comparison(cursor: &mut Cursor<'_>) -> Option<Range<usize>> {
    let start = cursor.start();
    let rest = cursor.rest();
    let (symbol, _) = COMPARISONS.iter().find(|(symbol, _)| rest.starts_with(symbol))?;
    Some(start..start + symbol.len())
}

/// The text without line breaks and the `//@` after them.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("//@").unwrap_or(line).trim()
    });
    lines.collect::<Vec<_>>().join(" ")
}

struct Parser<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    names: &'c [String],
    nodes: Vec<Node>,
    depth: usize,
}

/// Operators of one precedence; a longer spelling precedes its prefixes.
type Level = &'static [(&'static str, Infix)];

#[derive(Clone, Copy)]
enum Infix {
    Binary(Binary),
    Matmul,
}

const COMPARISONS: Level = &[
    ("==", Infix::Binary(Binary::Equal)),
    ("!=", Infix::Binary(Binary::NotEqual)),
    ("<=", Infix::Binary(Binary::LessEqual)),
    (">=", Infix::Binary(Binary::GreaterEqual)),
    ("<", Infix::Binary(Binary::Less)),
    (">", Infix::Binary(Binary::Greater)),
];
const SUMS: Level = &[("+", Infix::Binary(Binary::Add)), ("-", Infix::Binary(Binary::Subtract))];
const PRODUCTS: Level =
    &[("*", Infix::Binary(Binary::Multiply)), ("/", Infix::Binary(Binary::Divide)), ("@", Infix::Matmul)];

impl Parser<'_, '_> {
    fn push(&mut self, op: Op, start: usize) -> NodeId {
        let range = self.range_from(start);
        self.nodes.push(Node { op, range });
        self.nodes.len() as NodeId - 1
    }

    fn start_of(&self, id: NodeId) -> usize {
        self.nodes[id as usize].range.start as usize
    }

    fn range_from(&self, start: usize) -> Range<u32> {
        start as u32..self.cursor.position() as u32
    }

    fn infix(&mut self, level: Level) -> Option<Infix> {
        level.iter().find(|(symbol, _)| self.cursor.eat(symbol)).map(|(_, infix)| *infix)
    }

    fn combine(&mut self, infix: Infix, left: NodeId, right: NodeId) -> NodeId {
        let start = self.start_of(left);
        match infix {
            Infix::Binary(op) => self.push(Op::Binary(op, left, right), start),
            Infix::Matmul => self.push(Op::Matmul(left, right), start),
        }
    }

    /// Parses one nesting level deeper, or returns an error beyond [`MAX_DEPTH`].
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(LaunchError::new(self.cursor.next_token(), "the formula is nested too deeply"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn comparison(&mut self) -> Parsed<NodeId> {
        self.nested(|parser| {
            let left = parser.sum()?;
            let Some(infix) = parser.infix(COMPARISONS) else { return Ok(left) };
            let right = parser.sum()?;
            let comparison = parser.combine(infix, left, right);
            let next = parser.cursor.next_token();
            if parser.infix(COMPARISONS).is_some() {
                let error = LaunchError::new(next, "comparisons cannot be chained");
                return Err(error.help("put one of them in parentheses"));
            }
            Ok(comparison)
        })
    }

    fn sum(&mut self) -> Parsed<NodeId> {
        let mut left = self.product()?;
        while let Some(infix) = self.infix(SUMS) {
            let right = self.product()?;
            left = self.combine(infix, left, right);
        }
        Ok(left)
    }

    fn product(&mut self) -> Parsed<NodeId> {
        let mut left = self.signed()?;
        while let Some(infix) = self.infix(PRODUCTS) {
            let right = self.signed()?;
            left = self.combine(infix, left, right);
        }
        Ok(left)
    }

    fn signed(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.start();
        if self.cursor.eat("-") {
            let of = self.nested(Self::signed)?;
            return Ok(self.push(Op::Negate(of), start));
        }
        if self.cursor.eat("+") {
            return self.nested(Self::signed);
        }
        self.power()
    }

    fn power(&mut self) -> Parsed<NodeId> {
        let base = self.suffixed()?;
        if !self.cursor.eat("**") {
            return Ok(base);
        }
        let exponent = self.nested(Self::signed)?;
        Ok(self.combine(Infix::Binary(Binary::Power), base, exponent))
    }

    fn suffixed(&mut self) -> Parsed<NodeId> {
        let mut of = self.primary()?;
        loop {
            let start = self.start_of(of);
            if self.cursor.eat("[") {
                let parts = self.parts()?;
                of = self.push(Op::Slice { of, parts }, start);
            } else if self.cursor.eat(".") {
                if !self.cursor.eat_word("T") {
                    return Err(self.cursor.expected("`T` after the dot"));
                }
                of = self.push(Op::Transpose { of, axes: None }, start);
            } else {
                return Ok(of);
            }
        }
    }

    fn primary(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.start();
        match self.cursor.peek() {
            Some('(') => self.parenthesized(start),
            Some('[') => self.list(start),
            Some('%') => {
                let (name, _) = self.cursor.value_in_formula(self.names)?;
                Ok(self.push(Op::Argument(name.to_string()), start))
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(start),
            Some(_) if matches!(self.cursor.peek_word(), "inf" | "nan" | "true" | "false") => self.number(start),
            Some(_) if !self.cursor.peek_word().is_empty() => self.call(start),
            _ => Err(self.cursor.expected("a number, an argument such as `%a`, or a function")),
        }
    }

    fn number(&mut self, start: usize) -> Parsed<NodeId> {
        let (number, _) = self.cursor.unsigned_number()?;
        Ok(self.push(Op::Number(Box::new(number)), start))
    }

    /// Includes the parentheses in the range, because the text of a formula is that of its root's range.
    fn parenthesized(&mut self, start: usize) -> Parsed<NodeId> {
        self.cursor.expect("(")?;
        let inner = self.comparison()?;
        self.cursor.expect(")")?;
        self.nodes[inner as usize].range = self.range_from(start);
        Ok(inner)
    }
}
