//! How many threads share a piece of work.

use std::sync::LazyLock;

/// More of them gain less than they cost.
const MOST: usize = 8;

/// As many as there are processors for them. Finding that out reads a dozen files, so it is done once.
static COUNT: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from).min(MOST));

/// How many threads share a piece of work that is large enough for it.
pub(crate) fn count() -> usize {
    *COUNT
}
