//! Waiting for events, such that tests do not depend on the speed of the machine.

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
