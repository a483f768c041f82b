//! Messages about the hosts of a pool.

use crate::messages;
use std::collections::{HashMap, HashSet};
use tile_backend::worker::{Host, HostEvent, WorkerError};

/// Reports the events of hosts on standard error, each message once.
pub(crate) struct HostReporter {
    /// One job of the pool, and several, for messages.
    jobs: [&'static str; 2],
    /// The last message about each host.
    last: HashMap<String, String>,
    /// The hosts of which delays or errors were reported.
    delayed: HashSet<String>,
}

impl HostReporter {
    /// A reporter for a pool whose jobs have this name, one and several, such as `launch` and `launches`.
    pub(crate) fn new(jobs: [&'static str; 2]) -> HostReporter {
        HostReporter { jobs, last: HashMap::new(), delayed: HashSet::new() }
    }

    /// Reports an event.
    pub(crate) fn report(&mut self, host: &Host, event: &HostEvent) {
        let host = host.to_string();
        let message = match event {
            HostEvent::Waiting(line) => {
                let line = line.as_ref().map_or(String::new(), |line| format!(": {line}"));
                format!("waiting for `{host}`{line}")
            }
            HostEvent::Started if self.delayed.remove(&host) => format!("a worker has started on `{host}`"),
            HostEvent::Started => return,
            HostEvent::NotStarted(error, again) => not_started(&host, error, again.is_some()),
            HostEvent::Lost(error) => {
                format!("warning: lost a worker on `{host}`, and its {} runs again: {error}", self.jobs[0])
            }
            HostEvent::GivenUp { lost } => given_up(&host, *lost, self.jobs),
        };
        if !matches!(event, HostEvent::Started | HostEvent::Lost(_)) {
            self.delayed.insert(host.clone());
        }
        // Several workers of a host wait for the same reason.
        if self.last.get(&host) != Some(&message) || matches!(event, HostEvent::Lost(_)) {
            messages::note(&message);
            self.last.insert(host, message);
        }
    }
}

fn not_started(host: &str, error: &WorkerError, is_tried_again: bool) -> String {
    let (kind, rest) = if is_tried_again { ("warning", ", trying again") } else { ("error", "") };
    format!("{kind}: no worker has started on `{host}`{rest}: {error}")
}

fn given_up(host: &str, lost: usize, [job, jobs]: [&str; 2]) -> String {
    let lost = match lost {
        0 => String::new(),
        1 => format!("; 1 {job} that was lost there runs again elsewhere"),
        lost => format!("; {lost} {jobs} that were lost there run again elsewhere"),
    };
    format!("error: `{host}` is not used any more, because no worker starts there{lost}")
}
