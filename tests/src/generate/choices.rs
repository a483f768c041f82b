//! The element types and attributes with which the checker accepts an op, found by checking small programs.

use super::spelling::{Types, spell, values};
use super::types::Tile;
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::Severity;
use tile_analysis::gpu::GpuTarget;
use tile_dialect::{Arity, Class, Effect, Element, Group, Mnemonic, NUMBERS, OpRow, Rule, Version, ops};

/// Element types and attributes of an op.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The elements of the operands and of the result.
    pub(super) operands: Vec<Element>,
    pub(super) result: Element,
    /// The attributes; `None` if absent.
    pub(super) attrs: Vec<Option<u8>>,
    /// Whether `sm_90` supports it.
    pub(super) on_gpu: bool,
}

/// The shape of the tiles in the checked programs, in which every element type has a whole number of bytes.
const SHAPE: &[u32] = &[16];

/// The ops that compute each element of one result from the same elements of the operands.
pub(super) fn elementwise() -> &'static [&'static OpRow] {
    static ROWS: LazyLock<Vec<&'static OpRow>> =
        LazyLock::new(|| ops().iter().copied().filter(|row| is_candidate(row) && !choices(row).is_empty()).collect());
    &ROWS
}

fn is_candidate(row: &OpRow) -> bool {
    let is_tile = |class: Class| matches!(class, Class::Tile | Class::TileOf(_));
    let operands = row.operands.iter().all(|operand| operand.arity == Arity::One && is_tile(operand.class));
    let results = matches!(row.results, [result] if result.arity == Arity::One && is_tile(result.class));
    let attrs = (0..row.attrs.len()).all(|index| values(row, index).is_some());
    let is_public = !matches!(row.group, Group::Preview | Group::Testing) && row.opcode.is_some();
    let is_pure = matches!(row.effect, Effect::Pure | Effect::None);
    // `iota` has no operand, and packing changes the number of elements.
    let has_other_shape = row.operands.is_empty() || matches!(row.op, Mnemonic::Pack | Mnemonic::Unpack);
    operands && results && attrs && is_public && is_pure && row.regions.is_empty() && !has_other_shape
}

/// Every choice of an op that the checker accepts.
pub(super) fn choices(row: &'static OpRow) -> &'static [Choice] {
    static BY_OP: Mutex<BTreeMap<&'static str, &'static [Choice]>> = Mutex::new(BTreeMap::new());
    if let Some(found) = BY_OP.lock().unwrap_or_else(PoisonError::into_inner).get(row.name) {
        return found;
    }
    let found: &'static [Choice] = Vec::leak(all(row));
    BY_OP.lock().unwrap_or_else(PoisonError::into_inner).insert(row.name, found);
    found
}

fn all(row: &'static OpRow) -> Vec<Choice> {
    let mut found = Vec::new();
    for elements in combinations(row) {
        let (operands, result) = (&elements[..row.operands.len()], elements[row.operands.len()]);
        let mut attrs: Vec<Vec<Option<u8>>> = vec![Vec::new()];
        for index in 0..row.attrs.len() {
            let values = values(row, index).unwrap_or_default();
            let extend = |chosen: &Vec<Option<u8>>| {
                values.iter().map(|value| [chosen.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
            };
            attrs = attrs.iter().flat_map(extend).collect();
        }
        for attrs in attrs {
            if let Some(on_gpu) = accepted(row, operands, result, &attrs) {
                found.push(Choice { operands: operands.to_vec(), result, attrs, on_gpu });
            }
        }
    }
    found
}

/// The combinations of elements of operands and result that agree with the row's classes and rules.
fn combinations(row: &OpRow) -> Vec<Vec<Element>> {
    let named: Vec<(&str, Class)> = row.operands.iter().map(|operand| (operand.name, operand.class)).collect();
    let named: Vec<(&str, Class)> = named.into_iter().chain(row.results.iter().map(|it| (it.name, it.class))).collect();
    let mut all: Vec<Vec<Element>> = vec![Vec::new()];
    for (index, (name, class)) in named.iter().enumerate() {
        let elements: &[Element] = match class {
            Class::TileOf(elements) => elements,
            _ => NUMBERS,
        };
        let same = row.rules.iter().find_map(|rule| match rule {
            Rule::SameType(names) | Rule::SameElement(names) if names.contains(name) => {
                named[..index].iter().position(|(earlier, _)| names.contains(earlier))
            }
            _ => None,
        });
        let extend = |chosen: Vec<Element>| -> Vec<Vec<Element>> {
            let next = match same {
                Some(earlier) => vec![chosen[earlier]],
                None => elements.to_vec(),
            };
            next.into_iter().map(|element| [chosen.as_slice(), &[element]].concat()).collect()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// Whether the checker accepts a choice, and if so, whether `sm_90` supports it.
fn accepted(row: &'static OpRow, operands: &[Element], result: Element, attrs: &[Option<u8>]) -> Option<bool> {
    let names: Vec<String> = (0..operands.len()).map(|index| format!("%{index}")).collect();
    let types: Vec<String> = operands.iter().map(|&element| Tile::new(element, SHAPE).to_string()).collect();
    let results = [Tile::new(result, SHAPE).to_string()];
    let op = spell(row, &names, &Types { operands: &types, results: &results }, attrs)?;
    let mut body = String::new();
    for (name, element) in names.iter().zip(operands) {
        body += &format!("{}\n", sample(name, *element));
    }
    supported(&format!("{body}%r = {op}\n"))
}

/// An op that defines a tile of this element.
fn sample(name: &str, element: Element) -> String {
    let ty = Tile::new(element, SHAPE);
    match element {
        Element::I4 => format!("%bytes = constant <i8: 0> : tile<16xi8>\n{name} = trunci %bytes : tile<16xi8> -> {ty}"),
        Element::I1 => format!("{name} = constant <i1: false> : {ty}"),
        _ if element.is_int() => format!("{name} = constant <{element}: 0> : {ty}"),
        _ => format!("{name} = constant <{element}: 1.0> : {ty}"),
    }
}

/// Checks a body of an entry without parameters: `None` if it has errors, otherwise whether `sm_90` supports it.
pub(super) fn supported(body: &str) -> Option<bool> {
    let text = format!("cuda_tile.module @m {{\nentry @k() {{\n{body}}}\n}}\n");
    let checked = batch::check(&text, Options::default(), |_| Keep::Everything);
    if checked.diagnostics.iter().any(|found| found.severity == Severity::Error) {
        return None;
    }
    let target = GpuTarget { gpu: gpu(), compiler: Version::V13_5 };
    Some(checked.program(&text).lacks(target).is_empty())
}

fn gpu() -> tile_dialect::Gpu {
    tile_dialect::Gpu::from_name("sm_90").expect("a known GPU")
}
