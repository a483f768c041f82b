//! The executions of an op in a launch.

use super::unmeasured::Unmeasured;
use crate::access::{Access, Condition, Loop};
use crate::dependencies::dependency;
use crate::point::Point;
use crate::repetition::Repetition;
use tile_analysis::ir::Body;
use tile_analysis::range_analysis::Launched;

/// Calls a function for each execution of an access, with whether it is certain that the op runs. Gives up if it enters
/// more than `limit` tile blocks and iterations.
pub fn for_each_point(
    body: &Body,
    access: &Access,
    launched: &Launched,
    limit: u64,
    visit: &mut dyn FnMut(&Point<'_>, bool) -> Result<(), Unmeasured>,
) -> Result<(), Unmeasured> {
    for_each_execution(body, &access.loops, &access.conditions, launched, limit, visit)
}

/// Calls a function for each execution of an op in these loops and under these conditions.
fn for_each_execution(
    body: &Body,
    loops: &[Loop],
    conditions: &[Condition],
    launched: &Launched,
    limit: u64,
    visit: &mut dyn FnMut(&Point<'_>, bool) -> Result<(), Unmeasured>,
) -> Result<(), Unmeasured> {
    let mut walk = Walk { loops, conditions, left: limit, visit };
    let [x, y, z] = launched.grid.unwrap_or([1; 3]);
    for z in 0..z {
        for y in 0..y {
            for x in 0..x {
                walk.nested(&Point::of_block(body, launched, [x, y, z]), 0)?;
            }
        }
    }
    Ok(())
}

/// How often a loop repeats in a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iterations {
    /// The least and the greatest number of iterations each time it runs.
    pub each: (u64, u64),
    /// The iterations over all tile blocks.
    pub total: u64,
    /// Whether the loop is inside of a branch whose condition is unknown, so that it may run less often.
    pub is_upper_bound: bool,
}

/// Counts the iterations of a loop in a launch, if there are at most `limit`; `None` if it never runs.
pub fn of_loop(
    body: &Body,
    repetition: &Repetition,
    launched: &Launched,
    limit: u64,
) -> Result<Option<Iterations>, Unmeasured> {
    let Repetition { loops, conditions, integers } = repetition;
    let overflowing = integers.overflowing(body, launched);
    if let Some(value) = dependency(body, None, &overflowing).filter(|_| !overflowing.is_empty()) {
        return Err(Unmeasured::Overflow(value));
    }
    let Some((own, around)) = loops.split_last() else { return Ok(None) };
    let mut found: Option<Iterations> = None;
    let mut left = limit;
    for_each_execution(body, around, conditions, launched, limit, &mut |point, is_certain| {
        let mut count = 0;
        let mut walk = Walk {
            loops: std::slice::from_ref(own),
            conditions: &[],
            left,
            visit: &mut |_, _| {
                count += 1;
                Ok(())
            },
        };
        walk.iterations(point, own, 1)?;
        left = walk.left;
        let before = found.unwrap_or(Iterations { each: (count, count), total: 0, is_upper_bound: false });
        found = Some(Iterations {
            each: (before.each.0.min(count), before.each.1.max(count)),
            total: before.total + count,
            is_upper_bound: before.is_upper_bound || !is_certain,
        });
        Ok(())
    })?;
    Ok(found)
}

/// A walk over the executions of an op.
struct Walk<'a, 'v> {
    loops: &'a [Loop],
    conditions: &'a [Condition],
    /// The number of tile blocks and iterations that may still be entered.
    left: u64,
    visit: &'v mut dyn FnMut(&Point<'_>, bool) -> Result<(), Unmeasured>,
}

impl Walk<'_, '_> {
    /// Visits the executions in all iterations of the loops from `depth` on.
    fn nested(&mut self, point: &Point<'_>, depth: usize) -> Result<(), Unmeasured> {
        self.left = self.left.checked_sub(1).ok_or(Unmeasured::TooMany)?;
        match self.loops.get(depth) {
            Some(around) => self.iterations(point, around, depth + 1),
            None => self.execute(point),
        }
    }

    /// Visits the executions in all iterations of a loop; `inner` is the depth of the loops in it.
    fn iterations(&mut self, point: &Point<'_>, around: &Loop, inner: usize) -> Result<(), Unmeasured> {
        let count = match &around.bounds {
            Some(_) => point.trip_count(around),
            None => around.exit.as_ref().map(|_| i64::MAX),
        };
        let count = count.ok_or(Unmeasured::TripCount)?;
        for iteration in 0..count {
            let entered = point.enter(around, iteration);
            let is_last = around.exit.as_ref().map(|exit| entered.evaluate(exit).ok_or(Unmeasured::TripCount));
            self.nested(&entered, inner)?;
            if is_last.transpose()?.is_some_and(|is_last| is_last != 0) {
                break;
            }
        }
        Ok(())
    }

    fn execute(&mut self, point: &Point<'_>) -> Result<(), Unmeasured> {
        let holds = |condition: &Condition| {
            let value = condition.value.as_ref().and_then(|value| point.evaluate(value));
            value.map(|value| (value != 0) == condition.expected)
        };
        let held: Vec<Option<bool>> = self.conditions.iter().map(holds).collect();
        if held.contains(&Some(false)) { Ok(()) } else { (self.visit)(point, !held.contains(&None)) }
    }
}
