//! Attributes that belong to no row: those of an entry's parameters, as far as bytecode can hold them.

use super::Lowerer;
use crate::context::Context;
use crate::ir::{AttrValue, NamedAttrs};
use crate::preview;
use crate::read::attr::{AttrReader, name};
use crate::read::dict::{Entry, entries_of};
use tile_syntax::{Node, NodeKind};

impl Lowerer<'_> {
    /// The attributes of a parameter in a signature. Its dictionary has been checked.
    pub(super) fn named_attrs(&self, param: Node) -> NamedAttrs {
        let Some(dict) = self.tree.child(param, NodeKind::Dict) else { return NamedAttrs::default() };
        let read = |Entry { node, value, .. }: Entry| {
            let name = name(self.tree.first_text(node, self.text));
            let Some(value) = value else { return Some((name, AttrValue::Unit)) };
            // Errors in the value have been reported.
            let read = self.read_value(value, |reader| Ok(reader.attr_value(self.context))).ok().flatten()?;
            Some((name, read))
        };
        entries_of(self.tree, self.text, dict).filter_map(read).collect()
    }

    /// The attributes of the parameters of a function in generic form: a list of dictionaries.
    pub(super) fn listed_attrs(&self, value: Node) -> Vec<NamedAttrs> {
        match self.read_value(value, |reader| Ok(reader.attr_value(self.context))) {
            Ok(Some(AttrValue::Array(list))) => {
                let attrs = |value| if let AttrValue::Dict(attrs) = value { attrs } else { NamedAttrs::default() };
                list.into_iter().map(attrs).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl AttrReader<'_> {
    /// The attribute at the current token, which ends the value. One that bytecode cannot hold stays text.
    pub(super) fn attr_value(&mut self, context: &Context) -> AttrValue {
        let (first, end) = (self.at, self.end);
        let mut reader = preview::PreviewReader::new(*self, context);
        match reader.value() {
            Ok(value) if reader.finished().is_ok() => value,
            _ => {
                let (start, end) = (self.tokens.start(first), self.tokens.end(end.saturating_sub(1)));
                AttrValue::Other(self.text[start as usize..end.max(start) as usize].into())
            }
        }
    }
}
