//! The events of a run for the thread that waits for it.

use crossbeam_channel::Sender;
use tile_analysis::ir::OpId;
use tile_engine::{Cost, Observer, Traced};

/// Something that happened in a run.
pub(crate) enum Event {
    /// A tile block printed text.
    Printed(Vec<u8>),
    /// The run has ended.
    Ended,
}

/// Sends printed text, and collects everything else.
pub(crate) struct Listener {
    pub(crate) events: Sender<Event>,
    pub(crate) traced: Vec<Traced>,
    pub(crate) costs: Vec<Cost>,
}

impl Observer for Listener {
    fn printed(&mut self, _: OpId, _: [u32; 3], text: &[u8]) {
        // The receiver is only gone if the run is cancelled.
        let _ = self.events.send(Event::Printed(text.to_vec()));
    }

    fn traced(&mut self, traced: &Traced) {
        self.traced.push(traced.clone());
    }

    fn profiled(&mut self, costs: &[Cost]) {
        self.costs = costs.to_vec();
    }
}
