//! Long-running work that can be stopped: runs of kernels and compilations.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tower_lsp::ls_types::ProgressToken;

/// How long stopped work may take to end when the server exits.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

/// How often to poll for that.
const PACE: Duration = Duration::from_millis(2);

/// The running tasks.
#[derive(Default)]
pub(crate) struct Tasks {
    going: Mutex<Vec<Going>>,
    /// A guard held by every thread that works on a task.
    held: Arc<()>,
}

struct Going {
    /// The document.
    uri: String,
    name: String,
    /// The token of its progress.
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
    /// Nothing to stop yet.
    #[default]
    Starting,
    /// The callback that stops it.
    Running(Box<dyn FnOnce() + Send>),
    /// Finished. The process that ran it may be doing other work.
    Ended,
    Stopped,
}

/// A task that is stopped when this is dropped.
pub(crate) struct Guard<'a> {
    tasks: &'a Tasks,
    stop: Stop,
}

impl Tasks {
    /// Starts a task for a document. Stops an earlier one of the same name. Its progress is reported with the token
    /// that the client has given, or else with its name.
    pub(crate) fn begin(&self, uri: &str, name: String, given: Option<ProgressToken>) -> Guard<'_> {
        let stop = Stop { state: Arc::default(), _held: self.held.clone() };
        let token = given.unwrap_or_else(|| ProgressToken::String(name.clone()));
        let mut going = self.lock();
        going.iter().filter(|other| other.name == name).for_each(|other| other.stop.stop());
        going.push(Going { uri: uri.to_string(), name, token, stop: stop.clone() });
        Guard { tasks: self, stop }
    }

    /// Stops the tasks of a document.
    pub(crate) fn stop_in(&self, uri: &str) {
        self.lock().iter().filter(|going| going.uri == uri).for_each(|going| going.stop.stop());
    }

    /// Stops the task whose progress has this token.
    pub(crate) fn stop_by_token(&self, token: &ProgressToken) {
        self.lock().iter().filter(|going| going.token == *token).for_each(|going| going.stop.stop());
    }

    /// Stops all tasks.
    pub(crate) fn stop_all(&self) {
        self.lock().iter().for_each(|going| going.stop.stop());
    }

    /// Waits briefly for all tasks to end, so that the server leaves nothing behind when it exits. The wait is short,
    /// because the client waits too.
    pub(crate) async fn ended(&self) {
        let all_left = async {
            while Arc::strong_count(&self.held) > 1 {
                tokio::time::sleep(PACE).await;
            }
        };
        // Tasks that take longer are left to the operating system.
        let _ = tokio::time::timeout(SHUTDOWN_GRACE, all_left).await;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Going>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
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
            // Waiting for a process to end must not block the thread that reads messages.
            std::thread::spawn(stops);
        }
    }

    /// Marks the task as finished, so that stopping it has no effect. Returns whether it was not stopped before.
    pub(crate) fn ended(&self) -> bool {
        let mut state = self.lock();
        let is_running = matches!(*state, State::Running(_));
        if is_running {
            *state = State::Ended;
        }
        is_running
    }

    /// Sets the callback that stops the task.
    pub(crate) fn started(&self, stops: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        match *state {
            State::Stopped => stops(),
            _ => *state = State::Running(Box::new(stops)),
        }
    }
}

impl Guard<'_> {
    /// The guard for the thread that works on the task.
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
        self.tasks.lock().retain(|going| !Arc::ptr_eq(&going.stop.state, &self.stop.state));
    }
}
