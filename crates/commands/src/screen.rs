//! What measurements show on standard error.

use crate::host_events::HostReporter;
use crate::launches;
use crate::progress::Bar;
use tile_backend::worker::{Host, HostEvent};
use tile_tune::tuning::Watcher;

/// Shows the progress of measurements, their messages, and the events of hosts.
pub(crate) struct Screen {
    bar: Bar,
    hosts: HostReporter,
}

impl Screen {
    /// A screen whose progress line is on standard error, if that is a terminal.
    pub(crate) fn on_terminal() -> Screen {
        Screen { bar: Bar::on_terminal(), hosts: HostReporter::new(["measurement", "measurements"]) }
    }
}

impl Watcher for Screen {
    fn progress(&mut self, text: String) {
        self.bar.stage(Some(text));
    }

    fn step(&mut self, text: String) {
        let _aside = self.bar.aside();
        launches::say(text);
    }

    fn host(&mut self, host: &Host, event: &HostEvent) {
        let _aside = self.bar.aside();
        self.hosts.report(host, event);
    }
}
