//! Waiting for events, and time limits, such that tests do not depend on the speed of the machine.

use std::time::{Duration, Instant};

/// What takes longer is considered hung, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Repeats an attempt until it succeeds. `event` names what it waits for.
#[track_caller]
pub(crate) fn soon<T>(event: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = attempt() {
            return found;
        }
        assert!(began.elapsed() < TIMEOUT, "{event}: timed out");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Calls `attempt` with a time limit, in seconds, for something that never ends. If the machine was too slow for what
/// must happen within the limit, calls it again with longer ones. Returns the limit and the last result.
pub(crate) fn with_time_limit<T>(
    seconds: u32,
    mut attempt: impl FnMut(u32) -> T,
    was_too_short: impl Fn(&T) -> bool,
) -> (u32, T) {
    let longer = [seconds, seconds * 8].into_iter().map(|seconds| (seconds, attempt(seconds)));
    let enough = longer.into_iter().find(|(_, result)| !was_too_short(result));
    enough.unwrap_or_else(|| (seconds * 64, attempt(seconds * 64)))
}
