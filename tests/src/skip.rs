//! How a test reports that it is skipped. The tests of other crates include this file.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Reports on standard error that the running test, or a part of it, is skipped, and why. One line a test: further
/// reasons are dropped. Bypasses `eprintln!`, whose output the test harness hides when a test passes.
pub(crate) fn skipped(why: impl Display) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(line) = line(std::thread::current().name(), &mut reported, &why) {
        // If standard error is closed, nothing can be reported.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Returns the line for the test that runs on the thread of this name; `None` if it has already printed one.
pub(crate) fn line(thread: Option<&str>, reported: &mut BTreeSet<String>, why: &dyn Display) -> Option<String> {
    // With `--test-threads=1` all tests run on the main thread, which has no test's name.
    let Some(test) = thread.filter(|name| *name != "main") else { return Some(format!("skipped: {why}")) };
    reported.insert(test.to_string()).then(|| format!("skipped {test}: {why}"))
}

/// Reports that the running test lacks one of NVIDIA's tools, and where to get it.
pub(crate) fn without_tool(name: &str) {
    skipped(format_args!(
        "no `{name}` on the search path; `.ci/nvidia` installs NVIDIA's tools and prints their folder"
    ));
}

/// Reports that the running test lacks upstream's test programs, and where to get them.
pub(crate) fn without_upstream() {
    skipped(
        "no test programs from NVIDIA; copy test/Bytecode and test/Dialect/CudaTile of \
         https://github.com/NVIDIA/cuda-tile, v13.3.2, into ../shared/conformance/upstream",
    );
}
