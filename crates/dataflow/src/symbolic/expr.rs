//! The data of expressions. Polynomials and functions contain each other, so both are here.

use std::collections::BTreeMap;
use std::sync::Arc;
use tile_analysis::ir::{OpId, Value};

/// A variable of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// The index of the tile block along a dimension of the grid.
    Block(u8),
    /// The induction variable of a `for`.
    Induction(OpId),
    /// The number of finished iterations of a loop.
    Iteration(OpId),
    /// The index of an element in a tile along a dimension with this extent.
    Lane(u8, i64),
    /// The number of tile blocks along a dimension of the grid.
    Grid(u8),
    /// An integer parameter of the entry.
    Param(Value),
    /// A value that is not computed from the others, such as a loaded one. In a tile, its elements can differ.
    Unknown(Value),
    /// The value that a loop carries into the current iteration, while the loop is being analyzed.
    Carried(Value),
}

impl Symbol {
    /// Whether it differs between tile blocks or iterations.
    pub fn is_coordinate(self) -> bool {
        matches!(self, Symbol::Block(_) | Symbol::Induction(_) | Symbol::Iteration(_))
    }

    /// Whether it cannot be negative.
    pub(super) fn is_natural(self) -> bool {
        matches!(self, Symbol::Block(_) | Symbol::Grid(_) | Symbol::Iteration(_) | Symbol::Lane(..))
    }
}

/// A factor of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A variable.
    Symbol(Symbol),
    /// The result of a function that is not a polynomial.
    Apply(Arc<Apply>),
}

/// A product of atoms, sorted; empty for the constant term.
pub type Monomial = Vec<Atom>;

/// A sum of monomials, each with a coefficient other than 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Poly(pub(super) BTreeMap<Monomial, i64>);

/// A function of integers. Truth values are 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Function {
    /// The quotient, rounded to zero.
    Quotient,
    /// The quotient, rounded down.
    Floor,
    /// The quotient, rounded up.
    Ceiling,
    /// The remainder, with the sign of the dividend.
    Remainder,
    /// The remainder of a quotient that is rounded down, with the sign of the divisor.
    Modulo,
    /// The smaller of two numbers.
    Min,
    /// The larger of two numbers.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The product with a power of two.
    ShiftLeft,
    /// The quotient by a power of two, rounded down.
    ShiftRight,
    /// Whether two numbers are equal.
    Equal,
    /// Whether the first is less than the second.
    Less,
    /// The second of three numbers if the first is not 0, otherwise the third.
    Select,
    /// The number of which the low bits of the first, as many as the second says, are the unsigned representation.
    Unsigned,
    /// The same for the signed representation, two's complement.
    Signed,
}

/// A function with its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Apply {
    /// The function.
    pub function: Function,
    /// The arguments.
    pub arguments: Vec<Poly>,
    /// The number of functions and variables in it, counted once for each occurrence.
    size: usize,
    /// Whether it is known not to be negative.
    is_natural: bool,
}

impl Apply {
    /// A function with its arguments, as it is.
    pub(super) fn new(function: Function, arguments: Vec<Poly>) -> Apply {
        let size = arguments.iter().map(Poly::size).fold(1, usize::saturating_add);
        let is_natural = function.is_natural_of(&arguments);
        Apply { function, arguments, size, is_natural }
    }

    /// Whether it is known not to be negative.
    pub(super) fn is_natural(&self) -> bool {
        self.is_natural
    }
}

impl From<i64> for Poly {
    fn from(number: i64) -> Poly {
        Poly::term(Monomial::new(), number)
    }
}

impl From<Symbol> for Poly {
    fn from(symbol: Symbol) -> Poly {
        Poly::term(vec![Atom::Symbol(symbol)], 1)
    }
}

impl From<Apply> for Poly {
    fn from(apply: Apply) -> Poly {
        Poly::term(vec![Atom::Apply(Arc::new(apply))], 1)
    }
}

impl Poly {
    /// A single term.
    pub fn term(monomial: Monomial, coefficient: i64) -> Poly {
        Poly(if coefficient == 0 { BTreeMap::new() } else { BTreeMap::from([(monomial, coefficient)]) })
    }

    /// The terms, sorted by their atoms.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (&Monomial, i64)> {
        self.0.iter().map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// The number of functions and variables in it, counted once for each occurrence.
    pub(super) fn size(&self) -> usize {
        let atoms = self.0.keys().flatten().map(|atom| match atom {
            Atom::Symbol(_) => 1,
            Atom::Apply(apply) => apply.size,
        });
        atoms.fold(self.0.len(), usize::saturating_add)
    }

    /// Whether a variable for which `test` holds occurs anywhere.
    pub fn mentions(&self, test: &dyn Fn(Symbol) -> bool) -> bool {
        self.0.keys().flatten().any(|atom| atom.mentions(test))
    }

    /// Whether a function is applied anywhere.
    pub(crate) fn applies(&self, function: Function) -> bool {
        let atom = |atom: &Atom| match atom {
            Atom::Apply(apply) => {
                apply.function == function || apply.arguments.iter().any(|argument| argument.applies(function))
            }
            Atom::Symbol(_) => false,
        };
        self.0.keys().flatten().any(atom)
    }

    /// A value in it that only a run knows.
    pub fn unknown(&self) -> Option<Value> {
        self.symbols().into_iter().find_map(|symbol| match symbol {
            Symbol::Unknown(value) | Symbol::Carried(value) => Some(value),
            _ => None,
        })
    }

    /// All variables, each once, in order.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut found = Vec::new();
        self.collect_symbols(&mut found);
        found.sort();
        found.dedup();
        found
    }

    pub(super) fn collect_symbols(&self, found: &mut Vec<Symbol>) {
        for atom in self.0.keys().flatten() {
            match atom {
                Atom::Symbol(symbol) => found.push(*symbol),
                Atom::Apply(apply) => apply.arguments.iter().for_each(|argument| argument.collect_symbols(found)),
            }
        }
    }
}

impl Atom {
    pub(super) fn mentions(&self, test: &dyn Fn(Symbol) -> bool) -> bool {
        match self {
            Atom::Symbol(symbol) => test(*symbol),
            Atom::Apply(apply) => apply.arguments.iter().any(|argument| argument.mentions(test)),
        }
    }
}
