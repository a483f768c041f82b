//! Builds the graph of an entry.

use super::controls::controls;
use super::merge::merge;
use super::objects::objects;
use super::relevant::Relevant;
use super::{Edge, Flow, Graph, Kind, Node, NodeId};
use crate::access::{Base, Direction};
use crate::dependencies::is_stored_tile;
use crate::interpret::interpret;
use crate::loops::{early_end, initial_values, terminators};
use std::collections::HashMap;
use tile_analysis::ir::{Body, Op, OpId, RegionId, Value};
use tile_dialect::Mnemonic as M;

/// The data flow graph of an entry.
pub fn build(body: &Body) -> Graph {
    let mut interpretation = interpret(body);
    let relevant = Relevant::of(body, &interpretation);
    let objects = interpretation.accesses.iter().map(|access| objects(body, &interpretation, access)).collect();
    let accesses = std::mem::take(&mut interpretation.accesses);
    let loops = interpretation.repetitions.iter().filter_map(|repetition| repetition.loops.last().cloned()).collect();
    let graph = Graph { accesses, loops, objects, ..Graph::default() };
    let mut builder = Builder { body, relevant, graph, producers: HashMap::new() };
    builder.buffers();
    builder.region(RegionId(0), None);
    merge(body, builder.graph)
}

struct Builder<'a> {
    body: &'a Body,
    relevant: Relevant,
    graph: Graph,
    /// The nodes that can produce each value.
    producers: HashMap<Value, Vec<NodeId>>,
}

impl Builder<'_> {
    /// Adds the memory that is accessed, each object once, except for scratch memory, which is added where it is
    /// allocated.
    fn buffers(&mut self) {
        for base in self.graph.objects.clone().into_iter().flatten() {
            if self.buffer(&base).is_none() && !matches!(base, Base::Scratch(_)) {
                self.node(Kind::Buffer(base), None, Vec::new(), None);
            }
        }
    }

    fn scratch(&mut self, id: OpId, parent: Option<NodeId>) {
        let base = Base::Scratch(id);
        if self.graph.objects.iter().flatten().any(|other| *other == base) {
            self.node(Kind::Buffer(base), parent, vec![id], None);
        }
    }

    fn buffer(&self, base: &Base) -> Option<NodeId> {
        let found = self.graph.nodes.iter().position(|node| matches!(&node.kind, Kind::Buffer(other) if other == base));
        found.map(NodeId)
    }

    fn node(&mut self, kind: Kind, parent: Option<NodeId>, ops: Vec<OpId>, value: Option<Value>) -> NodeId {
        self.graph.nodes.push(Node { kind, parent, ops, value });
        NodeId(self.graph.nodes.len() - 1)
    }

    fn edge(&mut self, from: NodeId, to: NodeId, flow: Flow, value: Option<Value>) {
        let edge = Edge { from, to, flow, value };
        if !self.graph.edges.contains(&edge) {
            self.graph.edges.push(edge);
        }
    }

    /// Adds edges from the nodes that produce a value.
    fn value_edges(&mut self, value: Value, to: NodeId, flow: Flow) {
        for from in self.producers.get(&value).cloned().unwrap_or_default() {
            self.edge(from, to, flow, Some(value));
        }
    }

    fn region(&mut self, region: RegionId, parent: Option<NodeId>) {
        let body = self.body;
        for &id in &body.region(region).ops {
            let op = body.op(id);
            if op.op == M::Alloca {
                self.scratch(id, parent);
            }
            if self.relevant.has_op(id) && !op.op.row().is_terminator() {
                self.op(id, op, parent);
            }
        }
    }

    fn op(&mut self, id: OpId, op: &Op, parent: Option<NodeId>) {
        match op.op {
            M::For | M::Loop | M::If => self.nested(id, op, parent),
            _ => match self.graph.accesses.iter().position(|access| access.op == id) {
                Some(access) => self.access(access, op, parent),
                None => self.operation(id, op, parent),
            },
        }
    }

    fn operation(&mut self, id: OpId, op: &Op, parent: Option<NodeId>) {
        let results: Vec<Value> = self.body.results(op).collect();
        let node = self.node(Kind::Operation, parent, vec![id], results.first().copied());
        for &operand in self.body.operands(op) {
            self.value_edges(operand, node, Flow::Tile);
        }
        self.produced(&results, node);
    }

    fn produced(&mut self, results: &[Value], node: NodeId) {
        results.iter().for_each(|&result| drop(self.producers.insert(result, vec![node])));
    }

    fn access(&mut self, index: usize, op: &Op, parent: Option<NodeId>) {
        let access = &self.graph.accesses[index];
        let (id, direction) = (access.op, access.direction);
        let results: Vec<Value> =
            self.body.results(op).filter(|&value| self.body.ty(value).as_tile().is_some()).collect();
        let node = self.node(Kind::Access(index), parent, vec![id], results.first().copied());
        let buffers: Vec<NodeId> = self.graph.objects[index].iter().filter_map(|base| self.buffer(base)).collect();
        for buffer in buffers {
            if direction != Direction::Write {
                self.edge(buffer, node, Flow::Read, None);
            }
            if direction != Direction::Read {
                self.edge(node, buffer, Flow::Write, None);
            }
        }
        for group in 0..op.op.row().operands.len() {
            let flow = if is_stored_tile(op, group) { Flow::Tile } else { Flow::Selection };
            for &operand in self.body.group(op, group) {
                self.value_edges(operand, node, flow);
            }
        }
        self.produced(&results, node);
    }

    fn nested(&mut self, id: OpId, op: &Op, parent: Option<NodeId>) {
        let carried = self.sides(id, op, parent);
        let ends = terminators(self.body, op);
        for (index, argument, node) in carried {
            for (_, values) in ends.iter().filter(|(terminator, _)| *terminator == M::Continue) {
                let next = values.get(index).filter(|&&next| next != argument);
                next.into_iter().for_each(|&next| self.value_edges(next, node, Flow::Next));
            }
        }
        let passes = if op.op == M::Loop { M::Break } else { M::Continue };
        for (index, result) in self.body.results(op).enumerate() {
            let passed = ends.iter().filter(|(terminator, _)| op.op == M::If || *terminator == passes);
            let values = passed.filter_map(|(_, values)| values.get(index));
            let mut nodes: Vec<NodeId> =
                values.filter_map(|value| self.producers.get(value)).flatten().copied().collect();
            nodes.sort_unstable();
            nodes.dedup();
            self.producers.insert(result, nodes);
        }
    }

    /// Adds a region for a loop or for each side of a branch. Returns the values that a loop carries.
    fn sides(&mut self, id: OpId, op: &Op, parent: Option<NodeId>) -> Vec<(usize, Value, NodeId)> {
        let body = self.body;
        let is_empty = |region: RegionId| !body.region(region).ops.iter().any(|&id| self.relevant.has_op(id));
        let kind = |(index, region)| match op.op {
            M::If if !is_empty(region) => Some((Kind::Region(index), region)),
            M::If => early_end(body, region).map(|_| (Kind::Exit(index), region)),
            _ => Some((Kind::Region(index), region)),
        };
        let sides: Vec<_> = body.regions_of(op).enumerate().filter_map(kind).collect();
        let mut carried = Vec::new();
        for (kind, region) in sides {
            let outer = self.node(kind, parent, vec![id], None);
            carried.extend(self.carried(op, outer));
            self.region(region, Some(outer));
            for value in controls(self.body, op) {
                self.value_edges(value, outer, Flow::Selection);
            }
        }
        carried
    }

    /// Adds the values that a loop carries: each with its index and its argument.
    fn carried(&mut self, op: &Op, outer: NodeId) -> Vec<(usize, Value, NodeId)> {
        let Some(region) = self.body.regions_of(op).next() else { return Vec::new() };
        let skipped = usize::from(op.op == M::For);
        let arguments = self.body.region(region).args.iter().skip(skipped).copied().enumerate();
        let arguments: Vec<(usize, Value)> = arguments.filter(|(_, argument)| self.relevant.has(*argument)).collect();
        let init = initial_values(self.body, op);
        let mut found = Vec::new();
        for (index, argument) in arguments {
            let node = self.node(Kind::Carried, Some(outer), self.graph.node(outer).ops.clone(), Some(argument));
            init.get(index).into_iter().for_each(|&init| self.value_edges(init, node, Flow::Tile));
            self.producers.insert(argument, vec![node]);
            found.push((index, argument, node));
        }
        found
    }
}
