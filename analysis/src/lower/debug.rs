//! The locations of an item, and the rules about them.

use super::Lowerer;
use super::locations::Locations;
use crate::debug_info::{DebugAttr, DebugId, Lookup};
use crate::diagnostics as d;
use crate::ir::OpId;
use crate::read::location;
use std::ops::Range;
use tile_syntax::Node;

impl Lowerer<'_> {
    /// Reads the location of an op.
    pub(super) fn locate_op(&mut self, op: OpId, location: Option<Node>) {
        let Some(node) = location.filter(|&node| !self.has_syntax_error(&self.range(node))) else { return };
        let mut found = Vec::new();
        let id = location::read(self.tree, self.text, node, &mut self.locations.store, &mut found);
        self.report_all(found);
        self.locations.store.said.locations.set(op.0 as usize, id);
        let Some(subprogram) = self.subprogram_of(id) else { return };
        let scope = (subprogram, self.range(node));
        let Locations { first_scope, other_scope, .. } = &mut self.locations;
        match first_scope {
            None => *first_scope = Some(scope),
            Some((first, _)) if *first != subprogram && other_scope.is_none() => *other_scope = Some(scope),
            Some(_) => {}
        }
    }

    /// Reads the location of an entry and checks the scopes of its ops against it.
    pub(super) fn locate_function(&mut self, node: Node) {
        let mut problems = Vec::new();
        let found = location::location_of(self.tree, self.text, node, &mut self.locations.store, &mut problems);
        self.report_all(problems);
        self.locations.store.said.locations.entry = found.map(|(id, _)| id);
        let scope = found.and_then(|(id, _)| self.locations.store.scope(id));
        let own = scope.and_then(|scope| self.locations.store.subprogram(scope));
        if let Some((id, place)) = found {
            self.check_function_location(id, scope, self.range(place));
        }
        let strangers = [self.locations.first_scope.take(), self.locations.other_scope.take()].into_iter().flatten();
        let stranger = strangers.into_iter().find(|(subprogram, _)| Some(*subprogram) != own);
        if let Some((subprogram, place)) = stranger {
            let theirs = self.name_of_scope(subprogram);
            let ours = own.map(|own| self.name_of_scope(own));
            let entry = self.spans.name.clone();
            self.report(d::op_scope(place, &theirs, ours.as_deref(), entry));
        }
    }

    fn check_function_location(&mut self, id: DebugId, scope: Option<DebugId>, place: Range<u32>) {
        let name = self.builder.body().name.clone();
        if let DebugAttr::CallSite { .. } = self.locations.store.attr(id) {
            return self.report(d::entry_call_site(place));
        }
        let Some(scope) = scope else { return };
        match self.locations.store.attr(scope) {
            DebugAttr::Subprogram { linkage_name, .. } if **linkage_name == *name.as_bytes() => {}
            DebugAttr::Subprogram { linkage_name, .. } => {
                let found = d::entry_linkage_name(place, &name, &String::from_utf8_lossy(linkage_name));
                self.report(found);
            }
            _ => self.report(d::entry_scope(place)),
        }
    }

    fn subprogram_of(&self, location: DebugId) -> Option<DebugId> {
        self.locations.store.subprogram(self.locations.store.scope(location)?)
    }

    fn name_of_scope(&self, subprogram: DebugId) -> String {
        match self.locations.store.attr(subprogram) {
            DebugAttr::Subprogram { linkage_name, .. } => String::from_utf8_lossy(linkage_name).into_owned(),
            _ => String::new(),
        }
    }
}
