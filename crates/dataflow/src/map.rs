//! Access maps: the accessed element as a matrix product of the coordinates of tile blocks and loops, plus an offset.

use crate::access::{Access, Base, Mask, memory_bits};
use crate::names::SourceNames;
use crate::symbolic::{Apply, Atom, Names, Poly, Symbol};
use tile_analysis::ir::{Body, RegionId, Value};
use tile_dialect::Mnemonic;

/// An access map: element `m = M i + o` of a tensor, where `i` are the coordinates of tile blocks and loops. `M` and
/// `o` may contain parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct AccessMap {
    /// The coordinates `i` that the map depends on: blocks, then loops from the outermost to the innermost.
    pub coordinates: Vec<Symbol>,
    /// One row for each dimension of the tensor, or a single one for an access through pointers.
    pub rows: Vec<Row>,
    /// Where the tensor starts in the memory, in elements, if that is not the start of the memory.
    pub tensor: Option<Row>,
}

/// The map of one dimension of the tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The row of the matrix `M`: one factor for each coordinate.
    pub factors: Vec<Poly>,
    /// The offset `o`, of the element at the start of the tile.
    pub offset: Poly,
    /// The distance between neighboring elements of the tile along each of its dimensions.
    pub lanes: Vec<Poly>,
}

/// Why an access has no access map.
#[derive(Clone, PartialEq, Debug)]
pub enum NotAffine {
    /// The accessed element, or the memory, is computed from a value that is not an expression of the coordinates.
    Unknown(Value),
    /// It contains a product of coordinates.
    Product(Vec<Symbol>),
    /// It contains a function of a coordinate that is not linear, such as a quotient.
    Function(Apply),
    /// The expression is too large, or the view is chosen at run time.
    TooComplex,
}

impl NotAffine {
    /// The reason in the terms of the source.
    pub fn reason(&self, names: &SourceNames<'_>) -> String {
        match self {
            NotAffine::Unknown(value) => origin(names, *value),
            NotAffine::Product(factors) => {
                let factors: Vec<String> = factors.iter().map(|&factor| names.name(factor)).collect();
                format!("`{}` is not linear", factors.join(" * "))
            }
            NotAffine::Function(apply) => format!("`{}` is not linear", Poly::from(apply.clone()).text(names)),
            NotAffine::TooComplex => "the expression of the element is too complex".to_string(),
        }
    }
}

/// Why a value is not an expression.
fn origin(names: &SourceNames<'_>, value: Value) -> String {
    let value = rearranged(names.body, value);
    let name = names.value(value);
    let Some(op) = names.body.defining_op(value).map(|op| names.body.op(op)) else {
        return format!("`{name}` changes irregularly in a loop");
    };
    match op.op {
        Mnemonic::LoadPtrTko | Mnemonic::LoadViewTko => format!("`{name}` is loaded from memory"),
        Mnemonic::For | Mnemonic::Loop | Mnemonic::If => format!("`{name}` depends on control flow"),
        Mnemonic::Select => format!("`{name}` is chosen at run time"),
        _ => format!("`{name}` is the result of `{}`", op.op.row().name),
    }
}

/// The tile that a value is a rearrangement of; the value itself if that is a parameter, about which nothing can be
/// said.
fn rearranged(body: &Body, value: Value) -> Value {
    let source = body.defining_op(value).map(|op| body.op(op)).and_then(|op| match op.op {
        Mnemonic::Reshape | Mnemonic::Broadcast | Mnemonic::Permute | Mnemonic::Extract | Mnemonic::Assume => {
            body.operand(op, 0)
        }
        _ => None,
    });
    let source = source.filter(|&source| !body.region(RegionId(0)).args.contains(&source));
    source.map_or(value, |source| rearranged(body, source))
}

impl Access {
    /// Why the accessed elements are not known without a run.
    pub fn unknown_elements(&self) -> NotAffine {
        if let Some(Base::Computed(pointer)) = self.base {
            return NotAffine::Unknown(pointer);
        }
        if let Mask::Unknown(value) = self.mask {
            return NotAffine::Unknown(value);
        }
        let all = self.coordinates.iter().flatten().chain(&self.shape).chain(&self.strides).chain(&self.offset_bits);
        all.filter_map(Poly::unknown).next().map_or(NotAffine::TooComplex, NotAffine::Unknown)
    }

    /// The access map, or why there is none.
    pub fn map(&self) -> Result<AccessMap, NotAffine> {
        if let Some(Base::Computed(pointer)) = self.base {
            return Err(NotAffine::Unknown(pointer));
        }
        let elements = self.coordinates.as_ref().ok_or(NotAffine::TooComplex)?;
        let tensor = self.tensor_start()?;
        let coordinates = self.coordinate_symbols(elements.iter().chain(&tensor));
        let row = |element: &Poly| self.row(element, &coordinates);
        let rows = elements.iter().map(row).collect::<Result<Vec<Row>, NotAffine>>()?;
        let tensor = tensor.as_ref().map(row).transpose()?;
        Ok(AccessMap { coordinates, rows, tensor })
    }

    /// Where the tensor starts in the memory, in elements; `None` at the start of the memory.
    ///
    /// # Errors
    ///
    /// If it is unknown, or inside of an element.
    pub fn tensor_start(&self) -> Result<Option<Poly>, NotAffine> {
        let Some(bits) = &self.offset_bits else { return Err(NotAffine::TooComplex) };
        if let Some(value) = bits.unknown() {
            return Err(NotAffine::Unknown(value));
        }
        let elements = bits.divide_exactly(memory_bits(self.element).into()).ok_or(NotAffine::TooComplex)?;
        Ok(Some(elements).filter(|elements| !elements.is_zero()))
    }

    /// The memory with the start of the tensor in it: `(%a + 64 * %x)`.
    pub fn memory(&self, names: &SourceNames<'_>) -> String {
        let memory = names.memory(self.base.as_ref());
        match self.tensor_start() {
            Ok(Some(start)) => format!("({memory} + {})", start.text(names)),
            _ => memory.into_owned(),
        }
    }

    fn coordinate_symbols<'p>(&self, elements: impl Iterator<Item = &'p Poly>) -> Vec<Symbol> {
        let mut found: Vec<Symbol> = elements.flat_map(Poly::symbols).filter(|one| one.is_coordinate()).collect();
        let depth = |symbol: &Symbol| match symbol {
            Symbol::Induction(id) | Symbol::Iteration(id) => {
                1 + self.loops.iter().position(|around| around.op == *id).unwrap_or(self.loops.len())
            }
            _ => 0,
        };
        found.sort_by_key(|symbol| (depth(symbol), *symbol));
        found.dedup();
        found
    }

    fn row(&self, element: &Poly, coordinates: &[Symbol]) -> Result<Row, NotAffine> {
        check(element)?;
        let too_complex = NotAffine::TooComplex;
        let (mut factors, mut rest) = (Vec::new(), element.clone());
        for &coordinate in coordinates {
            let (factor, others) = rest.split_linear(coordinate).ok_or(too_complex.clone())?;
            factors.push(factor);
            rest = others;
        }
        let mut lanes = Vec::new();
        for (dim, &extent) in (0..).zip(&self.tile) {
            let (factor, others) = rest.split_linear(Symbol::Lane(dim, extent)).ok_or(too_complex.clone())?;
            lanes.push(factor);
            rest = others;
        }
        Ok(Row { factors, offset: rest, lanes })
    }
}

/// Checks that an expression is linear in the coordinates and the lanes.
fn check(element: &Poly) -> Result<(), NotAffine> {
    let varies = |symbol: Symbol| symbol.is_coordinate() || matches!(symbol, Symbol::Lane(..));
    if let Some(value) = element.unknown() {
        return Err(NotAffine::Unknown(value));
    }
    for (monomial, _) in element.terms() {
        let mut factors = Vec::new();
        for atom in monomial {
            match atom {
                Atom::Symbol(symbol) if varies(*symbol) => factors.push(*symbol),
                Atom::Apply(apply) if apply.arguments.iter().any(|argument| argument.mentions(&varies)) => {
                    return Err(NotAffine::Function((**apply).clone()));
                }
                _ => {}
            }
        }
        if factors.len() > 1 {
            return Err(NotAffine::Product(factors));
        }
    }
    Ok(())
}
