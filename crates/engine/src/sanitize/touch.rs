//! Handles memory accesses: compares them with earlier ones, and computes the shadows of the op's results.

use crate::exec::plan::Step;
use crate::findings::{Fault, missing_alias_fence, race, repeated_address, unordered_accesses, unordered_wait};
use crate::memory::Memory;
use crate::memory::access::Use;
use crate::memory::rows::{Span, addresses, elements};
use crate::observer::show;
use crate::ops::context::Tiled;
use crate::ops::kernel::OpResult;
use crate::sanitize::Sanitizer;
use crate::sanitize::access;
use crate::sanitize::access::{Access, Need, RaceDetector};
use crate::sanitize::clock::{Event, EventId, Strength};
use crate::sanitize::past::Past;
use crate::sanitize::shadow_memory;
use crate::sanitize::shadow_memory::Row;
use crate::sanitize::shadow_value::{Origin, Reason, Shadow};
use crate::values::tile::{Scalar, Tile, at};
use crate::values::value::Value;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of elements of an access that can explain a race: synchronization mostly uses one.
const MAX_EXPLAINED: usize = 64;

impl Sanitizer<'_> {
    /// Handles an access to memory. Returns the shadows of the loaded tile and of the token.
    pub(crate) fn access(
        &mut self,
        step: &Step,
        access: &Access,
        before: Past,
        inputs: &[Value],
        memory: &Memory,
    ) -> OpResult<(Shadow, Past)> {
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        // The kernel reports indices outside the tensor.
        if (access.reached.list)(inputs, &mut spans).is_err() {
            return Ok((Shadow::Clean, before));
        }
        for need in &access.parts {
            // Unspecified elements may be kept in scratch memory: it is not visible elsewhere.
            let may_be_scratch =
                !access.atomic && access.stored.as_ref().is_some_and(|(place, _)| *place == need.place);
            let checked = spans.iter().filter(|span| !(may_be_scratch && self.is_in_scratch(span, memory)));
            self.need(step, need, checked)?;
        }
        if access.multicast {
            in_all_replicas(&mut spans, memory);
        }
        let found = self.reach(step, access, before, &spans, inputs, memory);
        self.spans = spans;
        found
    }

    /// Handles an access to specified elements.
    pub(crate) fn reach(
        &mut self,
        step: &Step,
        access: &Access,
        before: Past,
        spans: &[Span],
        inputs: &[Value],
        memory: &Memory,
    ) -> OpResult<(Shadow, Past)> {
        self.watch.access(step.op, access, spans, memory);
        self.own_write(access, &before, spans, memory)?;
        let before = if access.acquires { self.acquire(before, spans) } else { before };
        let block = self.blocks.len() as u32 - 1;
        let loops_begun = self.watch.begun();
        let event = |link| Event {
            link,
            op: step.op,
            block,
            writes: access.writes,
            strength: access.strength,
            loops_begun,
            multicast: access.multicast,
        };
        let Some((id, link)) = self.events.add(before.accesses(), event) else { return Ok((Shadow::Clean, before)) };
        let after = if access.awaited { before.and(link) } else { Past::default() };
        let unspecified = self.unspecified_contents(step, access, spans, memory);
        self.record(access, spans, id, &before, inputs, memory)?;
        self.write_origins(step, access, spans, &unspecified, memory);
        self.publish(access, &after, spans, inputs, memory);
        let addresses = addresses(spans).take(MAX_EXPLAINED);
        self.synchronization.record(access, self.events.get(id), &before.and(link), addresses);
        let mark = if access.reads { self.loaded(step, access, spans, &unspecified) } else { Shadow::Clean };
        if self.events.are_many() || self.lists.are_many() {
            self.forget();
        }
        Ok((mark, after))
    }

    /// A strong read in a `loop` must be ordered after the writes of its own tile block to that address before the
    /// loop, since it may be waiting for them. Strong accesses do not race, so this is not checked elsewhere.
    fn own_write(&mut self, access: &Access, before: &Past, spans: &[Span], memory: &Memory) -> OpResult<()> {
        let Some(begun) = self.watch.innermost().filter(|_| access.reads && access.strength != Strength::Weak) else {
            return Ok(());
        };
        let (events, block) = (&self.events, self.blocks.len() as u32 - 1);
        let is_unordered = |id: EventId| {
            let written = (id != 0).then(|| events.get(id));
            written.is_some_and(|event| event.block == block && event.loops_begun < begun && !before.covers(event.link))
        };
        let mut visit = |address: u64, piece: usize, cells: &mut [shadow_memory::ShadowCell]| {
            let found = cells.iter().position(|cell| is_unordered(cell.write));
            found.map_or(Ok(()), |index| Err((cells[index].write, address + (index * piece) as u64)))
        };
        let found =
            shadow_memory::rows(spans, access.reached.size, &mut |row| self.cells.visit(memory, row, true, &mut visit));
        found.map_err(|(write, address)| unordered_wait::fault(&memory.element_at(address), self.events.get(write).op))
    }

    /// Drops accesses that are no longer referenced.
    fn forget(&mut self) {
        let (cells, lists) = (&mut self.cells, &mut self.lists);
        let mut moved = lists.moved();
        self.events.forget(|keep| {
            cells.change(&mut |cell| {
                cell.write = keep(cell.write);
                cell.others = moved.list(lists, cell.others, keep);
            });
        });
        self.lists.have_moved();
    }

    /// Checks that the accessed elements are specified.
    fn need<'s>(&self, step: &Step, need: &Need, spans: impl Iterator<Item = &'s Span>) -> OpResult<()> {
        let mark = self.mark(step, need.place);
        if mark.origins().is_none() {
            return Ok(());
        }
        let places = spans.flat_map(|span| span.place..span.place + span.count);
        for place in places {
            if let Some(origin) = mark.at(place) {
                return Err(self.unspecified(step.op, need.purpose, place, &need.shape, origin));
            }
        }
        Ok(())
    }

    fn is_in_scratch(&self, span: &Span, memory: &Memory) -> bool {
        memory.below(span.address / 2).is_some_and(|index| index >= self.scratch)
    }

    /// The elements of an access whose previous contents are unspecified: their indices and origins. Only scratch
    /// memory has such contents.
    fn unspecified_contents(
        &mut self,
        step: &Step,
        access: &Access,
        spans: &[Span],
        memory: &Memory,
    ) -> Vec<(usize, u32)> {
        let (size, mut found) = (access.reached.size, Vec::new());
        if !access.reads || !spans.first().is_some_and(|span| self.is_in_scratch(span, memory)) {
            return found;
        }
        let never_written = Origin { op: step.op, reason: Reason::NeverWritten }.code();
        for span in spans {
            let mut visit = |address: u64, piece: usize, cells: &mut [shadow_memory::ShadowCell]| -> Result<(), ()> {
                let unwritten = cells.iter().enumerate().filter(|(_, cell)| cell.write == 0);
                let places = unwritten.flat_map(|(index, _)| places(span, address + (index * piece) as u64, piece));
                found.extend(places.map(|place| (place, never_written)));
                Ok(())
            };
            // The visitor cannot fail.
            let _ = self.cells.visit(memory, Row::of(span, size), false, &mut visit);
        }
        let origins = elements(spans).map(|(place, address)| (place, self.cells.origin(memory, address, size)));
        found.extend(origins.filter(|(_, origin)| *origin != 0));
        found
    }

    /// Records which elements that an access writes to scratch memory are unspecified: those of the stored tile, or
    /// those that an atomic op combines with unspecified contents.
    fn write_origins(
        &mut self,
        step: &Step,
        access: &Access,
        spans: &[Span],
        contents: &[(usize, u32)],
        memory: &Memory,
    ) {
        let Some((stored, _)) = access.stored.as_ref().filter(|_| access.writes) else { return };
        if !spans.first().is_some_and(|span| self.is_in_scratch(span, memory)) {
            return;
        }
        let (size, mark) = (access.reached.size, self.mark(step, *stored).tile());
        let mark = u32::of(&mark);
        let contents: FxHashMap<usize, u32> =
            if access.combines { contents.iter().copied().collect() } else { FxHashMap::default() };
        for (place, address) in elements(spans) {
            let origin = contents.get(&place).copied().unwrap_or_else(|| at(mark, place));
            self.cells.write_origin(memory, address, size, origin);
        }
    }

    /// Records an access in shadow memory.
    fn record(
        &mut self,
        access: &Access,
        spans: &[Span],
        id: EventId,
        before: &Past,
        inputs: &[Value],
        memory: &Memory,
    ) -> OpResult<()> {
        let size = access.reached.size;
        let mut detector = RaceDetector::new(&self.events, &mut self.lists, before, id);
        let mut visit = |address: u64, piece: usize, cells: &mut [shadow_memory::ShadowCell]| {
            let place = |index: usize| address + (index * piece) as u64;
            detector.record(cells).map_err(|(index, earlier)| (earlier, place(index)))
        };
        let found = shadow_memory::rows(spans, size, &mut |row| self.cells.visit(memory, row, true, &mut visit));
        let repeats = detector.repeats;
        found.map_err(|(earlier, address)| self.collision(earlier, id, before, address, memory))?;
        match &access.stored {
            Some((place, tile)) if repeats && !access.atomic => repeated(spans, inputs[*place].tile(), tile, memory)?,
            _ => {}
        }
        Ok(())
    }

    fn collision(&self, earlier: EventId, now: EventId, before: &Past, address: u64, memory: &Memory) -> Box<Fault> {
        let (earlier, now) = (self.events.get(earlier), self.events.get(now));
        let place = memory.element_at(address);
        let verb = |event: &Event| if event.writes { Use::Write } else { Use::Read };
        if before.covers(earlier.link) {
            missing_alias_fence::fault(&place, verb(now), verb(earlier), earlier.op)
        } else if earlier.block == now.block {
            unordered_accesses::fault(&place, verb(now), verb(earlier), earlier.op)
        } else {
            let block = self.blocks[earlier.block as usize];
            let fault = race::fault(&place, verb(now), verb(earlier), earlier.op, block);
            self.synchronization.explain(fault, [earlier, now], before, block)
        }
    }

    /// The accesses that precede an access that acquires.
    fn acquire(&self, before: Past, spans: &[Span]) -> Past {
        if self.released.is_empty() {
            return before;
        }
        let pasts = addresses(spans).filter_map(|address| self.released.get(&address));
        pasts.fold(before, |all, past| all.join(past))
    }

    /// Stores the clock of a release for later acquires. An atomic op adds to the stored clock, a store replaces it.
    fn publish(&mut self, access: &Access, after: &Past, spans: &[Span], inputs: &[Value], memory: &Memory) {
        if access.releases {
            for (place, address) in elements(spans) {
                if access
                    .compared
                    .is_some_and(|compared| !access.changes(inputs[compared].tile(), place, address, memory))
                {
                    continue;
                }
                let released = self.released.entry(address).or_default();
                *released = if access.atomic { released.join(after) } else { after.clone() };
            }
        } else if access.writes && !access.atomic {
            self.hide(spans);
        }
    }

    /// Drops the clocks stored for some addresses.
    fn hide(&mut self, spans: &[Span]) {
        if self.released.len() > spans.iter().map(|span| span.count).sum() {
            addresses(spans).for_each(|address| drop(self.released.remove(&address)));
        } else if !self.released.is_empty() {
            let hit = |address: u64| {
                let lies_in = |span: &Span| {
                    let distance = address.wrapping_sub(span.address);
                    distance / span.step.max(1) < span.count as u64 && distance.is_multiple_of(span.step.max(1))
                };
                spans.iter().any(lies_in)
            };
            self.released.retain(|&address, _| !hit(address));
        }
    }

    /// The shadow of a loaded tile.
    fn loaded(&self, step: &Step, access: &Access, spans: &[Span], unspecified: &[(usize, u32)]) -> Shadow {
        let count: usize = access.reached.extents.iter().product();
        // Every replica has the same elements.
        let spans = if access.multicast { of_first_replica(spans) } else { spans };
        let taken: usize = spans.iter().map(|span| span.count).sum();
        let mut mark = Shadow::Clean;
        if taken < count {
            let mut loaded = vec![false; count];
            spans.iter().for_each(|span| loaded[span.place..][..span.count].fill(true));
            let missing = access.missing.map_or(0, |reason| Origin { op: step.op, reason }.code());
            let fill = access.fill.map_or(Shadow::Clean, |place| self.mark(step, place).clone());
            mark = access::loaded(fill, missing, &loaded);
        }
        if unspecified.is_empty() {
            return mark;
        }
        let mut origins = vec![0; count];
        unspecified.iter().for_each(|&(place, origin)| origins[place] = origin);
        mark.or(&Shadow::of(u32::tile(origins)))
    }
}

/// Replaces spans in a multicast object by those in its replicas, one replica after another. Other spans are unchanged:
/// the kernel reports them.
fn in_all_replicas(spans: &mut Vec<Span>, memory: &Memory) {
    let Some(distances) = spans.first().and_then(|span| memory.replicas(span.address / 2)) else { return };
    let distances: Vec<u64> = distances.collect();
    let named = std::mem::take(spans);
    for distance in distances {
        let moved = |span: &Span| Span { address: span.address.wrapping_add(distance.wrapping_mul(2)), ..*span };
        spans.extend(named.iter().map(moved));
    }
}

/// The spans of the first replica among those of all replicas.
fn of_first_replica(spans: &[Span]) -> &[Span] {
    let Some(first) = spans.first() else { return spans };
    let again = spans.iter().skip(1).position(|span| span.place == first.place);
    again.map_or(spans, |again| &spans[..again + 1])
}

/// The indices of a span's elements that overlap a piece of memory.
fn places(span: &Span, address: u64, piece: usize) -> Range<usize> {
    let (last, step) = ((span.count as u64).saturating_mul(span.step), span.step.max(1));
    let [first, end] = [address, address + piece as u64].map(|at| at.saturating_sub(span.address).min(last));
    span.place + (first / step) as usize..span.place + end.div_ceil(step) as usize
}

/// Reports different elements stored to one address.
fn repeated(spans: &[Span], value: &Tile, tile: &Tiled, memory: &Memory) -> OpResult<()> {
    let mut stored: FxHashMap<u64, usize> = FxHashMap::default();
    for (place, address) in elements(spans) {
        let first = *stored.entry(address).or_insert(place);
        let bits = [first, place].map(|place| value.bits(place));
        if bits[0] != bits[1] {
            let values = [first, place].map(|place| show::element(tile, value, memory, place));
            return Err(repeated_address::fault(&memory.element_at(address), [first, place], values, &tile.shape));
        }
    }
    Ok(())
}
