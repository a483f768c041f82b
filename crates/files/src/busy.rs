//! Delays termination signals while a file is being replaced: the program ends when the replacement is complete, or at
//! the second signal.
//!
//! `signal-hook` does not suit, because it also handles ignored signals: a program under `nohup` would end at SIGHUP.

/// A guard that exists while a file is being replaced.
pub(crate) struct Busy(());

impl Busy {
    /// Starts replacing a file. Blocks forever if a termination signal has arrived.
    pub(crate) fn begin() -> Busy {
        signals::begin();
        Busy(())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        signals::end();
    }
}

#[cfg(unix)]
mod signals {
    use libc::c_int;
    use std::sync::Once;
    use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
    use std::{mem, ptr, thread, time::Duration};

    /// The termination signals.
    const SIGNALS: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

    /// The number of files being replaced.
    static REPLACING: AtomicUsize = AtomicUsize::new(0);
    /// The received signal; 0 if none.
    static ENDING: AtomicI32 = AtomicI32::new(0);

    // The handler sets `ENDING` and then reads `REPLACING`; `begin` does the reverse. So either the handler leaves the
    // termination to `end`, or no replacement starts.
    pub(crate) fn begin() {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(listen);
        REPLACING.fetch_add(1, SeqCst);
        if ENDING.load(SeqCst) != 0 {
            end();
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }
    }

    pub(crate) fn end() {
        if REPLACING.fetch_sub(1, SeqCst) == 1 {
            match ENDING.load(SeqCst) {
                0 => {}
                signal => terminate_by(signal),
            }
        }
    }

    extern "C" fn handle(signal: c_int) {
        let is_second = ENDING.swap(signal, SeqCst) != 0;
        if is_second || REPLACING.load(SeqCst) == 0 {
            terminate_by(signal);
        }
    }

    /// Terminates the program as the signal would have done.
    #[allow(unsafe_code)]
    fn terminate_by(signal: c_int) {
        // SAFETY: both functions are async-signal-safe and take no pointers to data.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    /// Installs the handler for signals that are neither ignored nor handled.
    #[allow(unsafe_code)]
    fn listen() {
        for signal in SIGNALS {
            // SAFETY: an all-zero `sigaction` is valid, and each pointer is null or points to one. The handler calls
            // only async-signal-safe functions.
            unsafe {
                let mut action: libc::sigaction = mem::zeroed();
                if libc::sigaction(signal, ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_DFL {
                    action.sa_sigaction = handle as extern "C" fn(c_int) as libc::sighandler_t;
                    action.sa_flags = libc::SA_RESTART;
                    libc::sigaction(signal, &action, ptr::null_mut());
                }
            }
        }
    }
}

#[cfg(not(unix))]
mod signals {
    pub(crate) fn begin() {}
    pub(crate) fn end() {}
}
