//! Options that the commands which run launches share.

use clap::ValueEnum;
use tile_backend::worker::Target;

/// How runs are reported.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    JsonLines,
}

/// [`tile_backend::worker::Job::MAX_BYTES`] as people write it.
pub(crate) const DEFAULT_MEMORY: &str = "8GiB";

/// The seed of a schedule.
pub(crate) fn schedule(text: &str) -> Result<u64, String> {
    let seed = text.strip_prefix("seed=").and_then(|seed| seed.parse().ok());
    seed.ok_or_else(|| "a schedule is seed=N with a whole number, such as seed=1".to_string())
}

/// Milliseconds of a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok((seconds * 1000.0).ceil() as u64),
        _ => Err("a number of seconds, such as 2.5".to_string()),
    }
}

/// Refuses the options that are given and that a GPU cannot serve.
pub(crate) fn needs_cpu(target: Target, options: &[(&str, bool)]) -> Result<(), String> {
    match options.iter().find(|(_, given)| *given && target != Target::Cpu) {
        Some((option, _)) => Err(format!("`{option}` is for the CPU engine only; leave `--target` out")),
        None => Ok(()),
    }
}
