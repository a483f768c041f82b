//! Headings that group options in the help of every command.

/// What to read and which launches to run.
pub(crate) const INPUT: &str = "Input";
/// Formats and files that a command writes.
pub(crate) const OUTPUT: &str = "Output";
/// Tile IR versions and features.
pub(crate) const LANGUAGE: &str = "Language";
/// Where kernels run, and their limits.
pub(crate) const EXECUTION: &str = "Execution";
/// Traces, profiles and sanitizers.
pub(crate) const DEBUGGING: &str = "Debugging";
/// Options for GPUs and NVIDIA's compiler.
pub(crate) const GPU: &str = "GPU";
