//! Tasks that run for the user and can be stopped: runs of kernels, and compilations.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tower_lsp::ls_types::ProgressToken;

/// How long stopped tasks may take to end when the server shuts down.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

/// The interval between checks whether they have ended.
const PACE: Duration = Duration::from_millis(2);

/// The running tasks.
#[derive(Default)]
pub(crate) struct Tasks {
    running: Mutex<Vec<Task>>,
    /// Held by every thread that works on a task.
    held: Arc<()>,
}

struct Task {
    /// The document.
    uri: String,
    name: String,
    /// The token of its progress reports.
    token: ProgressToken,
    stop: Stop,
}

/// Stops one task.
#[derive(Clone)]
pub(crate) struct Stop {
    state: Arc<Mutex<State>>,
    _held: Arc<()>,
}

#[derive(Default)]
enum State {
    /// There is nothing to stop yet.
    #[default]
    Starting,
    /// Calling this stops the task.
    Running(Box<dyn FnOnce() + Send>),
    /// The task is done. Its process may be doing other work.
    Ended,
    Stopped,
}

/// A task that is stopped when this is dropped.
pub(crate) struct Guard<'a> {
    tasks: &'a Tasks,
    stop: Stop,
}

impl Tasks {
    /// Begins a task for a document and stops an earlier one of the same name. Its progress is reported under the
    /// client's token, or else under its name.
    pub(crate) fn begin(&self, uri: &str, name: String, given: Option<ProgressToken>) -> Guard<'_> {
        let stop = Stop { state: Arc::default(), _held: self.held.clone() };
        let token = given.unwrap_or_else(|| ProgressToken::String(name.clone()));
        let mut running = self.lock();
        running.iter().filter(|other| other.name == name).for_each(|other| other.stop.stop());
        running.push(Task { uri: uri.to_string(), name, token, stop: stop.clone() });
        Guard { tasks: self, stop }
    }

    /// Stops the tasks of a document.
    pub(crate) fn stop_in(&self, uri: &str) {
        self.lock().iter().filter(|running| running.uri == uri).for_each(|running| running.stop.stop());
    }

    /// Stops the task whose progress is reported under this token.
    pub(crate) fn stop_by_token(&self, token: &ProgressToken) {
        self.lock().iter().filter(|running| running.token == *token).for_each(|running| running.stop.stop());
    }

    /// Stops all tasks.
    pub(crate) fn stop_all(&self) {
        self.lock().iter().for_each(|running| running.stop.stop());
    }

    /// Waits, for a short time, until all tasks have ended, so that a server that shuts down leaves nothing behind.
    pub(crate) async fn ended(&self) {
        let all_left = async {
            while Arc::strong_count(&self.held) > 1 {
                tokio::time::sleep(PACE).await;
            }
        };
        // Tasks that take longer are left to the system.
        let _ = tokio::time::timeout(SHUTDOWN_GRACE, all_left).await;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Task>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stop {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the task, now or as soon as there is something to stop.
    fn stop(&self) {
        let mut state = self.lock();
        if matches!(*state, State::Ended) {
            return;
        }
        if let State::Running(stops) = std::mem::replace(&mut *state, State::Stopped) {
            // The thread that reads messages must not wait for the end of a process.
            std::thread::spawn(stops);
        }
    }

    /// Marks the task as done, so that it can no longer be stopped. Returns false if it was stopped before.
    pub(crate) fn ended(&self) -> bool {
        let mut state = self.lock();
        let is_running = matches!(*state, State::Running(_));
        if is_running {
            *state = State::Ended;
        }
        is_running
    }

    /// Sets the function that stops the task.
    pub(crate) fn started(&self, stops: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        if !matches!(*state, State::Stopped) {
            *state = State::Running(Box::new(stops));
            return;
        }
        // Ending a launcher can take seconds, in which another cancellation must not wait for the lock.
        drop(state);
        stops();
    }
}

impl Guard<'_> {
    /// Returns the handle for the thread that works on the task.
    pub(crate) fn handle(&self) -> Stop {
        self.stop.clone()
    }

    /// Whether the task was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(*self.stop.lock(), State::Stopped)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.stop.stop();
        self.tasks.lock().retain(|running| !Arc::ptr_eq(&running.stop.state, &self.stop.state));
    }
}
