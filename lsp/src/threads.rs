//! How many threads share a piece of work, and how much stack each has.

use std::sync::LazyLock;

/// More of them gain less than they cost.
const MOST: usize = 8;

/// The stack of the threads that do the work; nesting is capped, but unoptimised programs need room for it.
pub(crate) const STACK: usize = 16 << 20;

/// As many as there are processors for them. Finding that out reads a dozen files, so it is done once.
static COUNT: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from).min(MOST));

/// How many threads share a piece of work that is large enough for it.
pub(crate) fn count() -> usize {
    *COUNT
}
