//! A graph and its access maps as JSON, for other programs.

use super::label::Labels;
use super::{Edge, Flow, Kind, NodeId};
use crate::access::{Access, Direction, Mask};
use crate::footprint::Footprint;
use crate::map::AccessMap;
use crate::symbolic::{Names, Poly, Symbol};
use crate::volume::{self, THOROUGH, Unmeasured};
use serde_json::{Value as Json, json};
use tile_analysis::ir::{OpId, Value};

impl Labels<'_> {
    /// The graph, with the line of each op from `line`.
    pub fn json(&self, line: &dyn Fn(OpId) -> usize) -> Json {
        let nodes: Vec<Json> = (0..self.graph.nodes.len()).map(|id| self.node_json(NodeId(id), line)).collect();
        let accesses: Vec<Json> = self.graph.accesses.iter().map(|access| self.access_json(access, line)).collect();
        let edges = self.graph.edges.iter().map(|edge| self.edge_json(edge, &accesses));
        json!({
            "entry": *self.names.body.name,
            "nodes": nodes,
            "edges": edges.collect::<Vec<Json>>(),
            "accesses": accesses,
            "live_tiles": self.live_json(line),
        })
    }

    /// An edge; one between memory and an access repeats what is known about the access.
    fn edge_json(&self, edge: &Edge, accesses: &[Json]) -> Json {
        let access = [edge.from, edge.to].into_iter().find_map(|id| match self.graph.node(id).kind {
            Kind::Access(index) if matches!(edge.flow, Flow::Read | Flow::Write) => accesses.get(index),
            _ => None,
        });
        let of_access = |key: &str| access.map(|access| access[key].clone());
        json!({
            "from": edge.from.0,
            "to": edge.to.0,
            "kind": flow(edge.flow),
            "value": edge.value.map(|value| self.names.value(value)),
            "type": edge.value.map(|value| self.names.body.ty(value).to_string()),
            "selection": of_access("selection"),
            "tile": of_access("tile"),
            "element": of_access("element"),
            "launch": of_access("launch"),
        })
    }

    fn node_json(&self, id: NodeId, line: &dyn Fn(OpId) -> usize) -> Json {
        let node = self.graph.node(id);
        let (kind, access) = match node.kind {
            Kind::Buffer(_) => ("buffer", None),
            Kind::Access(access) => ("access", Some(access)),
            Kind::Carried => ("carried", None),
            Kind::Operation => ("operation", None),
            Kind::Region(_) => ("region", None),
            Kind::Exit(_) => ("exit", None),
        };
        let ops: Vec<&str> = node.ops.iter().map(|&op| self.names.body.op(op).op.row().name).collect();
        let typed = |value: Value| self.names.body.ty(value).to_string();
        json!({
            "id": id.0,
            "kind": kind,
            "label": self.lines(id),
            "parent": node.parent.map(|parent| parent.0),
            "ops": ops,
            "lines": node.ops.iter().map(|&op| line(op)).collect::<Vec<usize>>(),
            "value": node.value.map(|value| self.names.value(value)),
            "type": node.value.map(typed),
            "access": access,
        })
    }

    /// The live tiles at each op at which they change, in bytes.
    fn live_json(&self, line: &dyn Fn(OpId) -> usize) -> Vec<Json> {
        let footprint = Footprint::of(self.names.body);
        let changes = footprint.changes(self.names.body).into_iter().map(|(op, live)| {
            json!({
                "op": self.names.body.op(op).op.row().name,
                "line": line(op),
                "registers": live.registers,
                "shared": live.shared,
                "by_element": live.by_element,
            })
        });
        changes.collect()
    }

    fn access_json(&self, access: &Access, line: &dyn Fn(OpId) -> usize) -> Json {
        let text = |poly: &Poly| poly.text(&self.names);
        let texts = |polys: &[Poly]| polys.iter().map(text).collect::<Vec<String>>();
        let (map, not_affine) = match access.map() {
            Ok(map) => (Some(self.map_json(&map)), None),
            Err(why) => (None, Some(why.reason(&self.names))),
        };
        json!({
            "op": self.names.body.op(access.op).op.row().name,
            "line": line(access.op),
            "direction": match access.direction {
                Direction::Read => "read",
                Direction::Write => "write",
                Direction::Update => "update",
            },
            "selection": self.selection(access),
            "buffer": self.names.memory(access.base.as_ref()),
            "element": access.element.to_string(),
            "tile": access.tile,
            "shape": texts(&access.shape),
            "strides": texts(&access.strides),
            "tensor_start": access.tensor_start().ok().map(|start| text(&start.unwrap_or_default())),
            "coordinates": access.coordinates.as_deref().map(texts),
            "mask": match &access.mask {
                Mask::Known(mask) => Some(text(mask)),
                Mask::Unknown(_) => Some("unknown".to_string()),
                Mask::Absent => None,
            },
            "adjacent_elements": access.contiguity(self.names.body).map(|found| found.run),
            "alignment": access.alignment(self.names.body, self.launched).map(|found| json!({
                "stated": found.stated,
                "launch": found.launched,
            })),
            "map": map,
            "not_affine": not_affine,
            "launch": self.launched.map(|launched| match volume::of_access(self.names.body, access, launched, THOROUGH) {
                Ok(volume) => json!({
                    "executions": volume.executions.count,
                    "is_upper_bound": volume.executions.is_upper_bound,
                    "bytes": volume.bytes(access),
                    "unique_bytes": volume.unique_bytes(access),
                    "shared_elements": volume.shared,
                    "accessed_elements": volume.coverage.accessed,
                    "masked_elements": volume.coverage.masked,
                    "outside_elements": volume.coverage.outside,
                    "out_of_bounds_elements": volume.coverage.out_of_bounds,
                }),
                Err(Unmeasured::Elements(executions)) => json!({
                    "executions": executions.count,
                    "is_upper_bound": executions.is_upper_bound,
                    "unknown": access.unknown_elements().reason(&self.names),
                }),
                Err(why) => json!({ "unknown": why.reason(access, &self.names) }),
            }),
        })
    }

    fn map_json(&self, map: &AccessMap) -> Json {
        let text = |poly: &Poly| poly.text(&self.names);
        let rows = |pick: fn(&crate::map::Row) -> &[Poly]| -> Vec<Vec<String>> {
            map.rows.iter().map(|row| pick(row).iter().map(text).collect()).collect()
        };
        let names: Vec<String> = map.coordinates.iter().map(|&symbol: &Symbol| self.names.name(symbol)).collect();
        json!({
            "coordinates": names,
            "matrix": rows(|row| &row.factors),
            "offset": map.rows.iter().map(|row| text(&row.offset)).collect::<Vec<String>>(),
            "tile": rows(|row| &row.lanes),
            "tensor_start": map.tensor.as_ref().map(|row| json!({
                "matrix": row.factors.iter().map(text).collect::<Vec<String>>(),
                "offset": text(&row.offset),
            })),
        })
    }
}

fn flow(flow: Flow) -> &'static str {
    match flow {
        Flow::Read => "read",
        Flow::Write => "write",
        Flow::Tile => "tile",
        Flow::Selection => "selection",
        Flow::Next => "next",
    }
}
