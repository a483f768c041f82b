//! The state of printing a body, and the op or item being printed.

use super::location::Located;
use super::names::Names;
use super::options::Options;
use super::writer::Writer;
use crate::debug_info::DebugId;
use crate::ir::{Attr, Body, Op};
use crate::types::Type;
use std::borrow::Cow;
use std::ops::Range;
use tile_dialect::OpRow;

/// The state of printing a body.
pub(super) struct Printer<'a> {
    pub(super) body: &'a Body,
    pub(super) options: Options,
    pub(super) out: Writer,
    pub(super) names: Cow<'a, Names>,
    pub(super) located: Option<Located<'a>>,
    /// Whether each value is used.
    pub(super) used: Vec<bool>,
}

/// The subject of a form: an op of the body, or an item, which is not an op of the body.
pub(super) struct Subject<'a> {
    pub(super) row: &'static OpRow,
    /// The op; `None` for an item.
    pub(super) op: Option<&'a Op>,
    /// The attributes, in the order of the row.
    pub(super) attrs: &'a [Attr],
    /// The type of a constant that is not a result.
    pub(super) constant: Option<Type>,
    pub(super) regions: Range<u32>,
    /// Its location, if it is known.
    pub(super) location: Option<DebugId>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(body: &'a Body, located: Option<Located<'a>>, options: Options, depth: usize) -> Printer<'a> {
        let names = Cow::Owned(Names::of(body));
        Printer { body, options, out: Writer::new(depth), names, located, used: used(body) }
    }

    /// A printer of single ops without their results, with these names.
    pub(super) fn of_op(body: &'a Body, names: &'a Names, op: &Op, options: Options, depth: usize) -> Printer<'a> {
        // Only ops in regions are printed with their results.
        let used = if op.regions.is_empty() { Vec::new() } else { used(body) };
        let names = Cow::Borrowed(names);
        Printer { body, options, out: Writer::new(depth), names, located: None, used }
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.out.finish()
    }
}

/// Whether each value is used.
fn used(body: &Body) -> Vec<bool> {
    let mut used = vec![false; body.values.len()];
    for value in body.ops.iter().flat_map(|op| body.operands(op)) {
        if let Some(used) = used.get_mut(value.0 as usize) {
            *used = true;
        }
    }
    used
}
