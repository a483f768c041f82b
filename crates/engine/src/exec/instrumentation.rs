//! The instrumentation of an interpreter: none, or a sanitizer, a schedule and a watcher in any combination.
//!
//! The interpreter is compiled twice, with and without instruments, so that a plain run does not check for them at
//! every op.

use crate::exec::schedule::Schedule;
use crate::exec::watch::Watcher;
use crate::sanitize::Sanitizer;

/// The instruments, if this kind of interpreter can have any.
pub(crate) trait Instrumentation<'a> {
    /// The instruments.
    fn instruments(&self) -> Option<&Instruments<'a>>;

    /// The instruments, mutably.
    fn instruments_mut(&mut self) -> Option<&mut Instruments<'a>>;

    /// The sanitizer of a sanitized run.
    fn sanitizer(&self) -> Option<&Sanitizer<'a>> {
        self.instruments()?.sanitizer.as_ref()
    }

    /// The sanitizer of a sanitized run.
    fn sanitizer_mut(&mut self) -> Option<&mut Sanitizer<'a>> {
        self.instruments_mut()?.sanitizer.as_mut()
    }

    /// The schedule of a scheduled run.
    fn schedule_mut(&mut self) -> Option<&mut Schedule<'a>> {
        self.instruments_mut()?.schedule.as_mut()
    }

    /// The watcher of a watched run.
    fn watcher(&self) -> Option<&Watcher<'a>> {
        self.instruments()?.watcher.as_ref()
    }

    /// The watcher of a watched run.
    fn watcher_mut(&mut self) -> Option<&mut Watcher<'a>> {
        self.instruments_mut()?.watcher.as_mut()
    }
}

/// No instruments.
pub(crate) struct Uninstrumented;

impl<'a> Instrumentation<'a> for Uninstrumented {
    fn instruments(&self) -> Option<&Instruments<'a>> {
        None
    }

    fn instruments_mut(&mut self) -> Option<&mut Instruments<'a>> {
        None
    }
}

/// The instruments of an instrumented run.
pub(crate) struct Instruments<'a> {
    /// Checks for undefined behavior.
    pub(crate) sanitizer: Option<Sanitizer<'a>>,
    /// Runs unordered accesses in a different order.
    pub(crate) schedule: Option<Schedule<'a>>,
    /// Reports values and costs.
    pub(crate) watcher: Option<Watcher<'a>>,
}

impl<'a> Instrumentation<'a> for Instruments<'a> {
    fn instruments(&self) -> Option<&Instruments<'a>> {
        Some(self)
    }

    fn instruments_mut(&mut self) -> Option<&mut Instruments<'a>> {
        Some(self)
    }
}
