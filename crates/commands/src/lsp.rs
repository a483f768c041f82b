//! `tile lsp`.

use crate::messages::fail;

/// Run the language server
///
/// The server communicates over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Ignored; some editors pass it
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves an editor until it disconnects.
pub(crate) fn run(_: &Arguments) -> u8 {
    let served = tile_lsp::serve_stdio(signals::leave_by);
    signals::end();
    match served {
        // The protocol requires status 1 for `exit` without a preceding `shutdown`.
        Ok(in_order) => u8::from(!in_order),
        Err(error) => fail(format_args!("cannot start the language server: {error}")),
    }
}

/// Cleans up before the server is terminated by SIGTERM, which some editors send.
#[cfg(unix)]
mod signals {
    use signal_hook::consts::SIGTERM;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::atomic::{AtomicI32, Ordering};
    use std::thread;
    use std::time::Duration;
    use tile_lsp::Leave;

    /// The time limit of the cleanup.
    const TIMEOUT: Duration = Duration::from_secs(5);

    /// The received signal; 0 if none.
    static SIGNAL: AtomicI32 = AtomicI32::new(0);

    /// Shuts the server down when a signal arrives.
    pub(super) fn leave_by(leave: Leave) {
        let Ok(mut signals) = Signals::new([SIGTERM]) else { return };
        thread::spawn(move || {
            let Some(signal) = signals.forever().next() else { return };
            SIGNAL.store(signal, Ordering::Release);
            leave.leave();
            thread::sleep(TIMEOUT);
            end();
        });
    }

    /// Terminates the process by the received signal, if any.
    pub(super) fn end() {
        let signal = SIGNAL.load(Ordering::Acquire);
        if signal != 0 {
            // If this fails, the process still ends with the server's exit status.
            let _ = emulate_default_handler(signal);
        }
    }
}

#[cfg(not(unix))]
mod signals {
    pub(super) fn leave_by(_: tile_lsp::Leave) {}

    pub(super) fn end() {}
}
