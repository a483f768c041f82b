//! Stopping runs.

use crate::requests::execute_command::Target;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tile_backend::worker::client::Killer;
use tower_lsp::ls_types::ProgressToken;

/// The runs that go on.
#[derive(Default)]
pub(crate) struct Runs {
    going: Mutex<Vec<Going>>,
}

struct Going {
    target: Target,
    /// Under which its progress is told.
    token: ProgressToken,
    stop: Stop,
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
    /// The worker has done its job, and may do others.
    Ended,
    Stopped,
}

/// A run that is stopped when this is dropped.
pub(crate) struct Guard<'a> {
    runs: &'a Runs,
    stop: Stop,
}

impl Runs {
    /// Begins a run. An earlier one of the same launch is stopped.
    pub(crate) fn begin(&self, target: &Target, token: ProgressToken) -> Guard<'_> {
        let stop = Stop::default();
        let mut going = self.lock();
        going.iter().filter(|other| other.target.is_same_launch(target)).for_each(|other| other.stop.stop());
        going.push(Going { target: target.clone(), token, stop: stop.clone() });
        Guard { runs: self, stop }
    }

    /// Stops the runs of a document.
    pub(crate) fn stop_in(&self, uri: &str) {
        self.lock().iter().filter(|going| going.target.uri == uri).for_each(|going| going.stop.stop());
    }

    /// Stops the run whose progress was told under this token.
    pub(crate) fn stop_by_token(&self, token: &ProgressToken) {
        self.lock().iter().filter(|going| going.token == *token).for_each(|going| going.stop.stop());
    }

    /// Stops all runs.
    pub(crate) fn stop_all(&self) {
        self.lock().iter().for_each(|going| going.stop.stop());
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Going>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stop {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the run, now or as soon as it has a worker.
    fn stop(&self) {
        let mut state = self.lock();
        if matches!(*state, State::Ended) {
            return;
        }
        if let State::Running(killer) = std::mem::replace(&mut *state, State::Stopped) {
            // Waiting for the end of a process is nothing for the thread that reads messages.
            std::thread::spawn(move || killer.kill());
        }
    }

    /// The worker has done its job: from now on it is not killed for this run. Says whether nobody has done so before.
    pub(crate) fn ended(&self) -> bool {
        let mut state = self.lock();
        let is_running = matches!(*state, State::Running(_));
        if is_running {
            *state = State::Ended;
        }
        is_running
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
        self.runs.lock().retain(|going| !Arc::ptr_eq(&going.stop.0, &self.stop.0));
    }
}
