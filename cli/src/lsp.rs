//! `tile lsp`.

use crate::messages::fail;

/// Serve an editor over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Changes nothing: there is no other way to be served. Some editors say it.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves an editor until it leaves.
pub(crate) fn run(_: &Arguments) -> u8 {
    let served = tile_lsp::serve_stdio(signals::leave_by);
    signals::end();
    match served {
        // A server that is told to `exit` without `shutdown` before ends with 1, as the protocol wants.
        Ok(in_order) => u8::from(!in_order),
        Err(error) => fail(format_args!("cannot start the language server: {error}")),
    }
}

/// Some editors end a server by SIGTERM. It ends by that signal, but tidies up before.
#[cfg(unix)]
mod signals {
    use signal_hook::consts::SIGTERM;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::atomic::{AtomicI32, Ordering};
    use std::thread;
    use std::time::Duration;
    use tile_lsp::Leave;

    /// How long the server may take to tidy up.
    const TIMEOUT: Duration = Duration::from_secs(5);

    /// The signal that has come.
    static SIGNAL: AtomicI32 = AtomicI32::new(0);

    /// Has the server leave when a signal comes.
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

    /// Ends by the signal that has come, if one has.
    pub(super) fn end() {
        let signal = SIGNAL.load(Ordering::Acquire);
        if signal != 0 {
            // Where it ends nothing the server has an exit status still.
            let _ = emulate_default_handler(signal);
        }
    }
}

#[cfg(not(unix))]
mod signals {
    pub(super) fn leave_by(_: tile_lsp::Leave) {}

    pub(super) fn end() {}
}
