//! Work that goes on for the user and can be stopped: runs of kernels, and what the compiler makes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tower_lsp::ls_types::ProgressToken;

/// How long work that is stopped may take to end when the server does.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

/// How often is looked whether it has.
const PACE: Duration = Duration::from_millis(2);

/// The tasks that go on.
#[derive(Default)]
pub(crate) struct Tasks {
    going: Mutex<Vec<Going>>,
    /// Held by everybody who works on a task.
    held: Arc<()>,
}

struct Going {
    /// The document.
    uri: String,
    name: String,
    /// Under which its progress is told.
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
    /// There is nothing yet that could be stopped.
    #[default]
    Starting,
    /// This stops it.
    Running(Box<dyn FnOnce() + Send>),
    /// It is done. The process that has done it may do other things.
    Ended,
    Stopped,
}

/// A task that is stopped when this is dropped.
pub(crate) struct Guard<'a> {
    tasks: &'a Tasks,
    stop: Stop,
}

impl Tasks {
    /// Begins a task for a document. An earlier one of the same name is stopped. Its progress is told under the token that
    /// the client has given, or under its name.
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

    /// Stops the task whose progress was told under this token.
    pub(crate) fn stop_by_token(&self, token: &ProgressToken) {
        self.lock().iter().filter(|going| going.token == *token).for_each(|going| going.stop.stop());
    }

    /// Stops all tasks.
    pub(crate) fn stop_all(&self) {
        self.lock().iter().for_each(|going| going.stop.stop());
    }

    /// Waits until nobody works on a task any more, so that nothing is left behind by a server that ends. Not for long:
    /// the client waits too.
    pub(crate) async fn ended(&self) {
        let all_left = async {
            while Arc::strong_count(&self.held) > 1 {
                tokio::time::sleep(PACE).await;
            }
        };
        // What goes on for longer is left to the system.
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
            // Waiting for the end of a process is nothing for the thread that reads messages.
            std::thread::spawn(stops);
        }
    }

    /// The task is done: from now on nothing is stopped for it. Says whether nobody has stopped it before.
    pub(crate) fn ended(&self) -> bool {
        let mut state = self.lock();
        let is_running = matches!(*state, State::Running(_));
        if is_running {
            *state = State::Ended;
        }
        is_running
    }

    /// From now on this is what stops the task.
    pub(crate) fn started(&self, stops: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        match *state {
            State::Stopped => stops(),
            _ => *state = State::Running(Box::new(stops)),
        }
    }
}

impl Guard<'_> {
    /// What the thread that works on the task holds.
    pub(crate) fn handle(&self) -> Stop {
        self.stop.clone()
    }

    /// Whether somebody has stopped the task.
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
