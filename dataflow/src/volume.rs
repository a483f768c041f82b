//! How much memory an access touches in a launch: bytes in total and distinct ones, sharing between tile blocks, and
//! elements that masks and bounds exclude.

use crate::access::{Access, Base, Condition, Loop, Selection};
use crate::names::SourceNames;
use crate::point::{Coverage, Point};
use crate::repetition::Repetition;
use crate::symbolic::{Poly, Symbol};
use rustc_hash::FxHashMap;
use tile_analysis::ir::{Body, OpId};
use tile_analysis::range_analysis::Launched;

/// A limit for commands: the maximum number of elements and of executions that are enumerated for one access.
pub const THOROUGH: u64 = 1 << 20;

/// A limit for answers to a request.
pub const INTERACTIVE: u64 = 1 << 18;

/// A limit for what is computed after every edit: about 2 ms for each access.
pub const EVERY_EDIT: u64 = 1 << 14;

/// The memory that an access touches in a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Volume {
    /// How often the op runs.
    pub executions: Executions,
    /// The elements of all executions.
    pub coverage: Coverage,
    /// The number of distinct elements.
    pub unique: u64,
    /// The number of elements that more than one tile block accesses.
    pub shared: u64,
}

/// How often an op runs in a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Executions {
    /// The number of executions over all tile blocks.
    pub count: u64,
    /// Whether the op runs under a condition that is unknown, so that it may run less often.
    pub is_upper_bound: bool,
}

/// Why the volume of an access is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmeasured {
    /// The trip count of a loop is unknown.
    TripCount,
    /// Which elements the executions access depends on a value that only a run knows: see
    /// [`Access::unknown_elements`].
    Elements(Executions),
    /// There are too many to enumerate.
    TooMany,
}

impl Unmeasured {
    /// The reason in the terms of the source.
    pub fn reason(&self, access: &Access, names: &SourceNames<'_>) -> String {
        match self {
            Unmeasured::TripCount => "the trip count of a loop is unknown".to_string(),
            Unmeasured::Elements(_) => access.unknown_elements().reason(names),
            Unmeasured::TooMany => "there are too many accesses to count".to_string(),
        }
    }
}

/// The volume of an access in a launch, if it takes at most `limit` steps to enumerate it.
pub fn of_access(body: &Body, access: &Access, launched: &Launched, limit: u64) -> Result<Volume, Unmeasured> {
    let mut volume = Volume::default();
    let mut seen = Seen::default();
    let is_aligned = access.is_aligned();
    let tile = access.tile.iter().product::<i64>().max(1) as u64;
    // Elements that are counted from different starts cannot be compared.
    let mut is_known = !matches!(access.base, Some(Base::Computed(_)) | None);
    let blocks =
        launched.grid.unwrap_or([1; 3]).iter().fold(1_u64, |all, &extent| all.saturating_mul(extent.max(0) as u64));
    let steps = |is_known: bool| if is_known && !is_aligned { tile } else { 1 };
    if blocks.saturating_mul(steps(is_known)) > limit && access.conditions.is_empty() {
        return Err(Unmeasured::TooMany);
    }
    for_each_point(body, access, launched, limit, &mut |point, is_certain| {
        volume.executions.count += 1;
        volume.executions.is_upper_bound |= !is_certain;
        if volume.executions.count * steps(is_known) > limit {
            return Err(Unmeasured::TooMany);
        }
        let block = point.block.map(|index| index as i32);
        let own = |coordinates: &[i64]| match access.base {
            Some(Base::Scratch(alloca)) => coordinates.iter().copied().chain(allocation(point, alloca)).collect(),
            _ => coordinates.into(),
        };
        let coverage = match is_known {
            true if is_aligned => access.slice(point).map(|(start, coverage)| {
                seen.add(own(&start), coverage.accessed, block);
                coverage
            }),
            true => access.visit(point, &mut |_, coordinates| seen.add(own(coordinates), 1, block)),
            // The executions are counted nevertheless.
            false => None,
        };
        is_known = coverage.is_some();
        volume.coverage += coverage.unwrap_or_default();
        Ok(())
    })?;
    if !is_known && volume.executions.count > 0 {
        return Err(Unmeasured::Elements(volume.executions));
    }
    for found in seen.0.values() {
        volume.unique += found.elements;
        volume.shared += if found.is_shared { found.elements } else { 0 };
    }
    Ok(volume)
}

/// Identifies the memory of an `alloca`, which is new in each tile block and each iteration of the loops around it.
fn allocation(point: &Point<'_>, alloca: OpId) -> impl Iterator<Item = i64> {
    let around = point.loops.iter().filter(move |turn| turn.op < alloca).map(|turn| turn.iteration);
    point.block.into_iter().chain(around)
}

impl Executions {
    /// How often the op runs, in words.
    pub fn times(&self) -> String {
        let at_most = if self.is_upper_bound { "at most " } else { "" };
        match self.count {
            0 => "never".to_string(),
            1 => format!("{at_most}once"),
            count => format!("{at_most}{count} times"),
        }
    }
}

impl Volume {
    /// The bytes of all executions.
    pub fn bytes(&self, access: &Access) -> u64 {
        bytes(self.coverage.accessed, access)
    }

    /// The bytes of distinct elements.
    pub fn unique_bytes(&self, access: &Access) -> u64 {
        bytes(self.unique, access)
    }
}

/// The bytes of elements in memory. A 4-bit element takes half a byte.
fn bytes(elements: u64, access: &Access) -> u64 {
    (elements * u64::from(access.element.bits())).div_ceil(8)
}

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
    let Repetition { loops, conditions } = repetition;
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

impl Access {
    /// Whether it accesses rectangles that start at multiples of their extents, so that two of them are either equal or
    /// disjoint.
    fn is_aligned(&self) -> bool {
        let is_aligned = |coordinate: &Poly| {
            let (first, length) = side(coordinate)?;
            first.divide_exactly(length)
        };
        self.selection == Selection::Slice
            && self.coordinates.iter().flatten().all(|coordinate| is_aligned(coordinate).is_some())
    }

    /// The coordinates of the first element of the rectangle that is accessed at a point, and its elements.
    fn slice(&self, point: &Point<'_>) -> Option<(Box<[i64]>, Coverage)> {
        let (mut start, mut accessed) = (Vec::new(), 1);
        let mut corners = [Vec::new(), Vec::new()];
        for (coordinate, extent) in self.coordinates.as_ref()?.iter().zip(&self.shape) {
            let (first, length) = side(coordinate)?;
            let (first, extent) = (point.evaluate(&first)?, point.evaluate(extent)?);
            let (low, end) = (first.max(0), first.saturating_add(length).min(extent));
            accessed *= (end - low).max(0) as u64;
            start.push(first);
            corners[0].push(low);
            corners[1].push(end - 1);
        }
        let memory = point.buffer_bits(self.base.as_ref()).filter(|_| accessed > 0);
        if memory.is_some_and(|bits| corners.iter().any(|corner| self.is_out_of_bounds(point, bits, corner))) {
            return Some((start.into(), self.visit(point, &mut |_, _| {})?));
        }
        let outside = self.tile.iter().product::<i64>() as u64 - accessed;
        Some((start.into(), Coverage { accessed, outside, ..Coverage::default() }))
    }
}

/// The first coordinate of a side of a rectangle, and its length.
fn side(coordinate: &Poly) -> Option<(Poly, i64)> {
    let symbols = coordinate.symbols();
    let mut lanes = symbols.iter().filter_map(|&symbol| match symbol {
        Symbol::Lane(_, length) => Some((symbol, length)),
        _ => None,
    });
    match (lanes.next(), lanes.next()) {
        (None, _) => Some((coordinate.clone(), 1)),
        (Some((lane, length)), None) => {
            let (factor, first) = coordinate.split_linear(lane)?;
            (factor.as_number() == Some(1)).then_some((first, length))
        }
        _ => None,
    }
}

/// The parts of a tensor that were accessed, by their coordinates.
#[derive(Default)]
struct Seen(FxHashMap<Box<[i64]>, Part>);

struct Part {
    elements: u64,
    block: [i32; 3],
    is_shared: bool,
}

impl Seen {
    fn add(&mut self, coordinates: Box<[i64]>, elements: u64, block: [i32; 3]) {
        let part = self.0.entry(coordinates).or_insert(Part { elements, block, is_shared: false });
        part.is_shared |= part.block != block;
    }
}
