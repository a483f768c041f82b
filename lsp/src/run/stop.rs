//! Stopping runs.

use crate::requests::execute_command::Target;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tile_backend::worker::client::Killer;

/// The runs that go on.
#[derive(Default)]
pub(crate) struct Runs {
    going: Mutex<Vec<(Target, Stop)>>,
}

/// Stops one run.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<Mutex<State>>);

#[derive(Default)]
enum State {
    /// There is no worker yet.
    #[default]
    Starting,
    /// The worker can be killed.
    Running(Killer),
    Stopped,
}

/// A run that is stopped when this is dropped.
pub(crate) struct Guard<'a> {
    runs: &'a Runs,
    target: Target,
    stop: Stop,
}

impl Runs {
    /// Begins a run. An earlier one of the same launch is stopped.
    pub(crate) fn begin(&self, target: &Target) -> Guard<'_> {
        let stop = Stop::default();
        let mut going = self.lock();
        going.iter().filter(|(other, _)| other.is_same_launch(target)).for_each(|(_, stop)| stop.stop());
        going.push((target.clone(), stop.clone()));
        Guard { runs: self, target: target.clone(), stop }
    }

    /// Stops the runs of a document.
    pub(crate) fn stop_in(&self, uri: &str) {
        self.lock().iter().filter(|(target, _)| target.uri == uri).for_each(|(_, stop)| stop.stop());
    }

    /// Stops all runs.
    pub(crate) fn stop_all(&self) {
        self.lock().iter().for_each(|(_, stop)| stop.stop());
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Target, Stop)>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stop {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the run, now or as soon as it has a worker.
    fn stop(&self) {
        if let State::Running(killer) = std::mem::replace(&mut *self.lock(), State::Stopped) {
            // Waiting for the end of a process is nothing for the thread that reads messages.
            std::thread::spawn(move || killer.kill());
        }
    }

    /// The run has a worker.
    pub(crate) fn started(&self, killer: Killer) {
        let mut state = self.lock();
        match *state {
            State::Stopped => killer.kill(),
            _ => *state = State::Running(killer),
        }
    }
}

impl Guard<'_> {
    /// What the thread of the worker holds.
    pub(crate) fn handle(&self) -> Stop {
        self.stop.clone()
    }

    /// Whether somebody has stopped the run.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(*self.stop.lock(), State::Stopped)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.stop.stop();
        self.runs.lock().retain(|(target, stop)| *target != self.target || !Arc::ptr_eq(&stop.0, &self.stop.0));
    }
}
