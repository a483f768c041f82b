//! How much memory an access touches in a launch: bytes in total and distinct ones, sharing between tile blocks, and
//! elements that masks and bounds exclude.

mod parts;
mod unmeasured;
mod walk;

pub use unmeasured::{Executions, Unmeasured};
pub use walk::{Iterations, for_each_point, of_loop};

use crate::access::{Access, Base, memory_bits};
use crate::point::{Coverage, Point};
use parts::{Parts, Tensors, allocation};
use tile_analysis::ir::{Body, Value};
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

/// The volume of an access in a launch, if it takes at most `limit` steps to enumerate it.
pub fn of_access(body: &Body, access: &Access, launched: &Launched, limit: u64) -> Result<Volume, Unmeasured> {
    of_access_unless(&access.integers.overflowing(body, launched), body, access, launched, limit)
}

/// [`of_access`] with the integers that overflow in the launch, which are the same for all accesses of an entry.
pub(crate) fn of_access_unless(
    overflowing: &[Value],
    body: &Body,
    access: &Access,
    launched: &Launched,
    limit: u64,
) -> Result<Volume, Unmeasured> {
    if let Some(value) = access.depends_on(body, overflowing) {
        return Err(Unmeasured::Overflow(value));
    }
    if access.is_aligned() {
        let mut tensors = Tensors::default();
        let volume = counted(body, access, launched, limit, 1, &mut |point, parts| {
            let (start, coverage) = access.slice(point)?;
            let key = [tensors.add(access, point)?].into_iter().chain(start).chain(allocation(access, point));
            parts.add(key.collect(), coverage.accessed, point.block);
            Some(coverage)
        })?;
        if tensors.are_disjoint() {
            return Ok(volume);
        }
    }
    let tile = access.tile.iter().product::<i64>().max(1) as u64;
    counted(body, access, launched, limit, tile, &mut |point, parts| {
        let layout = access.layout(point)?;
        access.visit(point, &mut |_, coordinates| {
            let key = [layout.offset(coordinates)].into_iter().chain(allocation(access, point));
            parts.add(key.collect(), 1, point.block);
        })
    })
}

/// Counts the executions of an access and what they touch, which `visit` adds to the parts of memory; `None` if that is
/// unknown. Each execution takes so many steps of `limit`.
fn counted(
    body: &Body,
    access: &Access,
    launched: &Launched,
    limit: u64,
    steps: u64,
    visit: &mut dyn FnMut(&Point<'_>, &mut Parts) -> Option<Coverage>,
) -> Result<Volume, Unmeasured> {
    let (mut volume, mut parts) = (Volume::default(), Parts::default());
    // Elements that are counted from different starts cannot be compared.
    let mut is_known = !matches!(access.base, Some(Base::Computed(_)) | None);
    let blocks =
        launched.grid.unwrap_or([1; 3]).iter().fold(1_u64, |all, &extent| all.saturating_mul(extent.max(0) as u64));
    let steps = |is_known: bool| if is_known { steps } else { 1 };
    if blocks.saturating_mul(steps(is_known)) > limit && access.conditions.is_empty() {
        return Err(Unmeasured::TooMany);
    }
    for_each_point(body, access, launched, limit, &mut |point, is_certain| {
        volume.executions.count += 1;
        volume.executions.is_upper_bound |= !is_certain;
        if volume.executions.count * steps(is_known) > limit {
            return Err(Unmeasured::TooMany);
        }
        // Executions are counted also if their elements are unknown.
        let coverage = is_known.then(|| visit(point, &mut parts)).flatten();
        is_known = coverage.is_some();
        volume.coverage += coverage.unwrap_or_default();
        Ok(())
    })?;
    if !is_known && volume.executions.count > 0 {
        return Err(Unmeasured::Elements(volume.executions));
    }
    (volume.unique, volume.shared) = parts.totals();
    Ok(volume)
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
    (elements * u64::from(memory_bits(access.element))).div_ceil(8)
}
