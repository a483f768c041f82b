//! Comparison of globals and of functions without a body.

use crate::report::{Change, Kind, Place, SymbolDiff};
use crate::signature::Renames;
use std::ops::Range;
use tile_analysis::ir::{Attr, Dense, Global};
use tile_analysis::print::op_attr_literal;
use tile_analysis::program::Program;
use tile_dialect::{AttrName, Mnemonic};

type Named = (Global, Range<u32>);

/// The globals that differ. Globals of different names correspond if they are otherwise equal; their names in the
/// second program are returned with those in the first.
pub(crate) fn globals(a: &Program, b: &Program) -> (Vec<SymbolDiff>, Renames) {
    let (mut found, mut renames) = (Vec::new(), Renames::default());
    let mut free: Vec<&Named> = b.outline.globals.iter().collect();
    let mut unmatched = Vec::new();
    for global in &a.outline.globals {
        match free.iter().position(|other| other.0.name == global.0.name) {
            Some(at) => found.extend(differing(global, free.remove(at))),
            None => unmatched.push(global),
        }
    }
    for global in unmatched {
        let renamed = |other: &&Named| Global { name: global.0.name.clone(), ..other.0.clone() } == global.0;
        let Some(at) = free.iter().position(renamed) else {
            found.push(diff(Some(global), None, Vec::new()));
            continue;
        };
        let other = free.remove(at);
        renames.insert(other.0.name.clone(), global.0.name.clone());
        found.extend(differing(global, other));
    }
    found.extend(free.into_iter().map(|global| diff(None, Some(global), Vec::new())));
    (found, renames)
}

fn diff(a: Option<&Named>, b: Option<&Named>, changes: Vec<Change>) -> SymbolDiff {
    let place = |global: &Named| Place { index: 0, name: global.0.name.clone(), range: global.1.clone() };
    SymbolDiff { kind: "global", a: a.map(place), b: b.map(place), changes }
}

fn differing(a: &Named, b: &Named) -> Option<SymbolDiff> {
    let (x, y) = (&a.0, &b.0);
    let mut changes = Vec::new();
    let mut compare = |kind: Kind, name: &str, a: String, b: String| {
        if a != b {
            changes.push(Change::new(kind, name, a, b));
        }
    };
    compare(Kind::Name, "", format!("@{}", x.name), format!("@{}", y.name));
    compare(Kind::Type, "", x.ty.to_string(), y.ty.to_string());
    if x.value != y.value {
        let (old, new) = values(&x.value, &y.value);
        compare(Kind::Value, "", old, new);
    }
    compare(Kind::Attribute, "alignment", x.alignment.to_string(), y.alignment.to_string());
    compare(Kind::Attribute, "constant", x.constant.to_string(), y.constant.to_string());
    compare(Kind::Attribute, "private", x.private.to_string(), y.private.to_string());
    (!changes.is_empty()).then(|| diff(Some(a), Some(b), changes))
}

/// The first elements that differ, with their index.
fn values(a: &Dense, b: &Dense) -> (String, String) {
    let Some((_, row)) = Mnemonic::Constant.row().attr(AttrName::Value) else { return Default::default() };
    let bits = |dense: &Dense, index: usize| dense.bits.get(index).or(dense.bits.last()).copied().unwrap_or(0);
    let count = a.bits.len().max(b.bits.len());
    let at = (0..count).find(|&index| bits(a, index) != bits(b, index)).unwrap_or(0);
    let text = |dense: &Dense| {
        let one = Attr::Dense(Box::new(Dense::new(dense.element, vec![bits(dense, at)])));
        format!("{} at [{at}]", op_attr_literal(row, &one, None))
    };
    (text(a), text(b))
}

/// The functions without a body that differ.
pub(crate) fn functions(a: &Program, b: &Program) -> Vec<SymbolDiff> {
    let (a, b) = (a.module().functions, b.module().functions);
    let place = |name: &str| Place { index: 0, name: name.into(), range: 0..0 };
    let mut found = Vec::new();
    for function in &a {
        let name = function.name();
        let same = b.iter().find(|other| other.name() == name);
        let is_equal = same.is_some_and(|other| {
            other.attrs == function.attrs && other.results == function.results && {
                let params = |list: &[tile_analysis::ir::Param]| -> Vec<_> {
                    list.iter().map(|param| (param.ty, param.attrs.clone())).collect()
                };
                params(&other.params) == params(&function.params)
            }
        });
        if !is_equal {
            let changes = same.map(|_| Change::new(Kind::Type, "", "", "")).into_iter().collect();
            found.push(SymbolDiff { kind: "function", a: Some(place(name)), b: same.map(|_| place(name)), changes });
        }
    }
    let new = b.iter().filter(|function| a.iter().all(|other| other.name() != function.name()));
    found.extend(new.map(|function| SymbolDiff {
        kind: "function",
        a: None,
        b: Some(place(function.name())),
        changes: Vec::new(),
    }));
    found
}
