//! Signals while a file is being replaced: the program ends when the replacement is complete, or at the second signal.
//!
//! By hand, because `signal-hook` also takes signals that are ignored: a program under `nohup` would end at the first
//! SIGHUP.

/// A file is being replaced as long as this lives.
pub(crate) struct Busy(());

impl Busy {
    /// Waits for the end of the program if it is to end.
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

    /// What asks a program to end.
    const SIGNALS: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

    /// How many files are being replaced.
    static REPLACING: AtomicUsize = AtomicUsize::new(0);
    /// The signal that the program is to end by; 0 before there is one.
    static ENDING: AtomicI32 = AtomicI32::new(0);

    // The handler sets `ENDING` and then looks at `REPLACING`; here it is the other way round. So either the handler sees
    // that it must leave the end to `end`, or no file is begun.
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
                signal => end_by(signal),
            }
        }
    }

    extern "C" fn asked_to_end(signal: c_int) {
        let is_second = ENDING.swap(signal, SeqCst) != 0;
        if is_second || REPLACING.load(SeqCst) == 0 {
            end_by(signal);
        }
    }

    /// Ends the program as the signal would have done.
    #[allow(unsafe_code)]
    fn end_by(signal: c_int) {
        // SAFETY: both may be called from the handler of a signal, and take numbers only.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    /// Listens to the signals that nobody ignores or listens to yet.
    #[allow(unsafe_code)]
    fn listen() {
        for signal in SIGNALS {
            // SAFETY: all zeros are a `sigaction`, and both pointers lead to one or nowhere. The handler calls nothing
            // that a handler may not call.
            unsafe {
                let mut action: libc::sigaction = mem::zeroed();
                if libc::sigaction(signal, ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_DFL {
                    action.sa_sigaction = asked_to_end as extern "C" fn(c_int) as libc::sighandler_t;
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
