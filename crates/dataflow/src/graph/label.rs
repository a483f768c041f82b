//! The text in the nodes of a graph.

use super::{Graph, Kind, NodeId};
use crate::access::{Access, Base, Direction, Loop, Selection};
use crate::loops::early_end;
use crate::names::SourceNames;
use crate::symbolic::{Poly, Symbol};
use crate::volume::{self, THOROUGH, Unmeasured, Volume};
use std::borrow::Cow;
use tile_analysis::ir::{Op, OpId, RegionId, Value};
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
            Kind::Region(side) | Kind::Exit(side) => vec![self.region(id, node.ops[0], *side)],
        }
    }

    /// The name and the element type of an object in memory.
    fn buffer(&self, base: &Base) -> String {
        let name = self.names.memory(Some(base));
        let is_in = |objects: &Vec<Base>| objects.contains(base);
        let access = self.graph.objects.iter().position(is_in).map(|index| &self.graph.accesses[index]);
        let element = access.map_or_else(String::new, |access| format!(": {}", access.element));
        let same = self.alias(base).map_or_else(String::new, |other| format!(" (same buffer as {other})"));
        format!("{name}{element}{same}")
    }

    /// An earlier parameter for which the launch passes the same buffer.
    fn alias(&self, base: &Base) -> Option<Cow<'_, str>> {
        let params = &self.names.body.region(RegionId(0)).args;
        let index = self.names.body.param(base.param()?)?;
        let pair = self.launched?.aliases.iter().find(|[_, second]| *second == index)?;
        params.get(pair[0]).map(|&first| self.names.value(first))
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
        if let Some(text) = self.launched.map(|launched| self.volume(access, launched)) {
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
        let (base, kind) = (access.memory(&self.names), self.selection(access));
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

    fn volume(&self, access: &Access, launched: &Launched) -> String {
        let volume: Volume = match volume::of_access(self.names.body, access, launched, THOROUGH) {
            Ok(volume) => volume,
            Err(Unmeasured::Elements(executions)) if access.map().is_err() => return executions.times(),
            Err(why @ Unmeasured::Elements(executions)) => {
                return format!("{}, elements unknown: {}", executions.times(), why.reason(access, &self.names));
            }
            Err(why) => return format!("not counted: {}", why.reason(access, &self.names)),
        };
        let (all, unique) = (shown(volume.bytes(access)), shown(volume.unique_bytes(access)));
        let reuse = if all == unique { String::new() } else { format!(", {unique} distinct") };
        let out_of_bounds = match volume.coverage.out_of_bounds {
            0 => String::new(),
            1 => "; 1 element is outside of the buffer".to_string(),
            count => format!("; {count} elements are outside of the buffer"),
        };
        format!("{}, {all}{reuse}{out_of_bounds}", volume.executions.times())
    }

    fn region(&self, node: NodeId, id: OpId, side: usize) -> String {
        let op = self.names.body.op(id);
        let results = self.results(node, id);
        match op.op {
            M::If => format!("{results}{}", self.branch(op, side)),
            M::For => format!("{results}{}", self.for_loop(id)),
            _ => format!("{results}loop"),
        }
    }

    /// The results of a loop or branch that nodes use: `%sum = `. The second side of a branch does not repeat them.
    fn results(&self, node: NodeId, id: OpId) -> String {
        let is_first = self.graph.nodes.iter().position(|other| other.ops.contains(&id)) == Some(node.0);
        let is_used = |result: &Value| is_first && self.graph.edges.iter().any(|edge| edge.value == Some(*result));
        let results = self.names.body.results(self.names.body.op(id)).filter(is_used);
        let names: Vec<String> = results.map(|result| self.names.value(result).into_owned()).collect();
        if names.is_empty() { String::new() } else { format!("{} = ", names.join(", ")) }
    }

    /// One side of a branch: `if %done: break`, `if not %done`.
    fn branch(&self, op: &Op, side: usize) -> String {
        let body = self.names.body;
        let condition = body.operand(op, 0).map_or_else(String::new, |value| format!(" {}", self.names.value(value)));
        let end = body.regions_of(op).nth(side).and_then(|region| early_end(body, region));
        let end = end.map_or_else(String::new, |end| format!(": {}", end.row().name));
        format!("if{}{condition}{end}", if side == 0 { "" } else { " not" })
    }

    fn for_loop(&self, id: OpId) -> String {
        let around = self.graph.loops.iter().find(|around| around.op == id);
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
