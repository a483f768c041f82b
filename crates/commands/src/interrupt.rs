//! Actions before a signal ends this process, such as Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use tile_backend::worker::Killer;

type Action = Box<dyn FnMut() + Send>;

/// The actions, in the order in which they were added.
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

/// Whether a signal is ending this process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Held while a worker starts that no action kills yet. The process does not end before it is free.
static STARTING: Mutex<()> = Mutex::new(());

static WATCH: Once = Once::new();

/// Runs an action before a signal ends this process.
pub(crate) fn before_end(action: impl FnMut() + Send + 'static) {
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
            let _free = STARTING.lock();
            for action in ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
                action();
            }
            let _ = emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
fn watch() {}

/// Kills a worker before a signal ends this process, so that a launcher cancels its job. This is called before the
/// worker starts, and the returned function with its killer. A signal in between waits.
pub(crate) fn kill_before_end() -> impl FnOnce(Killer) {
    WATCH.call_once(watch);
    let starting = STARTING.lock();
    move |killer| {
        before_end(move || killer.kill());
        drop(starting);
    }
}

/// If a signal is ending this process, waits for the end: what has failed since then is a consequence.
pub(crate) fn hold() {
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}
