//! Sends events to the client while a job runs.

use super::protocol::{Event, Stage};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tile_runner::Events;

/// Sends events from several threads.
pub(super) struct EventSink<'a>(Mutex<&'a mut (dyn FnMut(Event) + Send)>);

/// The interval of progress events.
const TICK: Duration = Duration::from_millis(100);

impl<'a> EventSink<'a> {
    pub(super) fn new(events: &'a mut (dyn FnMut(Event) + Send)) -> EventSink<'a> {
        EventSink(Mutex::new(events))
    }

    pub(super) fn send(&self, event: Event) {
        (self.0.lock().unwrap_or_else(PoisonError::into_inner))(event);
    }

    /// Reports that the job has reached a stage.
    pub(super) fn stage(&self, stage: Stage) {
        self.send(Event::Stage(stage));
    }
}

impl Events for EventSink<'_> {
    fn send(&self, event: tile_runner::Event) {
        self.send(Event::from(event));
    }

    /// Reports the number of finished tile blocks meanwhile.
    fn during(&self, options: &tile_engine::Options, work: &mut dyn FnMut()) {
        let blocks = tile_engine::blocks(options.grid);
        let ended: &AtomicU64 = &options.ended;
        std::thread::scope(|scope| {
            let (alive, over) = mpsc::channel::<()>();
            let tick = move || {
                while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.send(Event::Progress { ended: ended.load(Ordering::Relaxed), blocks });
                }
            };
            // If the thread cannot be started, no progress is reported.
            let ticker = std::thread::Builder::new().spawn_scoped(scope, tick);
            work();
            drop((alive, ticker));
        })
    }
}
