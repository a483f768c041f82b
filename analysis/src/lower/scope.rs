//! Names of values and the regions in which they can be seen.

use crate::ir::Value;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The names that are known at a place.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub(super) scope: Scope<'a>,
    /// Names that are used without a definition: each is reported once.
    pub(super) undeclared: FxHashMap<&'a str, Undeclared>,
    /// Results of the ops around, which can be used only after the regions of those.
    pub(super) pending: Vec<(usize, Binding)>,
    /// How many of the headers around could not be read in full, so that names may be missing from them.
    pub(super) broken_headers: u32,
}

/// A name that is used without a definition.
#[derive(Clone, Copy)]
pub(super) struct Undeclared {
    /// A value of unknown type that its uses get.
    pub(super) stand_in: Value,
    /// The problem that reports it, if one does.
    pub(super) problem: Option<usize>,
    /// How many regions are around the first use.
    pub(super) depth: usize,
}

/// The values of a name: consecutive, usually one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) first: Value,
    pub(crate) count: u32,
}

/// Among how many names a misspelt one is looked for: in garbage, every name is compared with all others.
const MAX_NAMES: usize = 1000;

/// The names that can be seen at a place.
#[derive(Default)]
pub(crate) struct Scope<'t> {
    names: FxHashMap<&'t str, Binding>,
    /// Names in the order in which they came; leaving a region forgets the last ones.
    order: Vec<&'t str>,
}

impl<'t> Scope<'t> {
    /// Makes room for this many names.
    pub(crate) fn reserve(&mut self, names: usize) {
        self.names.reserve(names);
        self.order.reserve(names);
    }

    /// The number of names, to pass to `leave`.
    pub(crate) fn mark(&self) -> usize {
        self.order.len()
    }

    /// Forgets every name that came since.
    pub(crate) fn leave(&mut self, mark: usize) {
        if mark == 0 {
            self.order.clear();
            return self.names.clear();
        }
        for name in self.order.drain(mark..) {
            self.names.remove(name);
        }
    }

    /// Adds a name; the older binding if it is taken.
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

    /// The visible names and what they stand for, of very many those that came last.
    pub(crate) fn bindings(&self) -> impl Iterator<Item = (&'t str, Binding)> + Clone + '_ {
        let last = &self.order[self.order.len().saturating_sub(MAX_NAMES)..];
        last.iter().map(|&name| (name, self.names[name]))
    }
}
