//! The clock of the page that a WebAssembly module is part of.

use std::time::Duration;

/// The function that the page provides.
#[allow(unsafe_code)]
mod provided {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// The milliseconds since some moment.
        pub(super) safe fn now() -> f64;
    }
}

/// A moment, with the interface of `std::time::Instant`.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Instant {
    milliseconds: f64,
}

impl Instant {
    /// The present moment.
    pub fn now() -> Instant {
        Instant { milliseconds: provided::now() }
    }

    /// The time since this moment; zero if the page's clock went backwards.
    pub fn elapsed(&self) -> Duration {
        let passed = provided::now() - self.milliseconds;
        Duration::try_from_secs_f64(passed / 1000.0).unwrap_or_default()
    }
}
