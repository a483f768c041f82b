//! The executions of an access, as data for the page.

use crate::access::Access;
use crate::point::Point;
use crate::volume::{THOROUGH, Unmeasured, for_each_point};
use serde_json::{Value as Json, json};
use tile_analysis::ir::Body;
use tile_analysis::range_analysis::Launched;

/// The maximum number of executions in the page; those of later tile blocks are left out.
pub(super) const MAX_POINTS: usize = 50_000;

/// The maximum number of runs of adjacent elements in the page, for all executions of an access.
pub(super) const MAX_RUNS: usize = 300_000;

/// The maximum number of elements that are enumerated.
const MAX_ELEMENTS: usize = 8_000_000;

/// The executions of an access.
pub(super) struct Points {
    /// The extents of the tensor.
    pub(super) extents: Vec<i64>,
    pub(super) points: Vec<Execution>,
    /// Whether some are left out.
    pub(super) is_cut: bool,
}

/// One execution.
#[derive(Clone, Debug)]
pub(super) struct Execution {
    pub(super) block: [i64; 3],
    pub(super) iterations: Vec<i64>,
    /// The row-major indices of the accessed elements, as runs of adjacent ones: the first, and how many.
    pub(super) runs: Vec<(i64, i64)>,
}

impl Points {
    /// The executions of an access in a launch, or why they cannot be drawn.
    pub(super) fn of(
        body: &Body,
        access: &Access,
        launched: &Launched,
        extents: &Option<Vec<i64>>,
    ) -> Result<Points, &'static str> {
        let extents = extents.clone().ok_or("the extents of the memory are unknown")?;
        let mut found = Points { extents, points: Vec::new(), is_cut: false };
        let (mut elements, mut runs) = (0, 0);
        let ended = for_each_point(body, access, launched, THOROUGH, &mut |point, _| {
            if found.points.len() == MAX_POINTS || elements > MAX_ELEMENTS || runs > MAX_RUNS {
                return Err(Unmeasured::TooMany);
            }
            elements += access.tile.iter().product::<i64>() as usize;
            let touched = found.runs(access, point).ok_or(Unmeasured::Elements)?;
            runs += touched.len();
            let iterations = point.loops.iter().map(|turn| turn.induction.unwrap_or(turn.iteration)).collect();
            found.points.push(Execution { block: point.block, iterations, runs: touched });
            Ok(())
        });
        match ended {
            Ok(()) => Ok(found),
            Err(Unmeasured::TooMany) => Ok(Points { is_cut: true, ..found }),
            Err(Unmeasured::Elements) => {
                Err("the elements depend on loaded values; `tile view --accesses --run` draws those of a run")
            }
            Err(Unmeasured::TripCount) => {
                Err("the trip count of a loop is unknown; `tile view --accesses --run` draws those of a run")
            }
        }
    }

    /// The elements of one execution.
    fn runs(&self, access: &Access, point: &Point<'_>) -> Option<Vec<(i64, i64)>> {
        let mut runs: Vec<(i64, i64)> = Vec::new();
        access.visit(point, &mut |_, coordinates| {
            let index = match coordinates {
                // Through pointers, the only coordinate is the distance from the start of the buffer.
                [offset] => *offset,
                _ => coordinates.iter().zip(&self.extents).fold(0, |index, (at, extent)| index * extent + at),
            };
            match runs.last_mut() {
                Some((first, count)) if *first + *count == index => *count += 1,
                _ => runs.push((index, 1)),
            }
        })?;
        Some(runs)
    }

    pub(super) fn json(&self) -> Json {
        let points = self.points.iter().map(|point| {
            let runs: Vec<i64> = point.runs.iter().flat_map(|(first, count)| [*first, *count]).collect();
            json!([point.block, point.iterations, runs])
        });
        json!({ "extents": self.extents, "points": points.collect::<Vec<Json>>(), "cut": self.is_cut })
    }
}
