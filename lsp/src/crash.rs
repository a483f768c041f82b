//! What becomes of a panic: the work that panicked has no answer, a report says more, and the server goes on.

use std::cell::RefCell;
use std::fmt::Write;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::SystemTime;

/// How many reports a server writes. Whoever panics once is likely to do it again.
const REPORTS: usize = 20;

thread_local! {
    /// The last panic of this thread: its message, its place and how it came about.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Has panics remembered until [`caught`] reports them.
pub(crate) fn remember() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            LAST.set(format!("{panic}\n\n{}", std::backtrace::Backtrace::force_capture()));
            before(panic);
        }));
    });
}

/// Does a piece of work. Where it panics the error says so, and where the report is.
pub(crate) fn caught<T>(what: &str, work: impl FnOnce() -> T) -> Result<T, Arc<str>> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let told = LAST.take();
        let message = told.lines().nth(1).unwrap_or("it panicked");
        format!("this is a mistake in tile, please report it: {message} ({})", report(what, &told)).into()
    })
}

/// Writes a report. Returns where it is, in words.
fn report(what: &str, told: &str) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    if count >= REPORTS {
        return "earlier reports say more".to_string();
    }
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let path = folder().join(format!("crash-{seconds}-{}-{count}.txt", std::process::id()));
    let mut text = String::new();
    let (version, system) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS);
    let _ = writeln!(text, "tile {version} on {system} {}\nwork: {what}\n\n{told}", std::env::consts::ARCH);
    let write = || std::fs::create_dir_all(folder()).and_then(|()| std::fs::write(&path, text));
    match write() {
        Ok(()) => format!("the report is {}", path.display()),
        Err(error) => format!("no report could be written to {}: {error}", path.display()),
    }
}

/// Where programs of this user keep what they note down.
fn folder() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME");
    let state = match std::env::consts::OS {
        "windows" => variable("LOCALAPPDATA"),
        "macos" => home().map(|home| home.join("Library/Logs")),
        _ => variable("XDG_STATE_HOME").or_else(|| home().map(|home| home.join(".local/state"))),
    };
    state.unwrap_or_else(std::env::temp_dir).join("tile")
}
