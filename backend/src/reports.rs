//! Reports of what went wrong, in files that the user can send.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// How many reports a process writes. What goes wrong once is likely to do it again.
const REPORTS: usize = 20;

/// Writes a report with this ending. Returns where it is, in words.
pub fn write(ending: &str, report: &[u8]) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    if count >= REPORTS {
        return "earlier reports say more".to_string();
    }
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let path = folder().join(format!("crash-{seconds}-{}-{count}.{ending}", std::process::id()));
    match create(&path, report) {
        Ok(()) => format!("the report is {}", path.display()),
        Err(error) => format!("no report could be written to {}: {error}", path.display()),
    }
}

/// Writes a file that the user alone can read: a report holds a program.
fn create(path: &std::path::Path, report: &[u8]) -> io::Result<()> {
    std::fs::create_dir_all(folder())?;
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    io::Write::write_all(&mut options.open(path)?, report)
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
