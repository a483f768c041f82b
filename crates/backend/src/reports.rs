//! Crash reports: files that the user can attach to a bug report.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// The maximum number of reports that a process writes. A failure that occurs once is likely to repeat.
const REPORTS: usize = 20;

/// Writes a report to a file with this extension. Returns a sentence that names the file, or the reason why it was not
/// written.
pub fn write(extension: &str, report: &[u8]) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    if count >= REPORTS {
        return "see the earlier reports".to_string();
    }
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let path = folder().join(format!("crash-{seconds}-{}-{count}.{extension}", std::process::id()));
    match create(&path, report) {
        Ok(()) => format!("the report was written to {}", path.display()),
        Err(error) => format!("cannot write a report to {}: {error}", path.display()),
    }
}

/// Writes a file that only the user can read, because a report contains the program.
fn create(path: &std::path::Path, report: &[u8]) -> io::Result<()> {
    std::fs::create_dir_all(folder())?;
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    io::Write::write_all(&mut options.open(path)?, report)
}

/// The folder for the user's state files, such as logs.
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
