//! Names for values: parameters keep their names, all other values are named after the op that defines them, in the
//! style of NVIDIA's printer.

use super::literal;
use super::writer::Writer;
use crate::ir::{Attr, Body, Def, Op, Region, RegionId, Value};
use crate::source::Spans;
use crate::types::TileType;
use rustc_hash::FxHashSet;
use tile_dialect::{Element, Mnemonic, OpRow, RegionRow};

/// The names of a body's values.
#[derive(Clone, Debug)]
pub struct Names {
    names: Vec<Name>,
}

/// The name of a value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Name {
    /// The name, without `%`; empty if the value has none.
    pub text: Box<str>,
    /// The index of the value among those that share the name; `None` if the name is not shared.
    pub rank: Option<u32>,
}

impl FromIterator<Name> for Names {
    /// The names of all values of a body, in order.
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Names {
        Names { names: names.into_iter().collect() }
    }
}

impl Names {
    /// Names every value of `body`.
    pub(super) fn of(body: &Body) -> Names {
        let mut namer = Namer {
            body,
            names: vec![Name::default(); body.values.len()],
            taken: FxHashSet::default(),
            order: Vec::new(),
            conflict: 0,
            number: 0,
            argument: 0,
        };
        if let (Some(region), [row]) = (body.regions.first(), Mnemonic::Entry.row().regions) {
            namer.params(region, row);
            namer.ops(region);
        }
        Names { names: namer.names }
    }

    /// The names in the text of a body, which starts at its item. A value without one gets an empty name.
    pub fn written(text: &str, spans: &Spans) -> Names {
        let all = &spans.definitions;
        let shares = |index: usize, other: Option<usize>| other.and_then(|other| all.get(other)) == all.get(index);
        let name = |index: usize| {
            let word = text.get(all[index].start as usize..all[index].end as usize).unwrap_or("");
            let Some(name) = word.strip_prefix('%') else { return Name::default() };
            let is_pack = shares(index, index.checked_sub(1)) || shares(index, Some(index + 1));
            Name { text: name.into(), rank: is_pack.then(|| spans.ranks[index]) }
        };
        Names { names: (0..all.len()).map(name).collect() }
    }

    /// The names of all values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Name> {
        self.names.iter()
    }

    /// The name of a value.
    pub fn get(&self, value: Value) -> Option<&Name> {
        self.names.get(value.0 as usize)
    }

    /// The default name of a result, such as `cst_1_i32`; empty if it would be a number.
    pub(super) fn stem_of(body: &Body, op: &Op, rank: usize) -> String {
        let row = op.op.row();
        if row.results.len() > 1 && row.results.len() == op.results.len() {
            return row.results[rank].name.to_string();
        }
        stem(body, op, row)
    }

    /// Writes a use of a value: `%a` or `%a#1`.
    pub(super) fn push_use(&self, out: &mut Writer, value: Value) {
        let Some(name) = self.names.get(value.0 as usize) else { return out.push("%?") };
        out.push("%");
        out.push(&name.text);
        if let Some(rank) = name.rank {
            out.push(&format!("#{rank}"));
        }
    }

    /// Whether any result of an op has a name.
    pub(super) fn has_named_result(&self, op: &Op) -> bool {
        op.results.clone().any(|value| self.get(Value(value)).is_some_and(|name| !name.text.is_empty()))
    }

    /// Writes the definition of the results of an op: `%a`, `%a, %b` or `%a:2`.
    pub(super) fn push_definition(&self, out: &mut Writer, op: &Op) {
        let first = op.results.start as usize;
        let count = op.results.len();
        let shared = count > 1 && self.names.get(first).is_some_and(|name| name.rank.is_some());
        if shared {
            out.push(&format!("%{}:{count}", self.names[first].text));
        } else {
            out.list(op.results.clone(), |out, value| self.push_use(out, Value(value)));
        }
    }
}

struct Namer<'a> {
    body: &'a Body,
    names: Vec<Name>,
    /// The visible names, and the order of their definitions.
    taken: FxHashSet<Box<str>>,
    order: Vec<Box<str>>,
    /// The suffix for the next name that is taken.
    conflict: u32,
    /// The next number to use as a name.
    number: u32,
    /// The next number of a block argument without another name.
    argument: usize,
}

impl Namer<'_> {
    fn params(&mut self, region: &Region, row: &RegionRow) {
        for (index, &value) in region.args.iter().enumerate() {
            let own = self.body.params.get(index).filter(|name| is_name(name) && !self.taken.contains(*name));
            let usual = self.arg_name(row, index, region.args.len());
            let name = own.cloned().unwrap_or_else(|| self.free(&usual));
            self.assign(value, name, None);
        }
    }

    /// The default name of a block argument. Names of the form `arg0` are numbered consecutively across all enclosing
    /// regions; other names get a number only if they are used more than once.
    fn arg_name(&mut self, row: &RegionRow, index: usize, count: usize) -> String {
        let counted = row.arg_names.iter().position(|name| name.ends_with('#'));
        match (counted, row.arg_names) {
            (_, []) | (_, ["arg#"]) => {
                self.argument += 1;
                format!("arg{}", self.argument - 1)
            }
            (Some(first), names) if index >= first => {
                format!("{}{}", names[first].trim_end_matches('#'), index - first)
            }
            (None, names) if count > names.len() => format!("{}{}", names[index % names.len()], index / names.len()),
            (_, names) => names[index % names.len()].to_string(),
        }
    }

    fn region(&mut self, id: RegionId, row: &RegionRow) {
        let (mark, number, conflict, argument) = (self.order.len(), self.number, self.conflict, self.argument);
        let region = self.body.region(id);
        for (index, &value) in region.args.iter().enumerate() {
            let usual = self.arg_name(row, index, region.args.len());
            let name = self.free(&usual);
            self.assign(value, name, None);
        }
        self.ops(region);
        for name in self.order.drain(mark..) {
            self.taken.remove(&name);
        }
        (self.number, self.conflict, self.argument) = (number, conflict, argument);
    }

    /// Names the results of all ops of a region before those in nested regions, which continue with the same numbers.
    fn ops(&mut self, region: &Region) {
        for &id in &region.ops {
            let op = self.body.op(id);
            self.results(op, op.op.row());
        }
        for &id in &region.ops {
            let op = self.body.op(id);
            for (id, row) in self.body.regions_of(op).zip(op.op.row().regions) {
                self.region(id, row);
            }
        }
    }

    fn results(&mut self, op: &Op, row: &OpRow) {
        let own_rows = row.results.len() > 1 && row.results.len() == op.results.len();
        if own_rows {
            for (result, value) in row.results.iter().zip(self.body.results(op)) {
                let name = self.free(result.name);
                self.assign(value, name, None);
            }
            return;
        }
        if op.results.is_empty() {
            return;
        }
        let stem = stem(self.body, op, row);
        let name = if stem.is_empty() { self.free_number() } else { self.free(&stem) };
        let shared = op.results.len() > 1;
        for (rank, value) in self.body.results(op).enumerate() {
            self.assign(value, name.clone(), shared.then_some(rank as u32));
        }
    }

    fn assign(&mut self, value: Value, text: Box<str>, rank: Option<u32>) {
        if self.taken.insert(text.clone()) {
            self.order.push(text.clone());
        }
        if let Some(name) = self.names.get_mut(value.0 as usize) {
            *name = Name { text, rank };
        }
    }

    /// Returns `stem`, or if that is taken, the first free one of `stem_0`, `stem_1`, …. All stems share one counter.
    fn free(&mut self, stem: &str) -> Box<str> {
        if !self.taken.contains(stem) {
            return stem.into();
        }
        loop {
            let name = format!("{stem}_{}", self.conflict);
            self.conflict += 1;
            if !self.taken.contains(name.as_str()) {
                return name.into();
            }
        }
    }

    fn free_number(&mut self) -> Box<str> {
        loop {
            let name = self.number.to_string();
            self.number += 1;
            if !self.taken.contains(name.as_str()) {
                return name.into();
            }
        }
    }
}

/// The name of the op's result in its row. A constant appends its value and its element type, an assumption the name of
/// its operand.
fn stem(body: &Body, op: &Op, row: &OpRow) -> String {
    if op.op == Mnemonic::Assume {
        return assumed(body, op, row);
    }
    let dense = (0..row.attrs.len()).find_map(|index| match body.attr(op, index) {
        Attr::Dense(dense) => Some(dense),
        _ => None,
    });
    let tile = || body.results(op).next().and_then(|value| body.ty(value).as_tile());
    match dense {
        Some(dense) if !row.result_name.is_empty() => constant(row.result_name, dense.element, &dense.bits, tile()),
        _ => row.result_name.to_string(),
    }
}

/// The name of an assumption: `assume`, followed by the name of its operand, if that has one.
fn assumed(body: &Body, op: &Op, row: &OpRow) -> String {
    const MAX: usize = 8;
    let mut words = vec![row.result_name.to_string()];
    let mut op = op;
    while words.len() < MAX
        && let Some(&value) = body.operands(op).first()
        && let Some(Def::Result(definer, rank)) = body.def(value)
    {
        let definer = body.op(definer);
        if definer.op != Mnemonic::Assume {
            let stem = Names::stem_of(body, definer, rank);
            // If the results of an op share a name, NVIDIA's printer uses that name only for the first of them.
            let is_further = rank > 0 && definer.op.row().results.len() != definer.results.len();
            words.extend((!stem.is_empty()).then(|| if is_further { String::new() } else { stem }));
            break;
        }
        words.push(row.result_name.to_string());
        op = definer;
    }
    words.join("_")
}

/// `true`, `cst_1_i32`, `cst_f32`.
fn constant(stem: &str, element: Element, bits: &[u64], tile: Option<&TileType>) -> String {
    let all = |expected: u64| bits.iter().all(|&bits| bits == expected);
    match element {
        Element::I1 if all(1) => return "true".to_string(),
        Element::I1 if all(0) => return "false".to_string(),
        _ => {}
    }
    let value = match bits {
        [only] if tile.is_some() => literal::name_part(element, *only),
        _ => None,
    };
    match value {
        Some(value) => format!("{stem}_{value}_{element}"),
        None => format!("{stem}_{element}"),
    }
}

/// Whether the lexer reads `%` and this text as one name.
fn is_name(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || b"$._-".contains(&byte));
    digits || first && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"$._-".contains(&byte))
}
