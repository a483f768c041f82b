//! Data flow graphs and accesses of an entry.

use crate::arguments::{Passed, Placed};
use crate::program::{Found, Program};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;
use tile_analysis::ir::OpId;
use tile_analysis::range_analysis::{Launched, NamedLaunch};
use tile_dataflow::access::Direction;
use tile_dataflow::editor::describe;
use tile_dataflow::graph::{build, label::Labels};
use tile_dataflow::names::SourceNames;

/// The data flow graph of an entry, in a format: `text`, `svg`, `dot` or `json`. With a grid and arguments, it has the
/// numbers of the launch. Raises `ValueError` if it is too large for an image.
#[pyfunction]
#[pyo3(signature = (program, entry, format, grid=None, arguments=Vec::new()))]
pub(crate) fn graph(
    program: &Program,
    entry: &str,
    format: &str,
    grid: Option<[u32; 3]>,
    arguments: Vec<Passed<'_>>,
) -> PyResult<String> {
    let found = program.entry(entry)?;
    let launched = launched(program, found, grid, &arguments)?;
    let graph = build(&found.lowered.body);
    let labels = Labels { graph: &graph, names: names(program, found), launched: launched.as_ref() };
    let line = |op: OpId| program.place(found, Some(op)).line() as usize;
    Ok(match format {
        "svg" => labels.svg(&line).map_err(|why| PyValueError::new_err(why.to_string()))?,
        "dot" => labels.dot(&found.lowered.body.name),
        "json" => labels.json(&line).to_string(),
        _ => labels.text(&line),
    })
}

/// The accesses of an entry to memory, each in JSON.
#[pyfunction]
#[pyo3(signature = (program, entry, grid=None, arguments=Vec::new()))]
pub(crate) fn accesses(
    program: &Program,
    entry: &str,
    grid: Option<[u32; 3]>,
    arguments: Vec<Passed<'_>>,
) -> PyResult<Vec<String>> {
    let found = program.entry(entry)?;
    let launched = launched(program, found, grid, &arguments)?;
    let launch = launched.map(|values| NamedLaunch { name: "this launch".to_string(), values });
    let names = names(program, found);
    let body = &found.lowered.body;
    let one = |access: &tile_dataflow::access::Access| {
        let coordinates = access.coordinates.as_ref();
        let direction = match access.direction {
            Direction::Read => "read",
            Direction::Write => "write",
            Direction::Update => "update",
        };
        json!({
            "op": body.op(access.op).op.row().name,
            "place": program.place(found, Some(access.op)).json(),
            "direction": direction,
            "memory": access.memory(&names),
            "element": access.element.to_string(),
            "tile": access.tile,
            "coordinates": coordinates.map(|all| all.iter().map(|one| one.text(&names)).collect::<Vec<_>>()),
            "description": describe(access, &names, launch.as_ref()).trim_end(),
        })
        .to_string()
    };
    Ok(tile_dataflow::accesses(body).iter().map(one).collect())
}

fn names<'a>(program: &'a Program, found: Found<'a>) -> SourceNames<'a> {
    let (body, spans) = (&found.lowered.body, &found.lowered.spans);
    SourceNames { body, spans, text: &program.text[found.start as usize..] }
}

/// The known values of a launch, if there is one.
fn launched(
    program: &Program,
    found: Found<'_>,
    grid: Option<[u32; 3]>,
    arguments: &[Passed<'_>],
) -> PyResult<Option<Launched>> {
    let Some(grid) = grid else { return Ok(None) };
    Ok(Some(Placed::of(program, found, arguments)?.launched(found, grid)))
}
