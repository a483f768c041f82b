//! Reports the output and events of tile blocks in the order of the grid, although they run concurrently.
//!
//! The first block that has not ended prints directly; the output of later ones is buffered.

use crate::findings::Finding;
use crate::{Accessed, At, Cost, Observer, Recorded, Traced};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tile_analysis::ir::OpId;

/// The output of all tile blocks.
pub(crate) struct Output<'a> {
    /// Whether anything is reported at all.
    used: bool,
    queue: Mutex<Queue<'a>>,
}

struct Queue<'a> {
    observer: &'a mut dyn Observer,
    /// The number of the first block that has not ended.
    first: u64,
    /// The buffered output of later blocks.
    waiting: BTreeMap<u64, Later>,
}

/// An event of a tile block.
pub(crate) enum Report {
    Printed(OpId, [u32; 3], Vec<u8>),
    Traced(Traced),
    Accessed(Accessed),
}

impl Report {
    fn send_to(&self, observer: &mut dyn Observer) {
        match self {
            Report::Printed(op, block, text) => observer.printed(*op, *block, text),
            Report::Traced(traced) => observer.traced(traced),
            Report::Accessed(accessed) => observer.accessed(accessed),
        }
    }
}

/// A block whose output is buffered.
#[derive(Default)]
struct Later {
    reported: Vec<Report>,
    ended: bool,
}

/// The output of one tile block.
pub(crate) struct Printer<'a> {
    pub(crate) output: &'a Output<'a>,
    /// The block's number.
    pub(crate) number: u64,
}

impl<'a> Output<'a> {
    pub(crate) fn new(observer: &'a mut dyn Observer, used: bool) -> Output<'a> {
        Output { used, queue: Mutex::new(Queue { observer, first: 0, waiting: BTreeMap::new() }) }
    }

    fn queue(&self) -> MutexGuard<'_, Queue<'a>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a block. The next block that has not ended prints directly from now on.
    pub(crate) fn ended(&self, number: u64) {
        if !self.used {
            return;
        }
        let mut queue = self.queue();
        if number != queue.first {
            queue.waiting.entry(number).or_default().ended = true;
            return;
        }
        loop {
            queue.first += 1;
            let next = queue.first;
            let Some(later) = queue.waiting.remove(&next) else { return };
            later.reported.iter().for_each(|reported| reported.send_to(queue.observer));
            if !later.ended {
                return;
            }
        }
    }

    /// Reports the cost of each op after all blocks have ended.
    pub(crate) fn profiled(&self, costs: &[Cost]) {
        self.queue().observer.profiled(costs);
    }

    /// Reports what each value held after all blocks have ended.
    pub(crate) fn recorded(&self, recorded: &[Recorded]) {
        self.queue().observer.recorded(recorded);
    }

    /// Reports an op before it runs. Returns whether the run continues.
    pub(crate) fn before(&self, at: &At<'_>) -> bool {
        self.queue().observer.before(at)
    }

    /// Reports a failed op.
    pub(crate) fn failed(&self, at: &At<'_>, finding: &Finding) {
        self.queue().observer.failed(at, finding);
    }

    /// Flushes the buffered output after all blocks have ended.
    pub(crate) fn flush(&self) {
        let mut queue = self.queue();
        for reported in std::mem::take(&mut queue.waiting).into_values().flat_map(|later| later.reported) {
            reported.send_to(queue.observer);
        }
    }
}

impl Printer<'_> {
    pub(crate) fn print(&self, op: OpId, block: [u32; 3], text: Vec<u8>) {
        self.report(Report::Printed(op, block, text));
    }

    /// Reports an event.
    pub(crate) fn report(&self, reported: Report) {
        let mut queue = self.output.queue();
        if self.number == queue.first {
            reported.send_to(queue.observer);
        } else {
            queue.waiting.entry(self.number).or_default().reported.push(reported);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_print_in_the_order_of_the_grid() {
        let mut text: Vec<u8> = Vec::new();
        let output = Output::new(&mut text, true);
        let print = |number, text: &str| Printer { output: &output, number }.print(OpId(0), [0; 3], text.into());
        print(1, "b");
        print(0, "a");
        print(2, "d");
        output.ended(2);
        print(1, "c");
        output.ended(0);
        print(3, "f");
        print(1, "C");
        output.ended(1);
        print(3, "F");
        output.ended(3);
        print(6, "h");
        print(5, "g");
        output.flush();
        assert_eq!(String::from_utf8(text), Ok("abcCdfFgh".into()));
    }
}
