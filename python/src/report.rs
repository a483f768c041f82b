//! The report of a run as dictionaries and JSON, which the package converts to its own classes.

use crate::diagnostics::finding;
use crate::launch::Ended;
use crate::program::{Found, Program};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::Value;
use std::time::Duration;
use tile_analysis::ir::OpId;
use tile_dialect::Element;
use tile_engine::{Cost, Traced};

impl Program {
    /// The report of a run. `timeout` is the time limit, if it ended the run.
    pub(crate) fn report<'py>(
        &self,
        py: Python<'py>,
        found: Found<'_>,
        ended: &Ended,
        timeout: Option<Duration>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let report = PyDict::new(py);
        let place = |op| self.place(found, op);
        let failure = ended.result.as_ref().err().map(|failure| {
            let message = timeout.map(|limit| format!("the run timed out after {limit:?}"));
            finding(failure, message.as_deref().unwrap_or(&failure.message), &place).to_string()
        });
        report.set_item("finding", failure)?;
        let statistics = ended.result.as_ref().copied().unwrap_or_default();
        report.set_item("blocks", statistics.blocks)?;
        report.set_item("ops", statistics.ops)?;
        report.set_item("seconds", ended.time.as_secs_f64())?;
        report.set_item("profile", Value::Array(self.profile(found, ended)).to_string())?;
        let traced = ended.traced.iter().map(|traced| self.traced(py, found, traced));
        report.set_item("trace", traced.collect::<PyResult<Vec<_>>>()?)?;
        Ok(report)
    }

    /// The cost of each op that has run, in the order of the text. Terminators cost nothing and are omitted.
    fn profile(&self, found: Found<'_>, ended: &Ended) -> Vec<Value> {
        let body = &found.lowered.body;
        let ops = (0..).map(OpId).zip(&ended.costs);
        let ops = ops.filter(|(id, cost)| cost.runs > 0 && !body.op(*id).op.row().is_terminator());
        let one = |(id, cost): (OpId, &Cost)| {
            serde_json::json!({
                "op": body.op(id).op.row().name,
                "place": self.place(found, Some(id)).json(),
                "runs": cost.runs,
                "seconds": cost.time.as_secs_f64(),
                "read": cost.read,
                "written": cost.written,
            })
        };
        ops.map(one).collect()
    }

    fn traced<'py>(&self, py: Python<'py>, found: Found<'_>, traced: &Traced) -> PyResult<Bound<'py, PyDict>> {
        let (names, body) = (self.names(found), &found.lowered.body);
        let ty = body.ty(traced.value);
        let tile = ty.as_tile();
        let one = PyDict::new(py);
        one.set_item("name", names.name(traced.value))?;
        one.set_item("type", ty.to_string())?;
        one.set_item("place", self.place(found, body.defining_op(traced.value)).json().to_string())?;
        one.set_item("block", traced.block)?;
        one.set_item("iterations", &traced.iterations)?;
        one.set_item("text", traced.shown.to_string())?;
        let element = tile.as_ref().and_then(|tile| tile.number()).unwrap_or(Element::I64);
        one.set_item("element", element.to_string())?;
        one.set_item("shape", tile.map_or_else(Vec::new, |tile| tile.shape.to_vec()))?;
        one.set_item("contents", traced.contents.as_ref().map(|bytes| PyBytes::new(py, bytes)))?;
        Ok(one)
    }
}
