//! Actions before a signal ends this process, such as Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use tile_backend::worker::Killer;

type Action = Box<dyn FnMut() + Send>;

/// The actions, in the order in which they were added.
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

/// Whether a signal is ending this process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Runs an action before a signal ends this process.
pub(crate) fn before_end(action: impl FnMut() + Send + 'static) {
    static WATCH: Once = Once::new();
    WATCH.call_once(watch);
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(action));
}

#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            IS_ENDING.store(true, Ordering::SeqCst);
            for action in ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
                action();
            }
            let _ = emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
fn watch() {}

/// Kills a worker before a signal ends this process, so that a launcher cancels its job.
pub(crate) fn kill_before_end(killer: Killer) {
    before_end(move || killer.kill());
}

/// If a signal is ending this process, waits for the end: what has failed since then is a consequence.
pub(crate) fn hold() {
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}
