//! Ops that rearrange tiles, for tiles of integers and of pointers.

use super::lanes::{lane, reshaped};
use super::{Address, Interpreter, Symbolic};
use crate::symbolic::{Function, Poly, Symbol};
use tile_analysis::ir::{Attr, Op, Value};
use tile_dialect::{AttrName, Mnemonic as M};

/// The change of the expression of a tile that is rearranged.
type Change<'a> = Box<dyn Fn(&Poly) -> Option<Poly> + 'a>;

impl Interpreter<'_> {
    pub(super) fn rearranged(&self, op: &Op) -> Option<Symbolic> {
        let result = self.body.ty(Value(op.results.start)).as_tile()?;
        if op.op == M::Iota {
            return Some(Symbolic::Integer(lane(0, *result.shape.first()?)));
        }
        let source = self.body.operand(op, 0)?;
        let from = &*self.body.ty(source).as_tile()?.shape;
        // The elements of an unknown tile stay where they are when it is broadcast.
        let is_fixed = |poly: &Poly| op.op == M::Broadcast || !poly.mentions(&|symbol| self.has_elements(symbol));
        let change: Change<'_> = match op.op {
            M::Broadcast => Box::new(|poly| Some(poly.clone())),
            M::Reshape => Box::new(|poly| reshaped(poly, from, &result.shape)),
            M::Permute => {
                let Attr::IntList(order) = self.attr(op, AttrName::Permutation) else { return None };
                Box::new(|poly| permuted(poly, order))
            }
            M::Extract => {
                let slice = self.body.group(op, 1).iter().map(|&index| self.integer(index));
                let slice = slice.collect::<Option<Vec<Poly>>>()?;
                Box::new(move |poly| extracted(poly, from, &result.shape, &slice))
            }
            M::Cat => return self.joined(op, from),
            _ => return None,
        };
        Some(match self.get(source) {
            Symbolic::Integer(poly) if is_fixed(&poly) => Symbolic::Integer(change(&poly)?),
            Symbolic::Pointer(address) if is_fixed(&address.bits) => {
                Symbolic::Pointer(Address { bits: change(&address.bits)?, ..address })
            }
            _ => return None,
        })
    }

    /// Whether a variable stands for a tile whose elements can differ. Rearranging such a tile gives another value.
    fn has_elements(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Unknown(value) | Symbol::Carried(value) => {
                self.body.ty(value).as_tile().is_none_or(|tile| tile.len() != 1)
            }
            _ => false,
        }
    }

    fn joined(&self, op: &Op, first: &[i64]) -> Option<Symbolic> {
        let dim = usize::try_from(self.attr(op, AttrName::Dim).as_int()?).ok()?;
        let (count, extent) = (*first.get(dim)?, *self.body.ty(Value(op.results.start)).as_tile()?.shape.get(dim)?);
        let index = lane(dim, extent);
        let at = |value: &Poly, index: &Poly| {
            value.substitute(&|symbol| {
                matches!(symbol, Symbol::Lane(other, _) if usize::from(other) == dim).then(|| index.clone())
            })
        };
        let (a, b) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let (a, b) = (at(&a, &index)?, at(&b, &index.sub(&count.into())?)?);
        let is_first = Function::Less.of(vec![index, count.into()])?;
        Some(Symbolic::Integer(Function::Select.of(vec![is_first, a, b])?))
    }
}

fn permuted(poly: &Poly, order: &[i64]) -> Option<Poly> {
    poly.substitute(&|symbol| match symbol {
        Symbol::Lane(dim, extent) => {
            let new = order.iter().position(|&old| old == i64::from(dim))?;
            Some(lane(new, extent))
        }
        _ => None,
    })
}

fn extracted(poly: &Poly, from: &[i64], to: &[i64], slice: &[Poly]) -> Option<Poly> {
    let starts = slice.iter().zip(to).map(|(index, &extent)| index.scale(extent)).collect::<Option<Vec<Poly>>>()?;
    let index = |dim: usize| starts.get(dim)?.add(&lane(dim, *to.get(dim)?));
    poly.substitute(&|symbol| match symbol {
        Symbol::Lane(dim, _) if usize::from(dim) < from.len() => index(dim.into()),
        _ => None,
    })
}
