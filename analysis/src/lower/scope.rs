//! Names of values, and the regions in which they are visible.

use crate::ir::Value;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The names that are known at a point of the text.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub(super) scope: Scope<'a>,
    /// Names that are used without a definition. Each is reported once.
    pub(super) undeclared: FxHashMap<&'a str, Undeclared>,
    /// Results of the enclosing ops, which can be used only after their regions.
    pub(super) pending: Vec<(usize, Binding)>,
    /// The number of enclosing headers that could not be read in full, so that names may be missing.
    pub(super) broken_headers: u32,
}

/// A name that is used without a definition.
#[derive(Clone, Copy)]
pub(super) struct Undeclared {
    /// The value of unknown type that its uses refer to.
    pub(super) stand_in: Value,
    /// The index of the problem that reports it, if there is one.
    pub(super) problem: Option<usize>,
    /// The region depth of the first use.
    pub(super) depth: usize,
}

/// The values of a name: consecutive, and usually only one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) first: Value,
    pub(crate) count: u32,
}

/// The most names that are compared with a misspelled one. In malformed text, every name would be compared with all
/// others.
const MAX_NAMES: usize = 1000;

/// The names that are visible at a point of the text.
#[derive(Default)]
pub(crate) struct Scope<'t> {
    names: FxHashMap<&'t str, Binding>,
    /// The names in the order of their definitions; leaving a region removes the last ones.
    order: Vec<&'t str>,
}

impl<'t> Scope<'t> {
    /// Reserves space for this many names.
    pub(crate) fn reserve(&mut self, names: usize) {
        self.names.reserve(names);
        self.order.reserve(names);
    }

    /// The number of names, to pass to `leave`.
    pub(crate) fn mark(&self) -> usize {
        self.order.len()
    }

    /// Removes every name defined since `mark`.
    pub(crate) fn leave(&mut self, mark: usize) {
        if mark == 0 {
            self.order.clear();
            return self.names.clear();
        }
        for name in self.order.drain(mark..) {
            self.names.remove(name);
        }
    }

    /// Adds a name. Returns the existing binding if the name is taken.
    pub(crate) fn define(&mut self, name: &'t str, binding: Binding) -> Option<Binding> {
        match self.names.entry(name) {
            Entry::Occupied(taken) => Some(*taken.get()),
            Entry::Vacant(free) => {
                free.insert(binding);
                self.order.push(name);
                None
            }
        }
    }

    /// The values of a name.
    pub(crate) fn find(&self, name: &str) -> Option<Binding> {
        self.names.get(name).copied()
    }

    /// The visible names and their values; if there are very many, only the most recent ones.
    pub(crate) fn bindings(&self) -> impl Iterator<Item = (&'t str, Binding)> + Clone + '_ {
        let last = &self.order[self.order.len().saturating_sub(MAX_NAMES)..];
        last.iter().map(|&name| (name, self.names[name]))
    }
}
