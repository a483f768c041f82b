//! How unspecified elements propagate through ops that only compute.

use crate::ops::context::{OpContext, Tiled};
use crate::sanitize::shadow_value::{Shadow, first};
use crate::simd;
use crate::values::tile::{Scalar, Tile, at, full};
use tile_dialect::Mnemonic as M;
use tile_dialect::OperandName;

/// How the elements of an op's result depend on those of its operands.
pub(crate) enum Propagation {
    /// Each depends on the same element of all operands.
    Each,
    /// Each depends on the condition and the selected element.
    Select,
    /// Each depends on the same element of both operands, unless one of them is specified and consists of these bits,
    /// which alone determine the result.
    Masked(u64),
    /// Each is an element of an operand: the op moves the shadows of the operands at these indices in the same way.
    Move(Vec<usize>),
    /// Each depends on a row of the left factor, a column of the right one and an element of the sum.
    Product(Product),
    /// Each depends on the elements that contain the same bits. The fields are the numbers of elements of the operand
    /// and the result.
    Bits(usize, usize),
}

/// The operands of a matrix product.
pub(crate) struct Product {
    /// Factors whose rows matter: their operand indices, numbers of rows and of columns.
    left: Vec<(usize, usize, usize)>,
    /// Factors whose columns matter.
    right: Vec<(usize, usize, usize)>,
    /// The operand index of the sum.
    sum: usize,
    /// The rows and columns of the result.
    extents: (usize, usize),
    /// The number of elements of the result.
    count: usize,
    /// Whether zero times an unspecified element is zero, which floats do not guarantee.
    zero_annihilates: bool,
}

impl Propagation {
    /// The propagation of an op.
    pub(crate) fn of(cx: &OpContext<'_>) -> Propagation {
        match cx.op.op {
            M::Select => Propagation::Select,
            M::Andi | M::Muli | M::Mulhii => Propagation::Masked(0),
            M::Ori => Propagation::Masked(u64::MAX >> (64 - cx.result(0).element.bits())),
            M::Reshape | M::Broadcast | M::Permute | M::Cat | M::Extract | M::Insert => Propagation::Move(moved(cx)),
            M::Mmaf | M::MmafScaled | M::Mmai => Propagation::Product(Product::of(cx)),
            M::Pack | M::Unpack => Propagation::Bits(cx.operand(OperandName::Source).count, cx.result(0).count),
            _ => Propagation::Each,
        }
    }
}

/// The indices of the operands whose elements are moved: all except the indices.
fn moved(cx: &OpContext<'_>) -> Vec<usize> {
    let row = cx.op.op.row();
    let indices = row.operand(OperandName::Indices).map(|(index, _)| index);
    (0..row.operands.len()).filter(|&index| Some(index) != indices).map(|index| cx.place(index)).collect()
}

impl Product {
    fn of(cx: &OpContext<'_>) -> Product {
        let factor = |name: OperandName| {
            let extents = cx.operand(name).extents();
            let [.., rows, columns] = extents[..] else { return (cx.place(name), 1, 1) };
            (cx.place(name), rows, columns)
        };
        let row = cx.op.op.row();
        let factors = |names: [OperandName; 2]| {
            names.into_iter().filter(|name| row.operand(*name).is_some()).map(factor).collect()
        };
        let result: Tiled = cx.result(0);
        let extents = match result.extents()[..] {
            [.., rows, columns] => (rows, columns),
            _ => (1, 1),
        };
        Product {
            left: factors([OperandName::Lhs, OperandName::LhsScale]),
            right: factors([OperandName::Rhs, OperandName::RhsScale]),
            sum: cx.place(OperandName::Acc),
            extents,
            count: result.count,
            zero_annihilates: cx.op.op == M::Mmai,
        }
    }

    /// The shadow of the result, from the shadows and the elements of the operands.
    pub(crate) fn mark<'a>(&self, mark: &dyn Fn(usize) -> Shadow, tile: &dyn Fn(usize) -> &'a Tile) -> Shadow {
        if let (true, [left], [right]) = (self.zero_annihilates, &self.left[..], &self.right[..]) {
            let factors = [left.0, right.0].map(|place| (mark(place).tile(), tile(place)));
            return self.integers(factors, left.2).or(&mark(self.sum));
        }
        let (m, n) = self.extents;
        let batch = self.count / (m * n).max(1);
        let mut rows = vec![0; batch * m];
        for &(place, extent, width) in &self.left {
            if let Some(origins) = mark(place).origins() {
                let origins = full(origins, batch * extent * width);
                rows.iter_mut().zip(origins.chunks(width)).for_each(|(row, chunk)| *row = any(*row, chunk));
            }
        }
        let mut columns = vec![0; batch * n];
        for &(place, extent, width) in &self.right {
            if let Some(origins) = mark(place).origins() {
                let origins = full(origins, batch * extent * width);
                for (index, &origin) in origins.iter().enumerate() {
                    let column = &mut columns[index / (extent * width) * n + index % width];
                    *column = first(*column, origin);
                }
            }
        }
        let element = |index: usize| first(rows[index / n], columns[index / (m * n) * n + index % n]);
        let factors = Shadow::of(u32::tile((0..self.count).map(element).collect()));
        factors.or(&mark(self.sum))
    }
}

impl Product {
    /// The shadow of a product of integers with `depth` columns of the left factor. The factors have origins and
    /// elements.
    fn integers(&self, [left, right]: [(Tile, &Tile); 2], depth: usize) -> Shadow {
        let (m, n) = self.extents;
        let origin = |(origins, _): &(Tile, &Tile), index| at(u32::of(origins), index);
        let is_zero = |factor: &(Tile, &Tile), index| origin(factor, index) == 0 && factor.1.bits(index) == 0;
        let element = |index: usize| {
            let (batch, row, column) = (index / (m * n), index / n % m, index % n);
            let products = (0..depth).map(|k| ((batch * m + row) * depth + k, (batch * depth + k) * n + column));
            products
                .filter(|&(a, b)| !is_zero(&left, a) && !is_zero(&right, b))
                .fold(0, |found, (a, b)| first(found, first(origin(&left, a), origin(&right, b))))
        };
        Shadow::of(u32::tile((0..self.count).map(element).collect()))
    }
}

/// The first origin among some, if any.
fn any(start: u32, origins: &[u32]) -> u32 {
    origins.iter().fold(start, |found, &origin| first(found, origin))
}

/// The unspecified elements of a selection.
pub(crate) fn select(condition: &Tile, marks: [&Shadow; 3]) -> Shadow {
    let [decision, yes, no] = marks.map(Shadow::tile);
    let taken = simd::zip3(condition, &yes, &no, |condition: bool, yes: u32, no: u32| if condition { yes } else { no });
    Shadow::of(taken).or(&Shadow::of(decision))
}

/// The unspecified elements of a bitwise op whose result is `fixed` if one of its operands is.
pub(crate) fn masked(fixed: u64, operands: [&Tile; 2], marks: [&Shadow; 2]) -> Shadow {
    let origins = marks.map(Shadow::tile);
    let count = operands.iter().chain(&origins.each_ref()).map(|tile| tile.stored()).max().unwrap_or(1);
    let origin = |index: usize| {
        let [a, b] = origins.each_ref().map(|origins| at(u32::of(origins), index));
        let fixes = |origin: u32, operand: &Tile| origin == 0 && operand.bits(index) == fixed;
        if fixes(a, operands[0]) || fixes(b, operands[1]) { 0 } else { first(a, b) }
    };
    Shadow::of(u32::tile((0..count).map(origin).collect()))
}

/// The shadow of elements that share bits with unspecified ones.
pub(crate) fn bits(from: usize, to: usize, mark: &Shadow) -> Shadow {
    let Some(origins) = mark.origins() else { return Shadow::Clean };
    let origins = full(origins, from);
    let element = |index: usize| any(0, &origins[index * from / to..((index + 1) * from).div_ceil(to)]);
    Shadow::of(u32::tile((0..to).map(element).collect()))
}
