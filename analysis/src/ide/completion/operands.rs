//! Chooses visible values as the operands of an op that is completed.

use super::site::Site;
use super::values::Visible;
use crate::lower::trial::can_combine;
use crate::types::{Access, TileViewType, Type};
use std::ops::Range;
use tile_dialect::form::Piece;
use tile_dialect::{Arity, Class, Mnemonic, Named, OpRow, OperandName, OperandRow};

/// The values chosen for an op: one list for each operand of its row.
pub(super) type Operands<'a> = Vec<Vec<&'a Visible>>;

/// The numbers of nearest types that are tried for each operand, one after the other. Near values are likelier, and
/// the number of combinations grows quickly.
const RADII: [usize; 4] = [6, 12, 24, usize::MAX];

/// The most types that are added to combinations for each radius. Programs with enough types to reach it are rare.
const MAX_STEPS: usize = 5000;

/// The distance that a repeated operand counts as: few ops are written with the same value twice.
const REPETITION: usize = 2;

/// The values that an operand needs.
enum Need {
    /// None: it is optional, or consists of numbers.
    Nothing,
    /// This many values of one type.
    Values(usize),
    /// A value for each dimension of the view or tile that is the operand with this index.
    Indices(usize),
    /// A value that is not an index of the tile block, far away if possible: extents are usually parameters.
    Extent,
    /// Values of these types.
    Types(Vec<Type>),
}

/// Choices of a type for each operand, as indices into its options.
struct Choices {
    /// At least one index is in this range, and none is beyond it.
    ring: Range<usize>,
    /// The number of types that were added to a choice.
    steps: usize,
    found: Vec<Vec<usize>>,
}

/// Finds values that can be the operands of an op together.
pub(super) struct Search<'a> {
    row: &'static OpRow,
    /// Where the op is completed.
    pub(super) site: &'a Site<'a>,
    needs: Vec<Need>,
    /// The types to try for each operand, nearest first; `None` if it gets no value of a single type.
    options: Vec<Vec<Option<Type>>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(named: Named, site: &'a Site<'a>) -> Search<'a> {
        let row = named.row;
        let needs: Vec<Need> =
            row.operands.iter().enumerate().map(|(index, operand)| need(named, index, operand, site)).collect();
        let mut search = Search { row, site, needs, options: Vec::new() };
        search.options = (0..row.operands.len()).map(|index| search.options_of(index)).collect();
        search
    }

    /// The operands whose types can be combined as far as the table knows, likeliest first.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Operands<'a>> {
        let longest = self.options.iter().map(Vec::len).max().unwrap_or(0);
        let ends = RADII.iter().position(|radius| *radius >= longest).map_or(RADII.len(), |at| at + 1);
        (0..ends).flat_map(|at| {
            let inner = if at == 0 { 0 } else { RADII[at - 1] };
            let mut choices = Choices { ring: inner..RADII[at], steps: 0, found: Vec::new() };
            self.combine(&mut Vec::new(), &mut choices);
            let values =
                choices.found.iter().filter_map(|choice| Some((choice.iter().sum::<usize>(), self.values(choice)?)));
            let mut found: Vec<(usize, Operands)> = values.collect();
            found.sort_by_key(|(distance, operands)| distance + REPETITION * self.repetitions(operands));
            found.into_iter().map(|(_, operands)| operands)
        })
    }

    /// The nearest value of the right class for each operand, where there is one, although they do not fit together.
    pub(super) fn nearest(&self) -> Operands<'a> {
        let mut types: Vec<Option<Type>> = Vec::new();
        for options in &self.options {
            let fits = |ty: &Option<Type>| {
                let mut with: Vec<Option<Type>> = types.iter().copied().chain([*ty]).collect();
                with.resize(self.row.operands.len(), None);
                can_combine(self.row, &with)
            };
            let fitting = options.iter().copied().find(fits).flatten();
            types.push(fitting);
        }
        let nearest = |ty: &Option<Type>| self.site.of_type((*ty)?).next();
        types.iter().map(|ty| nearest(ty).into_iter().collect()).collect()
    }

    /// Reports whether any operand needs a value.
    pub(super) fn needs_values(&self) -> bool {
        let is_value = |need: &Need| match need {
            Need::Values(count) => *count > 0,
            Need::Types(types) => !types.is_empty(),
            Need::Indices(_) => true,
            Need::Nothing | Need::Extent => false,
        };
        self.needs.iter().any(is_value)
    }

    /// The number of operands, apart from indices, that are the same value as an earlier one.
    fn repetitions(&self, operands: &Operands) -> usize {
        let is_index = |operand: usize| matches!(self.needs[operand], Need::Indices(_));
        let values = (0..operands.len()).filter(|operand| !is_index(*operand)).flat_map(|operand| &operands[operand]);
        let mut names: Vec<&str> = values.map(|value| &*value.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        all - names.len()
    }

    /// Adds the choices that begin with these.
    fn combine(&self, chosen: &mut Vec<usize>, choices: &mut Choices) {
        let operand = chosen.len();
        if operand == self.options.len() {
            if choices.ring.start == 0 || chosen.iter().any(|at| *at >= choices.ring.start) {
                choices.found.push(chosen.clone());
            }
            return;
        }
        for at in 0..self.options[operand].len().min(choices.ring.end) {
            if choices.steps == MAX_STEPS {
                return;
            }
            choices.steps += 1;
            chosen.push(at);
            if self.can_combine(chosen) {
                self.combine(chosen, choices);
            }
            chosen.pop();
        }
    }

    fn can_combine(&self, chosen: &[usize]) -> bool {
        let type_of = |operand: usize| match self.needs[operand] {
            // The rules are about operands that consist of one value.
            Need::Values(1) => self.options[operand][*chosen.get(operand)?],
            _ => None,
        };
        let types: Vec<Option<Type>> = (0..self.row.operands.len()).map(type_of).collect();
        can_combine(self.row, &types)
    }

    fn options_of(&self, operand: usize) -> Vec<Option<Type>> {
        let class = self.row.operands[operand].class;
        match self.needs[operand] {
            Need::Values(1..) => self.types(|ty| ty.is_a(class)),
            Need::Indices(_) => {
                let is_scalar = |ty: Type| ty.is_a(class) && ty.as_tile().is_some_and(|tile| tile.rank() == 0);
                let mut types = self.types(is_scalar);
                let block = self.site.seen.iter().find(|value| value.block_dim.is_some()).map(|value| value.ty);
                types.sort_by_key(|ty| *ty != block);
                // A view of rank 0 needs no index.
                types.push(None);
                types
            }
            _ => vec![None],
        }
    }

    /// The types of the visible values that fulfill a condition, nearest first.
    fn types(&self, fits: impl Fn(Type) -> bool) -> Vec<Option<Type>> {
        self.site.types.iter().copied().filter(|ty| fits(*ty)).map(Some).collect()
    }

    /// The values for a choice of types; `None` if there are not enough.
    fn values(&self, choice: &[usize]) -> Option<Operands<'a>> {
        let type_of = |operand: usize| self.options[operand][choice[operand]];
        let mut values: Operands<'a> = Vec::new();
        for (operand, need) in self.needs.iter().enumerate() {
            values.push(match need {
                Need::Nothing => Vec::new(),
                Need::Values(0) => Vec::new(),
                // Replaced below, when the number of values of each type is known.
                Need::Values(count) => vec![self.site.of_type(type_of(operand)?).next()?; *count],
                Need::Indices(of) => self.indices(type_of(*of)?, type_of(operand))?,
                Need::Extent => self.extent(operand).into_iter().collect(),
                Need::Types(types) => types.iter().map(|ty| self.site.of_type(*ty).next()).collect::<Option<_>>()?,
            });
        }
        self.vary(&mut values);
        Some(values)
    }

    /// Uses different values where several have the same type, in the order in which they are defined.
    fn vary(&self, values: &mut Operands<'a>) {
        let is_varied = |need: &Need| matches!(need, Need::Values(1..) | Need::Types(_));
        let mut of_type: Vec<(Type, Vec<&'a Visible>)> = Vec::new();
        let varied = |values: &Operands<'a>| -> Vec<(usize, usize)> {
            let operands = (0..values.len()).filter(|operand| is_varied(&self.needs[*operand]));
            operands.flat_map(|operand| (0..values[operand].len()).map(move |at| (operand, at))).collect()
        };
        let places = varied(values);
        for &(operand, at) in &places {
            let ty = values[operand][at].ty;
            if of_type.iter().all(|(known, _)| *known != ty) {
                let count = places.iter().filter(|(operand, at)| values[*operand][*at].ty == ty).count();
                let mut nearest: Vec<&Visible> = self.site.of_type(ty).take(count).collect();
                while nearest.len() < count {
                    nearest.insert(0, nearest[0]);
                }
                of_type.push((ty, nearest));
            }
        }
        for (operand, at) in places {
            let ty = values[operand][at].ty;
            // The farthest of them is defined first.
            let next = of_type.iter_mut().find(|(known, _)| *known == ty).and_then(|(_, nearest)| nearest.pop());
            values[operand][at] = next.unwrap_or(values[operand][at]);
        }
    }

    /// An index for each dimension of a view or a tile: for views, those of the tile block.
    fn indices(&self, of: Type, ty: Option<Type>) -> Option<Vec<&'a Visible>> {
        let view = of.as_tile_view();
        let rank = view.map(|view| view.tile.len()).or_else(|| Some(of.as_tile()?.rank()))?;
        let block =
            |dim: usize| self.site.seen.iter().find(|value| value.block_dim == Some(dim) && Some(value.ty) == ty);
        let index = |dim: usize| match view {
            Some(view) if is_sparse(view, dim) => self.sparse_index(view.tile[dim]),
            _ => block(dim).filter(|_| view.is_some()).or_else(|| self.site.of_type(ty?).next()),
        };
        // Only one option is needed where the type does not matter.
        let is_needed = (0..rank).any(|dim| view.is_none_or(|view| !is_sparse(view, dim)));
        if is_needed != ty.is_some() {
            return None;
        }
        (0..rank).map(index).collect()
    }

    /// The tile of row numbers of a gather/scatter view.
    fn sparse_index(&self, extent: i64) -> Option<&'a Visible> {
        let class = self.row.operand(OperandName::Index)?.1.class;
        let fits =
            |value: &&Visible| value.ty.is_a(class) && value.ty.as_tile().is_some_and(|tile| *tile.shape == [extent]);
        self.site.seen.iter().find(fits)
    }

    fn extent(&self, operand: usize) -> Option<&'a Visible> {
        let class = self.row.operands[operand].class;
        let fits = |value: &&Visible| !value.ty.is_unknown() && value.ty.is_a(class) && value.block_dim.is_none();
        self.site.seen.iter().rev().find(fits)
    }
}

fn is_sparse(view: &TileViewType, dim: usize) -> bool {
    matches!(view.access, Access::GatherScatter { sparse_dim } if sparse_dim == dim)
}

fn need(named: Named, index: usize, operand: &OperandRow, site: &Site) -> Need {
    let row = named.row;
    let is = |name: OperandName| operand.name == name.text();
    let indexed = |class: fn(Class) -> bool| row.operands.iter().rposition(|operand| class(operand.class));
    if row.is_terminator() && operand.arity == Arity::Variadic {
        return Need::Types(site.passed_types(row.op).unwrap_or_default());
    }
    match operand.arity {
        Arity::Optional => Need::Nothing,
        _ if is(OperandName::DynamicShape) => Need::Extent,
        // A vector whose elements are adjacent.
        _ if is(OperandName::DynamicStrides) => Need::Nothing,
        Arity::One => Need::Values(usize::from(is_in_form(named, index))),
        _ if is(OperandName::Index) => {
            row.operand(OperandName::View).map_or(Need::Nothing, |(view, _)| Need::Indices(view))
        }
        _ if is(OperandName::Indices) => indexed(|class| class == Class::Tile).map_or(Need::Nothing, Need::Indices),
        _ => Need::Values(match row.op {
            Mnemonic::JoinTokens => 2,
            Mnemonic::Reduce | Mnemonic::Scan => 1,
            _ => 0,
        }),
    }
}

/// Reports whether the form writes an operand outside of an optional group.
fn is_in_form(named: Named, operand: usize) -> bool {
    let is_own = |piece: &Piece| matches!(piece, Piece::Operand(index) | Piece::Mixed { operand: index, .. } if *index as usize == operand);
    named.form().pieces.iter().any(is_own)
}
