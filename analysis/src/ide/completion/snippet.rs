//! Snippets for whole ops, filled in with values that fit.

use super::super::gpu_words;
use super::super::statement_types;
use super::around::Around;
use super::context::CompletionContext;
use super::item::{Completion, CompletionKind, first_sentence};
use super::preview::item_snippet;
use super::values::{Visible, visible};
use crate::db::File;
use crate::ir::Attr;
use crate::likely_types::{Literal, Statement};
use crate::preview;
use crate::types::Type;
use std::fmt::Write;
use tile_dialect::form::{Form, Piece, Punct, Slot};
use tile_dialect::{
    Arity, AttrKind, AttrRow, Class, DIALECT_PREFIX, Element, Group, Mnemonic, Named, OpRow, OperandName, OperandRow,
    RegionArgs, Rule, Version,
};

/// The ops of the version that are allowed at the offset, without the optional dialect prefix. Ops with a
/// fitting value for every required operand come first.
pub(super) fn ops(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let version = file.options(db).version;
    let seen = visible(db, file, offset);
    let has_results = ctx.before.contains('=');
    let around = Around::new(db, file, offset);
    let has_preview = preview::is_allowed(&file.options(db));
    let is_known = |row: &&&OpRow| match row.group {
        Group::Testing => false,
        Group::Preview => has_preview,
        _ => row.since <= version,
    };
    let rows = tile_dialect::ops().iter().filter(is_known).filter(|row| around.allows(row, has_results, version));
    let items = rows.map(|row| {
        let named = named_in(row, version);
        let name = named.spelling.map_or(row.name, |spelling| spelling.name);
        let label = if row.op == Mnemonic::Module { format!("{DIALECT_PREFIX}{name}") } else { name.to_string() };
        let mut writer = Writer { named, seen: &seen, version, out: String::new(), stops: 0, picks: Vec::new() };
        // In a snippet, an unescaped `$` starts a placeholder.
        let for_item = item_snippet(row.op);
        let snippet = for_item.unwrap_or_else(|| writer.statement(&label.replace('$', "\\$"), has_results));
        let detail = gpu_words::offered(first_sentence(row.doc), row.gpus, file.options(db).target());
        let item = Completion::new(label, CompletionKind::Op, detail);
        (writer.lacks_values(), Completion { snippet: Some(snippet), ..item })
    });
    let mut items: Vec<(bool, Completion)> = items.collect();
    items.sort_by(|(a, left), (b, right)| (a, &left.label).cmp(&(b, &right.label)));
    items.into_iter().map(|(_, item)| item).collect()
}

/// The op with its spelling in a version.
fn named_in(row: &'static OpRow, version: Version) -> Named {
    let fits = |since: Version, until: Option<Version>| since <= version && until.is_none_or(|until| version < until);
    Named { row, spelling: row.spellings.iter().find(|spelling| fits(spelling.since, spelling.until)) }
}

/// The extent of a tensor view if no value can be one.
const EXTENT: i64 = 16;

struct Writer<'a> {
    named: Named,
    seen: &'a [Visible],
    version: Version,
    out: String,
    /// The number of placeholders written.
    stops: usize,
    /// The value chosen for each operand.
    picks: Vec<Option<&'a Visible>>,
}

impl Writer<'_> {
    fn statement(&mut self, label: &str, has_results: bool) -> String {
        let form: &'static Form = self.named.form();
        self.pick();
        if !has_results {
            self.results();
        }
        self.out.push_str(label);
        for (index, piece) in form.pieces.iter().enumerate() {
            if is_types(piece)
                && let Some(types) = self.types()
            {
                let (mark, types) = types.split_once(' ').unwrap_or((&types, ""));
                let _ = write!(self.out, " {mark} ");
                self.stop(types);
                // Only regions can follow the types.
                let rest = form.pieces[index..].iter().filter(|piece| matches!(piece, Piece::Region(_)));
                rest.for_each(|piece| self.piece(piece));
                break;
            }
            self.piece(piece);
        }
        std::mem::take(&mut self.out)
    }

    /// Chooses the nearest fitting value for each required operand.
    fn pick(&mut self) {
        let row = self.named.row;
        for (index, operand) in row.operands.iter().enumerate() {
            let same = row.rules.iter().filter_map(|rule| match rule {
                Rule::SameType(names) if names.contains(&operand.name) => Some(*names),
                _ => None,
            });
            let same: Vec<&str> = same.flatten().copied().collect();
            let before =
                row.operands.iter().zip(&self.picks).find(|(other, pick)| same.contains(&other.name) && pick.is_some());
            let exact = before.and_then(|(_, pick)| pick.map(|pick| pick.ty));
            let fits = |value: &&Visible| value.ty.is_a(operand.class) && exact.is_none_or(|ty| value.ty == ty);
            // Extents are usually parameters, which are the farthest.
            let nearest = if operand.name == OperandName::DynamicShape.text() {
                self.seen.iter().rev().find(|value| fits(value) && value.block_dim.is_none())
            } else {
                self.seen.iter().find(fits)
            };
            let pick =
                nearest.filter(|_| self.is_required(index) && operand.name != OperandName::DynamicStrides.text());
            self.picks.push(pick);
        }
    }

    /// Reports whether a required operand has no fitting visible value.
    fn lacks_values(&self) -> bool {
        let operands = self.named.row.operands.iter().zip(&self.picks).enumerate();
        let mut needed = operands.filter(|(index, (row, _))| row.arity == Arity::One && self.is_required(*index));
        needed.any(|(_, (_, pick))| pick.is_none())
    }

    /// Reports whether the operand is required.
    fn is_required(&self, operand: usize) -> bool {
        let is_own = |piece: &Piece| matches!(piece, Piece::Operand(index) | Piece::Mixed { operand: index, .. } if *index as usize == operand);
        self.named.row.operands[operand].arity != Arity::Optional && self.named.form().pieces.iter().any(is_own)
    }

    /// Writes names for the results, unless the only result is a token that is rarely used.
    fn results(&mut self) {
        let row = self.named.row;
        let shown: Vec<_> = row.results.iter().filter(|result| result.since <= self.version).collect();
        let only_token = shown.iter().all(|result| result.class == Class::Token);
        if shown.is_empty() || shown.iter().any(|result| result.arity == Arity::Variadic) {
            return;
        }
        if only_token
            && row.name != "make_token"
            && row.operands.iter().all(|operand| operand.class != Class::Token || operand.arity == Arity::Optional)
        {
            return;
        }
        for (index, result) in shown.iter().enumerate() {
            self.out.push_str(if index > 0 { ", %" } else { "%" });
            self.stop(result.name);
        }
        self.out.push_str(" = ");
    }

    /// Writes a placeholder with a default text.
    fn stop(&mut self, default: &str) {
        self.stops += 1;
        let escaped = default.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
        let _ = write!(self.out, "${{{}:{escaped}}}", self.stops);
    }

    fn choice(&mut self, words: &[&str]) {
        self.stops += 1;
        match words {
            [only] => self.out.push_str(only),
            _ => {
                let _ = write!(self.out, "${{{}|{}|}}", self.stops, words.join(","));
            }
        }
    }

    fn blank(&mut self) {
        if !self.out.ends_with([' ', '(', '[', '\n']) && !self.out.is_empty() {
            self.out.push(' ');
        }
    }

    fn piece(&mut self, piece: &'static Piece) {
        let row = self.named.row;
        match piece {
            Piece::Operand(index) if row.operands[*index as usize].arity == Arity::Optional => {}
            Piece::Operand(index) | Piece::Mixed { operand: index, .. } => {
                self.blank();
                let default = self.operand(*index as usize);
                self.stop(&default);
            }
            Piece::Attr { optional: true, .. }
            | Piece::Group(_)
            | Piece::AnyOrder(_)
            | Piece::Dict(_)
            | Piece::Bind { .. } => {}
            Piece::Attr { index, .. } => {
                self.blank();
                self.attr(&row.attrs[*index as usize]);
            }
            Piece::Region(index) => self.region(row.regions[*index as usize].args),
            Piece::Type(index) | Piece::TypeArrow { after: index, .. } => {
                self.blank();
                let default = self.type_of(*index);
                self.stop(&default);
            }
            Piece::FunctionType(operands, results) => {
                self.blank();
                self.out.push('(');
                let default = self.type_of(*operands);
                self.stop(&default);
                self.out.push_str(") -> ");
                let default = self.type_of(*results);
                self.stop(&default);
            }
            Piece::Word(word) => {
                self.blank();
                self.out.push_str(word);
            }
            Piece::Punct { mark, apart } => {
                if *apart {
                    self.blank();
                }
                self.out.push_str(mark.text());
            }
            Piece::Argument(_) => {
                self.blank();
                self.stop("%i");
            }
            Piece::Signature(_) => {
                self.out.push('(');
                self.stop("%p: tile<ptr<f32>>");
                self.out.push(')');
            }
        }
    }

    /// A type for a position in the form whose type cannot be inferred from the operands.
    fn type_of(&self, index: u8) -> String {
        let row = self.named.row;
        let slots = self.named.form().types[index as usize].slots.iter();
        let picked = slots.clone().find_map(|slot| match slot {
            Slot::Operand(index) => self.picks[*index as usize].map(|pick| pick.ty.to_string()),
            _ => None,
        });
        let class = slots.map(|slot| match slot {
            Slot::Operand(index) => row.operands[*index as usize].class,
            Slot::Result(index) => row.results[*index as usize].class,
            Slot::Attr(_) => Class::Tile,
        });
        picked.unwrap_or_else(|| class.map(default_type).next().unwrap_or_default())
    }

    fn operand(&self, index: usize) -> String {
        let row = &self.named.row.operands[index];
        let is = |name: OperandName| row.name == name.text();
        if is(OperandName::Index) {
            return self.indices(index);
        }
        // A vector whose elements are adjacent.
        if is(OperandName::DynamicStrides) {
            return "1".to_string();
        }
        if is(OperandName::DynamicShape) && self.picks[index].is_none() {
            return EXTENT.to_string();
        }
        self.picks[index].map_or_else(|| format!("%{}", row.name), |pick| pick.name.clone())
    }

    /// An index for each dimension of the chosen view: those of the tile block.
    fn indices(&self, index: usize) -> String {
        let view = self.picks.iter().flatten().find_map(|pick| pick.ty.as_tile_view());
        let block =
            |dim: usize| self.seen.iter().find(|value| value.block_dim == Some(dim)).map(|value| value.name.clone());
        let nearest = || self.picks[index].map_or_else(|| "%index".to_string(), |pick| pick.name.clone());
        let all = (0..view.map_or(1, |view| view.tile.len())).map(|dim| block(dim).unwrap_or_else(nearest));
        all.collect::<Vec<String>>().join(", ")
    }

    /// The value that is written for an attribute, as far as types depend on it.
    fn default_of(&self, attr: &AttrRow) -> Attr {
        match attr.kind {
            AttrKind::Int(_) => Attr::Int(0),
            AttrKind::IntList => Attr::IntList(self.permutation().into()),
            _ => Attr::Absent,
        }
    }

    /// The dimensions of the first operand in reverse order.
    fn permutation(&self) -> Vec<i64> {
        let rank = self.picks.first().copied().flatten().and_then(|pick| Some(pick.ty.as_tile()?.rank()));
        (0..rank.unwrap_or(2) as i64).rev().collect()
    }

    fn attr(&mut self, attr: &AttrRow) {
        match attr.kind {
            AttrKind::Enum { of, wrapper, only } => {
                let allowed = of.values.iter().enumerate().filter(|(index, value)| {
                    (only.is_empty() || only.contains(&(*index as u8))) && value.since <= self.version
                });
                let words: Vec<&str> = allowed.map(|(_, value)| value.name).collect();
                if wrapper.is_empty() {
                    return self.choice(&words);
                }
                let _ = write!(self.out, "{wrapper}<");
                self.choice(&words);
                self.out.push('>');
            }
            AttrKind::Flag(word) => self.out.push_str(word),
            AttrKind::Int(_) => self.stop("0"),
            AttrKind::Bool => self.choice(&["false", "true"]),
            AttrKind::Str => {
                self.out.push('"');
                self.stop("hello\\n");
                self.out.push('"');
            }
            AttrKind::SymbolName | AttrKind::SymbolRef => {
                self.out.push('@');
                self.stop("name");
            }
            AttrKind::Dense => {
                self.out.push('<');
                self.stop("i32: 0");
                self.out.push('>');
            }
            AttrKind::IntList => {
                let dims: Vec<String> = self.permutation().iter().map(i64::to_string).collect();
                self.out.push('[');
                self.stop(&dims.join(", "));
                self.out.push(']');
            }
            AttrKind::BoolList(_) | AttrKind::Array => {
                self.out.push('[');
                self.stop("0");
                self.out.push(']');
            }
            AttrKind::Identities => {
                let element = self.element().unwrap_or("f32");
                let zero = if element.starts_with('i') { "0" } else { "0.0" };
                self.out.push('[');
                self.stop(&format!("{zero} : {element}"));
                self.out.push(']');
            }
            AttrKind::Predicate => self.stop("div_by<16>"),
            AttrKind::ConstParams | AttrKind::ConstArgs => {
                self.out.push_str("<[");
                self.stop("32");
                self.out.push_str("]>");
            }
            AttrKind::Preview(_) | AttrKind::Dictionary => {
                self.out.push('{');
                self.stop("");
                self.out.push('}');
            }
            AttrKind::Hints | AttrKind::Type | AttrKind::DictList => {}
        }
    }

    /// The element type of the first chosen value.
    fn element(&self) -> Option<&'static str> {
        let pick = self.picks.iter().flatten().next()?;
        Some(pick.ty.as_tile()?.number()?.name())
    }

    fn region(&mut self, args: RegionArgs) {
        if args == RegionArgs::Listed {
            let element = self.element().unwrap_or("f32");
            let _ = write!(self.out, " (%element: tile<{element}>, %accumulator: tile<{element}>)");
        }
        self.out.push_str(" {\n\t$0\n}");
    }

    /// The types that follow from the chosen values, or likely ones.
    fn types(&self) -> Option<String> {
        let row = self.named.row;
        let group = |(operand, pick): (&OperandRow, &Option<&Visible>)| -> Option<Vec<Type>> {
            match (operand.arity, pick) {
                (Arity::One | Arity::Variadic, Some(pick)) => Some(vec![pick.ty]),
                (Arity::One, None) => None,
                _ => Some(Vec::new()),
            }
        };
        let operands: Option<Vec<Vec<Type>>> = row.operands.iter().zip(&self.picks).map(group).collect();
        let extent = self.named.row.operand(OperandName::DynamicShape);
        let extent = extent.map(|(index, _)| (index, self.picks[index].is_none().then_some(EXTENT)));
        let stride = self.named.row.operand(OperandName::DynamicStrides).map(|(index, _)| (index, Some(1)));
        let literal = Literal { element: Element::I32, shape: Vec::new() };
        let statement = Statement {
            named: self.named,
            version: self.version,
            operands: operands?,
            attrs: row.attrs.iter().map(|attr| self.default_of(attr)).collect(),
            lists: extent.into_iter().chain(stride).collect(),
            literal: Some(literal),
            global: None,
            visible: self.seen.iter().map(|value| value.ty).collect(),
        };
        statement_types::texts(&statement).into_iter().next()
    }
}

/// A default type for a class.
fn default_type(class: Class) -> String {
    let tensor = "tensor_view<?x?xf32, strides=[?,1]>";
    match class {
        Class::TileOf(elements) | Class::ScalarOf(elements) => {
            let usual = elements.iter().find(|element| matches!(element, Element::I32 | Element::F32));
            format!("tile<{}>", usual.or(elements.first()).map_or("f32", |element| element.name()))
        }
        Class::Any | Class::Tile => "tile<i32>".to_string(),
        Class::Pointers | Class::Pointer => "tile<ptr<f32>>".to_string(),
        Class::Token => "token".to_string(),
        Class::TensorView => tensor.to_string(),
        Class::TileView | Class::PartitionView => format!("partition_view<tile=(64x64), {tensor}>"),
        Class::StridedView => format!("strided_view<tile=(64x64), traversal_strides=[64,64], {tensor}>"),
        Class::GatherScatterView => format!("gather_scatter_view<tile=(64x64), {tensor}>"),
    }
}

/// Reports whether the types of the op begin with this piece.
fn is_types(piece: &Piece) -> bool {
    matches!(piece, Piece::Punct { mark: Punct::Colon | Punct::Arrow, .. })
        || matches!(piece, Piece::Group(list) if matches!(list.first(), Some(Piece::Punct { mark: Punct::Colon | Punct::Arrow, .. })))
}
