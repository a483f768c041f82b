//! The names of a rebuilt body: those of the first program where it has the value, and otherwise those of the second.

use super::rebuild::Rebuilt;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_analysis::ir::{RegionId, Value};
use tile_analysis::print::{Name, Names};

/// Names the values of a rebuilt body.
pub(super) fn names(rebuilt: &Rebuilt, a: &Names, b: &Names) -> Names {
    let body = &rebuilt.body;
    let mut naming = Naming {
        rebuilt,
        a,
        b,
        used: body.ops.iter().flat_map(|op| body.operands(op)).copied().collect(),
        taken: a.iter().map(|name| name.text.clone()).collect(),
        visible: FxHashSet::default(),
        open: Vec::new(),
        numbers: FxHashMap::default(),
        names: vec![Name::default(); body.values.len()],
    };
    naming.region(RegionId(0));
    naming.names.into_iter().collect()
}

struct Naming<'a> {
    rebuilt: &'a Rebuilt,
    a: &'a Names,
    b: &'a Names,
    used: FxHashSet<Value>,
    /// The names that either program uses somewhere in the entry.
    taken: FxHashSet<Box<str>>,
    /// The names of the enclosing regions so far.
    visible: FxHashSet<Box<str>>,
    /// The same in the order of their definitions.
    open: Vec<Box<str>>,
    /// The last number that was appended to a name.
    numbers: FxHashMap<String, usize>,
    names: Vec<Name>,
}

impl<'a> Naming<'a> {
    fn region(&mut self, id: RegionId) {
        let body = &self.rebuilt.body;
        let outer = self.open.len();
        body.region(id).args.iter().for_each(|&arg| self.define(&[arg]));
        for &op in &body.region(id).ops {
            self.define(&body.results(body.op(op)).collect::<Vec<_>>());
            body.regions_of(body.op(op)).for_each(|region| self.region(region));
        }
        for name in self.open.drain(outer..) {
            self.visible.remove(&name);
        }
    }

    /// Names values that are defined together, and can therefore share a name.
    fn define(&mut self, values: &[Value]) {
        for (value, name) in values.iter().zip(self.together(values)) {
            if self.visible.insert(name.text.clone()) {
                self.open.push(name.text.clone());
            }
            self.names[value.0 as usize] = name;
        }
    }

    fn together(&mut self, values: &[Value]) -> Vec<Name> {
        let of_a: Vec<Option<&Name>> = values.iter().map(|&value| self.name_in_a(value)).collect();
        let of_b: Vec<Option<&Name>> = values.iter().map(|&value| self.b.get(self.origin(value)?.0)).collect();
        let is_nameless = |(value, name): (&Value, &Option<&Name>)| {
            name.is_some_and(|name| name.text.is_empty()) && !self.used.contains(value)
        };
        if is_pack(&of_a) || values.iter().zip(&of_a).all(is_nameless) {
            return of_a.into_iter().flatten().cloned().collect();
        }
        if is_pack(&of_b) && of_a.iter().all(Option::is_none) {
            let text = self.free(of_b[0].map_or("", |name| &name.text));
            return (0..values.len() as u32).map(|rank| Name { text: text.clone(), rank: Some(rank) }).collect();
        }
        let is_single = |name: &&Name| name.rank.is_none() && !name.text.is_empty();
        let name = |(a, b): (Option<&Name>, Option<&Name>)| match a.filter(is_single) {
            Some(name) => name.clone(),
            None => {
                let wanted = a.filter(|name| !name.text.is_empty()).or(b).map_or("", |name| &name.text);
                Name { text: self.free(wanted), rank: None }
            }
        };
        of_a.into_iter().zip(of_b).map(name).collect()
    }

    fn origin(&self, value: Value) -> Option<(Value, Option<Value>)> {
        self.rebuilt.origins.get(value.0 as usize).copied()
    }

    fn name_in_a(&self, value: Value) -> Option<&'a Name> {
        // The ops of a region of the first program can be in a region inside of it, where the name is taken.
        self.a.get(self.origin(value)?.1?).filter(|name| name.text.is_empty() || !self.visible.contains(&name.text))
    }

    /// A name that is not used yet.
    fn free(&mut self, wanted: &str) -> Box<str> {
        let stem = match wanted.as_bytes() {
            [] => "value".to_string(),
            [first, ..] if first.is_ascii_digit() => format!("b{wanted}"),
            _ => wanted.to_string(),
        };
        let number = self.numbers.entry(stem.clone()).or_default();
        let mut found = stem.clone();
        while self.taken.contains(found.as_str()) {
            *number += 1;
            found = format!("{stem}_b{number}");
        }
        self.taken.insert(found.as_str().into());
        found.into()
    }
}

/// Whether values share one name: `%a:2`.
fn is_pack(names: &[Option<&Name>]) -> bool {
    let follows = |(rank, name): (usize, &Option<&Name>)| {
        name.is_some_and(|name| name.rank == Some(rank as u32) && names[0].is_some_and(|first| first.text == name.text))
    };
    names.len() > 1 && names.iter().enumerate().all(follows)
}
