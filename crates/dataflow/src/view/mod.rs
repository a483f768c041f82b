//! A page that draws the accesses of a launch: a tensor, and the tiles of one block or of all.
//!
//! The page is one HTML file without references to others, so that it opens in a browser and in an editor.

mod points;
mod recorded;

pub use recorded::Recording;

use crate::access::{Access, Base, Direction};
use crate::names::SourceNames;
use crate::point::Point;
use crate::symbolic::{Poly, Symbol};
use points::Points;
use serde_json::{Value as Json, json};
use tile_analysis::ir::OpId;
use tile_analysis::range_analysis::Launched;

/// The page, with a placeholder for the data.
const PAGE: &str = include_str!("accesses.html");

/// The place of the data in [`PAGE`].
const DATA: &str = "/*DATA*/null";

/// Writes data for a script element of a page. Texts in the data, such as the name of a launch, can neither end the
/// element nor begin another one.
pub fn script_data(data: &Json) -> String {
    // In JSON, the character occurs only in strings.
    data.to_string().replace('<', "\\u003c")
}

/// A launch whose accesses are drawn.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    /// The names of the entry.
    pub names: SourceNames<'a>,
    /// The grid and the numbers of the launch.
    pub launched: &'a Launched,
    /// The title, such as `@gemm, launch "square"`.
    pub title: &'a str,
    /// The extents of a buffer, for accesses through pointers.
    pub extents: &'a dyn Fn(&Base) -> Option<Vec<i64>>,
    /// The line of an op in the file.
    pub line: &'a dyn Fn(OpId) -> usize,
    /// Accesses of a run, for ops whose elements are not known without it.
    pub recording: Option<&'a Recording>,
}

impl Drawn<'_> {
    /// The page.
    pub fn page(&self, accesses: &[Access]) -> String {
        PAGE.replacen(DATA, &script_data(&self.data(accesses)), 1)
    }

    /// The data of the page.
    pub fn data(&self, accesses: &[Access]) -> Json {
        let grid = self.launched.grid.unwrap_or([1; 3]);
        let drawn: Vec<Json> = accesses.iter().flat_map(|access| self.drawn(access)).collect();
        json!({ "title": self.title, "grid": grid, "accesses": drawn })
    }

    /// The ops whose accessed elements are not known without a run.
    pub fn unknown(&self, accesses: &[Access]) -> Vec<OpId> {
        accesses.iter().filter(|access| self.points(access).is_err()).map(|access| access.op).collect()
    }

    fn points(&self, access: &Access) -> Result<Points, String> {
        let tensor = self.tensor(access);
        let extents = tensor.clone().or_else(|| (self.extents)(access.base.as_ref()?));
        Points::of(&self.names, access, self.launched, extents, tensor.is_some())
    }

    /// The access, or those to each buffer that it accessed in a run.
    fn drawn(&self, access: &Access) -> Vec<Json> {
        let points = self.points(access);
        let recorded = self.recording.filter(|_| points.is_err()).into_iter().flat_map(|all| all.of(access.op));
        let recorded = recorded.map(|(buffer, recorded)| {
            let buffer = Base::Param(buffer);
            let extents = (self.extents)(&buffer).ok_or("the extents of the memory are unknown".to_string());
            self.access(access, Some(&buffer), extents.map(|extents| recorded.points(extents)))
        });
        let recorded: Vec<Json> = recorded.collect();
        if !recorded.is_empty() {
            return recorded;
        }
        let unused = "the run accessed no element of a buffer here";
        let points = points.map_err(|why| if self.recording.is_some() { unused.to_string() } else { why });
        vec![self.access(access, access.base.as_ref(), points)]
    }

    fn access(&self, access: &Access, base: Option<&Base>, points: Result<Points, String>) -> Json {
        let body = self.names.body;
        let coordinates = access.coordinates.iter().flatten().map(|one| one.text(&self.names));
        json!({
            "op": body.op(access.op).op.row().name,
            "line": (self.line)(access.op),
            "buffer": self.names.memory(base),
            "memory": if base == access.base.as_ref() { access.memory(&self.names) } else { self.names.memory(base).into_owned() },
            "direction": match access.direction {
                Direction::Read => "reads",
                Direction::Write => "writes",
                Direction::Update => "updates",
            },
            "expression": if access.coordinates.is_some() { coordinates.collect::<Vec<String>>().join(", ") } else { "…".to_string() },
            "tile": access.tile,
            "loops": access.loops.iter().map(|around| match around.induction {
                Some(induction) => self.names.value(induction).into_owned(),
                None => "iteration".to_string(),
            }).collect::<Vec<String>>(),
            "drawn": points.map_or_else(|why| json!({ "missing": why }), |points| points.json()),
        })
    }

    /// The extents of the accessed tensor; `None` if it is not the same row-major matrix at the start of the buffer in
    /// all executions, and for an access through pointers. Then the buffer is drawn.
    fn tensor(&self, access: &Access) -> Option<Vec<i64>> {
        let start = Point::of_block(self.names.body, self.launched, [0; 3]);
        let varies = |poly: &Poly| poly.mentions(&Symbol::is_coordinate);
        if access.shape.is_empty() || access.shape.iter().chain(&access.strides).chain(&access.offset_bits).any(varies)
        {
            return None;
        }
        let extents = access.shape.iter().map(|extent| start.evaluate(extent)).collect::<Option<Vec<i64>>>()?;
        let strides = access.strides.iter().map(|stride| start.evaluate(stride)).collect::<Option<Vec<i64>>>()?;
        let mut expected = 1;
        for (stride, extent) in strides.iter().zip(&extents).rev() {
            if *extent != 1 && *stride != expected {
                return None;
            }
            expected *= extent;
        }
        Some(extents).filter(|_| access.tensor_start() == Ok(None))
    }
}
