//! The executions of an access, as data for the page.

use crate::access::{Access, Base, memory_bits};
use crate::names::SourceNames;
use crate::point::Point;
use crate::volume::{Executions, THOROUGH, Unmeasured, for_each_point};
use serde_json::{Value as Json, json};
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
    /// Whether that is the tensor, rather than its buffer.
    pub(super) is_tensor: bool,
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
    /// The number of elements outside of the buffer.
    pub(super) out_of_bounds: u64,
}

impl Points {
    /// The executions of an access in a launch, or why they cannot be drawn.
    pub(super) fn of(
        names: &SourceNames<'_>,
        access: &Access,
        launched: &Launched,
        extents: Option<Vec<i64>>,
        is_tensor: bool,
    ) -> Result<Points, String> {
        let needs_run = |why: String| format!("{why}; `tile view --accesses --run` draws the accesses of a run");
        let unknown = || needs_run(access.unknown_elements().reason(names));
        let extents = match &access.base {
            Some(Base::Computed(_)) | None => return Err(unknown()),
            Some(_) => extents.ok_or("the extents of the memory are unknown")?,
        };
        if let Some(value) = access.overflow(names.body, launched) {
            return Err(needs_run(Unmeasured::Overflow(value).reason(access, names)));
        }
        let mut found = Points { extents, is_tensor, points: Vec::new(), is_cut: false };
        let (mut elements, mut runs) = (0, 0);
        let ended = for_each_point(names.body, access, launched, THOROUGH, &mut |point, _| {
            if found.points.len() == MAX_POINTS || elements > MAX_ELEMENTS || runs > MAX_RUNS {
                return Err(Unmeasured::TooMany);
            }
            elements += access.tile.iter().product::<i64>() as usize;
            let Some((touched, out_of_bounds)) = found.runs(access, point) else {
                return Err(Unmeasured::Elements(Executions::default()));
            };
            runs += touched.len();
            let iterations = point.loops.iter().map(|turn| turn.induction.unwrap_or(turn.iteration)).collect();
            found.points.push(Execution { block: point.block, iterations, runs: touched, out_of_bounds });
            Ok(())
        });
        match ended {
            Ok(()) => Ok(found),
            Err(Unmeasured::TooMany) => Ok(Points { is_cut: true, ..found }),
            Err(Unmeasured::Elements(_)) => Err(unknown()),
            Err(why @ (Unmeasured::TripCount | Unmeasured::Overflow(_))) => Err(needs_run(why.reason(access, names))),
        }
    }

    /// The elements of one execution, and how many others are outside of the buffer.
    fn runs(&self, access: &Access, point: &Point<'_>) -> Option<(Vec<(i64, i64)>, u64)> {
        let mut runs: Vec<(i64, i64)> = Vec::new();
        let (layout, element) = (access.layout(point)?, i64::from(memory_bits(access.element)));
        let coverage = access.visit(point, &mut |_, coordinates| {
            let row_major = |index, (at, extent): (&i64, &i64)| index * extent + at;
            let index = if self.is_tensor {
                coordinates.iter().zip(&self.extents).fold(0, row_major)
            } else {
                layout.offset(coordinates) / element
            };
            match runs.last_mut() {
                Some((first, count)) if *first + *count == index => *count += 1,
                _ => runs.push((index, 1)),
            }
        })?;
        Some((runs, coverage.out_of_bounds))
    }

    pub(super) fn json(&self) -> Json {
        let points = self.points.iter().map(|point| {
            let runs: Vec<i64> = point.runs.iter().flat_map(|(first, count)| [*first, *count]).collect();
            json!([point.block, point.iterations, runs, point.out_of_bounds])
        });
        json!({ "extents": self.extents, "points": points.collect::<Vec<Json>>(), "cut": self.is_cut })
    }
}
