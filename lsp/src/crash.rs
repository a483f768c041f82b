//! Recovery from panics: the work that panicked has no result, a report is written, and the server keeps running.

use std::cell::RefCell;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Once};
use tile_backend::reports;

thread_local! {
    /// The last panic of this thread: its message, location and backtrace.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Installs a hook that records panics until [`caught`] reports them.
pub(crate) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            LAST.set(format!("{panic}\n\n{}", std::backtrace::Backtrace::force_capture()));
            previous(panic);
        }));
    });
}

/// Runs `work`. If it panics, writes a report and returns a message that says where the report is.
pub(crate) fn caught<T>(task: &str, work: impl FnOnce() -> T) -> Result<T, Arc<str>> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let panic = LAST.take();
        let message = panic.lines().nth(1).unwrap_or("it panicked");
        format!("this is a bug in tile, please report it: {message} ({})", report(task, &panic)).into()
    })
}

/// Writes a report. Returns a description of where it is.
fn report(task: &str, panic: &str) -> String {
    let (version, system, processor) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    let text = format!("tile {version} on {system} {processor}\nwork: {task}\n\n{panic}\n");
    reports::write("txt", text.as_bytes())
}
