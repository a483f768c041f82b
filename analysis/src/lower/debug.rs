//! The locations of an item, and the rules about them.

use super::Lowerer;
use crate::debug_info::{DebugAttr, DebugId, Lookup};
use crate::diagnostics as d;
use crate::ir::OpId;
use crate::read::location;
use std::ops::Range;
use tile_syntax::Node;

impl Lowerer<'_> {
    /// Reads the location behind an op.
    pub(super) fn locate_op(&mut self, op: OpId, location: Option<Node>) {
        let Some(node) = location.filter(|&node| !self.has_syntax_error(&self.range(node))) else { return };
        let id = location::read(self.tree, self.text, node, &mut self.debug, &mut self.diagnostics);
        self.debug.said.locations.set(op.0 as usize, id);
        if self.scoped_op.is_none()
            && let Some(subprogram) = self.subprogram_of(id)
        {
            self.scoped_op = Some((subprogram, self.range(node)));
        }
        if let (Some((first, _)), Some(subprogram)) = (&self.scoped_op, self.subprogram_of(id))
            && self.other_scope.is_none()
            && *first != subprogram
        {
            self.other_scope = Some((subprogram, self.range(node)));
        }
    }

    /// Reads the location behind an entry and checks the scopes of its ops against it.
    pub(super) fn locate_function(&mut self, node: Node) {
        let found = location::location_of(self.tree, self.text, node, &mut self.debug, &mut self.diagnostics);
        self.debug.said.locations.entry = found.map(|(id, _)| id);
        let scope = found.and_then(|(id, _)| self.debug.scope(id));
        let own = scope.and_then(|scope| self.debug.subprogram(scope));
        if let Some((id, place)) = found {
            self.check_function_location(id, scope, self.range(place));
        }
        let strangers = [self.scoped_op.take(), self.other_scope.take()].into_iter().flatten();
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
        if let DebugAttr::CallSite { .. } = self.debug.attr(id) {
            return self.report(d::entry_call_site(place));
        }
        let Some(scope) = scope else { return };
        match self.debug.attr(scope) {
            DebugAttr::Subprogram { linkage_name, .. } if **linkage_name == *name.as_bytes() => {}
            DebugAttr::Subprogram { linkage_name, .. } => {
                let found = d::entry_linkage_name(place, &name, &String::from_utf8_lossy(linkage_name));
                self.report(found);
            }
            _ => self.report(d::entry_scope(place)),
        }
    }

    fn subprogram_of(&self, location: DebugId) -> Option<DebugId> {
        self.debug.subprogram(self.debug.scope(location)?)
    }

    fn name_of_scope(&self, subprogram: DebugId) -> String {
        match self.debug.attr(subprogram) {
            DebugAttr::Subprogram { linkage_name, .. } => String::from_utf8_lossy(linkage_name).into_owned(),
            _ => String::new(),
        }
    }
}
