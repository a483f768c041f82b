//! The text in the nodes of a graph.

use super::{Graph, Kind, NodeId};
use crate::access::{Access, Base, Direction, Loop, Selection};
use crate::names::SourceNames;
use crate::symbolic::{Poly, Symbol};
use crate::volume::{self, THOROUGH, Unmeasured, Volume};
use tile_analysis::ir::{OpId, Value};
use tile_analysis::range_analysis::Launched;
use tile_dialect::{AttrName, Mnemonic as M, OperandName};
use tile_input::size::shown;

/// The maximum number of op names in one node.
const MAX_OPS: usize = 4;

/// The maximum length of an expression in a node.
const MAX_EXPRESSION: usize = 60;

/// Describes the nodes of a graph in the terms of the source, for a launch if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Labels<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The names of values.
    pub names: SourceNames<'a>,
    /// The launch.
    pub launched: Option<&'a Launched>,
}

impl Labels<'_> {
    /// The lines of a node.
    pub fn lines(&self, id: NodeId) -> Vec<String> {
        let node = self.graph.node(id);
        match &node.kind {
            Kind::Buffer(base) => vec![self.buffer(base)],
            Kind::Access(index) => self.access(&self.graph.accesses[*index], node.value),
            Kind::Carried => vec![self.typed(node.value), "carried".to_string()],
            Kind::Operation => vec![self.op_names(&node.ops), self.typed(node.value)],
            Kind::Task(side) => vec![self.task(node.ops[0], *side)],
        }
    }

    /// The name and the element type of an object in memory.
    fn buffer(&self, base: &Base) -> String {
        let name = self.names.memory(Some(base));
        let mut elements = self.graph.accesses.iter().filter(|access| access.base.as_ref() == Some(base));
        match elements.next() {
            Some(access) => format!("{name}: {}", access.element),
            None => name.into_owned(),
        }
    }

    fn typed(&self, value: Option<Value>) -> String {
        value.map_or_else(String::new, |value| format!("{}: {}", self.names.value(value), self.names.body.ty(value)))
    }

    fn op_names(&self, ops: &[OpId]) -> String {
        let mut names: Vec<&str> = ops.iter().map(|&op| self.names.body.op(op).op.row().name).collect();
        names.dedup();
        let rest = names.len().saturating_sub(MAX_OPS);
        let shown = names[..names.len() - rest].join(", ");
        if rest == 0 { shown } else { format!("{shown}, {rest} more") }
    }

    fn access(&self, access: &Access, value: Option<Value>) -> Vec<String> {
        let name = self.names.body.op(access.op).op.row().name;
        let shape: String = access.tile.iter().map(|extent| format!("{extent}x")).collect();
        let tile = match value.filter(|_| access.direction == Direction::Read) {
            Some(value) => self.typed(Some(value)),
            None => format!("tile<{shape}{}>", access.element),
        };
        let mut lines = vec![format!("{name} {tile}"), self.location(access)];
        if let Err(why) = access.map() {
            let reason = why.reason(&self.names);
            let is_long = reason.chars().count() > 2 * MAX_EXPRESSION;
            lines.push(format!(
                "not affine: {}",
                if is_long { "a function of a coordinate is not linear" } else { &reason }
            ));
        }
        if let Some(text) = self.launched.and_then(|launched| self.volume(access, launched)) {
            lines.push(text);
        }
        lines
    }

    /// How the elements of an access are selected: `slice`, `gather`, `scatter` or `atomic`.
    pub fn selection(&self, access: &Access) -> &'static str {
        let is_single = access.tile.iter().all(|extent| *extent == 1);
        let is_loaded = |symbol: Symbol| matches!(symbol, Symbol::Unknown(_));
        let is_indexed = |coordinate: &Poly| is_single && coordinate.mentions(&is_loaded);
        let is_rectangle = || {
            let contiguity = access.contiguity(self.names.body);
            contiguity.is_some_and(|found| found.is_exact()) && !access.coordinates.iter().flatten().any(is_indexed)
        };
        match (access.selection, access.direction) {
            (_, Direction::Update) => "atomic",
            (Selection::Slice, _) => "slice",
            _ if is_rectangle() => "slice",
            (_, Direction::Read) => "gather",
            (_, Direction::Write) => "scatter",
        }
    }

    /// How the elements of an access are selected, and the first of them: `slice %A[64 * %x, 32 * %k]`.
    pub fn location(&self, access: &Access) -> String {
        let (base, kind) = (self.names.memory(access.base.as_ref()), self.selection(access));
        let start = |(dim, coordinate): (usize, &Poly)| {
            let first = coordinate.substitute(&|symbol| matches!(symbol, Symbol::Lane(..)).then(Default::default));
            let text = first.unwrap_or_else(|| coordinate.clone()).text(&self.names);
            let is_long = text.chars().count() > MAX_EXPRESSION;
            if is_long { self.index(access, dim).unwrap_or_else(|| "…".to_string()) } else { text }
        };
        match &access.coordinates {
            Some(coordinates) => {
                let coordinates: Vec<String> = coordinates.iter().enumerate().map(start).collect();
                format!("{kind} {base}[{}]", coordinates.join(", "))
            }
            None => format!("{kind} {base}"),
        }
    }

    /// The first coordinate along a dimension of the tensor, as a multiple of the index that the op has for it.
    fn index(&self, access: &Access, dim: usize) -> Option<String> {
        let body = self.names.body;
        let op = body.op(access.op);
        let view = body.operands(op).iter().find_map(|&value| body.ty(value).as_tile_view())?;
        let (indices, _) = op.op.row().operand(OperandName::Index)?;
        let at = (0..view.tile.len()).find(|&at| view.tensor_dim(at) == dim)?;
        let name = self.names.value(*body.group(op, indices).get(at)?);
        Some(match view.step(at) {
            1 => name.into_owned(),
            step => format!("{step} * {name}"),
        })
    }

    fn volume(&self, access: &Access, launched: &Launched) -> Option<String> {
        let volume: Volume = match volume::of_access(self.names.body, access, launched, THOROUGH) {
            Ok(volume) => volume,
            // The access map says that elements are unknown, and why.
            Err(Unmeasured::Elements) => return None,
            Err(why) => return Some(why.to_string()),
        };
        let (all, unique) = (shown(volume.bytes(access)), shown(volume.unique_bytes(access)));
        let reuse = if all == unique { String::new() } else { format!(", {unique} different") };
        Some(format!("{}, {all}{reuse}", volume.times()))
    }

    fn task(&self, id: OpId, side: usize) -> String {
        let op = self.names.body.op(id);
        match op.op {
            M::If => {
                let condition = self.names.body.operand(op, 0);
                let condition = condition.map_or_else(String::new, |value| format!(" {}", self.names.value(value)));
                format!("if{}{condition}", if side == 0 { "" } else { " not" })
            }
            M::For => self.for_loop(id),
            _ => "loop".to_string(),
        }
    }

    fn for_loop(&self, id: OpId) -> String {
        let around = self.graph.accesses.iter().flat_map(|access| &access.loops).find(|around| around.op == id);
        let Some(Loop { induction: Some(induction), bounds, .. }) = around else { return "for".to_string() };
        let body = self.names.body;
        let op = body.op(id);
        let flag = op.op.row().attr(AttrName::UnsignedCmp).is_some_and(|(index, _)| body.attr(op, index).is_flag());
        let unsigned = if flag { "unsigned " } else { "" };
        let name = self.names.value(*induction);
        match bounds {
            Some([lower, upper, step]) => {
                let step = match step.as_number() {
                    Some(1) => String::new(),
                    _ => format!(", step {}", step.text(&self.names)),
                };
                format!("for {unsigned}{name} in {} to {}{step}", lower.text(&self.names), upper.text(&self.names))
            }
            None => format!("for {unsigned}{name}"),
        }
    }
}
