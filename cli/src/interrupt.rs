//! Actions before a signal ends this process, such as Ctrl-C.

use std::sync::{Mutex, Once, PoisonError};

type Action = Box<dyn FnMut() + Send>;

/// The actions, in the order in which they were added.
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

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
            for action in ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
                action();
            }
            let _ = emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
fn watch() {}

/// Waits until the signal ends this process, whose actions have begun.
pub(crate) fn wait_for_end() {
    loop {
        std::thread::park();
    }
}
